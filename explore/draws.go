package explore

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// This file lets a System begin an execution anew, or go back in it, without the strategy. It has learned what Go
// chooses by itself in a step that it has taken. So this time the strategy is asked for it before. The choices so far
// are made again.
//
//	invariants: I1 the strategy is asked for each choice of an execution once
//	            I2 what is begun anew counts as replayed, and is no execution

// Redoer is a Driver of such a System, where Conditions.Draws is not 0.
type Redoer interface {
	Driver
	// Redo says that all is again as it was before choice n was asked for, which is asked for again, with those that
	// followed. Below 0 it says that the execution begins anew, with Begin. It is called in the place of Observe, with
	// nothing told of the step that is over.
	Redo(n int)
}

// conditions are those of the strategy's next execution: one that samples has Go choose by a seed of its own, where the
// exploration is for that.
func (r *run) conditions() Conditions {
	c := r.o.Conditions
	if r.o.Record || !c.Sampled {
		c.Sampled = r.o.Record
		return c
	}
	c.Sampled = false
	if s, ok := turnOf(r.strategy).(DrawSampler); ok {
		if seed := s.DrawSeed(); seed > 0 {
			c.Sampled, c.Choices = true, seed
		}
	}
	if c.Sampled && c.Draws >= 0 {
		c.Draws, c.Preemptions = 0, -1
	}
	return c
}

// asked are the conditions under which an execution can be repeated: what it has sampled is asked for, since its record
// has it.
func (c Conditions) asked() Conditions {
	if c.Sampled && c.Draws >= 0 {
		c.Draws, c.Preemptions = AllDraws, -1
	}
	c.Sampled = false
	return c
}

// taken is a choice that was made.
type taken struct {
	id     trace.ID
	choice Choice
}

// Redo is Redoer.Redo.
func (r *run) Redo(n int) {
	r.cut = false
	r.crowding.back(max(n, 0))
	if n < 0 {
		r.steps, r.stepCalls, r.marks, r.found, r.isolated = 0, 0, r.marks[:0], nil, nil
		if r.o.Before != nil {
			r.o.Before()
		}
		return
	}
	k := r.marks[n]
	r.t.back(k)
	r.found = r.found[:k.found]
	r.steps, r.stepCalls, r.marks = n, k.stepCalls, r.marks[:n]
	if r.o.Back != nil {
		r.o.Back(r.tr, int(k.stepCalls))
	}
}

// choiceOrAgain is the choice, made now, or before where draws are choices.
func (r *run) choiceOrAgain(enabled []trace.Step) Choice {
	if r.c.Draws <= 0 {
		return r.choice(enabled)
	}
	if n := r.steps - 1; n < len(r.path) {
		return r.chooseAgain(r.path[n], enabled)
	}
	c := r.choice(enabled)
	if c.Index >= 0 && c.Index < len(enabled) {
		r.path = append(r.path, taken{enabled[c.Index].ID, c})
	}
	return c
}

// chooseAgain makes a choice that was made before. Where it is not there, the program made one of its own.
func (r *run) chooseAgain(t taken, enabled []trace.Step) Choice {
	c := t.choice
	c.Replayed = true
	if c.Index = trace.Find(enabled, t.id); c.Index < 0 {
		r.diverged(r.tr, &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"the same schedule was executed twice, to learn what Go chooses, and step %d was possible the first time only",
			r.steps)})
	}
	return c
}

var _ Redoer = (*run)(nil)
