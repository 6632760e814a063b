package actor

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// This file has Go choose alike in functions that judge an execution (explore.Check), which run between the steps, as
// draws.go does in steps.

// ofChecks is what a machine knows of the check that runs.
type ofChecks struct {
	kind explore.CheckKind
	on   bool
	mark chance.Mark // apart from that of steps: a check may come where a handler chooses a value
}

// BeginCheck is explore.CheckDrawer.
func (x *host) BeginCheck(c explore.Check) {
	k := &x.m.draws.checks
	k.kind, k.on = c.Kind, !x.m.draws.on || !x.m.draws.explorer.Running()
	id := c.ID(&x.m.tr)
	switch {
	case !k.on: // in the middle of a handler, which runs under control
	case x.m.draws.on:
		x.m.draws.explorer.RunCheck(c.Kind, &x.m.tr, id)
	default:
		k.mark.Set(id.Hi^x.m.c.Choices, id.Lo)
	}
}

// EndCheck is explore.CheckDrawer.
func (x *host) EndCheck() {
	k := &x.m.draws.checks
	switch {
	case !k.on:
	case x.m.draws.on:
		x.m.draws.explorer.CloseCheck(k.kind, &x.m.tr)
		x.m.draws.drawn = x.m.draws.drawn || x.m.draws.explorer.Leaves()
	case k.mark.HasNumbers():
		x.m.draws.drawn = true
	}
	k.on = false
}

var _ explore.CheckDrawer = (*host)(nil)
