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
	c.j.note("%s@%v", what, time.Since(c.start).Round(time.Millisecond))
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
	{name: "ReceiveTimeoutFires", program: timing(patience, ask{3}), want: []string{"timeout@3s"}},
	{name: "ReceiveTimeoutReset", program: timing(patience, ask{3}, tick{}), want: []string{"tick@1s, timeout@4s"}},
	{name: "ReceiveTimeoutCancelled", program: timing(patience, ask{3}, told{}), want: []string{""}},
	{name: "ReceiveTimeoutAsync", trial: trial{timers: trace.Async}, program: timing(patience, ask{3}, told{}),
		want: []string{"", "timeout@3s"}}, // it may fire before it is cancelled

	{name: "SendOnce", program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.SendOnce(2*time.Second, ctx.Self(), tick{})
	}), ask{}), want: []string{"tick@2s"}},
	{name: "SendOnceCancelled", program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.SendOnce(2*time.Second, ctx.Self(), tick{})()
	}), ask{}), want: []string{""}},
	{name: "RequestOnce", program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.RequestOnce(2*time.Second, ctx.Self(), tick{})
	}), ask{}), want: []string{"tick@2s, request@2s"}}, // its sender is the actor
	{name: "SendRepeatedlyUntilTheHorizon", trial: trial{horizon: 10 * time.Second, cut: true},
		program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
			s.SendRepeatedly(time.Second, 4*time.Second, ctx.Self(), tick{})
		}), ask{}), want: []string{"tick@1s, tick@5s, tick@9s"}},
	{name: "SendRepeatedlyCancelled", program: func() func(*explore.T, *journal) {
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
	}(), want: []string{"tick@1s, tick@2s"}},

	{name: "Sleep", program: timing(func(ctx actor.Context, c *clock) {
		if m, ok := ctx.Message().(told); ok {
			time.Sleep(time.Duration(m.n) * time.Second)
			c.note(fmt.Sprint(m.n))
		}
	}, told{2}, told{1}), want: []string{"2@2s, 1@3s"}}, // a sleeping actor takes no message
	{name: "AfterFunc", program: timing(func(ctx actor.Context, c *clock) {
		switch ctx.Message().(type) {
		case ask:
			self, root := ctx.Self(), ctx.ActorSystem().Root
			time.AfterFunc(5*time.Second, func() { root.Send(self, tick{}) })
		case tick:
			c.note("tick")
		}
	}, ask{}), want: []string{"tick@5s"}},
	{name: "ContextWithTimeout", program: timing(func(ctx actor.Context, c *clock) {
		if _, ok := ctx.Message().(ask); ok {
			limited, cancel := context.WithTimeout(context.Background(), 7*time.Second)
			defer cancel()
			<-limited.Done()
			c.note(limited.Err().Error())
		}
	}, ask{}), want: []string{"context deadline exceeded@7s"}},
	{name: "NowIsVirtual", program: timing(func(ctx actor.Context, c *clock) {
		if _, ok := ctx.Message().(ask); ok {
			if now := time.Now(); now.Year() != 2000 {
				c.note(now.String())
			}
		}
	}, ask{}), want: []string{""}},
	{name: "BeyondTheHorizon", trial: trial{horizon: 4 * time.Second, cut: true}, program: timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.SendOnce(3*time.Second, ctx.Self(), told{3})
		s.SendOnce(5*time.Second, ctx.Self(), told{5})
	}), ask{}), want: []string{"3@3s"}},
	{name: "SetInSetUp", program: func(t *explore.T, j *journal) {
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
		j.note("set up") // time does not pass in set-up
	}, want: []string{"set up, timeout@1s"}},
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
				j.note("%v %v", r, err)
			}
		})
	})
	s.Root.Send(client, told{1})
	s.Root.Send(server, quit{})
}

// A request times out under quiescent timers only when nothing else can happen: here, when the server was told to
// answer before it was asked.
func TestRequestTimeoutQuiescent(t *testing.T) {
	feature{program: lateProgram, want: []string{"{7} <nil>", "<nil> future: timeout"}, check: func(t *testing.T, tr *trace.Trace) {
		if s := received(tr, "server"); s == "ask quit" && advances(tr) > 0 {
			t.Error("the request timed out though the answer was on its way")
		}
	}}.run(t)
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
	s := trial{timers: trace.Async, checker: off(trace.DeadLetter)}.try(t, lateProgram, func(tr *trace.Trace) {
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
	s.quietly(t)
	if late == 0 || s.journals["{7} <nil>"] == 0 || s.journals["<nil> future: timeout"] == 0 || len(s.journals) != 2 {
		t.Errorf("%d late replies, journals %v", late, s.journals)
	}
	n := trial{timers: trace.Async}.try(t, lateProgram, nil).kinds()
	if n[trace.DeadLetter] == 0 || len(n) != 1 {
		t.Errorf("violations by kind: %v, want dead letters", n)
	}
}

// Actors that ask each other with timeouts go on in the end, whichever timers there are.
func TestMutualRequestsEnd(t *testing.T) {
	for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
		t.Run(timers.String(), func(t *testing.T) {
			s := trial{timers: timers, checker: off(trace.DeadLetter), random: 300}.try(t, mutual(time.Second), nil)
			s.quietly(t)
			for ending := range s.journals {
				if n := strings.Count(ending, "a ") + strings.Count(ending, "b "); n != 2 {
					t.Errorf("an actor did not go on: %q", ending)
				}
			}
			if len(s.journals) < 2 {
				t.Errorf("journals %v", s.journals)
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
					j.note("%s %v %v", name, r, err)
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
					j.note("fired %d", m.n)
				}
			})
			for i := range pids {
				pids[i] = start(s, fmt.Sprint("a", i), func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						j.note("set %d", i)
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
	s := trial{random: 1000}.try(t, program, nil)
	s.quietly(t)
	if len(s.journals) != 2 || s.journals["set 0, set 1, fired 0, fired 1"]+s.journals["set 1, set 0, fired 1, fired 0"] != 1000 {
		t.Errorf("the journals are %v", s.journals)
	}
}

// A driver that sleeps for as long as a receive timeout takes wakes in another instant than that fires in.
func TestSleepDoesNotTie(t *testing.T) {
	for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
		s := trial{random: 300, timers: timers}.try(t, func(t *explore.T, j *journal) {
			s := protoactor.NewActorSystem()
			pid := start(s, "a", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case *actor.Started:
					ctx.SetReceiveTimeout(time.Second)
				case *actor.ReceiveTimeout:
					j.note("timeout")
				case told:
					j.note("%d", m.n)
				}
			})
			s.Root.Send(pid, told{1})
			time.Sleep(time.Second)
			s.Root.Send(pid, told{2})
		}, nil)
		if s.err != nil || len(s.violations) > 0 {
			t.Errorf("%s: error %v, violations %v", timers, s.err, s.violations)
		}
	}
}

// A timer that repeats within the horizon more often than the bound allows is cut there, as a livelock.
func TestRepeatedTimerMeetsBound(t *testing.T) {
	program := timing(schedule(func(s *scheduler.TimerScheduler, ctx actor.Context) {
		s.SendRepeatedly(time.Second, time.Second, ctx.Self(), tick{})
	}), ask{})
	s := trial{bound: 10, random: 2, checker: check.Checker{}}.try(t, program, nil)
	if n := s.kinds(); s.err != nil || n[trace.Livelock] == 0 || len(n) != 1 {
		t.Errorf("error %v, violations by kind %v", s.err, n)
	}
}
