package trace

import (
	"fmt"
	"strconv"
	"strings"
)

// Injected faults are in-step choices, as the values of a Choose are. The system asks before a handler runs:
// nothing, or a crash that loses the message. It asks after a step: nothing, one message lost or doubled, a crash, or a
// restart. "Nothing" comes first in the default order and is no event, so that executions without faults look as if
// none had been possible. A fault is an event of its own, directly after those of its step.
//
//	invariants: I1 the identity of a fault is that of its step, its kind and the message it is about, whatever the order
//	               of sends
//	            I2 nothing chosen (NoFault) is never recorded and never forced

// FaultKind is what an injected fault does.
type FaultKind uint8

// The kinds of faults.
const (
	NoFault     FaultKind = iota // nothing happens
	Drop                         // a message that the step sent, or put into a mailbox, is lost on its way
	Duplicate                    // it arrives twice: a copy is sent after everything else that the step sends
	CrashLosing                  // the actor crashes before it handles the message, which is lost with it
	// the actor crashes after it handled the message; its mailbox stays, with nobody to empty it
	Crash
	// it crashes after it handled the message, and a fresh instance takes its place and its mailbox
	Restart
)

var faultNames = []string{"none", "drop", "duplicate", "crash-losing", "crash", "restart"}

func (k FaultKind) String() string { return faultNames[k] }

// ParseFaultKind reads a kind's name.
func ParseFaultKind(s string) (FaultKind, error) {
	return parseName[FaultKind]("kind of fault", faultNames, s)
}

// Faults is what may be injected into one execution. The zero value: nothing.
type Faults struct {
	Max   int        // faults in all; at most one a step
	Kinds FaultKinds // which
}

// FaultKinds is a set of kinds.
type FaultKinds uint8

// Has reports whether the kind may be injected.
func (s FaultKinds) Has(k FaultKind) bool { return s>>k&1 != 0 }

// FaultKindsOf is the set of these kinds.
func FaultKindsOf(kinds ...FaultKind) FaultKinds {
	var s FaultKinds
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// allFaults is every kind but NoFault.
const allFaults = FaultKinds(1<<(Restart+1) - 1<<Drop)

// ParseFaults reads kinds and, behind a colon, how many faults there may be in one execution: "drop", "drop,crash:2",
// "all:3". The default is one. "off" and "" are no faults.
func ParseFaults(s string) (Faults, error) {
	if s == "" || s == "off" {
		return Faults{}, nil
	}
	f := Faults{Max: 1}
	list, most, counted := strings.Cut(s, ":")
	if counted {
		n, err := strconv.Atoi(most)
		if err != nil || n < 1 {
			return Faults{}, fmt.Errorf("faults %q: want a whole number from 1 behind the colon, not %q", s, most)
		}
		f.Max = n
	}
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name == "all" {
			f.Kinds |= allFaults
			continue
		}
		k, err := ParseFaultKind(name)
		if err != nil || k == NoFault {
			return Faults{}, fmt.Errorf("faults %q: %q is no kind of fault: want off, all, or some of %s, as in drop,crash:2 "+
				"(at most 2 in one execution)",
				s, name, strings.Join(faultNames[1:], ", "))
		}
		f.Kinds |= 1 << k
	}
	return f, nil
}

// String is what ParseFaults reads.
func (f Faults) String() string {
	if !f.On() {
		return "off"
	}
	s := strings.Join(f.names(), ",")
	if f.Kinds == allFaults {
		s = "all"
	}
	if f.Max > 1 {
		s += ":" + strconv.Itoa(f.Max)
	}
	return s
}

// Words says it to people: "at most 2 faults (drop, crash)".
func (f Faults) Words() string {
	if !f.On() {
		return "no faults"
	}
	unit := "faults"
	if f.Max == 1 {
		unit = "fault"
	}
	return fmt.Sprintf("at most %d %s (%s)", f.Max, unit, strings.Join(f.names(), ", "))
}

func (f Faults) names() []string {
	var names []string
	for k := Drop; k <= Restart; k++ {
		if f.Kinds.Has(k) {
			names = append(names, k.String())
		}
	}
	return names
}

// On reports whether anything may be injected.
func (f Faults) On() bool { return f.Max > 0 && f.Kinds&allFaults != 0 }

// FaultStep gives the step that injects a fault of this kind into the step that began with the given event. message is
// the one that it is about: lost, doubled, or not handled; -1 for the others. Nothing comes before all faults in the
// default order.
func (t *Trace) FaultStep(event int32, kind FaultKind, message int32) Step {
	e := &t.Events[event].Step
	s := Step{ID: e.ID.With(uint64(Fault)<<32 + uint64(kind)), Kind: Fault, Actor: e.Actor, Message: message,
		Depth: e.Depth, Value: int32(kind)}
	if kind != NoFault {
		s.Depth++
	}
	if message >= 0 {
		s.ID = s.ID.WithID(t.Messages[message].ID)
	}
	return s
}

// Fault is the kind of fault that the step injects; NoFault for steps of other kinds too.
func (s *Step) Fault() FaultKind {
	if s.Kind != Fault {
		return NoFault
	}
	return FaultKind(s.Value)
}

// Nothing reports whether the step is the choice to inject no fault, which is no event.
func (s *Step) Nothing() bool { return s.Kind == Fault && s.Value == int32(NoFault) }

// StepOf gives the first event of the step that event e is part of: choices and faults belong to the step before them.
func (t *Trace) StepOf(e int32) int32 {
	for e > 0 && t.Events[e].Step.Kind.Chooses() {
		e--
	}
	return e
}

// Copy reports whether message m is the second one of an injected Duplicate.
func (t *Trace) Copy(m int32) bool {
	e := t.Messages[m].SentBy
	return e >= 0 && t.Events[e].Step.Fault() == Duplicate
}

// Doubled reports whether a fault doubled message m, or made it.
func (t *Trace) Doubled(m int32) bool {
	if t.Copy(m) {
		return true
	}
	for e := range t.Events {
		if s := &t.Events[e].Step; s.Fault() == Duplicate && s.Message == m {
			return true
		}
	}
	return false
}

// faultName is the name for people of a fault.
func (t *Trace) faultName(s Step) string {
	what, where := t.ActorName(s.Actor), ""
	if s.Message >= 0 {
		what = t.MessageName(s.Message)
		where = t.ActorName(t.Messages[s.Message].Receiver)
	}
	return nameFault(s.Fault(), what, where)
}

// nameFault puts the name together. what is a message or the actor, where the receiver of the message.
func nameFault(k FaultKind, what, where string) string {
	switch k {
	case NoFault:
		return "no fault"
	case Drop:
		return "fault: " + what + " to " + where + " is lost"
	case Duplicate:
		return "fault: " + what + " to " + where + " arrives twice"
	case CrashLosing:
		return "fault: " + where + " crashes before it handles " + what
	case Crash:
		return "fault: " + what + " crashes"
	}
	return "fault: " + what + " crashes and is restarted"
}

// FaultName is the name for people of a forced fault.
func (f *Forced) FaultName() string {
	what, where := f.Actor, f.Actor
	if f.Message != "" {
		what = ShortType(f.Message) + " from " + f.From
		if f.To != "" {
			where = f.To
		}
	}
	return nameFault(FaultKind(f.Value), what, where)
}
