package adapter

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has Go choose alike in functions that judge an execution (explore.Check), as draws.go and numbered.go do in
// steps. An invariant has a part of its own, since none is open between steps. Final checks and clean-ups run in the
// action that judges the end, and what they wait for in further ones. Each has a part, in which the code of Rehearse's
// own is out of control.

// ofChecks is what an execution knows of them.
type ofChecks struct {
	apart bool              // the check that runs has a part of its own
	kind  explore.CheckKind // of the last one at the end
}

// BeginCheck is explore.CheckDrawer.
func (w *drawing) BeginCheck(c explore.Check) {
	k, id := &w.checks, c.ID(&w.tr)
	switch {
	case w.draws == layerOne:
		w.reap()
		w.sys.draws.mark.Set(id.Hi^w.cond.Choices, id.Lo)
	case w.draws != layerTwo:
	case w.sys.explorer.Running():
		if c.Kind != k.kind {
			w.sys.explorer.NoteCheck(k.kind, &w.tr)
			k.kind = c.Kind
		}
		chance.Return(chance.InBubble)
	default:
		k.apart, k.kind = true, c.Kind
		w.sys.explorer.RunCheck(c.Kind, &w.tr, id)
	}
}

// EndCheck is explore.CheckDrawer.
func (w *drawing) EndCheck() {
	k := &w.checks
	switch {
	case w.draws == layerOne:
		w.reap()
	case k.apart:
		k.apart = false
		w.sys.explorer.CloseCheck(k.kind, &w.tr)
		w.sys.drawn = w.sys.drawn || w.sys.explorer.Leaves()
	}
	if w.draws == layerTwo {
		chance.Leave()
	}
}

// openChecks has Go choose by the seed in an action of the end.
func (w *drawing) openChecks() {
	id := trace.ID{Lo: 2}
	if w.open >= 0 {
		id = w.tr.Events[w.opened].Step.ID
	}
	w.checks.kind = max(w.checks.kind, explore.FinalCheck)
	w.sys.explorer.RunCheck(w.checks.kind, &w.tr, id)
}

// closeChecks ends the part of an action of the end.
func (w *drawing) closeChecks() {
	w.sys.explorer.CloseCheck(w.checks.kind, &w.tr)
	w.sys.drawn = w.sys.drawn || w.sys.explorer.Leaves()
}

var _ explore.CheckDrawer = (*Runtime)(nil)
