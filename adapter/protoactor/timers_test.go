package protoactor_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/scheduler"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/trace"
)

// clock notes at what virtual time something happens.
type clock struct {
	j     *journal
	start time.Time
}

func (c *clock) note(what string) {
	c.j.Note("%s@%v", what, time.Since(c.start).Round(time.Millisecond))
}

// quiet is a message that does not influence the receive timeout.
type quiet struct{}

func (quiet) NotInfluenceReceiveTimeout() {}

// timing makes a program with one actor, "a", that gets the messages after set-up.
func timing(receive func(actor.Context, *clock), messages ...any) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		c := &clock{j, time.Now()}
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) { receive(ctx, c) })
		})
		c.start = time.Now()
		for _, m := range messages {
			s.Root.Send(a, m)
		}
	}
}

// patience sets a receive timeout when it is asked, cancels it when it is told, and sleeps a second on a tick.
func patience(ctx actor.Context, c *clock) {
	switch m := ctx.Message().(type) {
	case ask:
		ctx.SetReceiveTimeout(time.Duration(m.n) * time.Second)
	case told:
		ctx.CancelReceiveTimeout()
	case tick, quiet:
		time.Sleep(time.Second)
		c.note(trace.ShortType(fmt.Sprintf("%T", m)))
	case *actor.ReceiveTimeout:
		c.note("timeout")
	}
}

func schedule(f func(*scheduler.TimerScheduler, actor.Context)) func(actor.Context, *clock) {
	return func(ctx actor.Context, c *clock) {
		switch m := ctx.Message().(type) {
		case ask:
			f(scheduler.NewTimerScheduler(ctx), ctx)
		case tick:
			c.note("tick")
			if ctx.Sender() != nil {
				ctx.Send(ctx.Self(), boom{})
			}
		case boom:
			c.note("request")
		case told:
			c.note(fmt.Sprint(m.n))
		}
	}
}

var timers = []feature{
	{Name: "ReceiveTimeoutFires", Program: timing(patience, ask{3}), Want: []string{"timeout@3s"}},
	{Name: "ReceiveTimeoutReset", Program: timing(patience, ask{3}, tick{}), Want: []string{"tick@1s, timeout@4s"}},
	{Name: "ReceiveTimeoutCancelled", Program: timing(patience, ask{3}, told{}), Want: []string{""}},
	{Name: "ReceiveTimeoutAsync", Trial: trial{Timers: trace.Async}, Program: timing(patience, ask{3}, told{}),
		Want: []string{"", "timeout@3s"}}, // it may fire before it is cancelled

	{Name: "SendOnce", Program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.SendOnce(2*time.Second, ctx.Self(), tick{})
	}), ask{}), Want: []string{"tick@2s"}},
	{Name: "SendOnceCancelled", Program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.SendOnce(2*time.Second, ctx.Self(), tick{})()
	}), ask{}), Want: []string{""}},
	{Name: "RequestOnce", Program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.RequestOnce(2*time.Second, ctx.Self(), tick{})
	}), ask{}), Want: []string{"tick@2s, request@2s"}}, // its sender is the actor
	{Name: "SendRepeatedlyUntilTheHorizon", Trial: trial{Horizon: 10 * time.Second, Cut: true},
		Program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
			s.SendRepeatedly(time.Second, 4*time.Second, ctx.Self(), tick{})
		}), ask{}), Want: []string{"tick@1s, tick@5s, tick@9s"}},
	{Name: "SendRepeatedlyCancelled", Program: func() func(*explore.T, *journal) {
		var cancel scheduler.CancelFunc
		n := 0
		return timing(func(ctx actor.Context, c *clock) {
			switch ctx.Message().(type) {
			case ask:
				n = 0
				cancel = scheduler.NewTimerScheduler(ctx).SendRepeatedly(time.Second, time.Second, ctx.Self(), tick{})
			case tick:
				c.note("tick")
				if n++; n == 2 {
					cancel()
				}
			}
		}, ask{})
	}(), Want: []string{"tick@1s, tick@2s"}},

	{Name: "Sleep", Program: timing(func(ctx actor.Context, c *clock) {
		if m, ok := ctx.Message().(told); ok {
			time.Sleep(time.Duration(m.n) * time.Second)
			c.note(fmt.Sprint(m.n))
		}
	}, told{2}, told{1}), Want: []string{"2@2s, 1@3s"}}, // a sleeping actor takes no message
	{Name: "AfterFunc", Program: timing(func(ctx actor.Context, c *clock) {
		switch ctx.Message().(type) {
		case ask:
			self, root := ctx.Self(), ctx.ActorSystem().Root
			time.AfterFunc(5*time.Second, func() { root.Send(self, tick{}) })
		case tick:
			c.note("tick")
		}
	}, ask{}), Want: []string{"tick@5s"}},
	{Name: "ContextWithTimeout", Program: timing(func(ctx actor.Context, c *clock) {
		if _, ok := ctx.Message().(ask); ok {
			limited, cancel := context.WithTimeout(context.Background(), 7*time.Second)
			defer cancel()
			<-limited.Done()
			c.note(limited.Err().Error())
		}
	}, ask{}), Want: []string{"context deadline exceeded@7s"}},
	{Name: "NowIsVirtual", Program: timing(func(ctx actor.Context, c *clock) {
		if _, ok := ctx.Message().(ask); ok {
			if now := time.Now(); now.Year() != 2000 {
				c.note(now.String())
			}
		}
	}, ask{}), Want: []string{""}},
	{Name: "BeyondTheHorizon", Trial: trial{Horizon: 4 * time.Second, Cut: true}, Program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.SendOnce(3*time.Second, ctx.Self(), told{3})
		s.SendOnce(5*time.Second, ctx.Self(), told{5})
	}), ask{}), Want: []string{"3@3s"}},
	{Name: "SetInSetUp", Program: func(t *explore.T, j *journal) {
		c := &clock{j, time.Now()}
		world(t, func(s *actor.ActorSystem) {
			start(s, "a", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case *actor.Started:
					ctx.SetReceiveTimeout(time.Second)
				case *actor.ReceiveTimeout:
					c.note("timeout")
				}
			})
		})
		j.Note("set up") // time does not pass in set-up
	}, Want: []string{"set up, timeout@1s"}},
}

