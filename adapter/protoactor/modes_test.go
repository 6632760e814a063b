package protoactor_test

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// bothModes are programs of every kind of step; the two ways to run handlers must not differ on them.
var bothModes = []struct {
	name    string
	program func(*explore.T, *journal)
	trial
}{
	{"Sends", func(t *explore.T, j *journal) {
		var pids [3]*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pids = trio(s, j, func(name string, to **actor.PID) actor.ReceiveFunc {
				return func(ctx actor.Context) {
					if m, ok := ctx.Message().(told); ok {
						j.Note("%s %d", name, m.n)
						ctx.Send(*to, m)
						ctx.Send(*to, told{m.n + 1})
					}
				}
			})
		})
		for i := range 3 {
			for _, p := range pids {
				s.Root.Send(p, told{i})
			}
		}
	}, trial{}},

	{"Requests", func(t *explore.T, j *journal) {
		var pids [3]*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			front := start(s, "front", delegate(&server))
			pids = trio(s, j, func(name string, to **actor.PID) actor.ReceiveFunc { return asker(&front, to, name, j) })
		})
		for i, p := range pids {
			s.Root.Send(p, told{i})
		}
		j.Note("driver %v", s.Root.PoisonFuture(pids[0]).Wait())
		s.Root.Send(pids[1], told{7})
	}, trial{}},

	{"Channels", func(t *explore.T, j *journal) {
		c := make(chan int)
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					j.Note("a %d", <-c)
				}
			})
			b = start(s, "b", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					j.Note("b %d", m.n) // before: what two handlers do that go on at the same time has no order of ours
					c <- m.n
				}
			})
		})
		for i := range 3 {
			s.Root.Send(a, tick{})
			s.Root.Send(b, told{i})
		}
	}, trial{}},

	{"Timers", func(t *explore.T, j *journal) {
		s := world(t, func(s *actor.ActorSystem) {
			for i, name := range []string{"a", "b"} {
				pause := time.Duration(i+1) * time.Second
				start(s, name, func(ctx actor.Context) {
					switch ctx.Message().(type) {
					case *actor.Started:
						ctx.SetReceiveTimeout(pause)
					case *actor.ReceiveTimeout:
						j.Note("%s timed out", name)
					case told:
						time.Sleep(pause)
						j.Note("%s slept", name)
					}
				})
			}
		})
		for _, name := range []string{"a", "b"} {
			s.Root.Send(actor.NewPID("nonhost", name), told{1})
		}
	}, trial{}},

	{"AsyncTimers", func(t *explore.T, j *journal) {
		s := world(t, func(s *actor.ActorSystem) {
			mute := start(s, "mute", func(actor.Context) {})
			start(s, "a", asker(&mute, nil, "a", j))
			start(s, "b", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case told:
					ctx.SetReceiveTimeout(time.Second)
				case *actor.ReceiveTimeout:
					j.Note("b timed out")
				}
			})
		})
		for range 2 {
			s.Root.Send(actor.NewPID("nonhost", "a"), told{1})
			s.Root.Send(actor.NewPID("nonhost", "b"), told{1})
		}
	}, trial{Timers: trace.Async}},

	{"Restarts", func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			restarts := 0
			a = s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &stasher{j, &restarts} }))
			start(s, "b", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					ctx.Send(a, m)
					ctx.Send(a, boom{})
				}
			})
		})
		s.Root.Send(actor.NewPID("nonhost", "b"), told{1})
		for _, m := range []any{told{2}, boom{}, told{3}} {
			s.Root.Send(a, m)
		}
		s.Root.Stop(a)
	}, trial{Checker: off(trace.Panic, trace.DeadLetter)}},

	{"Routers", func(t *explore.T, j *journal) {
		var r *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			r = s.Root.Spawn(router.NewRandomPool(3, actor.WithFunc(sink(j))))
		})
		s.Root.Send(r, told{1})
		s.Root.Send(r, told{2})
		s.Root.Send(r, &router.BroadcastMessage{Message: told{3}})
		j.Note("%v", s.Root.StopFuture(r).Wait())
	}, trial{Checker: off(trace.DeadLetter)}},
}

// Taking over and waiting give the same traces, event by event, and the same journals, over the same random schedules.
func TestModes(t *testing.T) {
	for _, b := range bothModes {
		t.Run(b.name, func(t *testing.T) {
			x := b.trial
			x.Random = 100
			x.Mode = adapter.TakeOver
			fast, fastJournals := everything(t, x, b.program)
			x.Mode = adapter.Wait
			slow, slowJournals := everything(t, x, b.program)
			same(t, fast, slow)
			for i := range fastJournals {
				if fastJournals[i] != slowJournals[i] {
					t.Fatalf("execution %d wrote %q when taking over and %q when waiting", i, fastJournals[i], slowJournals[i])
				}
			}
		})
	}
}

// everything gives the traces and the journals of all executions.
func everything(t *testing.T, x trial, program func(*explore.T, *journal)) (traces []*trace.Trace, journals []string) {
	t.Helper()
	var last *journal
	seen := x.Try(t, protoactor.System, func(t *explore.T, j *journal) { last = j; program(t, j) }, func(tr *trace.Trace) {
		traces = append(traces, tr.Clone())
		journals = append(journals, last.String())
	})
	seen.Quietly(t)
	return traces, journals
}
