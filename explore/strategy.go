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

// What follows are abilities that a Strategy may have; Run asks for them.

// Fitter is a Strategy that does not fit every exploration.
type Fitter interface {
	// Fits is nil if the strategy is sound under these conditions; Run gives up with its error, which says what to do.
	Fits(c Conditions) error
}

// Opener is a Strategy that looks at more than the record.
type Opener interface {
	// Open is called when an execution begins; x is valid until Learn.
	Open(x Execution)
}

// Keeper is a Strategy whose executions share a beginning, so that a system that can undo steps need not run it again.
type Keeper interface {
	// Kept is asked after Start: so many choices of the last execution begin the next one too.
	Kept() int
	// Resume says that the system has gone back to the point after the first n choices of the last execution, n <= Kept: the next
	// Choose is for choice n. It is not called when the system runs from the start.
	Resume(n int)
}

// ClassCounter is a Strategy that knows how many classes of executions (Mazurkiewicz traces) it has executed.
type ClassCounter interface {
	Classes() int
}

// Estimator is a Strategy that can tell how much there is in all.
type Estimator interface {
	// Estimate is asked between executions. ok is false as long as nothing can be told.
	Estimate() (e Estimate, ok bool)
}

// Estimate is a guess of how many executions a strategy makes until it has nothing left, those that it cuts included. For a strategy that
// executes each class once that is the number of classes. The truth is meant to be from Low to High in nine of ten cases; the width is
// zero only where the number is known.
type Estimate struct {
	Total, Low, High float64
}

// Bounder is a Strategy that leaves out what is beyond a bound of its own.
type Bounder interface {
	// Within says in words what was executed completely ("3 deviations"), "" as long as that is nothing.
	Within() string
}

// Reasoner is a Strategy that may find out that it passes something over.
type Reasoner interface {
	// Why says what, and what to do, "" if nothing was passed over.
	Why() string
}

// Turner is a Strategy that lets others take turns. Run asks the one whose turn it is for its abilities.
type Turner interface {
	// Turn is the strategy whose turn it is, after Start; nil before the first.
	Turn() Strategy
}

// Wary is a Strategy that may prefer not to pass over what a check looks at.
type Wary interface {
	// Heed is called once, before the first Start. global says what the checks look at between the steps of different actors, as far as
	// executions have shown it, "" if nothing.
	Heed(global func() string)
}

// Hasty is a Strategy whose planning between executions may take long.
type Hasty interface {
	// Hurry is called once, before the first Start. late says whether the time is up, and does not take it back: a strategy that plans asks
	// every few milliseconds. Where it is, the strategy leaves what it is doing as it is: nothing but its counts is asked for any more.
	Hurry(late func() bool)
}

// Closer is a Strategy that looks at the state in which an execution ends.
type Closer interface {
	// Close is called when no step is enabled any more, before the final assertions run, while the actors still exist.
	Close()
}

// StateCounter is a Strategy that compares states and knows how many it has met.
type StateCounter interface {
	States() int
}

// DrawSampler is a Strategy that lets what Go chooses by itself follow a seed of its own in an execution: to be asked for each choice takes an execution that
// begins anew whenever there is one that nobody knew of.
type DrawSampler interface {
	// DrawSeed is asked after Start; 0: it is to be asked.
	DrawSeed() uint64
}

// Refuser is a Strategy that may find out on its way that it cannot do what it is to do; its Start is then false.
type Refuser interface {
	// Refused is nil, or the error with which Run gives up: what is in the way, and what to do.
	Refused() error
}