func TestTimers(t *testing.T) { runAll(t, timers) }

// slowServer answers ask only when it is told to.
func slowServer() actor.ReceiveFunc {
	var client *actor.PID
	return func(ctx actor.Context) {
		switch ctx.Message().(type) {
		case ask:
			client = ctx.Sender()
		case quit:
			if client != nil {
				ctx.Send(client, told{7})
			}
		}
	}
}

// lateProgram is a client that asks a server whose answer depends on another actor's message.
func lateProgram(t *explore.T, j *journal) {
	var client, server *actor.PID
	s := world(t, func(s *actor.ActorSystem) {
		server = start(s, "server", slowServer())
		client = start(s, "client", func(ctx actor.Context) {
			if m, ok := ctx.Message().(told); ok {
				r, err := ctx.RequestFuture(server, ask{m.n}, time.Second).Result()
				j.Note("%v %v", r, err)
			}
		})
	})
	s.Root.Send(client, told{1})
	s.Root.Send(server, quit{})
}

// A request times out under quiescent timers only when nothing else can happen: here, when the server was told to
// answer before it was asked.
func TestRequestTimeoutQuiescent(t *testing.T) {
	feature{Program: lateProgram, Want: []string{"{7} <nil>", "<nil> future: timeout"}, Check: func(t *testing.T, tr *trace.Trace) {
		if s := received(tr, "server"); s == "ask quit" && advances(tr) > 0 {
			t.Error("the request timed out though the answer was on its way")
		}
	}}.Run(t, protoactor.System)
}

// advances counts the advances of the clock that led to something.
func advances(tr *trace.Trace) (n int) {
	for _, e := range tr.Events {
		if e.Step.Kind == trace.Advance {
			n++
		}
	}
	return n
}

// Under async a request may time out before its reply, which then is a dead letter.
func TestRequestTimeoutAsync(t *testing.T) {
	late := 0
	x := trial{Timers: trace.Async, Checker: off(trace.DeadLetter)}
	s := x.Try(t, protoactor.System, lateProgram, func(tr *trace.Trace) {
		if received(tr, "server") == "ask quit" && advances(tr) > 0 {
			for _, e := range tr.Events {
				for _, in := range e.Incidents {
					if in.Kind == trace.DeadLetter && trace.ShortType(in.Type) == "told" {
						late++
					}
				}
			}
		}
	})
	s.Quietly(t)
	if late == 0 || s.Journals["{7} <nil>"] == 0 || s.Journals["<nil> future: timeout"] == 0 || len(s.Journals) != 2 {
		t.Errorf("%d late replies, journals %v", late, s.Journals)
	}
	n := trial{Timers: trace.Async}.Try(t, protoactor.System, lateProgram, nil).Kinds()
	if n[trace.DeadLetter] == 0 || len(n) != 1 {
		t.Errorf("violations by kind: %v, want dead letters", n)
	}
}

