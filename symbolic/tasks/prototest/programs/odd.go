package programs

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Odd does what cases do not follow, or not to the end.
type Odd struct {
	Peer  *actor.PID
	Props *actor.Props
	Kept  *actor.Future
	N     int
}

// Messages.
type (
	Forever struct{}
	Ends    struct{}
	Watches struct{}
	Grows   struct{}
	Closes  struct{}
	Hangs   struct{}
)

// Receive implements actor.Actor.
func (o *Odd) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Forever:
		ctx.RequestFuture(ctx.Self(), Hangs{}, -1).Wait() // a deadlock
	case Ends:
		ctx.Stop(ctx.Self())
	case Watches:
		ctx.Watch(o.Peer)
	case Grows:
		ctx.Spawn(o.Props)
	case Waits:
		o.Kept.Wait()
	case Closes:
		ctx.ReenterAfter(ctx.StopFuture(o.Peer), func(res any, err error) {
			if _, ok := res.(*actor.Terminated); !ok {
				o.N = int(time.Second)
			}
		})
	}
}
