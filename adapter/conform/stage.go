package conform

import "time"

// Stage is what programs of the suite act on: the context of a handler, or that of the test. An adapter implements it
// for its framework. An actor is any comparable value.
type Stage interface {
	// Self is the actor whose handler it is, nil for the test.
	Self() any
	// Tell sends a message. Its receiver may answer it, unless the test has sent it.
	Tell(to, message any)
	// Call asks an actor and waits for the answer, at most so long. The error says that there was none.
	Call(to, message any, patience time.Duration) (answer any, err error)
	// Respond answers the message that is handled.
	Respond(message any)
	// Spawn starts an actor under a name that is not taken. create makes its instance, and another one at each restart.
	Spawn(name string, create func() Actor) any
	// End sends an actor a message at which it ends when that comes to its turn. What waits behind it is lost.
	End(who any)
}

// Actor is an actor of the suite, on whatever a Stage is of. What a framework tells its actors of their own life is
// none of its messages.
type Actor interface {
	Receive(s Stage, message any)
}

// Receive is an Actor of one function.
type Receive func(s Stage, message any)

// Receive implements Actor.
func (f Receive) Receive(s Stage, message any) { f(s, message) }

// Ability is something that frameworks may have beside what each has. A Stage offers it by a method of that name, but
// for Restart, which no Stage asks for.
type Ability string

// The abilities.
const (
	Halt    Ability = "Halt"    // Halter
	Drain   Ability = "Drain"   // Drainer
	Watch   Ability = "Watch"   // Watcher
	Forward Ability = "Forward" // Forwarder
	After   Ability = "After"   // Timer
	Restart Ability = "Restart" // an actor that has panicked goes on with a new instance, and handles what waits
)

// Halter is a Stage that can end an actor before the messages that wait for it, by one of the framework's own.
type Halter interface {
	Halt(who any)
}

// Drainer is a Stage that can end an actor behind some of what waits for it. Native actors have nothing of the kind.
type Drainer interface {
	Drain(who any)
}

// Watcher is a Stage whose actor can be told of the end of another one. It then receives a Gone.
type Watcher interface {
	Watch(who any)
}

// Gone tells an actor that one which it watches has ended, by the name that it was spawned under.
type Gone struct{ Name string }

// Forwarder is a Stage that can hand on the message that is handled, so that its sender has the answer of another
// actor.
type Forwarder interface {
	Forward(to any)
}

// Timer is a Stage whose actor can have a message sent to itself when some time has passed.
type Timer interface {
	After(d time.Duration, message any)
}

// offers reports whether a Stage has the method of an ability.
func offers(s Stage, a Ability) (has bool) {
	switch a {
	case Halt:
		_, has = s.(Halter)
	case Drain:
		_, has = s.(Drainer)
	case Watch:
		_, has = s.(Watcher)
	case Forward:
		_, has = s.(Forwarder)
	case After:
		_, has = s.(Timer)
	}
	return has
}
