package trace

import (
	"fmt"
	"io"
)

// eventLine is one event of a trace file. The order of the fields is that of the file.
type eventLine struct {
	Event   int          `json:"event"` // index, from 0
	Kind    string       `json:"kind"`
	Name    string       `json:"name"`
	ID      string       `json:"id"`
	Actor   string       `json:"actor"`
	Message *messageLine `json:"message,omitempty"`
	// event that sent the message, or under mailbox put it into the mailbox; of a fault its step
	Parent    *int32         `json:"parent,omitempty"`
	Value     int32          `json:"value,omitempty"` // of a choose
	Fault     string         `json:"fault,omitempty"` // what was injected
	Sent      []messageLine  `json:"sent,omitempty"`
	Created   []actorLine    `json:"created,omitempty"`
	Released  string         `json:"released,omitempty"` // identity of the message
	Blocked   bool           `json:"blocked,omitempty"`  // the handler did not run to its end
	Auto      bool           `json:"auto,omitempty"`     // the system took the step by itself
	Setup     bool           `json:"setup,omitempty"`    // before the explored part
	Time      string         `json:"time,omitempty"`     // virtual
	Incidents []incidentLine `json:"incidents,omitempty"`
	Clock     map[string]int `json:"clock"`
}

type messageLine struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	From  string `json:"from"`
	To    string `json:"to"`
	Index int32  `json:"index,omitempty"` // among the event's messages of this type to this receiver
}

type actorLine struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

type incidentLine struct {
	Kind  string `json:"kind"`
	Actor string `json:"actor,omitempty"`
	Text  string `json:"text,omitempty"`
	Where string `json:"where,omitempty"`
}

// EncodeTrace writes one JSON object per event, one a line, for other tools: names and identities, what was sent and
// created, and a vector clock. Event x happened before event y by cause iff clock(x) <= clock(y) in every component; a
// component that is not written is 0. Causes are sending and the order of an actor's own steps, and an advance of the
// clock follows everything.
func EncodeTrace(w io.Writer, t *Trace) error {
	enc := newLineEncoder(w)
	names := t.uniqueNames()
	clocks := t.clocks()
	parents := t.Enablers()
	for e := range t.Events {
		if err := enc.Encode(t.eventLine(e, names, clocks[e], parents[e])); err != nil {
			return fmt.Errorf("write trace: event %d: %w", e, err)
		}
	}
	return nil
}

func (t *Trace) eventLine(e int, names []string, clock []int, parent int32) *eventLine {
	ev := &t.Events[e]
	l := &eventLine{Event: e, Kind: ev.Step.Kind.String(), Name: t.StepName(ev.Step), ID: ev.Step.ID.String(),
		Actor:   names[ev.Step.Actor],
		Blocked: !ev.Completed && ev.Step.Kind.Handles(), Auto: ev.Auto, Setup: e < t.Explored, Clock: map[string]int{}}
	if m := ev.Step.Message; m >= 0 {
		line := t.messageLine(m, names)
		l.Message, l.Parent = &line, &parent
	}
	switch ev.Step.Kind {
	case Choose, Draw:
		l.Value = ev.Step.Value
	case Fault:
		l.Fault, l.Parent = ev.Step.Fault().String(), &parent
	}
	for _, m := range ev.Sent {
		l.Sent = append(l.Sent, t.messageLine(m, names))
	}
	for _, a := range ev.Created {
		l.Created = append(l.Created, actorLine{t.Actors[a].ID.String(), names[a], t.Actors[a].Type.Name})
	}
	if ev.Released >= 0 {
		l.Released = t.Messages[ev.Released].ID.String()
	}
	if ev.Time != 0 {
		l.Time = ev.Time.String()
	}
	for _, in := range ev.Incidents {
		il := incidentLine{Kind: in.Kind.String(), Text: in.Text, Where: in.Where}
		if in.Actor >= 0 {
			il.Actor = names[in.Actor]
		}
		l.Incidents = append(l.Incidents, il)
	}
	for a, n := range clock {
		if n > 0 {
			l.Clock[names[a]] = n
		}
	}
	return l
}

func (t *Trace) messageLine(m int32, names []string) messageLine {
	msg := &t.Messages[m]
	return messageLine{msg.ID.String(), msg.Type.Name, names[msg.Sender], names[msg.Receiver], msg.Index}
}

// uniqueNames are the actors' names, told apart by their identity where a spawn name looks like another's ordinal.
func (t *Trace) uniqueNames() []string {
	names := make([]string, len(t.Actors))
	taken := map[string]bool{}
	for a := range names {
		names[a] = t.ActorName(int32(a))
		if taken[names[a]] {
			names[a] += "@" + t.Actors[a].ID.String()
		}
		taken[names[a]] = true
	}
	return names
}

// Enablers gives, for each event, the one that put its message where it could be taken. That is the release or the
// firing where there was one, else the sending event. Of a firing it is the release that its timer waited for. It is -1
// if there is no message. That of a fault is its step.
func (t *Trace) Enablers() []int32 {
	put := make([]int32, len(t.Messages))
	for m := range put {
		put[m] = t.Messages[m].SentBy
	}
	parents := make([]int32, len(t.Events))
	for e := range t.Events {
		ev := &t.Events[e]
		parents[e] = -1
		if ev.Step.Kind == Fault {
			parents[e] = t.StepOf(int32(e))
		} else if m := ev.Step.Message; m >= 0 {
			parents[e] = put[m]
			if ev.Step.Kind == Timer {
				put[m] = int32(e)
			}
		}
		if ev.Released >= 0 {
			put[ev.Released] = int32(e)
			for _, m := range ev.Due { // timers that waited for the release
				put[m] = int32(e)
			}
		}
	}
	return parents
}

// clocks gives the vector clock of each event, indexed by actor.
func (t *Trace) clocks() [][]int {
	clocks := make([][]int, len(t.Events))
	last := make([][]int, len(t.Actors))
	var all []int // join of the events up to the last advance of the clock
	join := func(c, o []int) {
		for a, n := range o {
			c[a] = max(c[a], n)
		}
	}
	parents := t.Enablers()
	for e := range t.Events {
		s := &t.Events[e].Step
		c := make([]int, len(t.Actors))
		join(c, all)
		join(c, last[s.Actor])
		if s.Kind == Advance {
			for _, o := range last {
				join(c, o)
			}
		}
		if p := parents[e]; p >= 0 {
			join(c, clocks[p])
		}
		if by := t.Actors[s.Actor].Creator; by >= 0 && int(by) < e {
			join(c, clocks[by])
		}
		c[s.Actor]++
		clocks[e], last[s.Actor] = c, c
		if s.Kind == Advance {
			all = c
		}
	}
	return clocks
}
