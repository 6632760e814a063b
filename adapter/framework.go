package adapter

import (
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file says what one has to provide for a framework. What handlers consist of: effects.go; what the state of a
// program does: inspect.go.

// Actor is one actor of the framework, as the runtime uses it.
type Actor interface {
	// Handle runs the actor's code for a message. It may panic and it may block.
	Handle(kind trace.MessageKind, payload any)
	// Failed hands a panic that escaped Handle to the framework's supervision. It runs as part of the same step.
	Failed(reason, payload any)
	// Ready reports whether user messages are processed (the actor is not suspended). Where they are no longer in a step
	// of another actor, the runtime is told (Runtime.NotReady).
	Ready() bool
	// Gone reports whether the actor has stopped for good: others do not find it any more.
	Gone() bool
	// Stay lets others find the actor although it is Gone, until Leave. It reports false if another one has its name.
	Stay() bool
	// Leave ends what Stay has begun.
	Leave()
	// Timed reports whether a timer of the framework is set for the actor (a receive timeout).
	Timed() bool
	// Deadline is that timer, if it runs. It is another one when the timer was set anew.
	Deadline() Deadline
	// Changed reports whether the actor's handlers changed since it was last asked: its behaviour, or the instance behind
	// it.
	Changed() bool
	// Value is the user's own value behind the actor.
	Value() any
	// Crash stops the actor at once, as a fault: none of its code runs any more, what waits in its mailbox stays.
	Crash()
	// Restart puts a fresh instance in the actor's place, as the framework does after a failure.
	Restart()
	// Count says that so many more user messages wait.
	Count(change int)
}

// Framework is what differs between frameworks.
type Framework interface {
	Vouching
	// Install puts the hooks in place for the time of an exploration.
	Install() (remove func(), err error)
	// Undeliverable tells the framework that a released message found its receiver stopped. taken: another actor has its
	// name, and would get it.
	Undeliverable(receiver Actor, kind trace.MessageKind, payload any) (taken bool)
	// Ignored reports whether a go statement is one of the framework's that do not matter to the program.
	Ignored(goroutine.Frame) bool
	// Owner says which part of the framework a function is of, as in "protoactor-go/plugin", "" for code of the program.
	Owner(function string) string
	// Knows reports whether a timer's function is one that the framework sets for a purpose of which it tells otherwise
	// (Actor.Timed, SetTimer).
	Knows(function string) bool
	// Explain improves the watchdog's error, which holds the stacks of what does not move.
	Explain(err error) error
}
