package explore

import "reflect"

// Inspector is an Execution whose global state can be compared with the state of another execution: it tells what the
// record and the values of actors and messages leave out. internal/stateful puts the state together.
//
// Pending then calls queue by queue: each receiver's messages together, those of one class from the oldest.
type Inspector interface {
	Execution
	// Nature says how a value of type t counts where it is found inside of an actor's value or of a message.
	Nature(t reflect.Type) Nature
	// ActorOf gives the actor for which v, a value of a type whose Nature is Reference, stands. If it is no actor of this
	// execution, actor is negative and name says who it is, "" for nobody.
	ActorOf(v any) (actor int32, name string)
	// Kept is what the system keeps for an actor beside its value: handlers to go back to, watchers, children; nil if
	// nothing.
	Kept(actor int32) any
	// Settled reports whether State, Kept and Status tell everything of the actor: it is in the middle of no handler, and
	// nothing else is left of what it was told.
	Settled(actor int32) bool
	// Disclosed says what the rest of the system's state is known by; why explains Hidden. With ByValue why names what
	// states leave out, a sentence without an end, "" if nothing.
	Disclosed() (d Disclosure, why string)
	// Attached is what goes with a message and decides what comes of it, beyond the record: that a reply is wanted,
	// headers; nil if nothing does.
	Attached(message int32) any
	// Arrangement is that of the pending messages.
	Arrangement() Arrangement
}

// Nature is how values of a type count in the comparison of states.
type Nature uint8

// The natures.
const (
	Plain     Nature = iota // its contents
	Reference               // it refers to an actor; what is behind it does not count
	Opaque                  // the framework's own; it is the same in all executions, or mirrors what is known otherwise
	Secret                  // has contents that decide what happens and that nobody can tell
)

// Disclosure is what the state of a system as a whole can be known by, beyond what single actors tell.
type Disclosure uint8

// The disclosures.
const (
	ByValue Disclosure = iota // actors and pending messages are all of it
	// there are timers, futures or the like; what every actor was told, in its order, determines them
	ByHistory
	Hidden // not even that: handlers deal with each other by other means than messages
)

// Arrangement is what a delivery model knows of pending messages beyond sender, receiver and class.
type Arrangement interface {
	// Holder is the actor that has captured the message and not yet released it (Mailbox), -1 if none.
	Holder(message int32) int32
	// Follows reports whether the send of message follows that of earlier (Causal).
	Follows(message, earlier int32) bool
	// Knows reports whether what the actor sends next follows the send of message (Causal).
	Knows(actor, message int32) bool
	// Overdue reports whether no user message passes the system messages of the actor (Mailbox).
	Overdue(actor int32) bool
}

// Timed is a System that knows whether its program has set a timer in any execution so far.
type Timed interface{ Timed() bool }
