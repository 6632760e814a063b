package goakt_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/log"
	"github.com/tochemey/goakt/v4/reentrancy"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// passOn tells somebody what it is told.
func passOn(to **actor.PID) func(*actor.ReceiveContext) {
	return func(c *actor.ReceiveContext) {
		if m, ok := c.Message().(told); ok {
			c.Tell(*to, m)
		}
	}
}

var basics = []feature{
	{Name: "Messages", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b, to *actor.PID
		t.SetUp(func() {
			to = spawn(s, "to", sink("to", j))
			a, b = spawn(s, "a", passOn(&to)), spawn(s, "b", passOn(&to))
		})
		tell(a, told{1})
		tell(b, told{2})
	}, Want: []string{"to 1, to 2", "to 2, to 1"}},

	{Name: "StockSystem", Program: func(t *explore.T, j *journal) {
		s, err := actor.NewActorSystem("stock", actor.WithLogger(log.DiscardLogger))
		if err == nil {
			err = s.Start(background)
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		goakt.Control(s)
		t.Cleanup(func() { _ = s.Stop(background) })
		tell(spawn(s, "to", sink("to", j)), told{1})
	}, Want: []string{"to 1"}},

	// PreStart is part of the spawn, PostStart a message.
	{Name: "Lifecycle", Program: func(t *explore.T, j *journal) {
		s := start()
		pid := spawn(s, "a", func(c *actor.ReceiveContext) { j.Note("%T", c.Message()) })
		j.Note("spawned")
		tell(pid, told{1})
	}, Want: []string{"spawned, *actor.PostStart, goakt_test.told"}},

	{Name: "FromFunc", Program: func(t *explore.T, j *journal) {
		s := start()
		pid, err := s.SpawnFromFunc(background, func(_ context.Context, m any) error {
			j.Note("%v", m)
			return nil
		})
		if err != nil {
			t.Fatalf("%v", err)
		}
		tell(pid, told{1})
	}, Want: []string{"{1}"}},

	{Name: "Ask", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b *actor.PID
		t.SetUp(func() {
			b = spawn(s, "b", doubler)
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					j.Note("%v", c.Ask(b, ask{2}, time.Second))
				}
			})
		})
		tell(a, tick{})
		r, err := actor.Ask(background, b, ask{1}, time.Second)
		j.Note("%v %v", r, err)
	}, Want: []string{"{2} <nil>, {4}", "{4}, {2} <nil>"}},

	{Name: "AskTimesOut", Program: func(t *explore.T, j *journal) {
		s := start()
		b := spawn(s, "b", func(c *actor.ReceiveContext) {})
		_, err := actor.Ask(background, b, ask{1}, time.Second)
		j.Note("%v", err)
	}, Want: []string{"request timed out"}},

	// An answer that comes after the timeout is dropped, and is none to the next question.
	{Name: "LateAnswer", Program: func(t *explore.T, j *journal) {
		s := start()
		var slow, b *actor.PID
		t.SetUp(func() {
			slow = spawn(s, "slow", func(c *actor.ReceiveContext) {
				if m, ok := c.Message().(ask); ok {
					time.Sleep(2 * time.Second)
					c.Response(told{m.n})
				}
			})
			b = spawn(s, "b", func(c *actor.ReceiveContext) {
				if m, ok := c.Message().(ask); ok {
					time.Sleep(4 * time.Second)
					c.Response(told{m.n})
				}
			})
		})
		_, err := actor.Ask(background, slow, ask{1}, time.Second)
		j.Note("%v", err)
		r, err := actor.Ask(background, b, ask{2}, 10*time.Second)
		j.Note("%v %v", r, err)
	}, Want: []string{"request timed out, {2} <nil>"}},

	{Name: "Forward", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b, c *actor.PID
		t.SetUp(func() {
			c = spawn(s, "c", func(c *actor.ReceiveContext) {
				if m, ok := c.Message().(told); ok {
					j.Note("%d from %s", m.n, c.Sender().Name())
				}
			})
			b = spawn(s, "b", func(r *actor.ReceiveContext) {
				if _, ok := r.Message().(told); ok {
					r.Forward(c)
				}
			})
			a = spawn(s, "a", passOn(&b))
		})
		tell(a, told{1})
	}, Want: []string{"1 from a"}},

	{Name: "Batches", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, to *actor.PID
		t.SetUp(func() {
			to = spawn(s, "to", sink("to", j))
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					c.BatchTell(to, told{1}, told{2})
				}
			})
		})
		tell(a, tick{})
		tell(to, told{3})
	}, Want: []string{"to 1, to 2, to 3", "to 1, to 3, to 2", "to 3, to 1, to 2"}},

	{Name: "ByName", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b *actor.PID
		t.SetUp(func() {
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					spawn(c.ActorSystem(), "x", sink("x", j))
				}
			})
			b = spawn(s, "b", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					c.SendAsync("x", told{1})
				}
			})
		})
		tell(a, tick{})
		tell(b, tick{})
	}, Trial: trial{Checker: off(trace.Panic)}, Want: []string{"", "x 1"}},

	// The answer to a request is a message, whose continuation runs in the actor's turn.
	{Name: "Request", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b *actor.PID
		t.SetUp(func() {
			b = spawn(s, "b", doubler)
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				switch m := c.Message().(type) {
				case tick:
					c.Request(b, ask{1}).Then(func(r any, err error) { j.Note("%v %v", r, err) })
				case told:
					j.Note("told %d", m.n)
				}
			}, actor.WithReentrancy(reentrancy.New(reentrancy.WithMode(reentrancy.AllowAll))))
		})
		tell(a, tick{})
		tell(a, told{7})
	}, Want: []string{"told 7, {2} <nil>", "{2} <nil>, told 7"}},

	// The same, and what comes meanwhile is put aside.
	{Name: "RequestStashes", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b *actor.PID
		t.SetUp(func() {
			b = spawn(s, "b", doubler)
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				switch m := c.Message().(type) {
				case tick:
					c.Request(b, ask{1}).Then(func(r any, err error) { j.Note("%v %v", r, err) })
				case told:
					j.Note("told %d", m.n)
				}
			}, actor.WithReentrancy(reentrancy.New(reentrancy.WithMode(reentrancy.StashNonReentrant))))
		})
		tell(a, tick{})
		tell(a, told{7})
	}, Want: []string{"{2} <nil>, told 7"}},

	{Name: "RequestTimesOut", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b *actor.PID
		t.SetUp(func() {
			b = spawn(s, "b", func(*actor.ReceiveContext) {})
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					call := c.Request(b, ask{1}, actor.WithRequestTimeout(time.Second))
					call.Then(func(r any, err error) { j.Note("%v", err) })
				}
			}, actor.WithReentrancy(reentrancy.New(reentrancy.WithMode(reentrancy.AllowAll))))
		})
		tell(a, tick{})
	}, Want: []string{"request timed out"}},

	{Name: "PipeTo", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, to *actor.PID
		t.SetUp(func() {
			to = spawn(s, "to", sink("to", j))
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					c.PipeTo(to, func() (any, error) { return told{1}, nil })
					c.Tell(to, told{2})
				}
			})
		})
		tell(a, tick{})
	}, Want: []string{"to 1, to 2", "to 2, to 1"}},

	{Name: "Stash", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			open := false
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				switch m := c.Message().(type) {
				case told:
					if !open {
						c.Stash()
						return
					}
					j.Note("%d", m.n)
				case tick:
					open = true
					c.UnstashAll()
				}
			}, actor.WithStashing())
		})
		tell(a, told{1}, told{2}, tick{}, told{3})
	}, Want: []string{"1, 2, 3", "1, 3, 2", "3, 1, 2"}},

	{Name: "Become", Program: func(t *explore.T, j *journal) {
		s := start()
		a := spawn(s, "a", func(c *actor.ReceiveContext) {
			switch c.Message().(type) {
			case tick:
				c.BecomeStacked(func(c *actor.ReceiveContext) {
					j.Note("other %v", c.Message())
					c.UnBecomeStacked()
				})
			case told:
				j.Note("first %v", c.Message())
			}
		})
		tell(a, tick{}, told{1}, told{2})
	}, Want: []string{"other {1}, first {2}"}},

	{Name: "ScheduleOnce", Program: func(t *explore.T, j *journal) {
		s := start()
		begun := time.Now()
		a := spawn(s, "a", func(c *actor.ReceiveContext) {
			if m, ok := c.Message().(told); ok {
				j.Note("%d after %v", m.n, time.Since(begun).Round(time.Millisecond))
			}
		})
		_ = s.ScheduleOnce(background, told{2}, a, 2*time.Second)
		_ = s.ScheduleOnce(background, told{1}, a, time.Second)
		_ = s.ScheduleOnce(background, told{3}, a, 3*time.Second, actor.WithReference("x"))
		_ = s.CancelSchedule("x")
	}, Want: []string{"1 after 1s, 2 after 2s"}},

	{Name: "Schedule", Program: func(t *explore.T, j *journal) {
		s := start()
		n := 0
		var a *actor.PID
		t.SetUp(func() {
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					if n++; n == 3 {
						_ = c.ActorSystem().CancelSchedule("x")
					}
					j.Note("%d", n)
				}
			})
		})
		_ = s.Schedule(background, tick{}, a, time.Second, actor.WithReference("x"))
	}, Want: []string{"1, 2, 3"}},

	// Who schedules under a reference that is in use is told.
	{Name: "ScheduleTwice", Program: func(t *explore.T, j *journal) {
		s := start()
		var a, b *actor.PID
		t.SetUp(func() {
			schedules := func(name string) func(*actor.ReceiveContext) {
				return func(c *actor.ReceiveContext) {
					if _, ok := c.Message().(told); ok {
						err := s.ScheduleOnce(background, tick{}, c.Self(), time.Second, actor.WithReference("x"))
						j.Note("%s %v", name, err)
					}
				}
			}
			a, b = spawn(s, "a", schedules("a")), spawn(s, "b", schedules("b"))
		})
		tell(a, told{})
		tell(b, told{})
	}, Want: []string{"a <nil>, b illegal state: job already exists", "b <nil>, a illegal state: job already exists"}},

	// A message that is sent later may come at any time.
	{Name: "ScheduleAsync", Program: func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() { a = spawn(s, "a", sink("a", j)) })
		_ = s.ScheduleOnce(background, told{1}, a, time.Second)
		tell(a, told{2})
	}, Trial: trial{Timers: trace.Async}, Want: []string{"a 1, a 2", "a 2, a 1"}},

	{Name: "UnhandledIsNoDeadLetter", Program: func(t *explore.T, j *journal) {
		s := start()
		tell(spawn(s, "a", func(c *actor.ReceiveContext) {
			if _, ok := c.Message().(tick); ok {
				c.Unhandled()
			}
		}), tick{})
	}, Want: []string{""}},

	{Name: "PanicIsFound", Program: func(t *explore.T, j *journal) {
		s := start()
		tell(spawn(s, "a", func(c *actor.ReceiveContext) {
			if _, ok := c.Message().(boom); ok {
				panic("boom")
			}
		}), boom{})
	}, Finds: []trace.ViolationKind{trace.Panic}},
}

var errFailed = errors.New("failed")

func TestFeatures(t *testing.T) {
	runAll(t, basics)
}