// Actors that ask each other with timeouts go on in the end, whichever timers there are.
func TestMutualRequestsEnd(t *testing.T) {
	for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
		t.Run(timers.String(), func(t *testing.T) {
			x := trial{Timers: timers, Checker: off(trace.DeadLetter), Random: 300}
			s := x.Try(t, protoactor.System, mutual(time.Second), nil)
			s.Quietly(t)
			for ending := range s.Journals {
				if n := strings.Count(ending, "a ") + strings.Count(ending, "b "); n != 2 {
					t.Errorf("an actor did not go on: %q", ending)
				}
			}
			if len(s.Journals) < 2 {
				t.Errorf("journals %v", s.Journals)
			}
		})
	}
}

// mutual is a program in which a asks b while b asks a.
func mutual(timeout time.Duration) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a, b *actor.PID
		both := func(name string, other **actor.PID) actor.ReceiveFunc {
			return func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case ask:
					ctx.Respond(told{2 * m.n})
				case tick:
					r, err := ctx.RequestFuture(*other, ask{1}, timeout).Result()
					j.Note("%s %v %v", name, r, err)
				}
			}
		}
		s := world(t, func(s *actor.ActorSystem) {
			a, b = start(s, "a", both("a", &b)), start(s, "b", both("b", &a))
		})
		s.Root.Send(a, tick{})
		s.Root.Send(b, tick{})
	}
}

// Timers that are set in different steps with the same delay do not tie: they fire in the order in which they were set,
// again and again.
func TestTimersDoNotTie(t *testing.T) {
	program := func(t *explore.T, j *journal) {
		var pids [2]*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			log := start(s, "log", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					j.Note("fired %d", m.n)
				}
			})
			for i := range pids {
				pids[i] = start(s, fmt.Sprint("a", i), func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						j.Note("set %d", i)
						root := ctx.ActorSystem().Root
						time.AfterFunc(time.Second, func() { root.Send(log, told{i}) })
					}
				})
			}
		})
		for i := range pids {
			s.Root.Send(pids[i], tick{})
		}
	}
	s := trial{Random: 1000}.Try(t, protoactor.System, program, nil)
	s.Quietly(t)
	if len(s.Journals) != 2 || s.Journals["set 0, set 1, fired 0, fired 1"]+s.Journals["set 1, set 0, fired 1, fired 0"] != 1000 {
		t.Errorf("the journals are %v", s.Journals)
	}
}

// A driver that sleeps for as long as a receive timeout takes wakes in another instant than that fires in.
func TestSleepDoesNotTie(t *testing.T) {
	for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
		s := trial{Random: 300, Timers: timers}.Try(t, protoactor.System, func(t *explore.T, j *journal) {
			s := protoactor.NewActorSystem()
			pid := start(s, "a", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case *actor.Started:
					ctx.SetReceiveTimeout(time.Second)
				case *actor.ReceiveTimeout:
					j.Note("timeout")
				case told:
					j.Note("%d", m.n)
				}
			})
			s.Root.Send(pid, told{1})
			time.Sleep(time.Second)
			s.Root.Send(pid, told{2})
		}, nil)
		if s.Err != nil || len(s.Violations) > 0 {
			t.Errorf("%s: error %v, violations %v", timers, s.Err, s.Violations)
		}
	}
}

// A timer that repeats within the horizon more often than the bound allows is cut there, as a livelock.
func TestRepeatedTimerMeetsBound(t *testing.T) {
	program := timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.SendRepeatedly(time.Second, time.Second, ctx.Self(), tick{})
	}), ask{})
	s := trial{Bound: 10, Random: 2, Checker: check.Checker{}}.Try(t, protoactor.System, program, nil)
	if n := s.Kinds(); s.Err != nil || n[trace.Livelock] == 0 || len(n) != 1 {
		t.Errorf("error %v, violations by kind %v", s.Err, n)
	}
}
