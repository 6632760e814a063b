package explore

import (
	"cmp"
	"errors"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// Run is the one loop: while the strategy wants and the budget lasts, execute: choose, deliver, check, learn.
func Run(sys System, s Strategy, o Options) (Outcome, error) {
	r := &run{sys: sys, strategy: s, o: o, timed: o.Late != nil || o.Over != nil}
	if r.o.MaxSteps == 0 {
		r.o.MaxSteps = 100_000
	}
	r.env = Env{Conditions: o.Conditions}
	if g, ok := o.Check.(interface{ Global() string }); ok {
		r.env.Global = g.Global
	}
	if o.Late != nil {
		r.env.Late = r.late
	}
	if err := BindTo(s, r.env); err != nil {
		return r.out, err
	}
	release, err := begin(sys, &o)
	if err != nil {
		return r.out, err
	}
	defer release()
	for r.next() {
		err := r.executeAndReport()
		if err == nil && r.o.EndsStop != nil {
			err = r.exploreEnds()
		}
		if err != nil {
			return r.out, err
		}
	}
	err = ReportOf(turnOf(r.strategy)).Err
	if err == nil {
		err = r.exploreEnds()
	}
	if err == nil {
		err = r.repeatMore()
	}
	if err == nil {
		r.conclude()
	}
	return r.out, err
}

// begin makes a System ready for an exploration, unless it is.
func begin(sys System, o *Options) (release func(), err error) {
	if !o.Prepared {
		return Prepare(sys, o)
	}
	if r, ok := sys.(Resumer); ok {
		r.Resume()
	}
	return func() {}, nil
}

// Prepare makes a System ready for explorations with these options, as far as it knows of them, until release is
// called. Run does so, unless they are Prepared. The error says what the System cannot do, or that the program cannot
// be run.
func Prepare(sys System, o *Options) (release func(), err error) {
	if _, ok := sys.(EffectChecker); !ok && o.Conditions.HeedsEffects() {
		return nil, errEffects
	}
	if p, ok := sys.(Sampler); ok {
		p.Sample(o.Sample)
	}
	if p, ok := sys.(Prober); ok {
		p.Probing(o.Probe, o.Probed)
	}
	if p, ok := sys.(Preparer); ok {
		return p.Prepare(o.Conditions)
	}
	return func() {}, nil
}

// errEffects refuses to believe what nobody checks.
var errEffects = errors.New("effects of handlers are declared (Config.Effects), and nobody holds the actors of this " +
	"system to them; leave them out here")

// executeAndReport executes what the strategy chooses next, then what its findings and the look for divergence ask for.
func (r *run) executeAndReport() error {
	if err := r.execute(r.strategy, r.conditions()); err != nil {
		return err
	}
	var again keptExecution
	if r.recheck {
		again = keptExecution{trace: r.x.Trace().Clone(), contents: r.contents, under: r.c.asked()}
	}
	if err := r.report(); err != nil || again.trace == nil {
		return err
	}
	return r.executeAgain(&again)
}

// conclude says what was done, and how much that means.
func (r *run) conclude() {
	last := ReportOf(turnOf(r.strategy))
	r.out.Classes, r.out.States = last.Classes, last.States
	if last.OnePerClass {
		r.out.PassedOver = r.env.PassesOver()
	}
	r.out.PassedOver = cmp.Or(r.out.PassedOver, last.IncompleteReason)
	r.concludeTies(&last)
	if d, ok := r.sys.(Drawer); ok {
		r.out.Draws = d.Draws()
	}
	r.concludeSends(&last)
	if a, ok := r.sys.(Accountable); ok {
		r.out.settle(a.Account())
	}
	if p := r.ends.places(); p != "" {
		r.out.OneSeed = strings.TrimPrefix(r.out.OneSeed+", "+p, ", ")
	}
	r.concludeLook(&last)
	r.out.OnlyGoroutines = r.out.Uncontrolled != "" && r.out.OneOrder
	r.out.Exhausted = r.strategy.Complete() && r.out.Reason == "complete"
	r.out.Judge(r.out.Exhausted)
	if !r.out.Complete && r.out.Flawless() {
		r.out.Within = ReportOf(r.strategy).Within
	}
}

// run is one exploration; as a Driver it is told of the current execution.
type run struct {
	sys      System
	strategy Strategy
	o        Options
	out      Outcome
	stopped  bool  // Found said so
	err      error // ends the exploration: a handler sent what it was not declared to
	started  bool  // the strategy has been asked to Start the next execution
	done     bool  // it said that there is none, or the budget did
	env      Env   // what the strategy was bound to
	clocked  bool  // the System knew that the program sets timers when the execution began
	// the last execution is to be executed a second time, to see whether the program makes a choice of its own
	recheck   bool
	repeats   repeats
	sends     sends
	ends      ends
	repeat    Strategy          // the last one that repeats an execution
	otherwise bool              // it does so while Go chooses otherwise
	looking   bool              // Options.Look looks at this execution
	isolated  []trace.Violation // what it has found in it
	shared    string            // what it has found first in all
	ties      string            // trace.Trace.Ties, the first
	omitted   string            // trace.Trace.Omitted, the first
	asked     int               // executions when it was last decided whether to repeat one
	// keys of the violations that were found in the middle of executions of a ClassRepresentative
	met     map[string]bool
	focuses []*focus // what leads to those that were not reported yet
	timed   bool     // somebody tells when the time is up
	path    []taken  // choices of the current execution, where it may be begun anew: see draws.go
	expired bool     // the time was up in the middle of something: the strategy is asked for nothing more

	// of the current execution
	c              Conditions // it is executed under
	x              Execution
	tr             *trace.Trace        // its record
	chooser        Strategy            // strategy, or the one that repeats an execution
	turn           Strategy            // chooser, or the one whose turn it is
	counts         bool                // chooser is strategy
	reuser         PrefixReuser        // turn, if it is one; else nil
	observer       ExecutionObserver   // the same
	representative ClassRepresentative // the same
	diverger       Diverger            // the same
	steps          int
	why, remedy    string // of a Livelock: see halts
	crowding       crowding
	stepCalls      int32   // calls of Options.Step
	marks          []tMark // where reuser: before each choice
	end            int     // events when nothing more could happen: what comes later is the doing of final assertions
	cut            bool
	contents       Contents // what it holds at its end, nil if nobody will ask
	closed         bool
	left           bool // the strategy was, in the middle of the execution: see abandon
	t              *T
	found          []trace.Violation
	last           []trace.Violation // all of the last execution
}

// turnOf gives the strategy that has the abilities of s.
func turnOf(s Strategy) Strategy {
	if c, ok := s.(Composite); ok {
		return c.Active()
	}
	return s
}

func (r *run) wants() bool {
	switch {
	case r.stopped:
		r.out.Reason = "found"
	case r.o.Budget.Executions > 0 && r.out.Executions+r.out.Blocked >= r.o.Budget.Executions:
		r.out.Reason = "budget"
		// One more Start tells whether anything was left: a search that is done deserves to say so.
		if !r.expired && !r.strategy.Start() && !r.expired {
			r.out.Reason = "complete"
		}
	case r.o.Stop != nil && r.o.Stop() || r.expired:
		r.out.Reason = "stopped"
	case !r.strategy.Start() && !r.expired:
		r.out.Reason = "complete"
	case r.expired: // while it planned
		r.out.Reason = "stopped"
	default:
		return true
	}
	return false
}

// errEmpty is our own bug: a System that executes without calling Begin.
var errEmpty = errors.New("explore: the system ended an execution that it never began")

// execute executes what chooser wants next, under conditions that may differ from others in what Go chooses.
func (r *run) execute(chooser Strategy, c Conditions) error {
	r.c = c
	r.chooser, r.x, r.steps, r.marks = chooser, nil, 0, r.marks[:0]
	r.crowding.back(0)
	r.counts, r.stepCalls, r.path = chooser == r.strategy, 0, r.path[:0]
	r.turn = turnOf(chooser)
	r.reuser, _ = r.turn.(PrefixReuser)
	r.observer, _ = r.turn.(ExecutionObserver)
	r.representative, _ = r.turn.(ClassRepresentative)
	r.diverger, _ = r.turn.(Diverger)
	r.open()
	if r.o.Under != nil {
		r.o.Under(&r.c)
	}
	if r.o.Before != nil {
		r.o.Before()
	}
	if t, ok := r.sys.(Timed); ok {
		r.clocked = t.Timed()
	}
	if err := r.sys.Execute(r.c, r); err != nil {
		return err
	}
	if r.x == nil {
		return errEmpty
	}
	if r.err != nil {
		return r.err
	}
	if !r.closed {
		r.close()
	}
	return nil
}

// learn closes the execution: the strategy learns, the counters count, findings are told.
func (r *run) learn() {
	tr := r.x.Trace()
	if !r.left {
		r.chooser.Learn(tr, r.cut)
	}
	r.found = append(r.found, r.isolated...)
	if r.diverger != nil && !r.left {
		if in := r.diverger.Divergence(); in != nil {
			r.diverged(tr, in)
		}
	}
	cut := r.cut && len(r.found) == 0
	r.last = r.found
	if r.representative != nil {
		r.sift(tr)
	}
	r.out.Depth = max(r.out.Depth, len(tr.Events)-tr.Explored)
	if cut && r.left {
		// neither executed nor of a known class
	} else if r.otherwise {
		// counted by nobody
	} else if r.ends.running && !cut {
		r.out.Executions++
	} else if !r.counts {
		r.out.Rechecked++
	} else if cut {
		r.out.Blocked++
	} else {
		r.out.Executions++
	}
	if tr.Uncontrolled != "" && r.out.Uncontrolled == "" {
		r.out.Uncontrolled = tr.Uncontrolled
	}
	r.learnSends(tr)
	r.ties, r.omitted = cmp.Or(r.ties, tr.Ties), cmp.Or(r.omitted, tr.Omitted)
	if tr.Beyond != "" && r.out.Beyond == "" {
		r.out.Beyond = tr.Beyond
	}
	r.noteEnds()
	if len(r.found) > 0 && r.o.Found != nil && !r.o.Found(r.foundIn(tr, r.found...)) {
		r.stopped = true
	}
	if r.o.After != nil {
		r.o.After(&r.out.Counters, tr)
	}
}

// Begin is Driver.Begin.
func (r *run) Begin(x Execution) *T {
	r.x, r.tr = x, x.Trace()
	if r.c.Sampled {
		r.tr.Drawn = r.c.Choices
	}
	r.beginLook()
	if r.observer != nil {
		r.observer.Open(x)
	}
	if r.o.NewT != nil {
		r.t = r.o.NewT()
	} else {
		r.t = NewT("", nil)
	}
	r.t.afterward = r.o.Afterward
	return r.t
}

// Choose is Driver.Choose.
func (r *run) Choose(enabled []trace.Step) (Choice, bool) {
	if !r.goesOn(enabled[0].Kind.Chooses()) {
		return Choice{}, false
	}
	if r.mayHalt() && r.halts() {
		if r.why != "" {
			r.livelock(&enabled[trace.First(enabled)])
		}
		return Choice{}, false
	}
	var c Choice
	if r.left || r.c.Draws > 0 {
		c = r.choiceOrAgain(enabled)
	} else {
		c = r.chooser.Choose(r.tr, enabled)
	}
	if c.Index < 0 || c.Index >= len(enabled) {
		r.cut = true
		return c, false
	}
	s := &enabled[c.Index]
	r.count(s.Kind, c.Replayed)
	if r.o.Step != nil {
		r.tellStep(c, s)
	}
	return c, true
}

// goesOn notes that there is something to choose. It reports false if the execution has ended.
func (r *run) goesOn(within bool) bool {
	if r.t.Ended() {
		return false
	}
	if r.looking && !within {
		r.o.Look.Begin()
	}
	if r.reuser != nil {
		r.marks = append(r.marks[:r.steps], r.t.mark(r.stepCalls, int32(len(r.found))))
	}
	r.steps++
	return true
}

// count counts a step that was chosen.
func (r *run) count(k trace.Kind, replayed bool) {
	switch {
	case !k.Handles():
	case r.counts && !replayed:
		r.out.Deliveries++
	case r.counts || r.ends.running:
		r.out.Replayed++
	}
}

// tellStep tells of a step that was chosen.
func (r *run) tellStep(c Choice, s *trace.Step) {
	r.stepCalls++
	r.o.Step(r.tr, c, *s)
}

// Observe is Driver.Observe.
func (r *run) Observe(event int32) bool {
	if t := r.t; t.waiting.Load() || t.registers > 0 {
		e := &r.tr.Events[event]
		// Before what the system saw in the step: who calls t.Error says what is wrong, a dead letter may follow from it.
		e.Incidents = append(t.take(), e.Incidents...)
		e.Registered = t.registered()
	}
	if !r.callsAsDeclared(event) {
		return false
	}
	if r.looking {
		r.look(event)
	}
	if r.o.Check != nil {
		r.add(r.o.Check.Step(r.x, event))
	}
	if len(r.found) > 0 && r.representative == nil {
		// What comes after a violation is its consequence; an execution has one finding, the first.
		r.cut = true
		return false
	}
	return !r.t.Ended()
}

func (r *run) add(vs []trace.Violation) { r.found = append(r.found, vs...) }
