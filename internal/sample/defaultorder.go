// Package sample holds the strategies that execute some schedules and never claim to be complete.
package sample

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// DefaultOrder executes once, in the default order: least depth first, then least identity.
type DefaultOrder struct{ done bool }

// Name is "default".
func (*DefaultOrder) Name() string { return "default" }

// Start wants one execution.
func (d *DefaultOrder) Start() bool {
	first := !d.done
	d.done = true
	return first
}

// Choose picks the first step in the default order.
func (*DefaultOrder) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	return explore.Choice{Index: trace.First(enabled)}
}

// Pick is explore.Picker.
func (*DefaultOrder) Pick(_ *trace.Trace, o explore.Offer) (trace.Step, explore.Choice, bool) {
	return o.First(), explore.Choice{}, true
}

// Learn learns nothing.
func (*DefaultOrder) Learn(*trace.Trace, bool) {}

// Report is explore.Reporter.
func (*DefaultOrder) Report() explore.Report {
	return explore.Report{Undivided: "it makes one execution"}
}

// Complete is false: one schedule proves nothing.
func (*DefaultOrder) Complete() bool { return false }
