package goakt_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/passivation"
	"github.com/tochemey/goakt/v4/supervisor"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// spawnsIn spawns an actor made of a function in a handler, which notes its end.
func spawnsIn(c *actor.ReceiveContext, name string, j *journal, receive func(*actor.ReceiveContext)) *actor.PID {
	return c.Spawn(name, &acts{receive: receive, stop: func() { j.Note("%s stopped", name) }})
}

func idle(*actor.ReceiveContext) {}

// family is a parent with so many children, each of which notes its end.
func family(n int) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				switch c.Message().(type) {
				case *actor.PostStart:
					for i := range n {
						c.Spawn(fmt.Sprint("child", i), &acts{receive: idle, stop: func() { j.Note("%d", i) }})
					}
				case tick:
					c.Shutdown()
					j.Note("done")
				}
			})
		})
		tell(a, tick{})
	}
}

// failing fails at boom, and notes what it is told, and when it starts.
func failing(j *journal, name string) func(*actor.ReceiveContext) {
	return func(c *actor.ReceiveContext) {
		switch m := c.Message().(type) {
		case *actor.PostStart:
			j.Note("%s starts", name)
		case boom:
			panic("boom")
		case told:
			j.Note("%s %d", name, m.n)
		}
	}
}

// supervised is an actor that fails, with a supervisor of one directive, and is told something later.
func supervised(d supervisor.Directive, later time.Duration) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			a = spawn(s, "a", failing(j, "a"),
				actor.WithSupervisor(supervisor.NewSupervisor(supervisor.WithAnyErrorDirective(d))))
		})
		tell(a, boom{})
		time.Sleep(later)
		err := actor.Tell(background, a, told{1})
		j.Note("%v", err)
	}
}

