package adapter

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds handlers to what is declared of them (explore.Conditions.Effects): it tells internal/facts, which
// judges, of the steps.
//
// Effects speak of the fields of an actor, and a handler of a framework can be more than a method of a struct, and
// reach more than its fields. Where it is or does, a declaration is refused, and a fact is one that cannot be relied on
// (explore.Inapplicable). An actor's behaviour and its timers change in steps of which nothing is declared. As long as
// they are not as they were at first, nothing is declared of its other steps either (docs/decisions/0015).

// Vouching is the part of a Framework that knows what a handler consists of.
type Vouching interface {
	// Declarable says why nothing that is declared of an actor can be relied on, "" if it can. It says the same for all
	// the actor's life.
	Declarable(a Actor) string
	// AsFirst reports whether the actor handles messages as it did at first, and handling one sets no timer.
	AsFirst(a Actor) bool
	// Stashed is how many messages the actor has put aside.
	Stashed(a Actor) int
	// Listened says what code of the program runs when a message finds its receiver stopped, "" if none does.
	Listened() string
	// Strangers says what code of the program runs where somebody sends, and is no actor, "" if none does. It is asked
	// once an execution.
	Strangers() string
	// Typed names the type of an actor, and that of the message in a payload, as an analysis of the source does. message
	// is "" where the framework itself deals with it.
	Typed(a Actor, payload any) (actor, message string)
	// Intercepted says what may handle an actor's messages in its place, "" if nothing does. It says the same for all the
	// actor's life.
	Intercepted(a Actor) string
}

// ChecksEffects is explore.EffectChecker.
func (*System) ChecksEffects() {}

// declarations holds the handlers of an execution to what was declared of them.
type declarations struct {
	*execution
	cast     *cast
	recorder *recorder

	judge   facts.Judge
	stashed int  // by the actor that runs, before its declared step
	relied  bool // a step was found to keep to what was declared
}

// reset makes ready for another execution.
func (j *declarations) reset() {
	j.relied, j.judge.Nature = false, j.sys.natureOf
	j.judge.Reset(&j.cond, &j.tr)
}

// declare looks for what is declared of the handler that is about to run.
func (j *declarations) declare(m int32) {
	of := j.judge.Of(m)
	if of == nil {
		return
	}
	f, a := j.sys.framework, j.cast.actors[j.running].Actor
	if !f.AsFirst(a) || slices.ContainsFunc(j.cast.calls, func(c *Call) bool { return c.owner == j.running }) {
		return
	}
	j.stashed = f.Stashed(a)
	err := j.judge.Begin(of, j.open, a.Value())
	if err == nil {
		if why := f.Declarable(a); why != "" {
			err = j.judge.Inapplicable(why)
		}
	}
	if err != nil {
		j.Fail(err)
	}
}

// choosesDeclared ends the execution if a declared handler chooses a value. It is called with nothing locked.
func (j *declarations) choosesDeclared() bool {
	if !j.judge.Holding() {
		return false
	}
	if len(j.tr.Events[j.open].Touched) > 0 {
		j.Fail(j.judge.Inapplicable(usesShared))
	} else {
		j.Fail(j.judge.Exceeds("chooses a value"))
	}
	return true
}

const usesShared = "it uses what the framework shares between actors, such as a router or an event stream"

// judgeEffect compares what the step that is over did with what was declared. It is called with the lock.
func (j *declarations) judgeEffect(event int32) {
	if !j.judge.On() || j.phase != exploring && j.phase != settingUp {
		return
	}
	var err error
	if j.judge.Holding() {
		err = j.judgeStep(event)
	}
	if err == nil {
		err = j.judge.Settle(event)
	}
	if err != nil && j.err == nil {
		j.err, j.stopped = err, true
	}
}

func (j *declarations) judgeStep(event int32) error {
	e, s, f := &j.tr.Events[event], &j.cast.actors[j.running], j.sys.framework
	had := func(k trace.ViolationKind) bool {
		return slices.ContainsFunc(e.Incidents, func(in trace.Incident) bool { return in.Kind == k })
	}
	if had(trace.Panic) {
		j.judge.Drop() // its supervisor has it
		return nil
	}
	own := facts.Own{Waits: s.busy, Asks: j.recorder.asked > 0, Stashes: f.Stashed(s.Actor) != j.stashed,
		Timed: !e.Changes && !f.AsFirst(s.Actor)}
	dead := had(trace.DeadLetter)
	if dead {
		own.Beyond = f.Listened()
	}
	// A dead letter reads who listens, and whether its receiver has stopped.
	if slices.ContainsFunc(e.Touched, func(t trace.Touch) bool { return t.Write || !dead }) {
		own.Beyond = usesShared
	}
	j.relied = true
	return j.judge.End(own, s.Value())
}

// beginsExploring forgets what was handled in set-up.
func (j *declarations) beginsExploring() {
	if !j.judge.On() {
		return
	}
	pending := map[int32]bool{}
	j.pool.Each(func(m int32) { pending[m] = true })
	j.judge.Delivered(func(m int32) bool { return pending[m] })
}

// looksForStrangers is called when everything was executed that the driver wanted.
func (j *declarations) looksForStrangers() {
	if !j.relied {
		return
	}
	if why := j.sys.framework.Strangers(); why != "" {
		j.Fail(j.judge.InapplicableAll(why))
	}
}
