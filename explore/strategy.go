package explore

import "github.com/rehearse-go/rehearse/trace"

// Strategy chooses the steps of execution after execution.
type Strategy interface {
	// Name is the name by which it is asked for.
	Name() string
	// Start prepares the next execution; false: there is nothing left to execute.
	Start() bool
	// Choose picks a step. tr is the record so far; both are only valid during the call.
	Choose(tr *trace.Trace, enabled []trace.Step) Choice
	// Learn is told that the execution is over; cut says that the loop ended it before its natural end.
	Learn(tr *trace.Trace, cut bool)
	// Complete reports whether every execution (or one of every class) was executed.
	Complete() bool
}

// Diverger is a Strategy that can tell that a program under its control made a choice of its own.
type Diverger interface {
	// Divergence describes the last execution's divergence, nil if there was none.
	Divergence() *trace.Incident
}
