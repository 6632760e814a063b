package parallel

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// crowd sends an actor so many messages at once: each could come before each.
func crowd(messages int) *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(*actor.Context, any) {}))
		for i := range messages {
			ctx.Send(a, i)
		}
	})
}

// clocked is an executor whose clock goes on by a quarter of the grace each time somebody looks at it.
func clocked(sys explore.System, make func() explore.Divisible) *Executor {
	now := time.Unix(0, 0)
	return &Executor{System: sys, Make: func() (explore.Divisible, error) { return make(), nil },
		Options: func(bool) explore.Options {
			return explore.Options{Conditions: explore.Conditions{Model: trace.Bag, MaxSteps: 100_000, Horizon: time.Minute}}
		},
		Collect: func() ([]Found, []trace.Violation, int, error) { return nil, nil, 0, nil },
		Now:     func() time.Time { now = now.Add(grace / 4); return now },
	}
}

// A worker that is stopped in the middle of planning, or of an execution, asks few times more whether it is. What it
// was at stays as it was.
func TestStoppedInTheMiddle(t *testing.T) {
	never := func() bool { return false }
	at := func(int) error { return nil }
	for name, make := range map[string]func() explore.Divisible{
		"reverse": func() explore.Divisible { return reverse.New() },
		"source":  func() explore.Divisible { return dpor.NewSource(nil) },
		"optimal": func() explore.Divisible { return dpor.NewOptimal(nil) },
	} {
		for _, tt := range []struct {
			messages, polls int
			givesUp         bool
		}{
			{10, 1_000, false},
			{300, 200, true}, // in the first execution, which goes on
			{300, 301, true}, // when what comes after it is planned
			{300, 310, true},
		} {
			asked := 0
			stop := func() bool { asked++; return asked > tt.polls }
			lease := &Lease{Parts: []Part{{ID: 1}}, Executions: 3}
			x := clocked(crowd(tt.messages), make)
			r, err := x.execute(lease, at, never, stop)
			x.close()
			gaveUp := len(r.Done) == 0 && len(r.New) == 0 && r.Sum.Executions == 0
			if err != nil || gaveUp != tt.givesUp || asked > max(tt.polls, tt.messages)+20 {
				t.Errorf("%s, %+v: error %v, done %v, %d parts, %d executions; it asked %d times whether it is stopped",
					name, tt, err, r.Done, len(r.New), r.Sum.Executions, asked)
			}
		}
	}
}

// counting is a strategy whose items are numbers. It has so many, and gives them away one after the other.
type counting struct {
	explore.Divisible
	left int
}

func (c *counting) Split(limit int) []explore.Item {
	items := make([]explore.Item, min(limit, c.left))
	c.left -= len(items)
	return items
}

// While it gives items away, and while it sends them, a worker looks whether it is stopped.
func TestStoppedWhileGivingAway(t *testing.T) {
	const many = 100 * chunk
	asked := 0
	late := func() bool { asked++; return asked > 3 }
	if parts, _, ok := clocked(nil, nil).rests(&counting{left: many}, late); ok || parts != nil || asked != 4 {
		t.Errorf("%d items were given away, it asked %d times", len(parts), asked)
	}
	asked = 0
	r := &Report{Done: []int{1}, New: make([]Part, many), Sum: Sum{Counters: explore.Counters{Executions: 7}, Chosen: 5}}
	var sent bytes.Buffer
	if err := (&Worker{line: child.NewLine(nil, &sent)}).report(r, late); err != nil {
		t.Fatal(err)
	}
	in, words := child.NewLine(&sent, nil), []word{}
	for w := (word{}); in.Receive(&w) == nil; w = (word{}) {
		words = append(words, w)
	}
	last := words[len(words)-1].Report
	if len(words) != 4 || asked != 4 || len(words[0].More) != chunk || last == nil || !last.Void || len(last.Done) > 0 ||
		last.GaveUp.Executions != 7 || last.Sum.Executions != 0 || last.Sum.Chosen != 5 {
		t.Errorf("%d words, asked %d times, the last is %+v", len(words), asked, last)
	}
}

