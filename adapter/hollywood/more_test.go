package hollywood_test

import (
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

var more = []feature{
	{Name: "Middleware", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		seen := func(name string) actor.MiddlewareFunc {
			return func(next actor.ReceiveFunc) actor.ReceiveFunc {
				return func(c *actor.Context) {
					if _, ok := c.Message().(told); ok {
						j.Note("%s", name)
					}
					next(c)
				}
			}
		}
		e.Send(e.SpawnFunc(sink("a", j), "a", actor.WithMiddleware(seen("outer"), seen("inner"))), told{1})
	}, Want: []string{"outer, inner, a 1"}},

	// The forwarder is the sender, and a message without a sender is not answered.
	{Name: "Forward", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a, b *actor.PID
		t.SetUp(func() {
			b = e.SpawnFunc(func(c *actor.Context) {
				if m, ok := c.Message().(ask); ok {
					c.Respond(told{m.n})
				}
			}, "b")
			a = e.SpawnFunc(func(c *actor.Context) {
				switch m := c.Message().(type) {
				case ask:
					c.Forward(b)
				case told:
					j.Note("a %d", m.n)
				}
			}, "a")
		})
		e.Send(a, ask{1})
		e.Send(b, ask{2})
	}, Want: []string{"a 1"}},

	// A lookup that finds somebody, or nobody any more.
	{Name: "GetPID", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a, x *actor.PID
		t.SetUp(func() {
			x = e.SpawnFunc(func(*actor.Context) {}, "x", actor.WithID("1"))
			a = e.SpawnFunc(func(c *actor.Context) {
				if _, ok := c.Message().(tick); ok {
					j.Note("a %v", c.GetPID("x/1") != nil)
				}
			}, "a")
		})
		e.Send(a, tick{})
		e.Stop(x)
	}, Want: []string{"a false", "a true"}},

	// Parent and children know each other, and a child's end is known to the parent.
	{Name: "Family", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() {
			a = e.SpawnFunc(func(c *actor.Context) {
				switch m := c.Message().(type) {
				case actor.Started:
					c.SpawnChildFunc(func(c *actor.Context) {
						if _, ok := c.Message().(tick); ok {
							c.Send(c.Parent(), told{1})
							c.Engine().Stop(c.PID())
						}
					}, "child", actor.WithID("1"))
				case tick:
					c.Send(c.Children()[0], m)
				case told:
					j.Note("a %d", len(c.Children()))
				}
			}, "a")
		})
		e.Send(a, tick{})
	}, Want: []string{"a 0", "a 1"}},

	{Name: "TwoEngines", Program: func(t *explore.T, j *journal) {
		one, two := hollywood.NewEngine(), hollywood.NewEngine()
		a := one.SpawnFunc(sink("a", j), "x", actor.WithID("1"))
		b := two.SpawnFunc(sink("b", j), "x", actor.WithID("1"))
		one.Send(a, told{1})
		two.Send(b, told{2})
	}, Want: []string{"a 1, b 2", "b 2, a 1"}},

	// A panic while messages wait: they are handled by the new instance, which has lost the count.
	{Name: "RestartKeepsMessages", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a, b *actor.PID
		t.SetUp(func() {
			a = e.Spawn(func() actor.Receiver { return &fragile{j: j} }, "a", actor.WithRestartDelay(time.Second))
			b = e.SpawnFunc(func(c *actor.Context) {
				if _, ok := c.Message().(tick); ok {
					c.Send(a, told{2})
				}
			}, "b")
		})
		e.Send(b, tick{})
		e.Send(a, told{1})
		e.Send(a, boom{})
	}, Trial: trial{Checker: off(trace.Panic)}, Want: []string{"1, 2", "1, 3", "2, 3"}},
}

// fragile counts, and loses its count in a panic.
type fragile struct {
	j *journal
	n int
}

// Receive implements actor.Receiver.
func (f *fragile) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case told:
		f.n += m.n
		f.j.Note("%d", f.n)
	case boom:
		panic("boom")
	}
}

func TestMore(t *testing.T) {
	runAll(t, more)
}

// A subscriber of the event stream that stops without unsubscribing is sent an event, which is a dead letter and so an
// event, without an end: a defect of the framework's. It is found as such.
func TestDeadSubscriber(t *testing.T) {
	sys := hollywood.System(func(t *explore.T) {
		e := hollywood.NewEngine()
		ear := e.SpawnFunc(func(*actor.Context) {}, "ear")
		t.SetUp(func() { e.Subscribe(ear) })
		e.Stop(ear)
	})
	sys.Mode = adapter.TakeOver
	kinds := map[trace.ViolationKind]int{}
	_, err := explore.Run(sys, sample.NewRandom(1), explore.Options{
		Conditions: explore.Conditions{Model: trace.Mailbox, MaxSteps: 200, Blocked: 5 * time.Second}, MaxSteps: 200,
		Check: &check.Checker{}, Budget: explore.Budget{Executions: 3},
		Found: func(f explore.Found) bool {
			for _, v := range f.Violations {
				kinds[v.Kind]++
			}
			return true
		}})
	if err != nil || kinds[trace.Livelock] == 0 {
		t.Errorf("found %v, %v", kinds, err)
	}
}
