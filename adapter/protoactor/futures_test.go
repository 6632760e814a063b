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
			j.note("%s %v", name, err)
			return
		}
		j.note("%s %d", name, r.(told).n)
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

// numbersBySender gives the number that each actor told the receiver, by who is on record as the sender.
func numbersBySender(tr *trace.Trace, receiver string) map[string]int {
	got := map[string]int{}
	for i := range tr.Messages {
		m := &tr.Messages[i]
		if v, ok := m.Value.(told); ok && tr.ActorName(m.Receiver) == receiver {
			got[tr.ActorName(m.Sender)] = v.n
		}
	}
	return got
}

// attributed wants every one of a, b and c on record as the sender of its own number to the sink.
func attributed(a, b, c int) func(*testing.T, *trace.Trace) {
	return func(t *testing.T, tr *trace.Trace) {
		got := numbersBySender(tr, "sink")
		if len(got) != 3 || got["a"] != a || got["b"] != b || got["c"] != c {
			t.Errorf("the numbers by sender are %v, want a:%d b:%d c:%d", got, a, b, c)
		}
	}
}

// trio starts a, b and c, made by behave, and a sink.
func trio(s *actor.ActorSystem, j *journal, behave func(name string, to **actor.PID) actor.ReceiveFunc) (pids [3]*actor.PID) {
	to := start(s, "sink", func(actor.Context) {})
	for i, name := range []string{"a", "b", "c"} {
		pids[i] = start(s, name, behave(name, &to))
	}
	return pids
}

