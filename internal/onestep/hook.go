package onestep

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// birth keeps what the tested actor, which is the last that the step creates by itself, does in its start hook: it, and
// the actors behind it. Values that the hook chooses divide the step into events, and no other step follows.
func (o *observer) birth(x explore.Execution, e *trace.Event) {
	r, tr := o.record, x.Trace()
	r.Ended, r.Changed = o.plan.Ended(), r.Changed || e.Changes
	for _, m := range e.Sent {
		if tr.Messages[m].Sender >= o.plan.Tested {
			o.sent(x, m)
		}
	}
	for _, a := range e.Created {
		if a > o.plan.Tested {
			r.Created = append(r.Created, a)
			r.States[a], r.Types[a], r.Names[a] = x.State(a), tr.Actors[a].Type.Name, tr.Actors[a].Name
		}
	}
	r.Stopped = r.Stopped || slices.Contains(e.Stopped, o.plan.Tested)
	r.Incidents = append(r.Incidents, e.Incidents...)
}

// Renumbered gives the record with other numbers of actors.
func (r *Record) Renumbered(number func(actor int32) int32) *Record {
	n := *r
	n.Sent, n.Created, n.Incidents = slices.Clone(r.Sent), slices.Clone(r.Created), slices.Clone(r.Incidents)
	for i := range n.Sent {
		n.Sent[i].Sender, n.Sent[i].Receiver = number(n.Sent[i].Sender), number(n.Sent[i].Receiver)
	}
	n.States, n.Types, n.Names = map[int32]any{}, map[int32]string{}, map[int32]string{}
	for i, a := range r.Created {
		n.Created[i] = number(a)
		n.States[n.Created[i]], n.Types[n.Created[i]], n.Names[n.Created[i]] = r.States[a], r.Types[a], r.Names[a]
	}
	for i := range n.Incidents {
		if n.Incidents[i].Actor > 0 {
			n.Incidents[i].Actor = number(n.Incidents[i].Actor)
		}
	}
	return &n
}
