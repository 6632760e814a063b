package flow

import "slices"

// framework lists the messages that frameworks send by themselves, or take without asking the program. A program's own
// type of the same name, in a package of its own called actor, cannot be told from them.
const (
	started     = "*actor.Started"
	terminated  = "*actor.Terminated"
	nTerminated = "actor.Terminated" // of native actors
)

// told are those that an actor gets without anybody in the program sending them.
var told = []string{
	started, "*actor.Stopping", "*actor.Stopped", "*actor.Restarting", "*actor.ReceiveTimeout", terminated, nTerminated,
	"*actor.DeadLetterResponse", "*actor.DeadLetterEvent", "*actor.SupervisorEvent",
}

// taken are those that the framework handles in the receiver's place.
var taken = []string{
	"*actor.PoisonPill", "*actor.Stop", "*actor.Restart", "*actor.Watch", "*actor.Unwatch", "*actor.Touch", "*actor.Failure",
	"*actor.SuspendMailbox", "*actor.ResumeMailbox",
}

// Told reports whether a framework sends messages of a type by itself, as when an actor has started or stopped.
func Told(message string) bool { return slices.Contains(told, message) }

// Taken reports whether a framework handles messages of a type itself, so that no actor needs to.
func Taken(message string) bool { return slices.Contains(taken, message) || Told(message) }

// AtStart lists the messages that a framework sends to every new actor.
func AtStart() []string { return []string{started} }
