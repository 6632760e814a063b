package hollywood_test

import (
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// tally counts what it is told; its state is lost in a restart.
type tally struct {
	j     *journal
	total int
}

// Receive implements actor.Receiver.
func (s *tally) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case told:
		s.total += m.n
		s.j.note("%d", s.total)
	case actor.Stopped:
		s.j.note("stopped")
	}
}

// tells has the test tell a tally 1 and 2.
func tells(t *explore.T, j *journal) {
	e := hollywood.NewEngine()
	var to *actor.PID
	t.SetUp(func() { to = e.Spawn(func() actor.Receiver { return &tally{j: j} }, "tally") })
	e.Send(to, told{1})
	e.Send(to, told{2})
}

var faults = []feature{
	// A crash runs none of the actor's code, and what waits stays where it is.
	{name: "Crash", program: tells, model: trace.FIFO, faults: "crash",
		off: []trace.ViolationKind{trace.DeadLetter, trace.Orphan}, want: []string{"1", "1, 3"}},
	// A restart is what the framework does after a panic.
	{name: "Restart", program: tells, model: trace.FIFO, faults: "restart",
		want: []string{"1, 3", "1, stopped, 2", "1, 3, stopped"}},
	{name: "Drop", program: tells, model: trace.FIFO, faults: "drop", want: []string{"1, 3", "1", "2"}},
	{name: "Duplicate", program: tells, model: trace.FIFO, faults: "duplicate", want: []string{"1, 3", "1, 3, " +
		"4", "1, 3, 5"}},

	// A crash takes the children with it. The answer that it sent before is delivered.
	{name: "CrashOfParent", program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() {
			a = e.SpawnFunc(func(c *actor.Context) {
				if _, ok := c.Message().(actor.Started); ok {
					c.SpawnChildFunc(func(c *actor.Context) {
						if _, ok := c.Message().(actor.Stopped); ok {
							j.note("child stopped")
						}
					}, "child")
				}
				if m, ok := c.Message().(ask); ok {
					c.Respond(told{m.n})
				}
			}, "a")
		})
		r, err := e.Request(a, ask{1}, time.Second).Result()
		j.note("%v %v", r, err)
	}, model: trace.FIFO, faults: "crash", off: []trace.ViolationKind{trace.DeadLetter, trace.Orphan},
		want: []string{"{1} <nil>", "child stopped, {1} <nil>", "{1} <nil>, child stopped"}},
}

func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, f.run)
	}
}
