package trace

// Schedule is a replayable list of forced steps. Between them the default order decides: the enabled step least by depth,
// then identity, that is not among the forced steps still to come.
type Schedule struct {
	Header Header
	Steps  []Forced
}

// Header says what a schedule belongs to.
type Header struct {
	Version   int    // of the file format
	Tool      string // version of Rehearse that wrote it
	Package   string // import path of the test's package
	Test      string // name of the test function, with subtests
	Ordinal   int    // of the Check within the test, from 0
	Model     Model
	Timers    TimerMode
	Strategy  string
	Seed      uint64
	Violation *Violation // nil if the schedule violates nothing
}

// Forced is one forced step. Only ID and First decide anything; the names are for people.
type Forced struct {
	ID       ID
	Kind     Kind
	First    ID     // under Mailbox: the message to release with this step; zero: the program's first
	Actor    string // who runs
	Message  string // type of the message, "" if none
	From     string // its sender
	To       string // its receiver, where it is not Actor
	Value    int    // of a Choose
	Optional bool   // replay skips it silently if it is not enabled
}

// ForcedStep describes the step of event e as a forced step.
func (t *Trace) ForcedStep(e int32) Forced {
	ev := &t.Events[e]
	f := Forced{ID: ev.Step.ID, Kind: ev.Step.Kind, Actor: t.ActorName(ev.Step.Actor), Value: int(ev.Step.Value)}
	if m := ev.Step.Message; m >= 0 {
		msg := &t.Messages[m]
		f.Message, f.From = msg.Type.Name, t.ActorName(msg.Sender)
		if msg.Receiver != ev.Step.Actor {
			f.To = t.ActorName(msg.Receiver)
		}
	}
	if ev.Released >= 0 {
		f.First = t.Messages[ev.Released].ID
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
