package explore

import (
	"cmp"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// This file has somebody look whether actors share memory. That costs too much for all executions: those that repeat
// another one are looked at.

// Looker looks at one execution after the other. internal/reach has the one that Rehearse uses.
type Looker interface {
	// Reset is told that an execution begins, and says whether it is looked at.
	Reset(x Execution) bool
	// Begin is called before choices; the first time it takes in all memory.
	Begin()
	// Step is told of an event that is over, and gives what it changed that is not its own.
	Step(event int32) []trace.Violation
	// Unseen lists what was met behind which nobody can look, in all executions.
	Unseen() []string
	// Shared names what actors share and nobody can look into although the order of its uses decides something, in all
	// executions; "" if there is nothing.
	Shared() string
}

func (r *run) beginLook() {
	wanted := r.o.Look != nil && (r.o.LookAll || r.repeat != nil && r.chooser == r.repeat)
	r.looking = wanted && r.o.Look.Reset(r.x)
	r.isolated = nil
}

// look judges an event that is over. What is found counts at the end: nothing that follows is a consequence.
func (r *run) look(event int32) {
	for _, v := range r.o.Look.Step(event) {
		if r.shared == "" {
			r.shared = v.Text
		}
		if w, ok := r.o.Check.(interface {
			Weigh(trace.Violation) []trace.Violation
		}); ok {
			r.isolated = append(r.isolated, w.Weigh(v)...)
		}
	}
}

// concludeLook says what was seen, and what it means for a strategy.
func (r *run) concludeLook(last *Report) {
	if r.o.Look == nil {
		return
	}
	r.out.Unseen = strings.Join(r.o.Look.Unseen(), ", ")
	if !last.EveryOrder {
		r.out.Shared = cmp.Or(r.shared, r.o.Look.Shared())
	}
}

// concludeTies says, where a strategy claims something, what executions leave out, and what the order of steps decided
// that no footprint shows if the strategy takes steps to be independent.
func (r *run) concludeTies(last *Report) {
	if !last.OnePerClass && !r.strategy.Complete() {
		return
	}
	r.out.PassedOver = cmp.Or(r.out.PassedOver, r.omitted)
	if !last.EveryOrder {
		r.out.PassedOver = cmp.Or(r.out.PassedOver, r.ties)
	}
}
