package protoactor_test

import (
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Several handlers are blocked at once and are woken in different orders: whose code is running then is what these are
// about.

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

var blocked = []feature{
	// Three handlers wait at once for three servers, which wake them in every order; what each of them sends then is its
	// own.
	{Name: "ThreeBlocked", Program: func(t *explore.T, j *journal) {
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
	}, Trial: trial{Random: 400}, Check: attributed(2, 4, 6),
		Want: []string{"a 2, b 4, c 6", "a 2, c 6, b 4", "b 4, a 2, c 6", "b 4, c 6, a 2", "c 6, a 2, b 4", "c 6, b 4, a 2"}},

	// The same with channels, which no framework sees: one actor wakes the three as it is told.
	{Name: "ThreeBlockedOnChannels", Program: func(t *explore.T, j *journal) {
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
						j.Note("%s %d", name, m.n)
						ctx.Send(*to, m)
					}
				}
			})
		})
		for i := range pids {
			s.Root.Send(pids[i], tick{})
			s.Root.Send(wakers[i], told{i + 1})
		}
	}, Trial: trial{Random: 1200}, Check: attributed(1, 2, 3),
		Want: []string{"a 1, b 2, c 3", "a 1, c 3, b 2", "b 2, a 1, c 3", "b 2, c 3, a 1", "c 3, a 1, b 2", "c 3, b 2, a 1"}},

	// b wakes a and waits for it: a sends in the middle of the step of b.
	{Name: "HandOver", Program: func(t *explore.T, j *journal) {
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
	}, Check: func(t *testing.T, tr *trace.Trace) {
		if got := numbersBySender(tr, "sink"); got["a"] != 1 || got["b"] != 2 {
			t.Errorf("the numbers by sender are %v, want a:1 b:2", got)
		}
	}},
}

func TestBlocked(t *testing.T) { runAll(t, blocked) }

// A test function that waits for something which does not come in some orders is a deadlock of these, with a schedule.
func TestBlockedDriver(t *testing.T) {
	for _, mode := range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
		sys := protoactor.System(func(*explore.T) {
			s, done, first := protoactor.NewActorSystem(), make(chan struct{}), 0
			a := start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok && first == 0 {
					if first = m.n; first == 1 {
						close(done)
					}
				}
			})
			s.Root.Send(a, told{1})
			s.Root.Send(a, told{2})
			<-done
		})
		sys.Mode = mode
		for model, want := range map[trace.Model]bool{trace.Bag: true, trace.Mailbox: false} {
			r, err := rehearse.Explore(rehearse.Config{Model: model, Strategy: "naive"}, sys)
			found := len(r.Findings) == 1 && r.Findings[0].Violation.Kind == trace.Deadlock && r.Findings[0].Schedule != nil &&
				strings.Contains(r.Findings[0].Violation.Text, "Driver waits for something other than a message")
			if err != nil || found != want || !r.Complete {
				t.Errorf("mode %v, model %s: error %v, %s, %+v", mode, model, err, r, r.Findings)
			}
		}
	}
}
