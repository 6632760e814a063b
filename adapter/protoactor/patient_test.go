package protoactor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// envelopes has an actor note all that tells a message in an envelope from one without.
func envelopes(options ...actor.PropsOption) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			echo := start(s, "echo", func(ctx actor.Context) {
				if m, ok := ctx.Message().(ask); ok {
					j.Note("echo %v from %v", ctx.MessageHeader() != nil, ctx.Sender() != nil)
					if ctx.Sender() != nil {
						ctx.Respond(told{m.n})
					}
				}
			})
			a = start(s, "a", func(ctx actor.Context) {
				j.Note("%T %v from %v", ctx.Message(), ctx.MessageHeader() != nil, ctx.Sender() != nil)
				switch m := ctx.Message().(type) {
				case *actor.Started, ask:
					ctx.Forward(echo)
				case tick:
					if !strings.Contains(j.String(), "stashed") {
						j.Note("stashed")
						ctx.Stash()
					}
				case boom:
					panic("boom")
				case told:
					if m.n > 0 {
						ctx.Request(ctx.Self(), told{m.n - 1})
						break
					}
					ctx.ReenterAfter(ctx.RequestFuture(echo, ask{5}, -1), func(any, error) {
						j.Note("again %T %v from %v", ctx.Message(), ctx.MessageHeader() != nil, ctx.Sender() != nil)
						ctx.Send(ctx.Self(), boom{})
					})
				}
			}, options...)
		})
		s.Root.Send(a, ask{1})
		s.Root.Send(a, tick{})
		s.Root.Send(a, told{1})
	}
}

// The contexts that handlers get where timers may fire at any point are told from the framework's by nothing: with and
// without its middleware.
func TestPatientContextsAreTheFrameworks(t *testing.T) {
	for name, options := range map[string][]actor.PropsOption{
		"plain": nil,
		"middleware": {actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc {
			return func(ctx actor.ReceiverContext, envelope *actor.MessageEnvelope) { next(ctx, envelope) }
		})},
		"decorated": {actor.WithContextDecorator(func(next actor.ContextDecoratorFunc) actor.ContextDecoratorFunc {
			return func(ctx actor.Context) actor.Context { return next(ctx) }
		})},
	} {
		quiescent := trial{Checker: off(trace.Panic), Once: true}
		async := quiescent
		async.Timers = trace.Async
		want := quiescent.Try(t, protoactor.System, envelopes(options...), nil)
		got := async.Try(t, protoactor.System, envelopes(options...), nil)
		if w, g := want.Endings(), got.Endings(); want.Err != nil || got.Err != nil || len(w) == 0 || !slices.Equal(w, g) || len(want.Violations) != len(got.Violations) {
			t.Errorf("%s: %v, %v: with patience\n%q, without\n%q", name, want.Err, got.Err, g, w)
		}
	}
}
