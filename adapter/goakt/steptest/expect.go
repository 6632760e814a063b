package steptest

import (
	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
)

// Sends expects that the handler sends a message next, also as a question or an answer.
func (x *Test) Sends(to *actor.PID, msg any) { x.t.Helper(); x.judge.Sends(x.index(to), msg) }

// SendsAny expects that the handler sends a message next, whatever it is.
func (x *Test) SendsAny(to *actor.PID) { x.t.Helper(); x.judge.SendsAny(x.index(to)) }

// Stops expects that the handler stops another actor next.
func (x *Test) Stops(who *actor.PID) {
	x.t.Helper()
	x.judge.Stops(x.index(who), func(msg any) bool {
		_, stops := msg.(goakt.Stops)
		return stops
	})
}

// Ends expects that the actor stops itself.
func (x *Test) Ends() { x.t.Helper(); x.judge.Ends() }

// Becomes expects that the handler changes the behaviour of the actor.
func (x *Test) Becomes() { x.t.Helper(); x.judge.Becomes() }

// Spawns expects that the handler creates an actor next, which is made of this one. What it is in the end is compared.
func (x *Test) Spawns(a actor.Actor) { x.t.Helper(); x.judge.Spawns(a) }

// SpawnsAny expects that the handler creates an actor next, of a type as traces name it, as in "bank.Server"; "" is
// any.
func (x *Test) SpawnsAny(typ string) { x.t.Helper(); x.judge.SpawnsAny(typ) }

// SpawnedAs expects the name of the actor that was expected last.
func (x *Test) SpawnedAs(name string) { x.t.Helper(); x.judge.SpawnedAs(name) }

// Panics expects that the handler panics with a text that has this one in it.
func (x *Test) Panics(text string) { x.t.Helper(); x.judge.Panics(text) }

// Fails expects that an assertion of the handler fails, by Error or Fatal of its T.
func (x *Test) Fails() { x.t.Helper(); x.judge.Fails() }

// Waits expects that the handler waits for ever.
func (x *Test) Waits() { x.t.Helper(); x.judge.Waits() }

// Equal compares a value that the handler has changed with what is wanted, by what pointers lead to, and names the
// first difference.
func (x *Test) Equal(name string, got, want any) { x.t.Helper(); x.judge.Equal(name, got, want) }
