package protoactor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/trace"
)

// cashier notes which of two actors of its type is told what.
type cashier struct{ j *journal }

func (n *cashier) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(told); ok {
		n.j.Note("%s %d", ctx.Self().Id, m.n)
	}
}

// byName sends to actors that somebody else has created, by the names that reports have.
func byName(t *explore.T, j *journal) {
	s := world(t, func(s *actor.ActorSystem) {
		s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &cashier{j} }))
		s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &cashier{j} }))
		start(s, "clerk", sink(j))
	})
	protoactor.Send(t, "cashier#2", told{1})
	s.Root.Send(protoactor.Actor(t, "clerk"), told{2})
}

func TestSendByName(t *testing.T) {
	runAll(t, []feature{{Name: "two", Program: byName, Want: []string{"$2 1, 2", "2, $2 1"}}})
}

// A name that nobody has fails the test, and so does a handler that looks for one.
func TestNobodyByName(t *testing.T) {
	for name, program := range map[string]func(*explore.T, *journal){
		"nobody": func(t *explore.T, j *journal) {
			world(t, func(*actor.ActorSystem) {})
			protoactor.Send(t, "cashier", told{1})
		},
		"handler": func(t *explore.T, j *journal) {
			world(t, func(s *actor.ActorSystem) {
				start(s, "clerk", func(ctx actor.Context) {
					if _, ok := ctx.Message().(told); ok {
						protoactor.Actor(t, "clerk")
					}
				})
			})
			protoactor.Send(t, "clerk", told{1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := trial{}.Try(t, protoactor.System, program, nil)
			if s.Kinds()[trace.Assertion] == 0 || !strings.Contains(s.Violations[0].Text, "there is no actor") {
				t.Errorf("%v: %v", s.Err, s.Violations)
			}
		})
	}
}

// Who asks by name gets an answer, which nobody has to wait for, and of which the end of the execution knows.
func TestAskByName(t *testing.T) {
	for _, model := range []trace.Model{trace.Mailbox, trace.FIFO} {
		var got []string
		final := func(s check.State) error {
			got = s.Received("Driver")
			return nil
		}
		x := trial{Model: model, Checker: check.Checker{Final: final}}
		s := x.Try(t, protoactor.System, func(t *explore.T, j *journal) {
			world(t, func(s *actor.ActorSystem) {
				start(s, "clerk", func(ctx actor.Context) {
					if m, ok := ctx.Message().(told); ok {
						ctx.Respond(told{m.n + 1})
					}
				})
			})
			protoactor.Ask(t, "clerk", told{1})
		}, nil)
		if want := []string{"told{n:2} from clerk on told{n:1}"}; s.Err != nil || len(s.Violations) > 0 || !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q; %v %v", model, got, want, s.Err, s.Violations)
		}
	}
}