var endings = []feature{
	{Name: "OneChild", Program: family(1), Want: []string{"0, done"}},
	{Name: "TwoChildren", Program: family(2), Want: []string{"0, 1, done", "1, 0, done"}},
	{Name: "ThreeChildren", Alone: true, Program: family(3), Want: []string{"0, 1, 2, done", "0, 2, 1, done",
		"1, 0, 2, done", "1, 2, 0, done", "2, 0, 1, done", "2, 1, 0, done"},
		Trial: trial{Strategy: "optimal", Model: trace.MailboxSerial}},
	{Name: "FiveChildren", Program: family(5), Want: []string{"0, 1, 2, 3, 4, done"}, Omitted: "stops many children",
		Trial: trial{Strategy: "optimal", Model: trace.MailboxSerial}},

	// PoisonPill comes before what waits, but for one message that is taken already.
	{Name: "PoisonPill", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() { a = spawn(s, "a", sink("a", j)) })
		tell(a, told{1}, told{2}, new(actor.PoisonPill))
	}, Trial: trial{Checker: off(trace.Orphan)}, Want: []string{"", "a 1", "a 1, a 2"}},

	// What a handler has told a child before it stops that is handled or not.
	{Name: "StopsChild", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			var child *actor.PID
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				switch c.Message().(type) {
				case *actor.PostStart:
					child = spawnsIn(c, "child", j, sink("child", j))
				case tick:
					c.Tell(child, told{1})
					c.Stop(child)
					j.Note("done")
				}
			})
		})
		tell(a, tick{})
	}, Trial: trial{Checker: off(trace.Orphan)}, Want: []string{"child 1, child stopped, done", "child stopped, done"}},

	// Two stop one actor at the same time.
	{Name: "StopTwice", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b, x *actor.PID
		t.SetUp(func() {
			x, _ = s.Spawn(background, "x", &acts{receive: idle, stop: func() { j.Note("stopped") }})
			stops := func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					_ = x.Shutdown(background)
				}
			}
			a, b = spawn(s, "a", stops), spawn(s, "b", stops)
		})
		tell(a, tick{})
		tell(b, tick{})
	}, Want: []string{"stopped"}, Trial: trial{Strategy: "optimal"}},

	// The same of an actor that stops its children first, which wait.
	{Name: "StopParentTwice", Alone: true, Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b, x *actor.PID
		t.SetUp(func() {
			x, _ = s.Spawn(background, "x", &acts{receive: func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(*actor.PostStart); ok {
					c.Spawn("child", &acts{receive: idle})
				}
			}, stop: func() { j.Note("stopped") }})
			stops := func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					_ = x.Shutdown(background)
					j.Note("%v", x.IsRunning())
				}
			}
			a, b = spawn(s, "a", stops), spawn(s, "b", stops)
		})
		tell(a, tick{})
		tell(b, tick{})
	}, Want: []string{"stopped, false, false"}, Trial: trial{Strategy: "optimal", Model: trace.MailboxSerial}},

	// Whether an actor is alive is seen by who tells it something.
	{Name: "TellTheDead", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b, x *actor.PID
		t.SetUp(func() {
			x = spawn(s, "x", sink("x", j))
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					_ = x.Shutdown(background)
				}
			})
			b = spawn(s, "b", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					j.Note("%v", c.Self().Tell(background, x, told{1}))
				}
			})
		})
		tell(a, tick{})
		tell(b, tick{})
	}, Trial: trial{Checker: off(trace.Orphan)}, Omitted: "is told by Tell",
		Want: []string{"actor is not alive", "<nil>", "<nil>, x 1"}},

	{Name: "Watch", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b, x *actor.PID
		t.SetUp(func() {
			x = spawn(s, "x", idle)
			watches := func(name string) func(c *actor.ReceiveContext) {
				return func(c *actor.ReceiveContext) {
					switch m := c.Message().(type) {
					case tick:
						c.Watch(x)
					case *actor.Terminated:
						j.Note("%s: %s", name, m.ActorPath().Name())
					}
				}
			}
			a, b = spawn(s, "a", watches("a")), spawn(s, "b", watches("b"))
			tell(a, tick{})
		})
		tell(b, tick{})
		tell(x, new(actor.PoisonPill))
	}, Want: []string{"a: x", "a: x, b: x", "b: x, a: x"}},

	// An actor that fails goes on until it is suspended, and with what is in its mailbox after that.
	{Name: "PanicStops", Program: supervised(supervisor.StopDirective, time.Second),
		Trial: trial{Checker: off(trace.Panic)}, Want: []string{"a starts, actor is not alive"}},
	{Name: "PanicResumes", Program: supervised(supervisor.ResumeDirective, time.Second),
		Trial: trial{Checker: off(trace.Panic)}, Want: []string{"a starts, <nil>, a 1"}},
	{Name: "PanicRestarts", Program: supervised(supervisor.RestartDirective, time.Second),
		Trial: trial{Checker: off(trace.Panic)}, Want: []string{"a starts, a starts, <nil>, a 1"}},
	{Name: "PanicStopsAtOnce", Program: supervised(supervisor.StopDirective, 0),
		Trial: trial{Checker: off(trace.Panic, trace.Orphan)}, Omitted: "is told by Tell",
		Want: []string{"a starts, <nil>", "a starts, <nil>, a 1"}},

	// An error is supervised as a panic is, and is none.
	{Name: "Err", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					c.Err(errFailed)
				}
			})
		})
		tell(a, tick{})
		time.Sleep(time.Second)
		j.Note("%v %v", a.IsRunning(), a.IsSuspended())
	}, Want: []string{"false true"}},

	// A parent hears of a child's failure, and decides.
	{Name: "Escalate", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			var child *actor.PID
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				switch m := c.Message().(type) {
				case *actor.PostStart:
					child = c.Spawn("child", &acts{receive: failing(j, "child")}, actor.WithSupervisor(
						supervisor.NewSupervisor(supervisor.WithAnyErrorDirective(supervisor.EscalateDirective))))
				case *actor.PanicSignal:
					c.Reinstate(c.Sender())
					c.Tell(child, told{2})
				case boom:
					c.Tell(child, m)
				}
			})
		})
		tell(a, boom{})
	}, Trial: trial{Checker: off(trace.Panic)}, Want: []string{"child starts, child 2"}},

	// Siblings are stopped with the one that failed.
	{Name: "OneForAll", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			var first *actor.PID
			all := supervisor.NewSupervisor(supervisor.WithStrategy(supervisor.OneForAllStrategy),
				supervisor.WithAnyErrorDirective(supervisor.StopDirective))
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				switch m := c.Message().(type) {
				case *actor.PostStart:
					for _, name := range []string{"x", "y"} {
						stop := func() { j.Note("%s stopped", name) }
						pid := c.Spawn(name, &acts{failing(&journal{}, name), stop}, actor.WithSupervisor(all))
						if first == nil {
							first = pid
						}
					}
				case boom:
					c.Tell(first, m)
				}
			})
		})
		tell(a, boom{})
	}, Trial: trial{Checker: off(trace.Panic)}, Want: []string{"x stopped, y stopped", "y stopped, x stopped"}},

	// A restart restarts what is below, too.
	{Name: "RestartTree", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					spawnsIn(c, "x", j, failing(j, "x"))
				}
			})
			tell(a, tick{})
		})
		j.Note("%v", a.Restart(background))
		time.Sleep(time.Second)
		j.Note("%d, %d", a.ChildrenCount(), a.RestartCount())
	}, Want: []string{"x starts, x stopped, <nil>, x starts, 1, 1"}},

	// An actor that has stopped can be started again by its name.
	{Name: "ReSpawn", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() { a = spawn(s, "a", failing(j, "a")) })
		_, err := s.ReSpawn(background, "a")
		j.Note("%v", err)
		tell(a, told{1})
	}, Want: []string{"a starts, <nil>, a starts, a 1"}},

	{Name: "Passivation", Program: func(t *explore.T, j *journal) {
		s := start()
		begun := time.Now()
		var a *actor.PID
		t.SetUp(func() {
			a, _ = s.Spawn(background, "a", &acts{receive: sink("a", j), stop: func() {
				j.Note("after %v", time.Since(begun).Round(time.Millisecond))
			}}, actor.WithPassivationStrategy(passivation.NewTimeBasedStrategy(5*time.Second)))
		})
		time.Sleep(3 * time.Second)
		tell(a, told{1})
	}, Want: []string{"a 1, after 8s"}},
	{Name: "PassivationByCount", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			a, _ = s.Spawn(background, "a", &acts{receive: sink("a", j), stop: func() { j.Note("stopped") }},
				actor.WithPassivationStrategy(passivation.NewMessageCountBasedStrategy(2)))
		})
		tell(a, told{1}, told{2}, told{3})
	}, Trial: trial{Checker: off(trace.Orphan)}, Omitted: "is told by Tell",
		Want: []string{"a 1, a 2, a 3, stopped", "a 1, a 2, stopped"}},

	// Dead letters are events, and their order is that of the actor that keeps them.
	{Name: "Events", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					c.Unhandled()
				}
			})
		})
		sub, err := s.Subscribe()
		if err != nil {
			t.Fatalf("%v", err)
		}
		tell(a, tick{})
		time.Sleep(time.Second)
		for m := range sub.Iterator() {
			j.Note("%T", m.Payload())
		}
	}, Want: []string{"*actor.Deadletter"}},

	{Name: "StopSystem", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			a, _ = s.Spawn(background, "a", &acts{receive: sink("a", j), stop: func() { j.Note("stopped") }})
		})
		tell(a, told{1})
		j.Note("%v", s.Stop(background))
	}, Trial: trial{Checker: off(trace.Orphan)}, Want: []string{"a 1, stopped, <nil>", "stopped, <nil>"}},
}

func TestEndings(t *testing.T) {
	runAll(t, endings)
}
