package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/guide"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/trace"
)

// Plan is what a session is to do. Its maker fills in what was asked for, with the defaults; Prepare adds what follows,
// and UseFacts what an analysis of the source says.
type Plan struct {
	// Conditions are those of ordinary executions, with the effects and calls that the test declares. Prepare sets
	// Cases and what is about the choices of Go.
	explore.Conditions
	Strategy     string // its name
	Seed         uint64
	Budget       explore.Budget
	Guide        trace.Order   // to follow in place of an exploration; nil: explore
	Workers      int           // processes; 1: this one
	Resume       string        // folder of the file of a divided exploration; "": none
	All          bool          // go on after a finding
	Recheck      int           // repeats, at least; below 0: none
	GoChoices    string        // what is to become of the choices of Go: see chance.Parse
	Facts        string        // on, off, or a file
	Judge        check.Checker // without Warned
	KeepLogs     bool          // let the program print
	States       bool          // show the states of actors at each step
	Width        int           // of reports, in characters; 0: report.Width
	CoverProfile string        // file; "": none
	CountOrders  bool          // OrdersSeen will be asked for
	Corpus       bool          // keep executions that add orders

	strategy explore.Strategy
	guide    *guide.Strategy // strategy, if that follows Guide; else nil
	effects  trace.Effects   // declared, and of facts
	calls    trace.Calls     // the same
	facts    *factsUsed      // nil: none
	noted    string          // what became of facts, "" if there was nothing to use or no use for it
	command  string          // how the command rehearse was called
	numbers  bool            // the system can number its choices, and the process does

	elsewhere *parallel.Elsewhere // who coordinates the exploration; nil: this process
}

// ordinary are the conditions of an exploration or of a replay under another model, without what facts say: that is for
// strategies, and a replay has none.
func (p *Plan) ordinary(model trace.Model, timers trace.TimerMode, faults trace.Faults) explore.Conditions {
	c := p.Conditions
	c.Model, c.Timers, c.Faults = model, timers, faults
	return c
}

// isDivided reports whether processes share the exploration, or it is kept to go on later, which takes the same parts.
func (p *Plan) isDivided() bool { return p.Workers > 1 || p.Resume != "" || p.elsewhere != nil }

// repeats is the number of repeats that an exploration makes at least, 0 if none are wanted.
func (p *Plan) repeats() int {
	if p.Recheck < 0 || p.Judge.Levels.Of(trace.Divergence) == check.Off {
		return 0
	}
	if p.guide != nil {
		return 1 // there is one execution that counts
	}
	return p.Recheck
}

// again says which executions to repeat as soon as they are over: the powers of two, the rest evenly.
func (p *Plan) again() func(execution int) bool {
	if p.repeats() == 0 {
		return nil
	}
	if p.guide != nil {
		return func(int) bool { return p.guide.Followed() }
	}
	every := 1000
	if n := p.Budget.Executions; n > 0 {
		powers := 1
		for 1<<powers <= n {
			powers++
		}
		every = max(1, n/max(1, p.Recheck-powers))
	}
	return func(n int) bool { return n&(n-1) == 0 || n%every == 0 }
}

// factsUsed are the facts that an exploration reckons with.
type factsUsed struct {
	effects trace.Effects
	calls   trace.Calls
	why     []string // why others were left out
}

// strategyGuide is what results call following a guide.
const strategyGuide = "guide"
