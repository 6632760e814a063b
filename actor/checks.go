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
	m := x.m
	k := &m.draws.checks
	k.kind, k.on = c.Kind, !m.abandoned.Load() && (!m.draws.on || !m.draws.explorer.Running())
	id := c.ID(&m.tr)
	switch {
	case !k.on: // in the middle of a handler, which runs under control
	case m.draws.on:
		m.draws.explorer.RunCheck(c.Kind, &m.tr, id)
	default:
		k.mark.Set(id.Hi^m.c.Choices, id.Lo)
	}
}

// EndCheck is explore.CheckDrawer.
func (x *host) EndCheck() {
	m := x.m
	k := &m.draws.checks
	switch {
	case !k.on || m.abandoned.Load():
	case m.draws.on:
		m.draws.explorer.CloseCheck(k.kind, &m.tr)
		m.draws.drawn = m.draws.drawn || m.draws.explorer.Leaves()
	case k.mark.HasNumbers():
		m.draws.drawn = true
	}
	k.on = false
}

var _ explore.CheckDrawer = (*host)(nil)
