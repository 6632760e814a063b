package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// An execution that goes on when all time is up is told as it stands: nobody executes it again.
func TestTimeIsUpInTheFirstExecution(t *testing.T) {
	var s *Session
	executed := 0
	sys := begins(func(ctx *actor.Context, _ handler) {
		s.end = rung()
		ctx.Send(ctx.Self(), again{})
	}, &executed)
	s = prepared(t, "auto", sys)
	out, err := s.Explore()
	if err != nil || out.Executions != 1 || !out.Bounded || out.Deliveries != 1 || len(s.Raws) != 1 {
		t.Fatalf("%+v, %d findings, %v", out, len(s.Raws), err)
	}
	f, err := s.Investigate(s.Raws[0], 1)
	if err != nil || executed != 1 || f.Schedule != nil {
		t.Fatalf("executed %d times, %v", executed, err)
	}
	contains(t, strings.Join(strings.Fields(s.Text(f)), " "),
		"livelock: the time was up after 0s, and still going: next is again from first to first; raise Config.Budget or "+
			"-timeout",
		"It was not executed again, so it is neither minimised nor explained, and there is no schedule to save.")
}

// Where the time is up while a finding is minimised, explained or looked at, the report has what there is by then, and
// says what is missing.
func TestTimeIsUpInTheInvestigation(t *testing.T) {
	find := func(t *testing.T) *Session {
		s := prepared(t, "naive", bank())
		s.sys = interrupting{bank(), func() {}}
		if _, err := s.Explore(); err != nil || len(s.Raws) == 0 {
			t.Fatal(s.Raws, err)
		}
		return s
	}
	missing := []string{"Not minimised: the time was up.", "Not minimised to the end: the time was up.",
		"Not found before the time was up.",
		"States and logs are missing: the time was up.", "The other order is not shown: the time was up."}
	var said []string
	for n, some := 0, true; some; n++ { // executions before the time is up
		s := find(t)
		executed := 0
		s.sys = interrupting{bank(), func() {
			if executed++; executed > n {
				s.end = rung()
			}
		}}
		f, err := s.Investigate(s.Raws[0], 1)
		if err != nil {
			t.Fatal(err)
		}
		text := s.Text(f)
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
	explore.System
	before func()
}

func (i interrupting) Execute(c explore.Conditions, d explore.Driver) error {
	i.before()
	return i.System.Execute(c, d)
}
