package explore

import "github.com/rehearse-go/rehearse/trace"

// This file looks for executions that show that the mailbox model leaves orders out.
//
//	model:   a delivery and the first release of its handler are one step. That is exact as long as nothing that comes between can
//	         change what is delivered.
//	gap:     a system message (stop, watch, ...) can: it precedes all user messages. Where one arrives at an actor after a delivery whose
//	         handler sends, it may as well arrive before the first of these sends, and what its sender does next may come before them too.
//	misses:  what else is between two steps in a framework: the end of an actor before its watchers are told.
//	cost:    one pass over the events; the walk back only where a system message was released

// gap describes a system message that might have arrived in the middle of such a step, "" if there is none.
func gap(tr *trace.Trace) string {
	var released []int32 // by message: the event that released it, plus one
	for i := tr.Explored; i < len(tr.Events); i++ {
		m := tr.Events[i].Released
		if m < 0 {
			continue
		}
		if released == nil {
			released = make([]int32, len(tr.Messages))
		}
		released[m] = int32(i) + 1
		if msg := &tr.Messages[m]; msg.Class != trace.System || msg.Starts || msg.AtOnce || !goesOn(tr, i) {
			continue
		}
		if d := sendsBeside(tr, i, tr.Messages[m].Receiver, released); d >= 0 {
			return "under mailbox it is not explored that " + tr.MessageName(m) + " comes to " + tr.ActorName(tr.Messages[m].Receiver) +
				" after it has taken " + tr.MessageName(tr.Events[d].Step.Message) + " and before it sends anything"
		}
	}
	return ""
}

// goesOn reports whether the actor that releases something in event i takes a step after it: else nobody can tell when that was.
func goesOn(tr *trace.Trace, i int) bool {
	for j := i + 1; j < len(tr.Events); j++ {
		if tr.Events[j].Step.Actor == tr.Events[i].Step.Actor {
			return true
		}
	}
	return false
}

// sendsBeside gives an event before i, and not in its past, in which the actor takes a user message and releases the first send of its
// handler; -1 if there is none. The past is that of the steps of each actor and of the messages: what arrives is not held to be in the
// past of what arrived before it.
func sendsBeside(tr *trace.Trace, i int, actor int32, released []int32) int {
	past := make([]bool, i+1)
	past[i] = true
	later := map[int32]bool{} // actors with a step in the past that comes later
	for e := i; e >= tr.Explored; e-- {
		s := &tr.Events[e].Step
		if s.Kind == trace.Advance {
			return -1 // everything before it is in the past
		}
		if !past[e] && !later[s.Actor] {
			if s.Actor == actor && s.Kind == trace.Deliver && tr.Messages[s.Message].Class == trace.User && tr.Events[e].Released >= 0 {
				return e
			}
			continue
		}
		later[s.Actor] = true
		if s.Kind.Handles() && s.Message >= 0 {
			if by := released[s.Message]; by > 0 {
				past[by-1] = true
			} else if by := tr.Messages[s.Message].SentBy; by >= 0 {
				past[by] = true
			}
		}
	}
	return -1
}
