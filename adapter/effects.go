package adapter

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/declared"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds handlers to what is declared of them (explore.Conditions.Effects): it tells internal/declared, which judges, of the steps.
//
// Effects speak of the fields of an actor, and a handler of a framework can be more than a method of a struct, and reach more than its
// fields. Where it is or does, a declaration is refused, and a fact is one that cannot be relied on (explore.Unfit). What changes
// in an actor's life, its behaviour and its timers, is changed by steps of which nothing is declared: for as long as it is not as it was
// at first, nothing is declared of its other steps either (docs/decisions/0015).

// Vouching is the part of a Framework that knows what a handler consists of.
type Vouching interface {
	// Declarable says why nothing that is declared of an actor can be relied on, "" if it can. It says the same for all the actor's life.
	Declarable(a Actor) string
	// AsFirst reports whether the actor handles messages as it did at first, and handling one sets no timer.
	AsFirst(a Actor) bool
	// Stashed is how many messages the actor has put aside.
	Stashed(a Actor) int
	// Listened says what code of the program runs when a message finds its receiver stopped, "" if none does.
	Listened() string
	// Strangers says what code of the program runs where somebody sends, and is no actor, "" if none does. It is asked once an execution.
	Strangers() string
	// Typed names the type of an actor, and that of the message in a payload, as an analysis of the source does. message is "" where the framework
	// itself deals with it.
	Typed(a Actor, payload any) (actor, message string)
	// Intercepted says what may handle an actor's messages in its place, "" if nothing does. It says the same for all the actor's life.
	Intercepted(a Actor) string
}

// ChecksEffects is explore.EffectChecker.
func (*System) ChecksEffects() {}

// declare looks for what is declared of the handler that is about to run.
func (r *Runtime) declare(m int32) {
	of := r.judge.Of(m)
	if of == nil {
		return
	}
	f, a := r.sys.framework, r.actors[r.running].Actor
	if !f.AsFirst(a) || slices.ContainsFunc(r.calls, func(c *Call) bool { return c.owner == r.running }) {
		return
	}
	r.stashed = f.Stashed(a)
	err := r.judge.Begin(of, r.open, a.Value())
	if err == nil {
		if why := f.Declarable(a); why != "" {
			err = r.judge.Unfit(why)
		}
	}
	if err != nil {
		r.Fail(err)
	}
}

// choosesDeclared ends the execution if a declared handler chooses a value. It is called with nothing locked.
func (r *Runtime) choosesDeclared() bool {
	if !r.judge.Holding() {
		return false
	}
	if len(r.tr.Events[r.open].Touched) > 0 {
		r.Fail(r.judge.Unfit(usesShared))
	} else {
		r.Fail(r.judge.Exceeds("chooses a value"))
	}
	return true
}

const usesShared = "it uses what the framework shares between actors, such as a router or an event stream"

// judgeEffect compares what the step that is over did with what was declared. It is called with the lock.
func (r *Runtime) judgeEffect(event int32) {
	if !r.judge.On() || r.phase != exploring && r.phase != settingUp {
		return
	}
	var err error
	if r.judge.Holding() {
		err = r.judgeStep(event)
	}
	if err == nil {
		err = r.judge.Settle(event)
	}
	if err != nil && r.err == nil {
		r.err, r.stopped = err, true
	}
}

func (r *Runtime) judgeStep(event int32) error {
	e, s, f := &r.tr.Events[event], &r.actors[r.running], r.sys.framework
	had := func(k trace.ViolationKind) bool {
		return slices.ContainsFunc(e.Incidents, func(in trace.Incident) bool { return in.Kind == k })
	}
	if had(trace.Panic) {
		r.judge.Drop() // its supervisor has it
		return nil
	}
	own := declared.Own{Waits: s.busy, Asks: r.asked > 0, Stashes: f.Stashed(s.Actor) != r.stashed, Timed: !e.Changes && !f.AsFirst(s.Actor)}
	dead := had(trace.DeadLetter)
	if dead {
		own.Beyond = f.Listened()
	}
	// A dead letter reads who listens, and whether its receiver has stopped.
	if slices.ContainsFunc(e.Touched, func(t trace.Touch) bool { return t.Write || !dead }) {
		own.Beyond = usesShared
	}
	r.relied = true
	return r.judge.End(own, s.Value())
}

// beginsExploring forgets what was handled in set-up.
func (r *Runtime) beginsExploring() {
	if !r.judge.On() {
		return
	}
	pending := map[int32]bool{}
	r.pool.Each(func(m int32) { pending[m] = true })
	r.judge.Delivered(func(m int32) bool { return pending[m] })
}

// looksForStrangers is called when everything was executed that the driver wanted.
func (r *Runtime) looksForStrangers() {
	if !r.relied {
		return
	}
	if why := r.sys.framework.Strangers(); why != "" {
		r.Fail(r.judge.UnfitAll(why))
	}
}
