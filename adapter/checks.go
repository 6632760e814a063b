package adapter

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has Go choose alike in functions that judge an execution (explore.Check), as draws.go and numbered.go do
// in steps. An invariant has a part of its own, since none is open between steps. Final checks and clean-ups run in
// the action that judges the end, and what they wait for in further ones: each has a part, in which the code of
// Rehearse's own is out of control.

// ofChecks is what an execution knows of them.
type ofChecks struct {
	apart bool              // the check that runs has a part of its own
	kind  explore.CheckKind // of the last one at the end
}

// BeginCheck is explore.CheckDrawer.
func (r *Runtime) BeginCheck(c explore.Check) {
	k, id := &r.checks, c.ID(&r.tr)
	switch {
	case !r.layerTwo:
		r.reap()
		r.sys.draws.mark.Set(id.Hi^r.cond.Choices, id.Lo)
	case !r.numbers:
	case r.sys.explorer.Running():
		if c.Kind != k.kind {
			r.sys.explorer.NoteCheck(k.kind, &r.tr)
			k.kind = c.Kind
		}
		chance.Return(chance.InBubble)
	default:
		k.apart, k.kind = true, c.Kind
		r.sys.explorer.RunCheck(c.Kind, &r.tr, id)
	}
}

// EndCheck is explore.CheckDrawer.
func (r *Runtime) EndCheck() {
	k := &r.checks
	switch {
	case !r.layerTwo:
		r.reap()
	case k.apart:
		k.apart = false
		r.sys.explorer.CloseCheck(k.kind, &r.tr)
		r.sys.drawn = r.sys.drawn || r.sys.explorer.Leaves()
	}
	if r.numbers {
		chance.Leave()
	}
}

// openChecks has Go choose by the seed in an action of the end.
func (r *Runtime) openChecks() {
	id := trace.ID{Lo: 2}
	if r.open >= 0 {
		id = r.tr.Events[r.opened].Step.ID
	}
	r.checks.kind = max(r.checks.kind, explore.FinalCheck)
	r.sys.explorer.RunCheck(r.checks.kind, &r.tr, id)
}

// closeChecks ends the part of an action of the end.
func (r *Runtime) closeChecks() {
	r.sys.explorer.CloseCheck(r.checks.kind, &r.tr)
	r.sys.drawn = r.sys.drawn || r.sys.explorer.Leaves()
}

var _ explore.CheckDrawer = (*Runtime)(nil)
