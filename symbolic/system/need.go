package system

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// This file finds the step that is next on the way of a plan: that of the plan, or what has to come before it.

// choose takes the next step of the plan, or one that has to come before it.
func (f *follower) choose(w *world, steps []trace.Step) int {
	if steps[0].Kind == trace.Choose {
		return w.m.Pick(len(steps))
	}
	if most := f.config.Fill + 2*len(f.start.Actors); f.filled > most {
		f.why = fmt.Sprintf("more than %d steps would be filled in", most)
		w.m.Cut("%s", f.why)
	}
	for f.taken < len(f.plan.Steps) && f.hasGoneOn(f.plan.Steps[f.taken]) {
		f.goesOn()
	}
	if f.taken == len(f.plan.Steps) {
		return f.rest(steps)
	}
	if f.goal.Check != nil && f.goal.passes() && f.goal.reached(w.m.Path()) {
		return -1
	}
	step := f.plan.Steps[f.taken]
	if why := f.find(step); why != "" {
		f.why = why
		return -1
	}
	if last := len(steps) - 1; steps[last].Kind == trace.Advance { // timers may fire at any time
		if last == 0 || f.target < 0 && step.From.Kind == Told && f.waitsFor(step) {
			f.filled++
			return last
		}
		steps = steps[:last]
	}
	if f.target < 0 {
		return f.fill(steps, f.awaited, nil)
	}
	i := slices.IndexFunc(steps, func(s trace.Step) bool { return s.Message == f.target && s.Kind.Handles() })
	if i < 0 {
		return f.fill(steps, f.target, nil)
	}
	if step.From.Kind == Resumed {
		f.goesOn()
	}
	return i
}

// hasGoneOn reports whether a step is one with which a handler goes on that need not wait, or waits no more.
func (f *follower) hasGoneOn(step Step) bool {
	if step.From.Kind != Resumed {
		return false
	}
	h := f.by[step.From.Step]
	return h.ended || h.wait == waitNothing
}

// goesOn takes a step with which a handler goes on.
func (f *follower) goesOn() {
	f.by = append(f.by, f.by[f.plan.Steps[f.taken].From.Step])
	f.target, f.why = -1, ""
	f.taken++
}

// find sets the message of the next step, or what has to be handled before it is sent.
func (f *follower) find(step Step) (why string) {
	w, from := f.w, step.From
	f.target, f.awaited = -1, -1
	switch from.Kind {
	case Outside, Sent:
		f.target = f.sources[f.taken]
	case Event:
		if h := f.by[from.Step]; from.Event < len(h.sends) {
			f.target = h.sends[from.Event]
		}
	case Timer:
		if h := f.by[from.Step]; from.Event < len(h.timers) {
			f.target = h.timers[from.Event].message
		}
	case Told:
		f.target = f.unsentMessage(step)
	case Resumed:
		f.target = f.by[from.Step].resumes
		return ""
	}
	if f.target < 0 && from.Kind == Event && !f.by[from.Step].ended {
		f.awaited = f.awaits(f.by[from.Step]) // the handler waits, and sends it later
		return ""
	}
	if f.target < 0 && from.Kind == Told && f.waitsFor(step) {
		return ""
	}
	if f.target < 0 {
		return f.missing(step)
	}
	for i := f.target + 1; int(i) < len(w.tr.Messages); i++ { // put aside, and back
		if w.tr.Messages[i].Renews == f.target {
			f.target = i
		}
	}
	if to := f.agent(step.To); to >= 0 && w.tr.Messages[f.target].Receiver != to {
		return fmt.Sprintf("the message is for %s, not for %s", w.tr.ActorName(w.tr.Messages[f.target].Receiver),
			w.tr.ActorName(to))
	}
	if t := w.typed(w.letters[f.target].msg); !identical(t, step.Message) {
		return fmt.Sprintf("the message is a %s, not a %s", w.typeName(t), w.typeName(step.Message))
	}
	return ""
}

