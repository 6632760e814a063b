package steptest

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Sends expects that the handler sends a message next, also as a request or an answer.
func (x *Test) Sends(to *actor.PID, msg any) { x.t.Helper(); x.judge.Sends(x.index(to), msg) }

// SendsAny expects that the handler sends a message next, whatever it is.
func (x *Test) SendsAny(to *actor.PID) { x.t.Helper(); x.judge.SendsAny(x.index(to)) }

// ReceiveTimeout expects that the actor has this receive timeout in the end. What is less than a millisecond is none to
// protoactor-go.
func (x *Test) ReceiveTimeout(d time.Duration) {
	x.t.Helper()
	if x.idle != d {
		x.t.Errorf("the receive timeout is %v, want %v", x.idle, d)
	}
	x.idle = 0
}

// Stops expects that the handler stops an actor next, at once or, by Poison, behind the messages that it has.
func (x *Test) Stops(who *actor.PID) {
	x.t.Helper()
	x.judge.Stops(x.index(who), func(msg any) bool {
		_, pill := msg.(*actor.PoisonPill)
		return pill
	})
}

// Watches expects that the handler watches another actor next.
func (x *Test) Watches(who *actor.PID) { x.t.Helper(); x.judge.System("a watch", x.index(who)) }

// Loses expects that the handler answers a message that nobody has sent; the type of the answer is written as in
// "bank.Deposit".
func (x *Test) Loses(typ string) { x.t.Helper(); x.judge.Loses(typ) }

// Spawns expects that the handler creates an actor next, which is made of this one. What it is in the end is compared.
func (x *Test) Spawns(a actor.Actor) { x.t.Helper(); x.judge.Spawns(a) }

// SpawnsAny expects that the handler creates an actor next, of a type as traces name it, as in "bank.Server"; "" is
// any.
func (x *Test) SpawnsAny(typ string) { x.t.Helper(); x.judge.SpawnsAny(typ) }

// SpawnedAs expects the name with which the actor was created that was expected last. Of a name that the framework ends
// with a number it is the beginning.
func (x *Test) SpawnedAs(name string) { x.t.Helper(); x.judge.SpawnedAs(name) }

// Panics expects that the handler panics with a text that has this one in it.
func (x *Test) Panics(text string) { x.t.Helper(); x.judge.Panics(text) }

// Fails expects that an assertion of the handler fails, by Error or Fatal of its T.
func (x *Test) Fails() { x.t.Helper(); x.judge.Fails() }

// Waits expects that the handler waits for ever: for an answer that nobody gives.
func (x *Test) Waits() { x.t.Helper(); x.judge.Waits() }

// Ends expects that the actor stops itself.
func (x *Test) Ends() { x.t.Helper(); x.judge.Ends() }

// Equal compares a value that the handler has changed with what is wanted, by what pointers lead to, and names the
// first difference.
func (x *Test) Equal(name string, got, want any) { x.t.Helper(); x.judge.Equal(name, got, want) }
