package tap

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file: handlers of native actors that release their actor until an answer is there (Await).

// task is a handler that was released, seen from behind: what it did before is still to be told.
type task struct {
	at       *point
	msg      string
	behaves  *Class
	visit    *visits
	accepted bool
}

// Continuation goes back to what a handler did before it released its actor. Until then, backwards, the actor may have
// handled other messages.
//
// Differs: the paper has no handlers that wait. The request for the answer is that of AnswerExisting and AnswerNew;
// other conditions for which a handler waits are not modelled.
type Continuation struct{}

func (Continuation) Name() string { return "Continuation" }

func (r Continuation) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	if a.at != nil {
		return nil
	}
	for k, t := range a.tasks {
		list = append(list, transition{rule: r, actor: a.id, to: t.at.block, apply: func() *configuration {
			d, a := c.with(i)
			a.tasks = slices.Delete(slices.Clone(a.tasks), k, k+1)
			a.at, a.msg, a.behaves, a.visit, a.accepted, a.acts = t.at, t.msg, t.behaves, t.visit, t.accepted, true
			if e.config.Atomic {
				d.alone = a.id
			}
			return d
		}})
	}
	return list
}

// release has an actor be idle, in the middle of a handler that goes on with the answer to its last request.
func (d *configuration) release(a *actor) {
	q := a.open[len(a.open)-1]
	q.resumes = a.msg
	a.runs = append(slices.Clip(a.runs), q)
	a.tasks = append(slices.Clip(a.tasks), task{a.at, a.msg, a.behaves, a.visit, a.accepted})
	a.at, a.visit = nil, nil
	d.alone = 0
}

// releases reports whether an instruction that waits for an answer releases its actor meanwhile.
func releases(in ssa.Instruction) bool {
	row, _, ok := operation(in)
	return ok && row.Op == model.Await && row.Framework == model.Native
}
