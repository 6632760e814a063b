package gatling

import "github.com/asynkron/protoactor-go/actor"

// action is one step of a load scenario.
type action struct {
	name       string
	writer     *actor.PID
	terminator *actor.PID
}

// Receive implements actor.Actor.
func (a *action) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(Execute); ok {
		ctx.Send(a.writer, Write{a.name})
		ctx.Send(a.terminator, ActionDone{})
	}
}

// confirmedAction is done when its result is in the writer's hands, not when it is on the way there.
type confirmedAction struct{ action }

// Receive implements actor.Actor.
func (a *confirmedAction) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Execute:
		ctx.Request(a.writer, Write{a.name})
	case Written:
		ctx.Send(a.terminator, ActionDone{})
	}
}
