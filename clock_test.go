package rehearse

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// rung is an alarm that has rung.
func rung() *alarm { return alarmAt(time.Now().Add(-time.Second)) }

// planned is a session that is not run, to be asked for its times.
func planned(budget explore.Budget, began, limit time.Time) *session {
	return &session{plan: &plan{budget: budget}, began: began, limit: limit}
}

// A budget of time is kept to, and ends before -timeout. A number of executions gets a share of what is left: the tests that come later have
// theirs, however slow this one is.
func TestExploreUntil(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		budget explore.Budget
		limit  time.Duration // 0: none
		want   time.Duration // 0: never
		late   bool
	}{
		{explore.Budget{Executions: 1000}, 0, 0, false},
		{explore.Budget{}, 0, 0, false},
		{explore.Budget{Time: time.Minute}, 0, time.Minute, false},
		{explore.Budget{Time: time.Minute}, 10 * time.Minute, time.Minute, false},
		{explore.Budget{Time: time.Hour}, 10 * time.Minute, 10 * time.Minute, true},
		{explore.Budget{}, 10 * time.Minute, 10 * time.Minute, true},
		{explore.Budget{Executions: 1000}, 10 * time.Minute, 150 * time.Second, true},
	} {
		limit, want := time.Time{}, time.Time{}
		if c.limit > 0 {
			limit = now.Add(c.limit)
		}
		if c.want > 0 {
			want = now.Add(c.want)
		}
		if at, late := planned(c.budget, now, limit).exploreUntil(); !at.Equal(want) || late != c.late {
			t.Errorf("budget %s, %s before -timeout: until %s, late %v", c.budget, c.limit, at.Sub(now), late)
		}
	}
}

// When the time is up nothing begins any more, but for the first execution: that has some patience, which ends too.
func TestStop(t *testing.T) {
	for _, c := range []struct {
		passed, limit time.Duration
		done          int
		want          bool
	}{
		{time.Second, 0, 5, false},
		{21 * time.Second, 0, 5, true},
		{21 * time.Second, 0, 0, false},
		{time.Minute, 0, 0, true},
		{21 * time.Second, time.Minute, 0, false},
		{21 * time.Second, -time.Second, 0, true},
	} {
		now := time.Now()
		s := planned(explore.Budget{Time: 20 * time.Second}, now.Add(-c.passed), time.Time{})
		if s.done = c.done; c.limit != 0 {
			s.limit = now.Add(c.limit)
		}
		if got := s.stop(); got != c.want {
			t.Errorf("%+v: stops %v", c, got)
		}
	}
}

