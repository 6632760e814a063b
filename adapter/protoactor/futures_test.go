package protoactor_test

import (
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// asker asks whom by a future when it is told a number, tells on what it got, and notes it.
func asker(whom, tellOn **actor.PID, name string, j *journal) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		m, ok := ctx.Message().(told)
		if !ok {
			return
		}
		r, err := ctx.RequestFuture(*whom, ask{m.n}, time.Second).Result()
		if err != nil {
			j.Note("%s %v", name, err)
			return
		}
		j.Note("%s %d", name, r.(told).n)
		if tellOn != nil {
			ctx.Send(*tellOn, r)
		}
	}
}

// delegate answers ask by asking whom.
func delegate(whom **actor.PID) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		if m, ok := ctx.Message().(ask); ok {
			r, err := ctx.RequestFuture(*whom, ask{m.n + 1}, time.Second).Result()
			if err != nil {
				panic(err)
			}
			ctx.Respond(r)
		}
	}
}

var futures = []feature{
	{Name: "Result", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			a = start(s, "a", asker(&server, nil, "a", j))
		})
		s.Root.Send(a, told{1})
	}, Want: []string{"a 2"}, Check: handles("a", "Driver:told server:told")},

	// The one who waits takes no other message meanwhile, in whatever order the server and its sender run.
	{Name: "ResultBlocks", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			a = start(s, "a", asker(&server, nil, "a", j))
		})
		s.Root.Send(a, told{1})
		s.Root.Send(a, told{2})
	}, Want: []string{"a 2, a 4"}, Check: handles("a", "Driver:told server:told Driver:told server:told")},

	{Name: "DriverWaits", Program: func(t *explore.T, j *journal) {
		var server *actor.PID
		s := world(t, func(s *actor.ActorSystem) { server = start(s, "server", doubler) })
		r, err := s.Root.RequestFuture(server, ask{5}, time.Second).Result()
		j.Note("%v %v", r, err)
		s.Root.Send(server, ask{6}) // the driver is itself again
	}, Want: []string{"{10} <nil>"}, Trial: trial{Checker: off(trace.DeadLetter)},
		Check: handles("server", "Driver:ask Driver:ask")},

	{Name: "DriverWaitsForTwo", Program: func(t *explore.T, j *journal) {
		var x, y *actor.PID
		s := world(t, func(s *actor.ActorSystem) { x, y = start(s, "x", doubler), start(s, "y", doubler) })
		f, g := s.Root.RequestFuture(x, ask{1}, time.Second), s.Root.RequestFuture(y, ask{2}, time.Second)
		second, _ := g.Result()
		first, _ := f.Result()
		j.Note("%v %v", first, second)
	}, Want: []string{"{2} {4}"}},

	{Name: "DriverWaitsForChannel", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		c := make(chan int)
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					c <- m.n
				}
			})
		})
		s.Root.Send(a, told{1})
		s.Root.Send(a, told{2})
		j.Note("%d", <-c)
		j.Note("%d", <-c)
		s.Root.Send(a, tick{})
	}, Want: []string{"1, 2"}, Check: handles("a", "Driver:told Driver:told Driver:tick")},

	{Name: "DriverWaitsForGroup", Program: func(t *explore.T, j *journal) {
		var pids [3]*actor.PID
		var wg sync.WaitGroup
		s := world(t, func(s *actor.ActorSystem) {
			pids = trio(s, j, func(name string, _ **actor.PID) actor.ReceiveFunc {
				return func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						wg.Done()
					}
				}
			})
		})
		wg.Add(3)
		for _, p := range pids {
			s.Root.Send(p, tick{})
		}
		wg.Wait()
		j.Note("all")
	}, Want: []string{"all"}},

	// a waits for b, b for the server: two handlers are blocked at once.
	{Name: "Chain", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			b := start(s, "b", delegate(&server))
			a = start(s, "a", asker(&b, nil, "a", j))
		})
		s.Root.Send(a, told{1})
	}, Want: []string{"a 4"}, Check: func(t *testing.T, tr *trace.Trace) {
		handles("a", "Driver:told b:told")(t, tr)
		handles("b", "a:ask server:told")(t, tr)
	}},

	{Name: "TwoChains", Program: func(t *explore.T, j *journal) {
		var a, c *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			b, d := start(s, "b", delegate(&server)), start(s, "d", delegate(&server))
			a, c = start(s, "a", asker(&b, nil, "a", j)), start(s, "c", asker(&d, nil, "c", j))
		})
		s.Root.Send(a, told{1})
		s.Root.Send(c, told{2})
	}, Trial: trial{Random: 300}, Want: []string{"a 4, c 6", "c 6, a 4"}},

	{Name: "ReenterAfter", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			a = start(s, "a", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case told:
					ctx.ReenterAfter(ctx.RequestFuture(server, ask{m.n}, time.Second), func(r any, err error) {
						j.Note("%v %v on %v", r, err, ctx.Message())
					})
				case tick:
					j.Note("tick")
				}
			})
		})
		s.Root.Send(a, told{1})
		s.Root.Send(a, tick{})
	}, Want: []string{"tick, {2} <nil> on {1}", "{2} <nil> on {1}, tick"}},

	{Name: "ReenterAfterTimeout", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			mute := start(s, "mute", func(actor.Context) {})
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					ctx.ReenterAfter(ctx.RequestFuture(mute, ask{m.n}, time.Second), func(r any, err error) {
						j.Note("%v %v", r, err)
					})
				}
			})
		})
		s.Root.Send(a, told{1})
	}, Want: []string{"<nil> future: timeout"}},

	{Name: "PipeTo", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server, x, y := start(s, "server", doubler), start(s, "x", sink(j)), start(s, "y", sink(j))
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					ctx.RequestFuture(server, ask{m.n}, time.Second).PipeTo(x, y)
				}
			})
		})
		s.Root.Send(a, told{1})
	}, Want: []string{"2, 2"}, Check: func(t *testing.T, tr *trace.Trace) {
		handles("x", "server:told")(t, tr)
		handles("y", "server:told")(t, tr)
	}},

	{Name: "Timeout", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			mute := start(s, "mute", func(actor.Context) {})
			a = start(s, "a", asker(&mute, nil, "a", j))
		})
		s.Root.Send(a, told{1})
	}, Want: []string{"a future: timeout"}},
}

func TestFutures(t *testing.T) { runAll(t, futures) }
