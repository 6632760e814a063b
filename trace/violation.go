package trace

import (
	"fmt"
	"slices"
	"strings"
)

// ViolationKind is what went wrong.
type ViolationKind uint8

// The checks.
const (
	NoViolation  ViolationKind = iota
	Panic                      // a panic or an error escaped a handler
	Assertion                  // the test's own Error, or an invariant
	Deadlock                   // actors blocked in calls in a cycle, or for ever
	OrphanDead                 // a message left for a stopped actor
	Orphan                     // a message refused to the end
	DeadLetter                 // a message sent to nobody
	Environment                // the end state is not one the environment allows
	Unhandled                  // a message that no handler of its receiver knows
	Livelock                   // the bound on steps was exceeded
	Divergence                 // the program made a choice that was not ours
	RuntimeFatal               // an earlier run died in the middle of an execution
	Isolation                  // memory that one actor reaches was written by another
)

var violationNames = []string{"none", "panic", "assertion", "deadlock", "orphan-dead", "orphan", "dead-letter",
	"environment", "unhandled", "livelock", "divergence", "fatal", "isolation"}

func (k ViolationKind) String() string { return violationNames[k] }

// parseViolationKind reads a kind's name.
func parseViolationKind(s string) (ViolationKind, error) {
	return parseName[ViolationKind]("kind of violation", violationNames, s)
}

// Incident is something a check may object to, as the system under test saw it happen in an event.
type Incident struct {
	Kind    ViolationKind
	Actor   int32  // to whom it happened
	Message int32  // the message involved, -1 if none
	Type    string // of the message involved, where it never became a Message (a dead letter)
	Site    string // function that failed, "" if unknown
	Where   string // file:line, "" if unknown
	Text    string // for people
	Stack   string // of a panic
	// Injected: an injected fault brought it about by itself, as a crash does the dead letters to its actor; never more
	// than a warning.
	Injected bool
}

// Violation is a finding. Two are the same violation iff their Keys are equal.
type Violation struct {
	Kind        ViolationKind
	ActorType   string
	MessageType string
	Site        string // function of the failing site
	Waits       []Wait // of a Deadlock
	Text        string
	Where       string // file:line
	Stack       string
	Event       int // index into the trace's events; len(events) if it was seen at the end
	Actor       string
	// Known: it is the known bug that the user expects, by its text. What else fails at the same place is another one.
	// Not told apart, and never Known, are a Livelock, Divergence, Isolation and RuntimeFatal: no checker sees them.
	Known bool `json:",omitempty"`
}

// Wait is one side of a deadlock: an actor of this type waits for a message of that type.
type Wait struct{ Actor, Awaits string }

// Key is what makes two violations the same: kind, actor type, message type and failing function; for a deadlock the
// set of (actor type, awaited type). Text and line do not count, so an unrelated edit does not change it. A Known one
// is never the same as another.
func (v *Violation) Key() string {
	if v.Known {
		other := *v
		other.Known = false
		return other.Key() + ", as expected"
	}
	if v.Kind == Deadlock {
		var ws []string
		for _, w := range v.Waits {
			ws = append(ws, w.Actor+" awaits "+w.Awaits)
		}
		slices.Sort(ws)
		return "deadlock: " + strings.Join(slices.Compact(ws), "; ")
	}
	return fmt.Sprintf("%s: %s: %s: %s", v.Kind, v.ActorType, v.MessageType, v.Site)
}

func (v *Violation) String() string {
	s := v.Kind.String() + ": " + v.Text
	if v.Where != "" {
		s += " (" + v.Where + ")"
	}
	return s
}
