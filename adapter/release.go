package adapter

import "github.com/rehearse-go/rehearse/trace"

// This file releases captured sends: messages, starts of actors, answers.
//
// An answer completes its future on the goroutine of who answers. So what hangs on a future that its owner does not wait for (pipes,
// continuations) happens in the event of the release: it comes before all that the answering handler still sends, and the owner
// may be in the middle of its own releases. An owner that is blocked gets the answer by a step of its own.

// resolver is what the event was about that goes on with a future.
type resolver struct {
	act     act
	message int32
	sent    int // by what hangs on the future
}

// release appends the first captured send of the actor that ran to its receiver's mailbox: the event that receives a message is
// also the one of the first send (docs/ARCHITECTURE.md, delivery models). It reports whether that resolves a future, which is yet to be done.
func (r *Runtime) release(event int32) (resolves bool) {
	if r.cond.Model != trace.Mailbox || r.act == actAdvance || r.tr.Events[event].Step.Kind.Chooses() {
		return false
	}
	actor := r.tr.Events[event].Step.Actor
	m, ordered, dead := r.pool.Release(actor, r.first)
	if m < 0 {
		return false
	}
	e := &r.tr.Events[event]
	e.Released = m
	if e.Step.Kind == trace.Send {
		// A schedule that is followed takes sends by name: the one that was taken need not be the one that was offered.
		e.Step = r.tr.ReleaseOf(m)
		e.Step.Actor = actor
	}
	if !ordered && r.tr.Uncontrolled == "" {
		r.tr.Uncontrolled = r.tr.ActorName(actor) + " sends in an order of its own (a loop over a map, say)"
	}
	switch {
	case r.tr.Messages[m].Class == trace.Answer:
		return r.answers(m)
	case dead:
		r.undeliverable(m)
	}
	return false
}

// undeliverable deals with a released message whose receiver has stopped. It is called with the lock.
func (r *Runtime) undeliverable(m int32) {
	msg, payload := &r.tr.Messages[m], r.payload[m]
	receiver := r.actors[msg.Receiver].Actor
	r.releasing = true
	r.mu.Unlock()
	r.sys.framework.Undeliverable(receiver, msg.Class, payload)
	r.mu.Lock()
	r.releasing = false
}

// answers deals with the answer m, which was released. It reports whether its future is resolved in the same event, which is yet to be done.
func (r *Runtime) answers(m int32) (resolves bool) {
	msg, call := &r.tr.Messages[m], r.payload[m].(*answer).call
	r.touch(call.object, true)
	r.touch(r.futures(call.owner), false)
	owner := &r.actors[call.owner]
	lossy := r.cond.Faults.On() && r.cond.Faults.Kinds.Has(trace.Drop)
	switch {
	case call.answered: // the first that is released wins
		r.resolution(m)
		r.deadLetter(msg.Type.Name, msg.Sender, false)
		return false
	case owner.busy || lossy && !owner.gone:
		if lossy && !owner.busy || call.Hooked != nil && call.Hooked() {
			r.uncontrolled("answers to a future on which something hangs while its owner waits, or while answers may be lost: that this comes before " +
				"what the owner sends next is not explored")
		}
		call.answered = true
		return false
	}
	call.answered = true
	r.resolution(m)
	r.resolver = resolver{act: r.act, message: r.message}
	r.act, r.message = actResolve, m
	return true
}

// resolution makes of the answer m, which was released, one that is no step of its own.
func (r *Runtime) resolution(m int32) {
	r.pool.Cancel(m)
	r.tr.Messages[m].Class = trace.Resolution
}

// noteFutures notes that the step may have looked at futures of its actor: those that are resolved before it are not those that are resolved
// after it.
func (r *Runtime) noteFutures() {
	if r.cond.Model == trace.Mailbox && r.act != actSend && r.act != actAdvance && r.actors[r.running].asked {
		r.touch(r.futures(r.running), true)
	}
}

// futures stands for what an actor sees of its futures.
func (r *Runtime) futures(a int32) trace.ID { return r.tr.Actors[a].ID.With(ofFutures) }
