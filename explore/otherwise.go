package explore

import (
	"cmp"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// This file tries whether a program depends on what Go chooses by itself: where a loop over a map begins, which ready
// case a select takes, random numbers. A Drawer makes these choices from a seed, so that an execution repeats. One
// that goes otherwise under another seed was one sample of several.
//
//	assumes: the System repeats executions under one seed; that it does is looked at before (again.go)
//	cost:    one more execution for each repeat until one of them goes otherwise
//
// SUBTLE: a select draws from a state that the runtime itself draws from all the time, so it does not show. Hence
// programs that are not seen to draw are tried as often as others. One of two cases that are ready is the same in 8
// executions one time in 128, and in 32 never.

// executeOtherwise repeats an execution while Go chooses otherwise, and notes the first difference.
func (r *run) executeOtherwise(k *keptExecution) error {
	d, ok := r.sys.(Drawer)
	if !ok || !r.o.Redraw || d.Unset() != "" {
		return nil
	}
	if r.stopped || r.left || r.out.Diverged || r.out.Drawn != "" {
		return nil
	}
	defer func() { r.otherwise = false }()
	r.out.Redrawn++
	c := k.under
	c.Choices += uint64(r.out.Redrawn)
	r.otherwise = true
	r.repeat = r.o.Repeat(k.trace)
	if err := r.execute(r.repeat, c); err != nil {
		return err
	}
	r.compareOrders(k.trace)
	if what := r.differsFrom(k); what != "" && r.out.Drawn == "" {
		r.out.Drawn = what + " held something else"
	}
	return nil
}

// diverged takes in that an execution was not what it repeats: a choice that is not ours, or the one that was changed.
func (r *run) diverged(tr *trace.Trace, in *trace.Incident) {
	if r.otherwise {
		r.out.Drawn = cmp.Or(r.out.Drawn, differenceIn(in))
		return
	}
	r.out.Diverged = true
	if in.Site == "" { // else it is known
		incident := *in
		incident.Text += r.suspects()
		in = &incident
	}
	r.found = append(r.found, divergenceOf(tr, in))
}

// suspects says where to look for what a program chooses by itself.
func (r *run) suspects() string {
	if d, ok := r.sys.(Drawer); ok && d.Unset() == "" {
		return "\n  The order of maps, select and random numbers were the same. Look for state that outlives an execution " +
			"(package variables), files and the network, maps of more than 8 entries " +
			"that are keyed by pointers, the clock, crypto/rand, and goroutines that make system calls, compute for long, or " +
			"are started outside of handlers."
	}
	return "\n  Look for state that outlives an execution (package variables), unseeded random numbers, map iteration, " +
		"select, goroutines started in a handler, files, and clocks read outside the bubble."
}

// foundIn is what was found in an execution.
func (r *run) foundIn(tr *trace.Trace, vs ...trace.Violation) Found {
	return Found{Trace: tr, Violations: vs, Under: r.c.asked(), Repeat: !r.counts && !r.ends.running}
}

// divergenceOf tells of an execution that was not what it repeats.
func divergenceOf(tr *trace.Trace, in *trace.Incident) trace.Violation {
	v := trace.Violation{Kind: trace.Divergence, Text: in.Text, Site: in.Site, Stack: in.Stack, Event: len(tr.Events)}
	if in.Actor >= 0 && int(in.Actor) < len(tr.Actors) {
		v.ActorType, v.Actor = tr.Actors[in.Actor].Type.Name, tr.ActorName(in.Actor)
	}
	v.MessageType = in.Type
	return v
}

// differenceIn is what an incident says of two executions, without where to look for a choice that is not known here.
func differenceIn(in *trace.Incident) string {
	what, rest, _ := strings.Cut(in.Text, "\n")
	what = strings.TrimPrefix(what, "the same schedule was executed twice and ")
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "Timers that are due") {
			what += "; " + strings.TrimSuffix(line, ".")
		}
	}
	return what
}
