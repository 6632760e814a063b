package trace

import "slices"

// Schedule is a replayable list of forced steps. Between them the default order decides: the enabled step least by
// depth, then identity, that is not among the forced steps still to come.
type Schedule struct {
	Header Header
	Steps  []Forced
}

// Header says what a schedule belongs to.
type Header struct {
	Version  int    // of the file format
	Tool     string // version of Rehearse that wrote it
	Package  string // import path of the test's package
	Test     string // name of the test function, with subtests
	Ordinal  int    // of the Check within the test, from 0
	Model    Model
	Timers   TimerMode
	Faults   Faults // the bound under which it was found; zero if the schedule forces none
	Strategy string
	Seed     uint64
	// Layer says how what Go chooses by itself was under control: 1 by the seed of random numbers, 2 by numbered draws,
	// which takes a runtime of its own. 0: the program makes no such choice, or the schedule is older than the field.
	Layer   int
	Choices uint64 // seed of what Go chooses by itself; 0: that of explorations
	Draws   int    // of layer 2: how many draws between two other choices are asked for
	// of layer 2: how often goroutines may be preempted between two other choices; below 0: any number of times
	Preemptions int
	Ends        []ForcedEnd // of layer 2: what the first draws of final checks take; the others follow the seed
	Go          string      // version and platform whose choices these are, "" if the program makes none, or nobody knows
	Violation   *Violation  // nil if the schedule violates nothing
}

// Forced is one forced step. Only ID and First decide anything; the names are for people.
type Forced struct {
	ID       ID
	Kind     Kind
	First    ID     // of a release: the message to release; zero: the program's first
	Actor    string // who runs
	Message  string // type of the message, "" if none
	From     string // its sender
	To       string // its receiver, where it is not Actor
	Value    int    // of a Choose or a Draw; of a Fault the FaultKind
	Draw     string // of a Draw: what the value means
	Optional bool   // replay skips it silently if it is not enabled
}

// ForcedStep describes the step of event e as a forced step.
func (t *Trace) ForcedStep(e int32) Forced { return t.Force(t.Events[e].Step, t.Events[e].Released) }

// Force describes a step as a forced step. released is the message that it is to release, -1 for the program's first.
func (t *Trace) Force(s Step, released int32) Forced {
	f := Forced{ID: s.ID, Kind: s.Kind, Actor: t.ActorName(s.Actor), Value: int(s.Value)}
	if m := s.Message; m >= 0 {
		msg := &t.Messages[m]
		f.Message, f.From = msg.Type.Name, t.ActorName(msg.Sender)
		if msg.Receiver != s.Actor {
			f.To = t.ActorName(msg.Receiver)
		}
	}
	if s.Kind == Draw {
		f.Draw = t.DrawName(s)
	}
	if released >= 0 {
		f.First = t.Messages[released].ID
	}
	return f
}

// Schedule forces every step of the explored part of the trace; steps that the system takes by itself are left out.
func (t *Trace) Schedule() []Forced {
	var steps []Forced
	for e := t.Explored; e < len(t.Events); e++ {
		if !t.Events[e].Auto {
			steps = append(steps, t.ForcedStep(int32(e)))
		}
	}
	return steps
}

// Joined reports whether the schedule is of a time when, under Mailbox, a step that handled a message also released the
// first send of its handler: First names that.
func (s *Schedule) Joined() bool {
	return s.Header.Model == Mailbox && s.Header.Version > 0 && s.Header.Version < 3
}

// Draws reports whether the schedule forces something that Go chooses by itself.
func (s *Schedule) Draws() bool {
	return len(s.Header.Ends) > 0 || slices.ContainsFunc(s.Steps, func(f Forced) bool { return f.Kind == Draw })
}

// Injects reports whether the schedule forces a fault.
func (s *Schedule) Injects() bool {
	return slices.ContainsFunc(s.Steps, func(f Forced) bool { return f.Kind == Fault })
}
