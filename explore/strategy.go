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

// What follows are abilities that a Strategy may have beside choosing; Run asks for them. Those of a search that can be
// divided are in divide.go.

// Binder is a Strategy that has to know what it is used for.
type Binder interface {
	// Bind is called before the first Start. The error says why the strategy is not sound there, and what to do: Run gives
	// up with it. Whoever only wants to know that calls it before, so it may be called twice.
	Bind(e Env) error
}

// Env is the environment of an exploration.
type Env struct {
	Conditions Conditions
	Global     func() string // see PassesOver; nil: checks look at the steps of one actor at a time
	Late       func() bool   // whether the time is up, which it stays; nil: there is no bound on time
}

// PassesOver says what the checks look at between the steps of different actors, as far as executions have shown it, ""
// if nothing. A strategy that takes such steps to be independent passes that over.
func (e *Env) PassesOver() string {
	if e.Global == nil {
		return ""
	}
	return e.Global()
}

// GivesUp reports whether the time is up. A strategy whose planning between executions may take long asks every few
// milliseconds, and leaves what it is doing as it is. Nothing but its Report is asked for any more.
func (e *Env) GivesUp() bool { return e.Late != nil && e.Late() }

// BindTo binds a strategy that wants to be bound.
func BindTo(s Strategy, e Env) error {
	if b, ok := s.(Binder); ok {
		return b.Bind(e)
	}
	return nil
}

// ExecutionObserver is a Strategy that looks at more than the record of an execution.
type ExecutionObserver interface {
	// Open is called when an execution begins; x is valid until Learn.
	Open(x Execution)
	// Close is called when no step is enabled any more, before the final assertions run, while the actors still exist. It
	// is not called where an execution ends otherwise.
	Close()
}

// PrefixReuser is a Strategy whose executions share a prefix, so that a system that can undo steps need not run it
// again.
type PrefixReuser interface {
	// SharedPrefix is asked after Start: so many choices of the last execution begin the next one too.
	SharedPrefix() int
	// Resume says that the system has gone back to the point after the first n choices of the last execution, n <=
	// SharedPrefix: the next Choose is for choice n. It is not called when the system runs from the start.
	Resume(n int)
}

// Diverger is a Strategy that can tell that a program under its control made a choice of its own.
type Diverger interface {
	// Divergence describes the last execution's divergence, nil if there was none. It is asked after Learn.
	Divergence() *trace.Incident
}

// Composite is a Strategy that lets others take turns. Run asks the one whose turn it is for its abilities.
type Composite interface {
	// Active is the strategy whose turn it is, after Start; nil before the first.
	Active() Strategy
}

// DrawSampler is a Strategy that lets what Go chooses by itself follow a seed of its own in an execution. To be asked
// for each choice would take an execution that begins anew whenever there is an unknown one.
type DrawSampler interface {
	// DrawSeed is asked after Start; 0: it is to be asked.
	DrawSeed() uint64
}

// Reporter is a Strategy that knows more of what it has executed than the loop does.
type Reporter interface {
	// Report is asked between executions, and at the end.
	Report() Report
}

// Report is what a Strategy knows of what it has executed.
type Report struct {
	// it takes no two steps to be independent: that actors share memory makes it lose nothing, as long as each handler is
	// one step
	EveryOrder  bool
	OnePerClass bool     // it executes one execution of every class (Mazurkiewicz trace): Classes counts them
	Classes     int      // that were executed
	States      int      // different states that were met; 0 if it compares none
	Estimate    Estimate // of the executions that there are for it; zero as long as nothing can be told
	// up to where everything was executed, of one with a bound of its own ("3 deviations"); "" as long as that is nothing
	Within           string
	IncompleteReason string // what it passes over, and what to do; "" if nothing
	// of a Divisible: why its search cannot be divided with its options, whatever was executed; "" if it can
	Undivided string
	// it cannot do what it is to do, and its Start was false: what is in the way, and what to do. Run gives up with it
	Err error
}

// ReportOf gives the report of a strategy, the zero Report if it makes none.
func ReportOf(s Strategy) Report {
	if r, ok := s.(Reporter); ok {
		return r.Report()
	}
	return Report{}
}

// Estimate is a guess of how many executions a strategy makes until it has nothing left, those that it cuts included.
// For a strategy that executes each class once that is the number of classes. The truth is meant to be from Low to High
// in nine of ten cases; the width is zero only where the number is known. The zero Estimate says that nothing can be
// told.
type Estimate struct {
	Total, Low, High float64
}

// Known reports whether something can be told.
func (e Estimate) Known() bool { return e != Estimate{} }