// What was sent of a report that turned out void does not count. Its executions do, unless somebody will go on.
func TestVoidReport(t *testing.T) {
	for _, kept := range []*file{nil, {}} {
		tally := newTally(nil)
		tally.open[1] = Part{ID: 1}
		p := &process{lease: &Lease{Parts: []Part{{ID: 1}}}, more: []Part{{}, {}}}
		k := &Pipes{file: kept, suspects: map[*process]*suspect{}}
		void := &Report{Void: true, GaveUp: explore.Counters{Executions: 7}}
		r, err := p.note(&word{Report: void})
		if err == nil {
			r, err = k.reported(p, r)
		}
		if err == nil {
			_, err = tally.add(r)
		}
		if k.file = nil; err == nil { // that it is written is not the matter here
			err = k.Added(tally, []*Report{r})
		}
		if err != nil {
			t.Fatal(err)
		}
		want := 7
		if kept != nil {
			want = 0
		}
		if len(tally.open) != 1 || tally.Sum.Executions != want || !slices.Equal(k.queue.free, []int{1}) || p.more != nil {
			t.Errorf("kept %v: %d items are open, %d executions, free %v", kept != nil, len(tally.open),
				tally.Sum.Executions, k.queue.free)
		}
	}
}

// However many items are free, a worker gets no more than can soon be sent.
func TestDealtItemsAreBounded(t *testing.T) {
	q := queue{}
	for id := range 10 * mostDealt {
		q.free = append(q.free, id)
	}
	q.survived(&suspect{Suspicion: Careful}, slices.Clone(q.free))
	zero, yes := func(int) int { return 0 }, func(int) bool { return true }
	if n := len(q.next(yes).ids); n != mostDealt {
		t.Errorf("%d items are suspects", n)
	}
	free := len(q.free)
	if n := len(q.deal(2, zero, yes)); n > mostDealt || n < mostDealt/2 || len(q.free) != free-n {
		t.Errorf("%d of %d items were dealt, %d are left", n, free, len(q.free))
	}
}

// When the time of a lease is up, the items that were not begun stay whole, though the clock is not looked at often.
func TestTimeIsUpForAllItems(t *testing.T) {
	never := func() bool { return false }
	x := clocked(crowd(4), func() explore.Divisible { return sample.NewRandom(1) })
	defer x.close()
	l := &Lease{Millis: 1, Parts: ranges(10, 1000)}
	r, err := x.execute(l, func(int) error { return nil }, never, never)
	if err != nil || !slices.Equal(r.Done, []int{10}) {
		t.Errorf("%d executions of items %v, %v, want one item", r.Sum.Executions, r.Done, err)
	}
}

// preparations counts how often a System is made ready, and is ready no more.
type preparations struct {
	*actor.System
	begun, ended int
}

func (p *preparations) Prepare(c explore.Conditions) (func(), error) {
	p.begun++
	release, err := p.System.Prepare(c)
	return func() { p.ended++; release() }, err
}

// A worker makes the System ready once, however many items and leases it executes.
func TestPreparedOnce(t *testing.T) {
	never := func() bool { return false }
	sys := &preparations{System: crowd(5)}
	x := clocked(sys, func() explore.Divisible { return search.NewNaive() })
	open, executions := Parts{{ID: 1}}, 0
	for len(open) > 0 {
		r, err := x.execute(&Lease{Parts: open, Executions: 30}, func(int) error { return nil }, never, never)
		if err != nil {
			t.Fatal(err)
		}
		executions += r.Sum.Executions
		open = append(slices.DeleteFunc(open, func(p Part) bool { return slices.Contains(r.Done, p.ID) }), r.New...)
		for i := range open {
			open[i].ID = i + 1
		}
	}
	if executions != 120 || sys.begun != 1 || sys.ended != 0 {
		t.Errorf("%d executions, made ready %d times, ended %d times; want 120, once, not", executions, sys.begun, sys.ended)
	}
	if x.close(); sys.ended != 1 {
		t.Errorf("ended %d times, want once", sys.ended)
	}
}

// ranges are so many items of a sample, each of so many executions.
func ranges(items, each int) (parts Parts) {
	for i := range items {
		p := newPart(explore.Item{Rest: binary.BigEndian.AppendUint64(
			binary.BigEndian.AppendUint64(nil, uint64(i*each)), uint64(i*each+each))})
		p.ID = i + 1
		parts = append(parts, p)
	}
	return parts
}

// Only where an item may be deadly is it said which one is executed. Of others one word says that the lease has begun.
func TestSaysWhatItExecutes(t *testing.T) {
	never := func() bool { return false }
	x := clocked(crowd(2), func() explore.Divisible { return sample.NewRandom(1) })
	defer x.close()
	for careful, want := range map[bool][]int{false: {3}, true: {3, 2, 1}} {
		var said []int
		at := func(id int) error { said = append(said, id); return nil }
		r, err := x.execute(&Lease{Millis: 1e9, Careful: careful, Parts: ranges(3, 2)}, at, never, never)
		if err != nil || len(r.Done) != 3 || !slices.Equal(said, want) {
			t.Errorf("careful %v: it said that it executes %v, want %v; %v done, %v", careful, said, want, r.Done, err)
		}
	}
}
