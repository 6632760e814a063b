package hollywood_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// family is a parent with so many children, each of which notes its end.
func family(n int) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() {
			a = e.SpawnFunc(func(c *actor.Context) {
				switch c.Message().(type) {
				case actor.Started:
					for i := range n {
						c.SpawnChildFunc(func(c *actor.Context) {
							if _, ok := c.Message().(actor.Stopped); ok {
								j.Note("%d", i)
							}
						}, fmt.Sprint("child", i))
					}
				case actor.Stopped:
					j.Note("parent")
				}
			}, "a")
		})
		e.Poison(a)
	}
}

// selfish stops itself and sends itself something behind that, all in one handler: one batch.
func selfish(stop func(*actor.Context)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() {
			a = e.SpawnFunc(func(c *actor.Context) {
				switch m := c.Message().(type) {
				case tick:
					stop(c)
					c.Send(c.PID(), told{1})
					c.Send(c.PID(), told{2})
				case told:
					j.Note("%d", m.n)
				case actor.Stopped:
					j.Note("stopped")
				}
			}, "a")
		})
		e.Send(a, tick{})
	}
}

// ticking has an actor send itself ticks until it has had three, or for ever.
func ticking(stops bool) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		start := time.Now()
		var repeat actor.SendRepeater
		n := 0
		e.SpawnFunc(func(c *actor.Context) {
			switch c.Message().(type) {
			case actor.Started:
				repeat = c.SendRepeat(c.PID(), tick{}, time.Second)
			case tick:
				if n++; n <= 3 {
					j.Note("%v", time.Since(start).Round(time.Millisecond))
				}
				if n == 3 && stops {
					repeat.Stop()
				}
			}
		}, "a")
	}
}

// hears subscribes an actor to the event stream that notes dead letters and actors' ends.
func hears(e *actor.Engine, j *journal, name string) *actor.PID {
	return e.SpawnFunc(func(c *actor.Context) {
		switch m := c.Message().(type) {
		case actor.DeadLetterEvent:
			j.Note("%s dead %v", name, m.Message)
		case actor.ActorRestartedEvent:
			j.Note("%s restarted %v", name, m.Reason)
		}
	}, name)
}

