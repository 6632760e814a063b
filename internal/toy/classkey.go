package toy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// ClassKey is equal for two executions of a program iff they are equivalent: iff one becomes the other by swapping neighbouring
// steps that do not depend on each other. Two steps depend on each other iff one of these holds.
//
//	D1  both are steps of the same actor. The release of a captured send is a step of the actor that sends, the choice of a value one of
//	    the actor that chooses; the firing of a timer (a step of its own in the mailbox models alone) is no step of any actor.
//	D2  mailbox, mailbox-serial: both append to the mailbox of the same actor. What is appended is a user message or, when its timer
//	    fires, a timeout; also one whose receiver has stopped. Under mailbox a step appends what it releases, under mailbox-serial all it
//	    sends, so that there "both append to the same mailbox" is "their sets of receivers meet". Answers are exempt.
//	D3  one appends a system message to an actor, and the other is a step of that actor or appends a system message to it too. System
//	    messages are in a queue of their own: D2 does not speak of them.
//	D4  one fires a timer and the other sets it or cancels it, in time or not.
//	D5  one is an advance of the clock.
//
// A class is told by the sequences of the steps that depend on each other, with the steps called by their causes:
//
//   - of each actor, its steps and the arrivals of system messages (D1, D3);
//   - of each mailbox, what is appended to it (D2).
//
// D4 needs no sequence: a timer fires after it was set, and never after it was cancelled. For D5 each entry tells how many advances
// precede it. So two executions have equal keys iff they order all dependent steps alike, which is equivalence of traces.
//
// The key is made of the names of trace.ID and of strings and maps, without cleverness: it checks internal/causal, and what counts
// classes.
func ClassKey(model trace.Model, tr *trace.Trace) string {
	sequences := map[string]string{}
	advances := 0
	note := func(sequence string, actor int32, id trace.ID) {
		sequences[sequence+" "+tr.Actors[actor].ID.String()] += fmt.Sprintf(" %d:%s", advances, id)
	}
	for e := range tr.Events {
		s := tr.Events[e].Step
		switch s.Kind {
		case trace.Advance:
			advances++
		case trace.Timer: // of no actor
		default:
			note("steps", s.Actor, s.ID)
		}
		for _, m := range appended(model, tr, e) {
			switch msg := &tr.Messages[m]; {
			case msg.Class == trace.System:
				note("steps", msg.Receiver, msg.ID.With(arrivalOf))
			case msg.Class == trace.Answer, msg.Class == trace.Task:
			case model == trace.Mailbox, model == trace.MailboxSerial:
				note("mailbox", msg.Receiver, msg.ID)
			}
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(sequences)) {
		parts = append(parts, name+":"+sequences[name])
	}
	return strings.Join(parts, "\n")
}

// arrivalOf tells the arrival of a message from its delivery.
const arrivalOf = 0x617272697665

// appended gives the messages that reach their receivers in event e.
func appended(model trace.Model, tr *trace.Trace, e int) []int32 {
	ev := &tr.Events[e]
	switch {
	case ev.Step.Kind == trace.Timer:
		return []int32{ev.Step.Message}
	case model == trace.Mailbox:
		if ev.Released < 0 {
			return nil
		}
		return []int32{ev.Released}
	}
	var ms []int32
	for _, m := range ev.Sent {
		if tr.Messages[m].Class != trace.Timeout {
			ms = append(ms, m)
		}
	}
	return ms
}
