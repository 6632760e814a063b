package overdraft

import "github.com/asynkron/protoactor-go/actor"

// officer looks at payments above the limit. The first hands them on to the second, who answers the client.
type officer struct {
	second *actor.PID // nil for the second
}

// Receive implements actor.Actor.
func (o *officer) Receive(ctx actor.Context) {
	msg, ok := ctx.Message().(Approve)
	switch {
	case !ok:
	case o.second != nil:
		ctx.Forward(o.second)
	default:
		ctx.Respond(Approved(msg))
	}
}