// missing says why the message of a step was never sent, and what would help.
func (f *follower) missing(step Step) string {
	w, name, to := f.w, f.w.typeName(step.Message), "its receiver"
	if i := f.agent(step.To); i >= 0 {
		to = w.tr.ActorName(i)
	}
	switch from := step.From; {
	case from.Kind == Told && name == "actor.ReceiveTimeout":
		return fmt.Sprintf("%s comes to an actor that has set a timeout and hears nothing for that long, and on this way %s has none set: a message before that has it call SetReceiveTimeout would help", name, to)
	case from.Kind == Told:
		return fmt.Sprintf("%s comes from the framework, and on this way nothing has the framework send it to %s: what leads to it, such as the end, the failure or the start of an actor, has to come before", name, to)
	case from.Kind == Timer:
		return fmt.Sprintf("%s comes from a timer, and on this way the handler that is to set it for %s takes a path without it: other values in its message or state would help", name, to)
	case from.Kind == Event:
		return fmt.Sprintf("%s for %s comes from a handler that takes a path on this way on which it does not send it: other values in its message or state would help", name, to)
	}
	return fmt.Sprintf("%s is not sent to %s in the driver of this start: another driver, or a message of that type from outside, would help", name, to)
}

// agent gives the index of an actor of the plan, -1 if it is not there.
func (f *follower) agent(a Agent) int32 {
	if a.Step < 0 {
		return int32(a.Start) + 1
	}
	if h := f.by[a.Step]; a.Spawn < len(h.creates) {
		return h.creates[a.Spawn]
	}
	return -1
}

// unsentMessage finds a message that no operation of a handler has sent: one of the framework, or of a start hook.
func (f *follower) unsentMessage(step Step) int32 {
	w, to, found := f.w, f.agent(step.To), int32(-1)
	w.pool.Each(func(i int32) {
		if msg := &w.tr.Messages[i]; found < 0 && msg.Receiver == to && w.letters[i].msg != nil &&
			identical(w.typed(w.letters[i].msg), step.Message) {
			found = i
		}
	})
	return found
}

// waitsFor reports whether the message of a step is one that comes to its actor when no other has come for some time.
func (f *follower) waitsFor(step Step) bool {
	to := f.agent(step.To)
	return to >= 0 && f.w.actors[to].idle != nil && f.w.typeName(step.Message) == "actor.ReceiveTimeout"
}

// awaits gives the message for which a handler waits, that of the answer or of the request; -1 if that is not known.
func (f *follower) awaits(h *handler) int32 {
	c := h.call
	switch {
	case h.wait == waitCall && c != nil && c.answer >= 0:
		return c.answer
	case h.wait == waitCall && c != nil:
		return c.request
	}
	return h.resumes
}

// fill gives a step that has to come before a message can be handled, -1 if there is none. Others wait for the message
// whose handlers wait for their own.
func (f *follower) fill(steps []trace.Step, message int32, others []int32) int {
	f.filled++
	if message < 0 {
		return trace.First(steps)
	}
	w, msg := f.w, &f.w.tr.Messages[message]
	if t := w.letters[message].timer; t != nil && (t.state == timerSet || t.state == timerDue) {
		if i := slices.IndexFunc(steps,
			func(s trace.Step) bool { return s.Kind == trace.Timer && s.Message == message }); i >= 0 {
			return i
		}
		return f.spare(steps)
	}
	if i := slices.IndexFunc(steps, func(s trace.Step) bool { return s.Kind.Handles() && s.Message == message }); i >= 0 {
		return i // of what a handler waits for
	}
	for _, holder := range []int32{w.pool.Holder(message), msg.Receiver} {
		// it is captured, or its receiver has captured something
		if i := releaseOf(steps, holder); i >= 0 {
			return i
		}
	}
	a := w.actors[msg.Receiver]
	switch {
	case a.stopped:
		f.why = w.tr.ActorName(a.index) + " has stopped"
		return -1
	case a.cur != nil && w.pool.Waits(message) && !w.takes(a.cur, message, msg):
		next := f.awaits(a.cur)
		if next == message || slices.Contains(others, next) {
			f.why = "actors wait for each other, " + w.tr.ActorName(a.index) + " among them"
			return -1
		}
		if next >= 0 {
			return f.fill(steps, next, append(others, message))
		}
	}
	if i := f.ahead(steps, message); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(steps, func(s trace.Step) bool { return s.Kind == trace.Send }); i >= 0 {
		return i // the actor's start is captured
	}
	f.why = "the message cannot be handled then: its receiver waits, does not accept it, or has put it aside"
	return -1
}