// What was found is investigated in what is left of the budget, or a tenth of it, and several findings share that.
func TestInvestigation(t *testing.T) {
	for _, c := range []struct {
		budget            explore.Budget
		passed, limit     time.Duration
		findings          int
		atLeast, lessThan time.Duration
	}{
		{explore.Budget{Time: time.Minute}, 20 * time.Second, 0, 1, 39 * time.Second, 41 * time.Second},
		{explore.Budget{Time: time.Minute}, 20 * time.Second, 0, 4, 9 * time.Second, 11 * time.Second},
		{explore.Budget{Time: time.Minute}, 2 * time.Minute, 0, 1, 5 * time.Second, 7 * time.Second},
		{explore.Budget{Time: time.Millisecond}, time.Second, 0, 1, time.Second / 2, 2 * time.Second},
		{explore.Budget{Executions: 1000}, time.Second, 0, 1, 29 * time.Second, 31 * time.Second},
		{explore.Budget{Executions: 1000}, time.Minute, 0, 1, 59 * time.Second, 61 * time.Second},
		{explore.Budget{Executions: 1000}, time.Second, 40 * time.Second, 1, 9 * time.Second, 11 * time.Second},
		{explore.Budget{Time: time.Minute}, time.Second, 10 * time.Second, 1, 9 * time.Second, 11 * time.Second},
	} {
		now := time.Now()
		limit := time.Time{}
		if c.limit > 0 {
			limit = now.Add(c.limit)
		}
		got := planned(c.budget, now.Add(-c.passed), limit).investigation(c.findings).Sub(now)
		if took := time.Since(now); got < c.atLeast || got >= c.lessThan+2*took { // a slow machine's clock goes on meanwhile
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// An execution that goes on when all time is up is told as it stands: nobody executes it again.
func TestTimeIsUpInTheFirstExecution(t *testing.T) {
	folder(t)
	s := &session{}
	executed := 0
	sys := begins(func(ctx *actor.Context, _ handler) {
		s.end = rung()
		ctx.Send(ctx.Self(), again{})
	}, &executed)
	p, err := Config{}.resolve("TestX", false, sys, env(nil).get)
	if err != nil {
		t.Fatal(err)
	}
	*s = *newSession(p, sys, "example.com/bank", "TestX", 0)
	out, err := s.explore()
	if err != nil || out.Executions != 1 || !out.Bounded || out.Deliveries != 1 || len(s.raws) != 1 {
		t.Fatalf("%+v, %d findings, %v", out, len(s.raws), err)
	}
	f, err := s.investigate(s.raws[0], 1)
	if err != nil || executed != 1 || f.Schedule != nil {
		t.Fatalf("executed %d times, %v", executed, err)
	}
	contains(t, strings.Join(strings.Fields(f.text(s)), " "), "livelock: the time was up after 0s, and still going: next is again from first to first; raise Config.Budget or -timeout",
		"It was not executed again, so it is neither minimised nor explained, and there is no schedule to save.")
}

// Where the time is up while a finding is minimised, explained or looked at, the report has what there is by then, and says what is missing.
func TestTimeIsUpInTheInvestigation(t *testing.T) {
	find := func(t *testing.T) *session {
		p, err := Config{Strategy: "naive"}.resolve("TestX", false, bank(false), env(nil).get)
		if err != nil {
			t.Fatal(err)
		}
		s := newSession(p, nil, "example.com/bank", "TestX", 0)
		s.sys = interrupting{bank(false), func() {}}
		if _, err := s.explore(); err != nil || len(s.raws) == 0 {
			t.Fatal(s.raws, err)
		}
		return s
	}
	missing := []string{"Not minimised: the time was up.", "Not minimised to the end: the time was up.", "Not found before the time was up.",
		"States and logs are missing: the time was up."}
	var said []string
	for n, some := 0, true; some; n++ { // executions before the time is up
		s := find(t)
		executed := 0
		s.sys = interrupting{bank(false), func() {
			if executed++; executed > n {
				s.end = rung()
			}
		}}
		f, err := s.investigate(s.raws[0], 1)
		if err != nil {
			t.Fatal(err)
		}
		text := f.text(s)
		some = false
		for _, m := range missing {
			if strings.Contains(text, m) {
				said, some = append(said, m), true
			}
		}
		if f.Schedule == nil || !strings.Contains(text, "the execution:") || some != (executed > n) {
			t.Fatalf("after %d of %d executions:\n%s", n, executed, text)
		}
	}
	slices.Sort(said)
	if said = slices.Compact(said); len(said) != len(missing) {
		t.Errorf("said was only %q", said)
	}
}

// interrupting is a System that calls a function before each execution.
type interrupting struct {
	System
	before func()
}

func (i interrupting) Execute(c explore.Conditions, d explore.Driver) error {
	i.before()
	return i.System.Execute(c, d)
}

// What an execution holds is measured, garbage apart, from when it was seen first. The next one is not to blame for it.
func TestMemoryIsMeasured(t *testing.T) {
	g := &memoryGuard{limit: 32 << 20}
	g.next()
	g.look()
	var held [][]byte
	for range 3 {
		held = [][]byte{make([]byte, 20<<20)}
		g.look()
	}
	if why, _ := g.over(); why != "" {
		t.Errorf("most of it is garbage: %s", why)
	}
	held = append(held, make([]byte, 20<<20))
	g.look()
	if why, remedy := g.over(); why != "it holds more than 32 MB of memory, and still going" || !strings.Contains(remedy, "GOMEMLIMIT") {
		t.Errorf("%q, %q", why, remedy)
	}
	g.next()
	g.look()
	if why, _ := g.over(); why != "" {
		t.Errorf("the next execution is not to blame: %s", why)
	}
	runtime.KeepAlive(held)
}
