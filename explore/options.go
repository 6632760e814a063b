package explore

import "github.com/rehearse-go/rehearse/trace"

// This file has what Run is given, and what it gives back.

// Checker turns what happened into findings; what it only warns of it keeps. internal/check has the one that Rehearse
// uses.
type Checker interface {
	// Step judges an event that is over.
	Step(x Execution, event int32) []trace.Violation
	// End judges the end of an execution. natural: no step was enabled; otherwise the execution was cut.
	// late are failures of the functions that run at the end.
	End(x Execution, natural bool, late []trace.Incident) []trace.Violation
}

// Options configure Run. The zero value explores without checks or limit.
type Options struct {
	Conditions Conditions
	Budget     Budget      // Executions is honoured here; Time through Stop
	Stop       func() bool // asked before each execution; nil: never
	// whether the time is up, asked while executions run and strategies plan; nil: never
	Late func() bool
	// why an execution is ended at once, also the first, as a Livelock, and what to do if that is wrong; "": go on.
	// Nothing begins after it. Nil: never
	Over     func() (why, remedy string)
	MaxSteps int     // of an execution; more is a Livelock (crowd.go); 0: 100,000
	Check    Checker // nil: no checks
	// told of every execution with findings; false stops the exploration. Nil: go on
	Found  func(Found) bool
	NewT   func() *T // nil: a T that drops its log
	Before func()    // called before each execution (journal)
	// called before Before with what the execution is under: what Go chooses in it may differ from Conditions (journal)
	Under func(*Conditions)
	Step  func(*trace.Trace, Choice, trace.Step) // called before each chosen step (journal)
	// called before an execution that the system makes to prepare, which is none of the exploration (journal)
	Probe  func()
	Probed func(*trace.Trace, Choice, trace.Step) // called before each chosen step of that (journal)
	// called instead of Before where an execution begins like the last, with what it told Step in the first so many calls.
	// Nil: all run from the start if Before or Step are there
	Back  func(tr *trace.Trace, steps int)
	After func(*Counters, *trace.Trace) // called after each execution (progress)
	// takes failures that a T reports after its execution was judged, from any goroutine; nil: they are lost
	Afterward func(trace.Incident)
	// every execution runs from the start, also where the system could undo steps
	Rerun bool
	// whether to execute this one a second time, to look for divergence; nil: never
	Again  func(execution int) bool
	Repeat func(*trace.Trace) Strategy // repeats an execution step by step; needed with Again and Repeats
	// of a Drawer: an execution that was repeated is executed once more while Go chooses otherwise
	Redraw bool
	// draws that nobody is asked for are in the record all the same, whoever chooses: see Conditions.Sampled
	Record bool
	// executions are repeated until there are so many repeats, at the end if need be
	Repeats int
	// what Go chooses in final checks is explored, by means of Repeat; else its places are in Outcome.OneSeed
	Ends     bool
	EndsStop func() bool // not nil: so it is right behind each execution, until EndsStop says true
	// takes in what an execution that may be repeated holds at its end; nil: only its steps are compared
	Contents func(Execution) Contents
	// looks whether actors share memory, in executions that repeat another one; nil: nobody does
	Look    Looker
	LookAll bool // it looks in all executions
	// tells where the order of a step's sends counts; nil: wherever the model keeps it
	Orders Orders
	Sample bool        // a Sampler looks for what it can see only in samples
	Spare  func() bool // whether there is time for one more at the end; nil: always
	// Prepare was called, with the same Conditions: many explorations follow each other. To make a System ready may stop
	// all goroutines, and collect garbage.
	Prepared bool
}

// Found is an execution with its findings. Trace is valid during the call only; Clone it to keep it.
type Found struct {
	Trace      *trace.Trace
	Violations []trace.Violation
	Under      Conditions // of the execution
	// an execution that repeats a counted one, or what led to a violation in the middle of one: it is not counted itself
	Repeat bool
}

// Counters count what was done. Executions ran to their end or to a violation. Blocked were cut by the strategy.
// Deliveries are handler runs that an undoing search makes once. Replayed are those it would not repeat, and the parts
// of handlers that a system ran again to bring one back that waits.
type Counters struct {
	Executions int
	Blocked    int
	Classes    int // 0 if the strategy does not tell classes apart
	States     int // different states that were met; 0 if the strategy does not compare states
	Deliveries int
	Replayed   int
	Rechecked  int // repeats: how often an execution was executed once more to look for divergence
	// how often an execution was executed once more while Go chose otherwise, to see whether it depends on that
	Redrawn int
	Depth   int // most steps of one execution
}

// Outcome is how an exploration ended.
type Outcome struct {
	Counters
	Verdict

	// every execution (or class) was executed, to its end or first violation; none was cut or left a timer out; all order
	// was ours
	Complete  bool
	Exhausted bool // the strategy has executed all that it knows of; where it is not Complete, the Verdict says why
	// why it stopped: complete (the strategy has nothing left, which alone does not make Complete), budget, found, stopped
	Reason string
	// it would be Complete but for Uncontrolled: that is no more than the order of goroutines that handlers wait for, and
	// it repeats
	OneOrder   bool
	ForOneSeed bool // it would be Complete but for OneSeed
	Unrepeated int  // repeats that were to be made, and for which no time was left
}
