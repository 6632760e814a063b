package gatling

import "github.com/asynkron/protoactor-go/actor"

// terminator waits for the last action and then has the results written out.
type terminator struct {
	running int // actions
	writer  *actor.PID
	log     *Log
}

// Receive implements actor.Actor.
func (t *terminator) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ActionDone:
		if t.running--; t.running == 0 {
			ctx.Request(t.writer, Flush{})
		}
	case Flushed:
		t.log.Closed = true
	}
}

// proxy passes what it gets on, as if it came from where it comes from.
type proxy struct{ next *actor.PID }

// Receive implements actor.Actor.
func (p *proxy) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(Flush); ok {
		ctx.Forward(p.next)
	}
}