var endings = []feature{
	{Name: "TwoChildren", Program: family(2), Want: []string{"0, 1, parent", "1, 0, parent"}},
	{Name: "ThreeChildren", Program: family(3), Want: []string{"0, 1, 2, parent", "0, 2, 1, parent", "1, 0, 2, parent",
		"1, 2, 0, parent", "2, 0, 1, parent", "2, 1, 0, parent"}},
	{Name: "FiveChildren", Program: family(5), Want: []string{"0, 1, 2, 3, 4, parent"}, Omitted: "stops many children"},

	// What a handler sends itself behind Poison is in the same batch, or Poison begins one.
	{Name: "PoisonSelf", Program: selfish(func(c *actor.Context) { c.Engine().Poison(c.PID()) }),
		Trial: trial{Checker: off(trace.DeadLetter, trace.Orphan), Model: trace.MailboxSerial}, Want: []string{"1, 2, " +
			"stopped"}},
	{Name: "StopSelf", Program: selfish(func(c *actor.Context) { c.Engine().Stop(c.PID()) }),
		Trial: trial{Checker: off(trace.DeadLetter, trace.Orphan), Model: trace.MailboxSerial}, Want: []string{"stopped"}},
	// Of what is behind Poison in its batch, Stop is passed over.
	{Name: "PoisonAndStopSelf", Program: selfish(func(c *actor.Context) {
		c.Engine().Poison(c.PID())
		c.Engine().Stop(c.PID())
	}), Trial: trial{Checker: off(trace.DeadLetter, trace.Orphan), Model: trace.MailboxSerial},
		Want: []string{"1, 2, stopped"}},
	{Name: "StopBehindPoison", Program: selfish(func(c *actor.Context) {
		c.Send(c.PID(), told{1})
		c.Engine().Poison(c.PID())
		c.Send(c.PID(), told{2})
		c.Engine().Stop(c.PID())
		panic("the rest is not sent")
	}), Trial: trial{Checker: off(trace.DeadLetter, trace.Orphan, trace.Panic), Model: trace.MailboxSerial},
		Want: []string{"stopped, 1, 2, stopped"}},
	// Without a mailbox there are no batches.
	{Name: "PoisonSelfFIFO", Program: selfish(func(c *actor.Context) { c.Engine().Poison(c.PID()) }),
		Trial: trial{Checker: off(trace.DeadLetter, trace.Orphan), Model: trace.FIFO}, Want: []string{"stopped"}},

	// Others send behind Poison: in time for its batch, or too late.
	{Name: "PoisonFromOutside", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() {
			a = e.SpawnFunc(func(c *actor.Context) {
				switch m := c.Message().(type) {
				case told:
					j.Note("%d", m.n)
				case actor.Stopped:
					j.Note("stopped")
				}
			}, "a")
		})
		e.Send(a, told{1})
		e.Poison(a)
		e.Send(a, told{2})
	}, Trial: trial{Checker: off(trace.DeadLetter, trace.Orphan)}, Want: []string{"1, 2, stopped", "1, stopped"}},

	{Name: "SendRepeat", Program: ticking(true), Want: []string{"1s, 2s, 3s"}},
	{Name: "SendRepeatForEver", Program: ticking(false), Trial: trial{Horizon: 5 * time.Second, Cut: true},
		Want: []string{"1s, 2s, 3s"}},

	{Name: "EventStream", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		t.SetUp(func() { e.Subscribe(hears(e, j, "ear")) })
		e.Send(actor.NewPID("local", "nobody/here"), told{1})
	}, Trial: trial{Checker: off(trace.DeadLetter)}, Want: []string{"ear dead {1}"}},

	// Whether somebody has subscribed when an event comes.
	{Name: "SubscribesLate", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a, b *actor.PID
		t.SetUp(func() {
			ear := hears(e, j, "ear")
			a = e.SpawnFunc(func(c *actor.Context) {
				if _, ok := c.Message().(tick); ok {
					c.Engine().Subscribe(ear)
				}
			}, "a")
			b = e.SpawnFunc(func(c *actor.Context) {
				if _, ok := c.Message().(tick); ok {
					c.Engine().Send(actor.NewPID("local", "nobody/here"), told{1})
				}
			}, "b")
		})
		e.Send(a, tick{})
		e.Send(b, tick{})
	}, Trial: trial{Checker: off(trace.DeadLetter)}, Want: []string{"", "ear dead {1}"}},

	{Name: "RestartEvent", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() {
			e.Subscribe(hears(e, j, "ear"))
			a = e.SpawnFunc(func(c *actor.Context) {
				if _, ok := c.Message().(boom); ok {
					panic("boom")
				}
			}, "a")
		})
		e.Send(a, boom{})
	}, Trial: trial{Checker: off(trace.Panic)}, Want: []string{"ear restarted boom"}},

	// Children survive a restart: Started makes new ones beside the old.
	{Name: "ChildrenSurvive", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() {
			a = e.SpawnFunc(func(c *actor.Context) {
				switch c.Message().(type) {
				case actor.Started:
					c.SpawnChildFunc(func(*actor.Context) {}, "child")
				case boom:
					panic("boom")
				case tick:
					j.Note("%d", len(c.Children()))
				}
			}, "a")
		})
		e.Send(a, boom{})
		e.Send(a, tick{})
	}, Trial: trial{Checker: off(trace.Panic)}, Want: []string{"2"}},

	// With the restarts used up the framework tells Stopped twice, and the process dies: its issue 196.
	{Name: "MaxRestarts", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		a := e.SpawnFunc(func(c *actor.Context) {
			switch c.Message().(type) {
			case boom:
				panic("boom")
			case actor.Stopped:
				j.Note("stopped")
			}
		}, "a", actor.WithMaxRestarts(0))
		e.Send(a, boom{})
	}, Finds: []trace.ViolationKind{trace.Panic}},

	// A panic in Started: the spawner waits for the restart.
	{Name: "PanicInStarted", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		first := true
		e.SpawnFunc(func(c *actor.Context) {
			if _, ok := c.Message().(actor.Started); ok {
				if first {
					first = false
					panic("boom")
				}
				j.Note("started")
			}
		}, "a")
		j.Note("spawned")
	}, Trial: trial{Checker: off(trace.Panic)}, Want: []string{"started, spawned"}},

	// A name that is taken: the spawn is in vain, and its messages go to who has it.
	{Name: "SameName", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a, b *actor.PID
		t.SetUp(func() {
			spawner := func(name string) func(*actor.Context) {
				return func(c *actor.Context) {
					if _, ok := c.Message().(tick); ok {
						c.Engine().Send(c.Engine().SpawnFunc(sink(name, j), "x", actor.WithID("1")), told{1})
					}
				}
			}
			a, b = e.SpawnFunc(spawner("a"), "a"), e.SpawnFunc(spawner("b"), "b")
		})
		e.Send(a, tick{})
		e.Send(b, tick{})
	}, Want: []string{"a 1, a 1", "b 1, b 1"}},

	// A second reply to a request is dropped, and a dead letter.
	{Name: "SecondReply", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		b := e.SpawnFunc(func(c *actor.Context) {
			if _, ok := c.Message().(ask); ok {
				c.Respond(told{1})
				c.Respond(told{2})
			}
		}, "b")
		r, err := e.Request(b, ask{}, time.Second).Result()
		j.Note("%v %v", r, err)
	}, Trial: trial{Checker: off(trace.DeadLetter)}, Want: []string{"{1} <nil>"}},

	// Two poison one actor, and both wait: the pill of the second may be in the mailbox when the actor ends, and nobody
	// cancels it.
	{Name: "PoisonTwice", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a, b, x *actor.PID
		t.SetUp(func() {
			x = e.SpawnFunc(func(*actor.Context) {}, "x")
			waiter := func(c *actor.Context) {
				if _, ok := c.Message().(tick); ok {
					<-c.Engine().Stop(x).Done()
					j.Note("done")
				}
			}
			a, b = e.SpawnFunc(waiter, "a"), e.SpawnFunc(waiter, "b")
		})
		e.Send(a, tick{})
		e.Send(b, tick{})
	}, Trial: trial{Checker: off(trace.Orphan)}, Finds: []trace.ViolationKind{trace.Deadlock}},
}

func TestEndings(t *testing.T) {
	runAll(t, endings)
}
