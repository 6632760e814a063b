package protoactor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// doubler answers ask with told.
func doubler(ctx actor.Context) {
	if m, ok := ctx.Message().(ask); ok {
		ctx.Respond(told{2 * m.n})
	}
}

// sink notes the numbers it is told.
func sink(j *journal) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		if m, ok := ctx.Message().(told); ok {
			j.Note("%d", m.n)
		}
	}
}

// passer sends what it is told on.
func passer(to **actor.PID) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		if m, ok := ctx.Message().(told); ok {
			ctx.Send(*to, m)
		}
	}
}

// senders gives who sent the messages that an actor handled after set-up, with their types.
func senders(tr *trace.Trace, name string) string {
	var list []string
	for _, e := range tr.Events[tr.Explored:] {
		if m := e.Step.Message; m >= 0 && e.Step.Kind != trace.Send && tr.ActorName(e.Step.Actor) == name {
			msg := &tr.Messages[m]
			list = append(list, tr.ActorName(msg.Sender)+":"+trace.ShortType(msg.Type.Name))
		}
	}
	return strings.Join(list, " ")
}

// handles wants an actor to receive these messages from these senders in every execution.
func handles(name, want string) func(*testing.T, *trace.Trace) {
	return func(t *testing.T, tr *trace.Trace) {
		if got := senders(tr, name); got != want {
			t.Errorf("%s received %q, want %q", name, got, want)
		}
	}
}

// deadLetters gives the types of the messages that went to nobody.
func deadLetters(tr *trace.Trace) string {
	var types []string
	for _, e := range tr.Events {
		for _, in := range e.Incidents {
			if in.Kind == trace.DeadLetter {
				types = append(types, tr.ActorName(in.Actor)+":"+trace.ShortType(in.Type))
			}
		}
	}
	return strings.Join(types, " ")
}

// lost wants these dead letters in every execution.
func lost(want string) func(*testing.T, *trace.Trace) {
	return func(t *testing.T, tr *trace.Trace) {
		if got := deadLetters(tr); got != want {
			t.Errorf("the dead letters are %q, want %q", got, want)
		}
	}
}

// batch is a message that consists of others.
type batch []any

func (b batch) GetMessages() []any { return b }

