package adapter

import (
	"fmt"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file looks for goroutines that handlers start: their order is the Go scheduler's choice, not ours.

// A goroutine that outlives its handler shows in their number, and by what it sends when its handler is over or cannot move. One that
// ends before is counted (started.go).
// One that sends while the handler runs shows by its id only. Where looking up an id takes a stack trace, ten microseconds or more, that
// is not done at all steps: it is done in the first executions of a System and in some of the later ones; in each of these, at its first
// steps (those of set-up count) and at some of the later ones. Which they are depends on nothing but their numbers.
const (
	closeExecutions = 128 // at the beginning
	closeExecution  = 256 // one in so many of the others
	closeSteps      = 256 // at the beginning of an execution
	closeStep       = 64  // one in so many of the others
)

// looksClosely reports whether ids are looked up in this step of this execution of the System; both are counted from 0.
func looksClosely(execution, step int) bool {
	return goroutine.CheapID() || isSampled(execution, step)
}

func isSampled(execution, step int) bool {
	return (execution < closeExecutions || execution%closeExecution == 0) && (step < closeSteps || step%closeStep == 0)
}

// strays notes that a handler, or the test function, left n goroutines behind. A dead letter starts one in some frameworks.
func (r *Runtime) strays(n int) {
	if r.act != actHandle && r.act != actTest && r.act != actFault || r.dead {
		return
	}
	if r.sys.lookout.Places() == "" {
		chance.Aside(func() { r.sys.lookout.Found(r.sys.startedHere()...) })
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sys.outlived = true
	r.startsGoroutine()
	if n > 1 {
		r.severalStrays()
	}
}

// strayPost notes a message that a goroutine sends in the name of an actor whose handler does not.
func (r *Runtime) strayPost(from int32) {
	if r.act == actAdvance || r.act == actSend || r.act == actFinish || r.releasing {
		return
	}
	s := &r.actors[from]
	if r.delivering {
		return // what hangs on a future runs while the reply is delivered
	}
	over := !s.busy
	other := r.close && s.busy && s.gid != 0 && s.gid != goroutine.ID() && !r.layerTwo // that they end with the handler is seen there
	if !over && !other {
		return
	}
	r.sys.outlived = r.sys.outlived || over
	switch own := goroutine.ID(); {
	case own == r.stray || r.told:
	case r.stray == 0:
		r.stray = own
		r.startsGoroutine()
	default:
		r.severalStrays()
	}
}

// severalStrays deals with several goroutines of one handler, which have an order among each other. Where Go's choices are set that order repeats, and others are
// not explored. Elsewhere nothing can be said of such a program.
func (r *Runtime) severalStrays() {
	r.told = true
	if chance.Available() {
		r.startsGoroutine()
		return
	}
	e, at := &r.tr.Events[r.event()], ""
	if p := r.sys.lookout.Places(); p != "" {
		at = " (" + p + ")"
	}
	e.Incidents = append(e.Incidents, trace.Incident{Kind: trace.Divergence, Actor: r.running, Message: -1, Site: "goroutines in a handler",
		Text: fmt.Sprintf("%s started several goroutines%s in %s: the order in which they run is the Go scheduler's choice, not ours; "+
			"make them actors, or let the handler do the work itself", r.tr.ActorName(r.running), at, r.tr.StepName(r.tr.Events[r.tr.StepOf(r.event())].Step))})
}

// uncontrolled notes the first order that the program chooses by itself.
func (r *Runtime) uncontrolled(how string) {
	if r.tr.Uncontrolled == "" {
		r.tr.Uncontrolled = r.tr.ActorName(r.running) + " " + how
	}
}
