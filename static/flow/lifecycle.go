package flow

import "slices"

// started is sent by the framework to every new actor.
const started = "actor.Started"

// systemMessages lists what an actor gets without anybody in the program sending it, from frameworks whose package is
// called actor, as that of all of them is. A program's own type of such a name cannot be told from them.
var systemMessages = append([]string{
	started, "actor.Initialized", "actor.Stopping", "actor.Stopped", "actor.Restarting", "actor.ReceiveTimeout",
	"actor.Terminated", "actor.DeadLetterResponse", "actor.DeadLetterEvent", "actor.SupervisorEvent", "hollywood.Done",
	"actor.PostStart", "actor.PanicSignal", "goakt.Pipe", "goakt.Stopped",
}, hollywoodEvents()...)

// controlMessages lists what the framework handles in the receiver's place.
var controlMessages = []string{
	"actor.PoisonPill", "actor.Stop", "actor.Restart", "actor.Watch", "actor.Unwatch", "actor.Touch", "actor.Failure",
	"actor.SuspendMailbox", "actor.ResumeMailbox",
	"hollywood.Stop", "hollywood.Poison", "hollywood.Subscribe", "hollywood.Unsubscribe",
	"actor.PausePassivation", "actor.ResumePassivation",
}

// SentByFramework reports whether a framework sends messages of a type by itself, as when an actor has started or
// stopped.
func SentByFramework(message string) bool { return slices.Contains(systemMessages, message) }

// HandledByFramework reports whether a framework handles messages of a type itself, or sends them by itself, so that no
// actor needs to handle them.
func HandledByFramework(message string) bool {
	return slices.Contains(controlMessages, message) || SentByFramework(message)
}

// AtStart lists the messages that a framework sends to every new actor.
func AtStart() []string { return []string{started, "actor.Initialized", "actor.PostStart"} }