// ahead gives the step of a message that the model puts before another one of the same receiver, -1 if there is none.
func (f *follower) ahead(steps []trace.Step, message int32) int {
	w, msg := f.w, &f.w.tr.Messages[message]
	return slices.IndexFunc(steps, func(s trace.Step) bool {
		if !s.Kind.Handles() || s.Actor != msg.Receiver {
			return false
		}
		o := &w.tr.Messages[s.Message]
		switch w.model {
		case trace.FIFO:
			return o.Kind != trace.User || o.Sender == msg.Sender
		case trace.Causal:
			return o.Kind != trace.User || w.pool.Follows(message, s.Message)
		}
		return true
	})
}

// spare gives a step that no step of the plan needs: what has to come before time passes.
func (f *follower) spare(steps []trace.Step) int {
	if i := releaseOf(steps, -1); i >= 0 {
		return i
	}
	return trace.First(steps)
}

// releaseOf gives the release of an actor's first captured send, of any actor for -1.
func releaseOf(steps []trace.Step, actor int32) int {
	return slices.IndexFunc(steps,
		func(s trace.Step) bool { return s.Kind == trace.Send && (s.Actor == actor || actor < 0) })
}

// rest goes on behind the last step of the plan, until its handler has ended.
func (f *follower) rest(steps []trace.Step) int {
	w := f.w
	if f.goal.passes() && slices.Contains(w.m.Path().Blocks, f.goal.Block) {
		return -1
	}
	if f.goal.AtEnd {
		f.filled++
		return trace.First(steps)
	}
	for _, h := range slices.Backward(f.by) { // the goal may be in what one of them does with an answer
		if !h.ended && !h.actor.stopped {
			return f.fill(steps, f.awaits(h), nil)
		}
	}
	if n := len(f.by); n > 0 && f.goal.Dead && !f.goal.reached(w.m.Path()) { // the last may have captured the message
		return releaseOf(steps, f.by[n-1].actor.index)
	}
	return -1
}

// ended judges a run that has come to its end.
func (f *follower) ended(w *world) {
	if f.goal.Check != nil {
		f.judged(w)
		return
	}
	if !f.open || f.taken < len(f.plan.Steps) {
		return
	}
	if f.goal.AtEnd {
		w.finish()
	}
	if len(f.goal.After) > 0 {
		if len(f.by) == 0 || !f.by[len(f.by)-1].returned() {
			f.why = "the last handler does not return"
			return
		}
		state, _ := w.state(f.by[len(f.by)-1].actor)
		f.require(f.goal.After, state, "the conditions of the goal do not hold after the last step")
		f.arrived = true
	}
	if f.reaches(w.m.Path()) && (f.goal.Block != nil || f.arrived) {
		f.found()
	}
}

// judged judges a run by what the driver's Config says of it.
func (f *follower) judged(w *world) {
	if f.open = f.open || w.broken != nil; !f.open { // it may fail in set-up
		return
	}
	if f.goal.AtEnd {
		w.concludes()
	}
	switch {
	case f.reaches(w.m.Path()):
		f.found()
	case w.spoilt:
		f.elsewhere = true
		f.why = "something goes wrong before, with which the execution ends: a message reaches nobody, or a handler fails a check"
	case w.broken != nil:
		f.elsewhere = true
		f.why = "another check fails there: " + w.p.place(w.broken.Fn.Pos())
	}
}

// finish runs the functions for the end of the execution.
func (w *world) finish() {
	driver := w.actors[0]
	w.beginEvent(trace.StartStep(2))
	if w.driver.Ran != nil {
		w.unread("what the driver has registered for the end (AtEnd)")
	}
	for _, do := range w.atEnd {
		w.running, w.runner = driver, driver
		driver.cur = &handler{actor: driver, message: -1, taken: -1, resumes: -1}
		if !w.m.Resume(w.m.Start(func() { w.m.CallValue(do) })) {
			w.m.End("a function for the end waits")
		}
	}
}

// escapes notes that the program panics in a run, and ends the exploration if that is the goal.
func (f *follower) escapes(x *exec.Failed) (ends bool) {
	early := !f.open && len(f.plan.Steps)+len(f.plan.Left) == 0 // in a start hook of the driver's actors
	if (f.open || early) && f.taken == len(f.plan.Steps) && f.goal.panics(x, f.w.m.Path()) ||
		f.goal.passes() && slices.Contains(f.w.m.Path().Blocks, f.goal.Block) {
		f.open = f.open || early
		f.found()
		return true
	}
	return f.w.judging && f.w.wrong(trace.Panic)
}

func (*follower) idle(*world) bool { return false }
