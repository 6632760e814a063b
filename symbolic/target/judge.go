package target

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has a search forward decide where the one backward gave up. Handlers do things that summaries do not
// follow, such as calls and timers, but the execution of the whole program follows them.

// Forward searches forward through whole programs. A *system.Program does.
type Forward interface {
	Search(ctx context.Context, s *system.Start, goals []system.Goal, model trace.Model, b system.Bounds) *system.Found
}

// The work of all executions of a search forward is bounded by that of so many instructions for each that there may be.
// Most have fewer than 6,000. A few questions may be hard where few executions are allowed.
const (
	judgeWork = 10_000
	leastRuns = 100
)

// judgeKey is what a search forward depends on beside its goal.
type judgeKey struct {
	start  *system.Start
	model  trace.Model
	bounds system.Bounds
}

// judge asks the search forward, if there is one and the one backward gave up. One that has not found a way has
// searched everything, whatever its goal was: it is kept for the other targets.
func (e *Engine) judge(ctx context.Context) {
	f, ok := e.follower.(Forward)
	if !ok || e.answer.Verdict != GaveUp || e.config.Without.Judge || e.config.Steps > long || ctx.Err() != nil {
		return
	}
	key := judgeKey{e.start, e.config.Model, e.bounds()}
	all := e.searched[key]
	if all != nil {
		if yes, known := all.Reached(e.target.Goal); known && !yes {
			e.judged(all)
			return
		}
	}
	found := f.Search(ctx, e.start, []system.Goal{e.target.Goal}, e.config.Model, key.bounds)
	e.answer.Counts.Runs += found.Runs
	switch w := found.Ways[0]; {
	case w != nil && e.admits(w):
		e.finds(w)
	case w == nil && ctx.Err() == nil:
		e.searched[key] = found
		e.judged(found)
	}
}

// judged tells what it means that a search forward that looks at everything has found no way.
func (e *Engine) judged(all *system.Found) {
	if all.Complete() && len(e.start.Inexact) == 0 {
		e.answer.Forward = e.answer.Why
		e.infeasible()
		e.answer.Bounds += ", by a search forward"
		return
	}
	for _, why := range slices.Sorted(maps.Keys(all.Cuts)) {
		e.answer.Reasons = append(e.answer.Reasons, "the search forward: "+why)
	}
	if all.Inexact {
		e.answer.Reasons = append(e.answer.Reasons, "the search forward: an execution did what is not modelled")
		for _, why := range all.Unmodelled {
			e.answer.Reasons = append(e.answer.Reasons, "the search forward: "+why)
		}
	}
}

// bounds gives the bounds of the search forward.
func (e *Engine) bounds() system.Bounds {
	b := system.Bounds{Steps: e.config.Steps, Outside: e.config.Outside, Actors: e.config.Actors, Runs: e.config.Runs,
		Checks: e.target.Check != nil, Sent: e.config.Own, Asked: !e.config.Usual,
		Config: e.followed()}
	if e.config.some() {
		b.Assume = e.assume
	}
	b.Config.Paths, b.Work = 0, judgeWork*max(b.Runs, leastRuns)
	return b
}

// admits reports whether the messages of a way are those that the configuration allows, and its last handler the one
// that the target names.
func (e *Engine) admits(w *system.Way) bool {
	if !e.endsWell(w.Plan.Steps) {
		return false
	}
	if !e.allows(w) {
		return false
	}
	for _, m := range w.Marks {
		if m.Kind == exec.Havoc {
			return false
		}
	}
	return true
}

// errAssumed is why a way is none.
var errAssumed = errors.New("what is assumed of messages from outside does not hold for it")

// allows reports whether all that is assumed of messages from outside holds for those of a way.
func (e *Engine) allows(w *system.Way) bool {
	for _, m := range w.Outside {
		names := map[string]*term.Term{}
		for _, part := range m.Flat {
			names[part.Name] = part.Term
		}
		s := e.store.SubstNames(names)
		for _, c := range e.assumed(m.Type) {
			if !w.Model.Eval(s.Apply(c)).Bool() {
				return false
			}
		}
	}
	return true
}

// endsWell reports whether the last message of a way is of the type, and handled by the function, that the target
// names. What a start hook reaches has no message.
func (e *Engine) endsWell(steps []system.Step) bool {
	if len(steps) == 0 {
		return e.target.Message == nil && e.target.Fn == nil
	}
	last := steps[len(steps)-1]
	return (e.target.Message == nil || typeText(last.Message) == typeText(e.target.Message)) &&
		(e.target.Fn == nil || last.To.Step >= 0 || e.start.Actors[last.To.Start].Fn == e.target.Fn)
}

// infeasible tells that there is no way.
func (e *Engine) infeasible() {
	e.answer.Verdict, e.answer.Why, e.answer.Reasons = Infeasible, "", nil
	from := fmt.Sprintf("%d of them from outside, of the types that receptionists ask for", e.config.Outside)
	switch {
	case e.config.Own:
		from = "of those from outside all that the driver sends"
	case e.config.Usual:
		from = fmt.Sprintf("%d of them from outside, of the types that the driver sends", e.config.Outside)
	}
	e.answer.Bounds = fmt.Sprintf("%d messages handled, %s, %d actors created, %v%s", e.config.Steps, from,
		e.config.Actors, e.config.Model, e.assume.text())
}