var messaging = []feature{
	{Name: "Send", Program: func(t *explore.T, j *journal) {
		var pid *actor.PID
		s := world(t, func(s *actor.ActorSystem) { pid = start(s, "sink", sink(j)) })
		s.Root.Send(pid, told{1})
		s.Root.Send(pid, told{2})
	}, Want: []string{"1, 2"}, Check: handles("sink", "Driver:told Driver:told")},

	{Name: "SendRace", Program: func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			to := start(s, "sink", sink(j))
			a, b = start(s, "a", passer(&to)), start(s, "b", passer(&to))
		})
		s.Root.Send(a, told{1})
		s.Root.Send(b, told{2})
	}, Want: []string{"1, 2", "2, 1"}},

	{Name: "SendRaceBag", Trial: trial{Model: trace.Bag}, Program: func(t *explore.T, j *journal) {
		var pid *actor.PID
		s := world(t, func(s *actor.ActorSystem) { pid = start(s, "sink", sink(j)) })
		s.Root.Send(pid, told{1})
		s.Root.Send(pid, told{2})
	}, Want: []string{"1, 2", "2, 1"}},

	{Name: "Request", Program: func(t *explore.T, j *journal) {
		var client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			client = start(s, "client", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case tick:
					ctx.Request(server, ask{3})
				case told: // Respond names no sender
					j.Note("%d from %v", m.n, ctx.Sender())
				}
			})
		})
		s.Root.Send(client, tick{})
	}, Want: []string{"6 from <nil>"}, Check: handles("client", "Driver:tick server:told")},

	{Name: "RequestWithCustomSender", Program: func(t *explore.T, j *journal) {
		var client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server, to := start(s, "server", doubler), start(s, "sink", sink(j))
			client = start(s, "client", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.RequestWithCustomSender(server, ask{4}, to)
				}
			})
		})
		s.Root.Send(client, tick{})
	}, Want: []string{"8"}, Check: handles("sink", "server:told")},

	{Name: "Forward", Program: func(t *explore.T, j *journal) {
		var client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			front := start(s, "front", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					ctx.Forward(server) // keeps the sender
				}
			})
			client = start(s, "client", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case tick:
					ctx.Request(front, ask{5})
				case told:
					j.Note("%d", m.n)
				}
			})
		})
		s.Root.Send(client, tick{})
	}, Want: []string{"10"}, Check: func(t *testing.T, tr *trace.Trace) {
		handles("server", "front:ask")(t, tr)
		handles("client", "Driver:tick server:told")(t, tr)
	}},

	{Name: "DeadLetter", Trial: trial{Checker: off(trace.DeadLetter)}, Program: func(t *explore.T, j *journal) {
		s := world(t, func(s *actor.ActorSystem) { start(s, "sink", sink(j)) })
		s.Root.Send(actor.NewPID("nonhost", "nobody"), told{1})
	}, Check: lost("Driver:told")},

	{Name: "DeadLetterOfActor", Trial: trial{Checker: off(trace.DeadLetter)}, Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			nobody := actor.NewPID("nonhost", "nobody")
			a = start(s, "a", passer(&nobody))
		})
		s.Root.Send(a, told{1})
	}, Check: lost("a:told")},

	{Name: "RespondToNobody", Trial: trial{Checker: off(trace.DeadLetter)}, Program: func(t *explore.T, j *journal) {
		var server *actor.PID
		s := world(t, func(s *actor.ActorSystem) { server = start(s, "server", doubler) })
		s.Root.Send(server, ask{1})
	}, Check: lost("server:told")},

	{Name: "RequestToNobody", Trial: trial{Checker: off(trace.DeadLetter)}, Program: func(t *explore.T, j *journal) {
		s := world(t, func(s *actor.ActorSystem) { start(s, "sink", sink(j)) })
		_, err := s.Root.RequestFuture(actor.NewPID("nonhost", "nobody"), ask{1}, time.Second).Result()
		j.Note("%v", err)
	}, Want: []string{"future: dead letter"}, Check: lost("Driver:ask")},

	// The stock mailbox takes the parts of a batch and then the batch itself.
	{Name: "Batch", Program: func(t *explore.T, j *journal) {
		var pid *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pid = start(s, "sink", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case told:
					j.Note("%d from %v", m.n, ctx.Sender())
				case batch:
					j.Note("batch of %d", len(m))
				}
			})
		})
		s.Root.Send(pid, batch{told{1}, told{2}})
	}, Want: []string{"1 from <nil>, 2 from <nil>, batch of 2"},
		Check: handles("sink", "Driver:told Driver:told Driver:batch")},

	{Name: "BatchInRequest", Program: func(t *explore.T, j *journal) {
		var client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			to := start(s, "sink", sink(j))
			client = start(s, "client", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.Request(to, batch{told{1}, told{2}})
				}
			})
		})
		s.Root.Send(client, tick{})
	}, Want: []string{"1, 2"}, Check: handles("sink", "client:told client:told client:batch")},

	{Name: "TwoSystems", Program: func(t *explore.T, j *journal) {
		one, two := protoactor.NewActorSystem(), stock()
		var a *actor.PID
		t.SetUp(func() {
			far := start(two, "sink", sink(j))
			a = start(one, "sink", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					j.Note("one %d", m.n)
					two.Root.Send(far, told{m.n + 1})
				}
			})
		})
		one.Root.Send(a, told{1})
	}, Want: []string{"one 1, 2"}},
}

func TestMessaging(t *testing.T) { runAll(t, messaging) }

// A system that the application creates behaves like the test's own: the same journals and the same traces, step by
// step.
func TestStockSystem(t *testing.T) {
	program := func(create func() *actor.ActorSystem) func(*explore.T, *journal) {
		return func(t *explore.T, j *journal) {
			var a, b *actor.PID
			s := create()
			t.SetUp(func() {
				to := start(s, "sink", sink(j))
				a, b = start(s, "a", passer(&to)), start(s, "b", passer(&to))
			})
			s.Root.Send(a, told{1})
			s.Root.Send(b, told{2})
		}
	}
	same(t, collect(t, trial{}, program(func() *actor.ActorSystem { return protoactor.NewActorSystem() })),
		collect(t, trial{}, program(stock)))
}

// collect gives the traces of all executions.
func collect(t *testing.T, x trial, program func(*explore.T, *journal)) []*trace.Trace {
	t.Helper()
	var all []*trace.Trace
	s := x.Try(t, protoactor.System, program, func(tr *trace.Trace) { all = append(all, tr.Clone()) })
	s.Quietly(t)
	return all
}

// same wants two explorations to have gone through the same events.
func same(t *testing.T, a, b []*trace.Trace) {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("%d executions and %d", len(a), len(b))
	}
	for i := range a {
		if len(a[i].Events) != len(b[i].Events) {
			t.Fatalf("execution %d has %d events and %d", i, len(a[i].Events), len(b[i].Events))
		}
		for e := range a[i].Events {
			if diff := trace.SameEffects(a[i], b[i], e); diff != "" {
				t.Fatalf("execution %d, event %d: %s", i, e, diff)
			}
		}
	}
}
