package steptest

import (
	"time"

	"github.com/rehearse-go/rehearse/actor"
)

// Sends expects that the handler sends a message next, also as a request or an answer.
func (x *Test) Sends(to actor.Ref, msg any) { x.t.Helper(); x.judge.Sends(x.index(to), msg) }

// SendsAny expects that the handler sends a message next, whatever it is.
func (x *Test) SendsAny(to actor.Ref) { x.t.Helper(); x.judge.SendsAny(x.index(to)) }

// Timer expects that the handler sets a timer next, however long that waits.
func (x *Test) Timer(msg any) { x.t.Helper(); x.judge.Timer(msg) }

// TimerAfter expects that the handler sets a timer next, and how long that waits.
func (x *Test) TimerAfter(d time.Duration, msg any) { x.t.Helper(); x.judge.TimerAfter(d, msg) }

// Stops expects that the handler stops another actor next. Ends is for itself.
func (x *Test) Stops(who actor.Ref) { x.t.Helper(); x.judge.System("a stop", x.index(who)) }

// Watches expects that the handler watches another actor next.
func (x *Test) Watches(who actor.Ref) { x.t.Helper(); x.judge.System("a watch", x.index(who)) }

// Loses expects that the handler sends a message to nobody; of several, the oldest that is not expected yet. The type
// is written as in "bank.Deposit".
func (x *Test) Loses(typ string) { x.t.Helper(); x.judge.Loses(typ) }

// Spawns expects that the handler creates an actor next, with this behaviour as its state.
func (x *Test) Spawns(b actor.Behavior) { x.t.Helper(); x.judge.Spawns(b) }

// SpawnsAny expects that the handler creates an actor next, of a type as traces name it, as in "bank.Server"; "" is
// any.
func (x *Test) SpawnsAny(typ string) { x.t.Helper(); x.judge.SpawnsAny(typ) }

// SpawnedAs expects the name with which the actor was created that was expected last.
func (x *Test) SpawnedAs(name string) { x.t.Helper(); x.judge.SpawnedAs(name) }

// Panics expects that the handler panics with a text that has this one in it.
func (x *Test) Panics(text string) { x.t.Helper(); x.judge.Panics(text) }

// Fails expects that an assertion of the handler fails, by Error or Fatal of its T.
func (x *Test) Fails() { x.t.Helper(); x.judge.Fails() }

// Waits expects that the handler waits for ever: for an answer that nobody gives.
func (x *Test) Waits() { x.t.Helper(); x.judge.Waits() }

// Ends expects that the actor stops itself.
func (x *Test) Ends() { x.t.Helper(); x.judge.Ends() }

// Becomes expects that the handler changes what handles the next messages.
func (x *Test) Becomes() { x.t.Helper(); x.judge.Becomes() }

// Equal compares a value that the handler has changed with what is wanted, by what pointers lead to, and names the
// first difference.
func (x *Test) Equal(name string, got, want any) { x.t.Helper(); x.judge.Equal(name, got, want) }

// index gives the number of an actor, -1 if the reference is of none that the test knows.
func (x *Test) index(r actor.Ref) int32 {
	for i := range 2*len(x.peers) + 16 {
		if n := i + 1; n == sender && x.starts {
			continue
		}
		if x.ref(x.number(i+1)) == r {
			return int32(i + 1)
		}
	}
	return -1
}