var futures = []feature{
	{name: "Result", program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			a = start(s, "a", asker(&server, nil, "a", j))
		})
		s.Root.Send(a, told{1})
	}, want: []string{"a 2"}, check: handles("a", "Driver:told server:told")},

	// The one who waits takes no other message meanwhile, in whatever order the server and its sender run.
	{name: "ResultBlocks", program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			a = start(s, "a", asker(&server, nil, "a", j))
		})
		s.Root.Send(a, told{1})
		s.Root.Send(a, told{2})
	}, want: []string{"a 2, a 4"}, check: handles("a", "Driver:told server:told Driver:told server:told")},

	{name: "DriverWaits", program: func(t *explore.T, j *journal) {
		var server *actor.PID
		s := world(t, func(s *actor.ActorSystem) { server = start(s, "server", doubler) })
		r, err := s.Root.RequestFuture(server, ask{5}, time.Second).Result()
		j.note("%v %v", r, err)
		s.Root.Send(server, ask{6}) // the driver is itself again
	}, want: []string{"{10} <nil>"}, trial: trial{checker: off(trace.DeadLetter)},
		check: handles("server", "Driver:ask Driver:ask")},

	{name: "DriverWaitsForTwo", program: func(t *explore.T, j *journal) {
		var x, y *actor.PID
		s := world(t, func(s *actor.ActorSystem) { x, y = start(s, "x", doubler), start(s, "y", doubler) })
		f, g := s.Root.RequestFuture(x, ask{1}, time.Second), s.Root.RequestFuture(y, ask{2}, time.Second)
		second, _ := g.Result()
		first, _ := f.Result()
		j.note("%v %v", first, second)
	}, want: []string{"{2} {4}"}},

	{name: "DriverWaitsForChannel", program: func(t *explore.T, j *journal) {
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
		j.note("%d", <-c)
		j.note("%d", <-c)
		s.Root.Send(a, tick{})
	}, want: []string{"1, 2"}, check: handles("a", "Driver:told Driver:told Driver:tick")},

	{name: "DriverWaitsForGroup", program: func(t *explore.T, j *journal) {
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
		j.note("all")
	}, want: []string{"all"}},

	// a waits for b, b for the server: two handlers are blocked at once.
	{name: "Chain", program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			b := start(s, "b", delegate(&server))
			a = start(s, "a", asker(&b, nil, "a", j))
		})
		s.Root.Send(a, told{1})
	}, want: []string{"a 4"}, check: func(t *testing.T, tr *trace.Trace) {
		handles("a", "Driver:told b:told")(t, tr)
		handles("b", "a:ask server:told")(t, tr)
	}},

	{name: "TwoChains", program: func(t *explore.T, j *journal) {
		var a, c *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			b, d := start(s, "b", delegate(&server)), start(s, "d", delegate(&server))
			a, c = start(s, "a", asker(&b, nil, "a", j)), start(s, "c", asker(&d, nil, "c", j))
		})
		s.Root.Send(a, told{1})
		s.Root.Send(c, told{2})
	}, trial: trial{random: 300}, want: []string{"a 4, c 6", "c 6, a 4"}},

	// Three handlers wait at once for three servers, which wake them in every order; what each of them sends then is its own.
	{name: "ThreeBlocked", program: func(t *explore.T, j *journal) {
		var pids [3]*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pids = trio(s, j, func(name string, to **actor.PID) actor.ReceiveFunc {
				server := start(s, "server of "+name, doubler)
				return asker(&server, to, name, j)
			})
		})
		for i, p := range pids {
			s.Root.Send(p, told{i + 1})
		}
	}, trial: trial{random: 400}, check: attributed(2, 4, 6),
		want: []string{"a 2, b 4, c 6", "a 2, c 6, b 4", "b 4, a 2, c 6", "b 4, c 6, a 2", "c 6, a 2, b 4", "c 6, b 4, a 2"}},

	// The same with channels, which no framework sees: one actor wakes the three as it is told.
	{name: "ThreeBlockedOnChannels", program: func(t *explore.T, j *journal) {
		var pids [3]*actor.PID
		var wakers [3]*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			i := 0
			pids = trio(s, j, func(name string, to **actor.PID) actor.ReceiveFunc {
				c := make(chan int)
				wakers[i] = start(s, "waker of "+name, func(ctx actor.Context) {
					if m, ok := ctx.Message().(told); ok {
						c <- m.n
					}
				})
				i++
				return func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						m := told{<-c}
						j.note("%s %d", name, m.n)
						ctx.Send(*to, m)
					}
				}
			})
		})
		for i := range pids {
			s.Root.Send(pids[i], tick{})
			s.Root.Send(wakers[i], told{i + 1})
		}
	}, trial: trial{random: 400}, check: attributed(1, 2, 3),
		want: []string{"a 1, b 2, c 3", "a 1, c 3, b 2", "b 2, a 1, c 3", "b 2, c 3, a 1", "c 3, a 1, b 2", "c 3, b 2, a 1"}},

	// b wakes a and waits for it: a sends in the middle of the step of b.
	{name: "HandOver", program: func(t *explore.T, j *journal) {
		var a, b *actor.PID
		there, back := make(chan int), make(chan int)
		s := world(t, func(s *actor.ActorSystem) {
			to := start(s, "sink", func(actor.Context) {})
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					n := <-there
					ctx.Send(to, told{n})
					back <- n + 1
				}
			})
			b = start(s, "b", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					there <- 1
					ctx.Send(to, told{<-back})
				}
			})
		})
		s.Root.Send(a, tick{})
		s.Root.Send(b, tick{})
	}, check: func(t *testing.T, tr *trace.Trace) {
		if got := numbersBySender(tr, "sink"); got["a"] != 1 || got["b"] != 2 {
			t.Errorf("the numbers by sender are %v, want a:1 b:2", got)
		}
	}},

	{name: "ReenterAfter", program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			a = start(s, "a", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case told:
					ctx.ReenterAfter(ctx.RequestFuture(server, ask{m.n}, time.Second), func(r any, err error) {
						j.note("%v %v on %v", r, err, ctx.Message())
					})
				case tick:
					j.note("tick")
				}
			})
		})
		s.Root.Send(a, told{1})
		s.Root.Send(a, tick{})
	}, want: []string{"tick, {2} <nil> on {1}", "{2} <nil> on {1}, tick"}},

	{name: "ReenterAfterTimeout", program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			mute := start(s, "mute", func(actor.Context) {})
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					ctx.ReenterAfter(ctx.RequestFuture(mute, ask{m.n}, time.Second), func(r any, err error) {
						j.note("%v %v", r, err)
					})
				}
			})
		})
		s.Root.Send(a, told{1})
	}, want: []string{"<nil> future: timeout"}},

	{name: "PipeTo", program: func(t *explore.T, j *journal) {
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
	}, want: []string{"2, 2"}, check: func(t *testing.T, tr *trace.Trace) {
		handles("x", "a:told")(t, tr)
		handles("y", "a:told")(t, tr)
	}},

	{name: "Timeout", program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			mute := start(s, "mute", func(actor.Context) {})
			a = start(s, "a", asker(&mute, nil, "a", j))
		})
		s.Root.Send(a, told{1})
	}, want: []string{"a future: timeout"}},
}

func TestFutures(t *testing.T) { runAll(t, futures) }
