package protoactor_test

import (
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// replaced is a program in which one actor sends to b and then to x, while another one stops x and, if again says so,
// gives its name to a new actor.
func replaced(again bool) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var sender, replacer *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			b, x := start(s, "b", named("b", j)), start(s, "x", named("x", j))
			sender = start(s, "sender", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.Send(b, told{1})
					ctx.Send(x, told{2})
				}
			})
			replacer = start(s, "replacer", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case tick:
					ctx.Watch(x)
					ctx.Stop(x)
				case *actor.Terminated:
					if again {
						start(s, "x", named("new x", j))
					}
				}
			})
		})
		s.Root.Send(sender, tick{})
		s.Root.Send(replacer, tick{})
	}
}

// A dead letter is one for whom the framework finds nobody under its name. Where another actor has the name when a
// captured send is released, that one would get it: the result says so, and says nothing where the name stays free, or
// where a handler is one step.
func TestNameTakenBeforeARelease(t *testing.T) {
	const remark = "sender sends to an actor that has stopped, and whose name another one has by then"
	for _, tt := range []struct {
		again bool
		model trace.Model
		want  bool
	}{{true, trace.Mailbox, true}, {false, trace.Mailbox, false}, {true, trace.MailboxSerial, false}} {
		x := trial{Model: tt.model, Checker: off(trace.DeadLetter, trace.OrphanDead)}
		s := x.Try(t, protoactor.System, replaced(tt.again), nil)
		if s.Err != nil || strings.HasPrefix(s.Uncontrolled, remark) != tt.want || !tt.want && s.Uncontrolled != "" || s.Complete == tt.want {
			t.Errorf("again %v, %v: error %v, complete %v, %+v", tt.again, tt.model, s.Err, s.Complete, s.Verdict)
		}
	}
}
