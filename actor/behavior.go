package actor

import (
	"errors"
	"strconv"
)

// Behavior is what an actor does with a message. The value is the actor's private state.
//
// A behaviour may have two more methods, Accepter and Starter.
type Behavior interface {
	// Receive handles one message. It runs to its end before the actor takes the next message, unless it releases the
	// actor by an Await. ctx is valid in handlers of this actor only.
	Receive(ctx *Context, msg any)
}

// Func is a behaviour made from a function. Its actor's type is the name given at spawn, else the function that
// encloses it.
type Func func(ctx *Context, msg any)

// Receive calls f.
func (f Func) Receive(ctx *Context, msg any) { f(ctx, msg) }

// Accepter is a behaviour with constraints: a message that it does not accept now stays in the mailbox.
type Accepter interface {
	Behavior
	// Accepts must depend on the actor's own state and the message only, and change nothing.
	Accepts(msg any) bool
}

// Starter is a behaviour with a start hook.
type Starter interface {
	Behavior
	// Start runs when the actor is created, inside of the handler that creates it: what it sends is sent in program order
	// with what that handler sends. It may send and spawn, not block.
	Start(ctx *Context)
}

// Ref refers to an actor of one execution. It is a small value: compare it, send it, use it as a key. The zero Ref is
// nobody.
type Ref struct{ n int32 } // index of the actor, plus one

// String is short and the same in every execution that creates the same actors in the same order; Context.Name is
// friendlier.
func (r Ref) String() string {
	if r.n == 0 {
		return "nobody"
	}
	return "actor " + strconv.Itoa(int(r.n)-1)
}

func (r Ref) index() int32 { return r.n - 1 }

func refOf(actor int32) Ref { return Ref{actor + 1} }

// TimerID names a timer, to cancel it. The zero TimerID is no timer.
type TimerID int32

// Terminated tells a watcher that the watched actor has stopped.
type Terminated struct{ Who Ref }

// stop and watch are the system messages: their names show in traces.
type (
	stop  struct{}
	watch struct{}
)

// expired is the timeout of a CallTimeout.
type expired struct{}

// ErrTimeout is what CallTimeout gives when the timeout is delivered before the reply.
var ErrTimeout = errors.New("actor: no reply in time")

// StoppedError is what a call or a future gives when the actor called panicked before it replied.
type StoppedError struct {
	Actor string // name of the actor called
	Panic string // what it panicked with
}

func (e *StoppedError) Error() string {
	return "actor: " + e.Actor + " stopped by a panic before it replied: " + e.Panic
}
