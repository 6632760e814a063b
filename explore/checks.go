package explore

import "github.com/rehearse-go/rehearse/trace"

// This file has Go choose as it is told in functions of the test that judge an execution. They run between the steps,
// where no step sets what Go chooses.

// CheckKind tells the functions of a test that judge executions apart.
type CheckKind uint8

// The kinds of checks.
const (
	Invariant  CheckKind = iota // runs after each event
	FinalCheck                  // runs when nothing more can happen: what AtEnd registers, and what judges the final state
	CleanUp                     // runs when the execution is judged; what fails in it is a finding too
)

// String gives the kind in words, as the place of something that is in it.
func (k CheckKind) String() string {
	return [...]string{"an invariant", "a final check", "a clean-up"}[k]
}

// Check is one run of such a function.
type Check struct {
	Kind  CheckKind
	Event int32 // of an Invariant: after which it runs
	Index int   // of the function among those of its kind
}

// ID is the identity of what Go chooses in the check. That of a final check is the same in all executions: so it
// chooses alike in an execution and in its minimised schedule.
func (c Check) ID(tr *trace.Trace) trace.ID {
	id := trace.ID{Lo: 1}
	if c.Kind == Invariant {
		id = tr.Events[c.Event].Step.ID
	}
	return id.With(1<<41 + uint64(c.Kind)<<32 + uint64(c.Index))
}

// CheckDrawer is an Execution, and the Host of its T, that controls what Go chooses in checks.
type CheckDrawer interface {
	// BeginCheck is called before such a function runs, and EndCheck when it is over, by the same goroutine.
	BeginCheck(c Check)
	EndCheck()
}
