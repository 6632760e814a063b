package adapter

import (
	"fmt"
	"runtime"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file looks for goroutines that handlers start: their order is the Go scheduler's choice, not ours.

// A goroutine that outlives its handler shows in their number, and by what it sends when its handler is over or cannot
// move. One that ends before is counted (started.go). One that sends while the handler runs shows by its id only. Where
// looking up an id takes a stack trace, ten microseconds or more, that is not done at all steps. It is done in the
// first executions of a System and in some of the later ones. In each of these it is done at the first steps, those of
// set-up among them, and at some of the later ones. Which they are depends on nothing but their numbers.
const (
	closeExecutions = 128 // at the beginning
	closeExecution  = 256 // one in so many of the others
	closeSteps      = 256 // at the beginning of an execution
	closeStep       = 64  // one in so many of the others
)

// goroutines is what is known of those that handlers start.
type goroutines struct {
	*execution
	cast     *cast
	recorder *recorder
	timers   *timers

	started    goroutine.Counter
	alone      bool // the handler of the open event is over, and so are the goroutines that it has started
	outlasting int  // goroutines that were started in the open event and were alive when a handler ended in it, at most
	begun      int  // goroutines that were started in the open event until its handler was over; 0 if that is not known
	living     int  // goroutines of the process before the code ran that runs
	kept       int  // goroutines that the framework keeps for its timers, at the last look
	excused    bool // what is sent now is no stray's, whoever sends
}

// reset makes ready for another execution.
func (g *goroutines) reset() { g.kept = 0 }

// begin is called before an action. One that resolves a future goes on with the event.
func (g *goroutines) begin() {
	if g.act != actResolve {
		g.alone, g.outlasting, g.begun = false, 0, 0
	}
}

// more is how many goroutines of the process there are more than before the code ran that runs.
func (g *goroutines) more() int { return runtime.NumGoroutine() - g.living }

// looksClosely reports whether ids are looked up in this step of this execution of the System; both are counted from 0.
func looksClosely(execution, step int) bool {
	return goroutine.CheapID() || isSampled(execution, step)
}

func isSampled(execution, step int) bool {
	return (execution < closeExecutions || execution%closeExecution == 0) && (step < closeSteps || step%closeStep == 0)
}

// noteOutliving notes that a handler, or the test function, left n goroutines behind. A dead letter starts one in some
// frameworks.
func (g *goroutines) noteOutliving(n int) {
	if g.act != actHandle && g.act != actTest && g.act != actFault || g.recorder.dead {
		return
	}
	if kept := g.newlyKept(); kept > 0 {
		g.mu.Lock()
		g.recorder.announced += kept
		g.mu.Unlock()
		if n -= kept; n <= 0 {
			return
		}
	}
	if g.sys.lookout.Places() == "" {
		chance.Aside(func() { g.sys.lookout.Found(g.sys.startedHere()...) })
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sys.outlived = true
	g.startsGoroutine()
	if n > 1 {
		g.severalStrays()
	}
}

// strayPost notes a message that a goroutine sends in the name of an actor whose handler does not.
func (g *goroutines) strayPost(from int32) {
	if g.act == actAdvance || g.act == actSend || g.act == actFinish || g.cast.handing == toTheDead || g.excused {
		return
	}
	s := &g.cast.actors[from]
	if g.cast.handing == toFuture {
		return // what hangs on a future runs while the reply is delivered
	}
	over := !s.busy
	// Layer two sees that they end with the handler.
	other := g.recorder.close && s.busy && s.gid != 0 && s.gid != goroutine.ID() && g.draws == layerOne
	if !over && !other {
		return
	}
	g.sys.outlived = g.sys.outlived || over
	switch own := goroutine.ID(); {
	case own == g.recorder.stray || g.recorder.severalNoted:
	case g.recorder.stray == 0:
		g.recorder.stray = own
		g.startsGoroutine()
	default:
		g.severalStrays()
	}
}

// severalStrays deals with several goroutines of one handler, which have an order among each other. Where Go's choices
// are set that order repeats, and others are not explored. Elsewhere nothing can be said of such a program.
func (g *goroutines) severalStrays() {
	g.recorder.severalNoted = true
	if chance.Available() {
		g.startsGoroutine()
		return
	}
	e, at := &g.tr.Events[g.recorder.event()], ""
	if p := g.sys.lookout.Places(); p != "" {
		at = " (" + p + ")"
	}
	e.Incidents = append(e.Incidents, trace.Incident{Kind: trace.Divergence, Actor: g.running, Message: -1,
		Site: "goroutines in a handler",
		Text: fmt.Sprintf("%s started several goroutines%s in %s: the order in which they run is the Go scheduler's "+
			"choice, not ours; make them actors, or let the handler do the work itself",
			g.tr.ActorName(g.running), at, g.tr.StepName(g.tr.Events[g.tr.StepOf(g.recorder.event())].Step))})
}

// noteAlone notes that the code of the action is over, and so are the goroutines that it has started. What is behind an
// answer in the same event is not the event's handler.
func (g *goroutines) noteAlone() {
	if g.act == actResolve {
		return
	}
	g.alone = true
	if g.draws != layerOne {
		g.begun = g.started.Started()
	}
}

// noteLoosened notes that the handler which is over has taken its goroutines out of our hands.
func (g *goroutines) noteLoosened(a int32) {
	what := chance.Loosened()
	if what == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.phase == exploring || g.phase == settingUp {
		what = fmt.Sprintf("%s %s: take that out of the test, or give the program something in its place",
			g.tr.ActorName(a), what)
		if g.sys.loosened == "" {
			g.sys.loosened = what
		}
		if g.tr.Uncontrolled == "" {
			g.tr.Uncontrolled = what
		}
	}
}
