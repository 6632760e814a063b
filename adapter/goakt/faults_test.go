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
	s.j.Note("stopped")
	return nil
}

// Receive implements actor.Actor.
func (s *tally) Receive(c *actor.ReceiveContext) {
	if m, ok := c.Message().(told); ok {
		s.total += m.n
		s.j.Note("%d", s.total)
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
	{Name: "Crash", Program: tells, Trial: trial{Model: trace.FIFO, Faults: "crash",
		Checker: off(trace.DeadLetter, trace.Orphan)}, Want: []string{"1", "1, 3"}},
	// A restart is what the framework does when a supervisor says so.
	{Name: "Restart", Program: tells, Trial: trial{Model: trace.FIFO, Faults: "restart"},
		Want: []string{"1, 3", "1, stopped, 2", "1, 3, stopped"}},
	{Name: "Drop", Program: tells, Trial: trial{Model: trace.FIFO, Faults: "drop"}, Want: []string{"1, 3", "1", "2"}},
	{Name: "Duplicate", Program: tells, Trial: trial{Model: trace.FIFO, Faults: "duplicate"},
		Want: []string{"1, 3", "1, 3, 4", "1, 3, 5"}},

	// A crash takes the children with it.
	{Name: "CrashOfParent", Program: func(t *explore.T, j *journal) {
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
		j.Note("%v %v", r, err)
	}, Trial: trial{Model: trace.FIFO, Faults: "crash", Checker: off(trace.DeadLetter, trace.Orphan)}},
}

func TestFaults(t *testing.T) {
	runAll(t, faults)
}
