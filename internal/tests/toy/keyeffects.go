package toy

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// freed tells which steps of one actor do not depend on each other because of what is declared of their handlers. It is
// for ClassKey: D1 does not hold for two steps if
//
//   - both handled a user message and kept to what is declared, which does not meet;
//   - the delivery model does not order their messages: fifo, they are of different senders; causal, the send of
//     neither follows from that of the other;
//   - fifo: one of them declares that it does not send, or both that they only reply; causal: both that they do not
//     send.
type freed struct {
	model trace.Model
	tr    *trace.Trace
	pasts []map[int32]bool // under causal: of the messages, the messages that their sends follow from
}

// follow finds what sends follow from: those of an actor from all that it handled and sent before.
func (f *freed) follow() {
	if f.model != trace.Causal || !slices.ContainsFunc(f.tr.Events, func(e trace.Event) bool { return e.Effect != nil }) {
		return
	}
	seen := make([]map[int32]bool, len(f.tr.Actors))
	f.pasts = make([]map[int32]bool, len(f.tr.Messages))
	for e := range f.tr.Events {
		ev := &f.tr.Events[e]
		a := ev.Step.Actor
		if seen[a] == nil {
			seen[a] = map[int32]bool{}
		}
		if m := ev.Step.Message; m >= 0 {
			seen[a][m] = true
			for o := range f.pasts[m] {
				seen[a][o] = true
			}
		}
		for _, m := range ev.Sent {
			f.pasts[m] = map[int32]bool{}
			for o := range seen[a] {
				f.pasts[m][o] = true
			}
			seen[a][m] = true
		}
	}
}

// apart reports whether two steps of one actor, events of the trace, do not depend on each other.
func (f *freed) apart(i, j int) bool {
	x, y := &f.tr.Events[i], &f.tr.Events[j]
	if x.Effect == nil || y.Effect == nil || x.Effect.Meets(y.Effect) {
		return false
	}
	m, n := x.Step.Message, y.Step.Message
	switch f.model {
	case trace.FIFO:
		return f.tr.Messages[m].Sender != f.tr.Messages[n].Sender &&
			!(x.Effect.Sends && y.Effect.Sends && !(x.Effect.Replies && y.Effect.Replies))
	case trace.Causal:
		return !x.Effect.Sends && !y.Effect.Sends && !f.pasts[m][n] && !f.pasts[n][m]
	}
	return true
}

// tied gives, for a sequence with steps that may be apart, the pairs that are not, in an order that does not depend on
// the execution, and sorts the sequence. It gives nothing for others.
func (f *freed) tied(list []entryKey) [][2]trace.ID {
	if !slices.ContainsFunc(list, func(x entryKey) bool { return x.event >= 0 && f.tr.Events[x.event].Effect != nil }) {
		return nil
	}
	pairs := [][2]trace.ID{}
	for j := range list {
		for i := range j {
			if x, y := list[i], list[j]; x.event < 0 || y.event < 0 || !f.apart(x.event, y.event) {
				pairs = append(pairs, [2]trace.ID{x.name, y.name})
			}
		}
	}
	slices.SortFunc(pairs, func(x, y [2]trace.ID) int { return cmp.Or(x[0].Compare(y[0]), x[1].Compare(y[1])) })
	slices.SortFunc(list, func(x, y entryKey) int { return x.name.Compare(y.name) })
	return pairs
}
