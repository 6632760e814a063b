package toy

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// ClassKey is equal for two executions of a program iff they are equivalent: iff one becomes the other by swapping
// neighbouring steps that do not depend on each other. Two steps depend on each other iff one of these holds.
//
//	D1  both are steps of the same actor, unless what is declared of both says otherwise (keyeffects.go). The release of
//	    a captured send is a step of the actor that sends, the choice of a value one of the actor that chooses, an
//	    injected fault one of the actor whose step it befalls; the firing of a timer (a step of its own in the mailbox
//	    models alone) is no step of any actor.
//	D2  mailbox, mailbox-serial: both append to the mailbox of the same actor. What is appended is a user message or,
//	    when its timer fires, a timeout; also one whose receiver has stopped. Under mailbox a step appends what it
//	    releases, under mailbox-serial all it sends, so that there "both append to the same mailbox" is "their sets of
//	    receivers meet". Answers are exempt.
//	D3  one appends a system message to an actor, and the other is a step of that actor or appends a system message to it
//	    too. System messages are in a queue of their own: D2 does not speak of them.
//	D4  in one an actor stops, and in the other a user message reaches it: a dead letter is no orphan. Under mailbox it
//	    stops where that is released.
//	D5  one fires a timer, and the other sets it or cancels it, in time or not. An actor that stops cancels its timers.
//	D6  one is an advance of the clock.
//
// A class is told by the sequences of the steps that depend on each other, with the steps called by their causes:
//
//   - of each actor, its steps and the arrivals of system messages (D1, D3);
//   - of each mailbox, what is appended to it (D2);
//   - of each actor, the set of the user messages that reach it after it has stopped (D4). An actor stops once, and two
//     that reach it before or after do not depend on each other for that.
//
// D5 needs no sequence: a timer fires after it was set (under mailbox in asynchronous time, after what was sent before
// is released), and never after it was cancelled. For D6 each entry tells how many advances precede it. So two
// executions have equal keys iff they order all dependent steps alike, which is equivalence of traces.
//
// The key is made of names and maps, without cleverness: it checks internal/causal, and whatever counts classes. The
// twin's own key has the same definition and shares no code with this one.
func ClassKey(model trace.Model, tr *trace.Trace) string {
	k := keyed{tr: tr, sequences: map[place][]entryKey{}, stopped: map[int32]bool{}, freed: freed{model: model, tr: tr}}
	k.freed.follow()
	for e := range tr.Events {
		ev := &tr.Events[e]
		switch ev.Step.Kind {
		case trace.Advance:
			k.advances++
		case trace.Timer: // of no actor
		default:
			k.noteStep(ev.Step.Actor, ev.Step.ID, e)
		}
		for _, m := range appended(model, ev) {
			k.arrival(model, m, ev.Step.Kind == trace.Timer)
		}
		for i := range ev.Incidents {
			if in := &ev.Incidents[i]; in.Kind == trace.DeadLetter && in.Message < 0 {
				k.note(late, ev.Step.Actor, ev.Step.ID) // protoactor-go: what is sent to one that has stopped is no message
			}
		}
		for _, a := range ev.Stopped {
			k.stopped[a] = true
		}
	}
	return k.String()
}

// keyed is a key in the making.
type keyed struct {
	tr        *trace.Trace
	sequences map[place][]entryKey
	stopped   map[int32]bool
	advances  int
	freed     freed
}

type place struct {
	kind sequence
	of   trace.ID // actor
}

type entryKey struct {
	name  trace.ID
	after int // so many advances
	event int // of a step of the actor, else -1
}

func (k *keyed) note(kind sequence, actor int32, name trace.ID) {
	p := place{kind, k.tr.Actors[actor].ID}
	k.sequences[p] = append(k.sequences[p], entryKey{name, k.advances, -1})
}

func (k *keyed) noteStep(actor int32, name trace.ID, event int) {
	p := place{steps, k.tr.Actors[actor].ID}
	k.sequences[p] = append(k.sequences[p], entryKey{name, k.advances, event})
}

// arrivalOf tells the arrival of a message from its delivery.
const arrivalOf = 0x617272697665

func (k *keyed) arrival(model trace.Model, m int32, fired bool) {
	msg := &k.tr.Messages[m]
	switch msg.Kind {
	case trace.System:
		k.note(steps, msg.Receiver, msg.ID.With(arrivalOf))
		return
	case trace.Answer, trace.Task, trace.End:
		return
	case trace.Timeout:
		if !fired {
			return // only set
		}
	case trace.User:
		if k.stopped[msg.Receiver] {
			k.note(late, msg.Receiver, msg.ID)
		}
	}
	if model.Queues() {
		k.note(box, msg.Receiver, msg.ID)
	}
}

// appended gives the messages that reach their receivers in an event.
func appended(model trace.Model, ev *trace.Event) []int32 {
	switch {
	case ev.Step.Kind == trace.Timer:
		return []int32{ev.Step.Message}
	case model == trace.Mailbox && ev.Released >= 0:
		return []int32{ev.Released}
	case model == trace.Mailbox:
		return nil
	}
	return ev.Sent
}

// String writes the sequences in an order that does not depend on the execution.
func (k *keyed) String() string {
	places := slices.SortedFunc(maps.Keys(k.sequences), func(x, y place) int {
		return cmp.Or(cmp.Compare(x.kind, y.kind), x.of.Compare(y.of))
	})
	var key []byte
	id := func(x trace.ID) { key = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(key, x.Hi), x.Lo) }
	for _, p := range places {
		entries := k.sequences[p]
		if p.kind == late {
			slices.SortFunc(entries, func(x, y entryKey) int { return x.name.Compare(y.name) })
		}
		key = append(key, byte(p.kind))
		id(p.of)
		for _, pair := range k.freed.tied(entries) {
			id(pair[0])
			id(pair[1])
		}
		key = binary.AppendUvarint(key, uint64(len(entries)))
		for _, x := range entries {
			id(x.name)
			key = binary.AppendUvarint(key, uint64(x.after))
		}
	}
	return string(key)
}
