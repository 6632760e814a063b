package actor

import "github.com/rehearse-go/rehearse/internal/facts"

// This file holds handlers to what is declared of them (explore.Conditions.Effects): it tells internal/facts, which
// judges, of the steps.

// declarations hold the handlers to what is declared of them.
type declarations struct {
	m     *machine
	judge facts.Judge
	step  effect
}

// effect is what is known of a declared step when it begins.
type effect struct {
	actor *Context
	stash int
}

// ChecksEffects is explore.EffectChecker.
func (*System) ChecksEffects() {}

// declare looks for what is declared of the handler that is about to run. An actor that has another behaviour than at
// first, or of which a suspended task may resume, is known to nobody.
func (d *declarations) begin(c *Context, message int32) {
	of := d.judge.Of(message)
	if of == nil || len(c.previous)+len(c.tasks) > 0 {
		return
	}
	d.step = effect{actor: c, stash: len(c.stash)}
	err := d.judge.Begin(of, d.m.event, c.behavior)
	if err == nil && c.accepter != nil {
		err = d.judge.Breach("is declared, but its actor has constraints (Accepts), which may read any field; leave out " +
			"all effects of actors of this type")
	}
	d.m.breach(err)
}

// choosesDeclared ends the execution if a declared handler chooses a value.
func (d *declarations) chooses() {
	m := d.m
	if d.judge.Holding() && m.running == d.step.actor {
		m.breach(d.judge.Exceeds("chooses a value"))
		m.halt()
	}
}

// judgeEffect compares what the step that is over did with what was declared.
func (d *declarations) end() {
	c := d.step.actor
	d.m.breach(d.judge.End(facts.Own{Waits: c.cur != nil, Stops: c.stopping, Stashes: len(c.stash) != d.step.stash},
		c.behavior))
}
