package goakt_test

import (
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// tally counts what it is told; a restart begins at 0 again.
type tally struct {
	j     *journal
	total int
}

// PreStart implements actor.Actor.
func (s *tally) PreStart(*actor.Context) error {
	s.total = 0
	return nil
}

// PostStop implements actor.Actor.
func (s *tally) PostStop(*actor.Context) error {
	s.j.note("stopped")
	return nil
}

// Receive implements actor.Actor.
func (s *tally) Receive(c *actor.ReceiveContext) {
	if m, ok := c.Message().(told); ok {
		s.total += m.n
		s.j.note("%d", s.total)
	}
}

// tells has the test tell a tally 1 and 2.
func tells(t *explore.T, j *journal) {
	s := start()
	var to *actor.PID
	t.SetUp(func() { to, _ = s.Spawn(background, "tally", &tally{j: j}) })
	tell(to, told{1}, told{2})
}

var faults = []feature{
	// A crash runs none of the actor's code, and what waits stays where it is.
	{name: "Crash", program: tells, model: trace.FIFO, faults: "crash",
		off: []trace.ViolationKind{trace.DeadLetter, trace.Orphan}, want: []string{"1", "1, 3"}},
	// A restart is what the framework does when a supervisor says so.
	{name: "Restart", program: tells, model: trace.FIFO, faults: "restart",
		want: []string{"1, 3", "1, stopped, 2", "1, 3, stopped"}},
	{name: "Drop", program: tells, model: trace.FIFO, faults: "drop", want: []string{"1, 3", "1", "2"}},
	{name: "Duplicate", program: tells, model: trace.FIFO, faults: "duplicate", want: []string{"1, 3", "1, 3, " +
		"4", "1, 3, 5"}},

	// A crash takes the children with it.
	{name: "CrashOfParent", program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				switch m := c.Message().(type) {
				case *actor.PostStart:
					spawnsIn(c, "child", j, idle)
				case ask:
					c.Response(told{m.n})
				}
			})
		})
		r, err := actor.Ask(background, a, ask{1}, time.Second)
		j.note("%v %v", r, err)
	}, model: trace.FIFO, faults: "crash", off: []trace.ViolationKind{trace.DeadLetter, trace.Orphan}},
}

func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, f.run)
	}
}
