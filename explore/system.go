// Package explore holds the core: what a system under test is (System), what chooses (Strategy), when to stop (Budget),
// and the one loop that brings them together (Run). The loop is single-goroutine, deterministic and free of I/O.
package explore

import (
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// System is a program under control that can be executed again and again.
type System interface {
	// DefaultModel is the delivery model of this kind of system.
	DefaultModel() trace.Model
	// Execute runs the program once and lets d choose every step. It calls, in this order, d.Begin; for each step
	// d.Choose and d.Observe, until no step is enabled or d says stop; and d.Finish while the actors still exist.
	// Steps that the system takes by itself (set-up, the driver's start, a quiescent advance) are observed, not chosen.
	//
	// Calls may come from different goroutines, never two at a time: a system may go on with the loop elsewhere
	// while a blocked handler keeps its goroutine.
	//
	// The error is an operating problem (set-up never quiesces, a handler blocks outside control), never a finding.
	Execute(c Conditions, d Driver) error
}

// Preparer is a System that changes the process for the time of an exploration: hooks into a framework, settings of the
// Go runtime. Run calls Prepare first and release last.
type Preparer interface {
	Prepare(c Conditions) (release func(), err error)
}

// Resumer is a Preparer that watches what the process does. An exploration may follow another one without Prepare, and
// what was done between them is not the program's.
type Resumer interface {
	Resume()
}

// Sampler is a System that can look for what a program does outside of actors, by samples of some executions, at a
// cost.
type Sampler interface {
	// Sample is called before each exploration.
	Sample(on bool)
}

// Prober is a Preparer that executes the program in Prepare.
type Prober interface {
	// Probing is called before Prepare, with what is to be called before the execution and before each chosen step of it;
	// nil: nothing is.
	Probing(before func(), step func(*trace.Trace, Choice, trace.Step))
}

// Conditions are what a System must honour in an execution.
type Conditions struct {
	Model    trace.Model     // never DefaultModel
	Timers   trace.TimerMode // when timers may fire
	Horizon  time.Duration   // virtual time after which no timer fires any more
	MaxSteps int             // bound on the steps of set-up; the loop bounds the rest
	Faults   trace.Faults    // what may be injected, set-up excepted; zero: nothing
	Effects  trace.Effects   // what handlers were declared to do with the state of their actors
	Calls    trace.Calls     // what handlers were declared to send; the loop checks it
	Cases    trace.Cases     // which messages handlers have cases for; nil: nobody knows
	Copy     bool            // native actors copy message contents that hold references
	Blocked  time.Duration   // real time after which a handler that makes no progress is given up
	// Choices is the seed of what Go chooses by itself, for a System that is a Drawer: equal executions draw the same
	// under one seed.
	Choices uint64
	// Draws is how many of these choices are choices of the exploration between two others, for a System that is a
	// Numberer. 0: none is, and all follow the seed; below 0: they have no numbers, as where the System is no Numberer.
	Draws int
	// Preemptions is how often, between two other choices, a goroutine may be preempted where others could go on; below 0:
	// any number of times.
	Preemptions int
	// EndDraws are the values that the first draws of final checks take, for a Numberer; the others follow the seed.
	EndDraws []uint32
	// Sampled: in an execution of a DrawSampler all choices follow its seed. Where they have numbers they are choices of
	// the exploration that nobody was asked for, and in the record after the code that made them has run.
	Sampled bool
}

// AllDraws is Draws where each draw is asked for: more than a runtime writes down between two choices.
const AllDraws = 1 << 13

// HeedsEffects reports whether declared effects mean anything under these conditions. The mailbox models hand messages
// over in the order of their arrival, whatever handlers do. Asynchronous timers tell actors the time by the order in
// which they handle messages. A fault may strike at any step.
func (c *Conditions) HeedsEffects() bool {
	return len(c.Effects) > 0 && !c.Model.Queues() && c.Timers == trace.Quiescent && !c.Faults.On()
}

// EffectChecker is a System that checks Conditions.Effects against what handlers do and notes in each event
// (trace.Event.Effect) that its handler kept to them. Run gives up where effects are declared of programs of other
// Systems.
type EffectChecker interface {
	// ChecksEffects does nothing.
	ChecksEffects()
}

// CaseChecker is a System that reports messages without a case in their handler, where Conditions.Cases tells of it.
type CaseChecker interface {
	// ChecksCases does nothing.
	ChecksCases()
}

// Inapplicable is the error that a fact, found by an analysis and not declared, cannot be relied on in this program,
// although it may be true. Without it the program can be explored.
type Inapplicable struct {
	Actor, Message string // types, of the handler that it is about; both empty: no fact can be relied on
	Why            string
}

func (u *Inapplicable) Error() string {
	if u.Actor == "" {
		return "facts cannot be relied on: " + u.Why
	}
	return "the facts of the handler of " + u.Message + " by " + u.Actor + " cannot be relied on: " + u.Why
}

// Drawer is a System that has Go choose by Conditions.Choices where a program ranges over a map, selects or takes a
// random number.
type Drawer interface {
	// Draws reports whether steps or checks have drawn any such number so far. It is false where Unset is not "".
	Draws() bool
	// Unset says why Go is left to choose in this process, "" if it is not.
	Unset() string
}

// Numberer is a Drawer that can make each of these choices a choice of the exploration, and the order of goroutines
// too, where the runtime of the process numbers them.
type Numberer interface {
	Drawer
	// Numbers does nothing.
	Numbers()
	// Drew reports whether any execution so far had a draw with a number, whether anybody was asked for it or not.
	Drew() bool
}

// Driver is told of an execution and chooses its steps. The loop is one.
type Driver interface {
	// Begin is called first; the execution is to be recorded in x.Trace(), which the system has reset.
	Begin(x Execution) *T
	// Choose picks one of the enabled steps, which are in no particular order; false ends the execution here. A Choose of
	// the program (T.Choose) calls it from inside a step, with the values as steps. Where a fault may be injected it is
	// called before the handler of a step, or when the step is over and observed. It then has steps of kind Fault, the
	// first of which is nothing. At most one fault a step and Conditions.Faults.Max in all.
	Choose(enabled []trace.Step) (Choice, bool)
	// Observe is told that the given event is over, with its effects recorded; false ends the execution here.
	Observe(event int32) bool
	// Finish is told that the execution is over.
	Finish()
}

// Choice is a strategy's decision.
type Choice struct {
	Index    int      // of the step; negative: end the execution here
	Replayed bool     // the step repeats one that was counted before
	First    trace.ID // of a release: the send to release; zero: the program's first
}

// Execution is a running execution as a Driver sees it.
type Execution interface {
	// Trace is the record so far.
	Trace() *trace.Trace
	// State is the actor's own value (the behaviour of a native actor, the instance behind a framework's), nil if unknown.
	State(actor int32) any
	// Status says how the actor stands.
	Status(actor int32) Status
	// Pending calls f for every message that was sent and not handled.
	Pending(f func(message int32))
}

// Foreseer is an Execution that can tell what an actor would have accepted earlier.
type Foreseer interface {
	// WouldAccept reports whether the receiver of message would have handled it right before the given event, which is a
	// step of that actor. known is false if that cannot be told.
	WouldAccept(event, message int32) (accepts, known bool)
}

// Recaller is a Foreseer that can tell only if it keeps what actors were.
type Recaller interface {
	// Recall is called when an execution begins, by a strategy that will ask WouldAccept.
	Recall()
}

// Answerer is an Execution with answers that are no messages.
type Answerer interface {
	// Answered calls f for each request of an actor whose answer is there and is no message of the trace, in the order of
	// the requests. request and by are indices of the message and of the actor that has answered; what it was answered
	// with is an error where it has failed.
	Answered(asker int32, f func(request, by int32, answer any))
}

// Locator is an Execution that can say where the code of actors is blocked.
type Locator interface {
	// Locate gives a place for each of these actors ("chan receive at bank.go:12"), "" where it is not known. It also
	// gives what all goroutines of the program wait for, a few lines each. It is slow.
	Locate(actors []int32) (places []string, stacks string)
}

// Status is how an actor stands between two steps.
type Status struct {
	Stopped bool
	Crashed bool   // stopped by an injected fault, or by that of an actor above it
	Blocked bool   // in the middle of a handler
	Awaits  string // of a blocked actor: the type of message it waits for, or what else it waits for
	On      int32  // of an actor blocked in a call: the actor called, -1 if unknown
}
