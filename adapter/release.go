package adapter

import "github.com/rehearse-go/rehearse/trace"

// This file releases captured sends: messages, starts of actors, answers, and ends (end.go).
//
// An answer completes its future on the goroutine of who answers. So what hangs on a future that nobody waits for (pipes,
// continuations) happens in the event of the release: it comes before all that the answering handler still sends, and the owner
// may be in the middle of its own releases. An answer that somebody waits for is handed over by a step of its own.

// resolver is what the event was about that goes on with a future.
type resolver struct {
	act     act
	message int32
	sent    int // by what hangs on the future
}

// release is the step that appends a captured send to its receiver's mailbox. It reports whether that resolves a future, which is yet to be
// done.
func (r *Runtime) release(event int32) (resolves bool) {
	if r.act != actSend {
		return false
	}
	actor := r.tr.Events[event].Step.Actor
	r.resolver.sent = 0
	m, ordered, dead := r.pool.Release(actor, r.first)
	e := &r.tr.Events[event]
	e.Released = m
	// A schedule that is followed takes sends by name: the one that was taken need not be the one that was offered.
	e.Step = r.tr.ReleaseOf(m)
	e.Step.Actor = actor
	if r.sys.reordered = r.sys.reordered || !ordered; !ordered && r.tr.Shuffled == "" {
		r.tr.Shuffled = r.tr.ActorName(actor)
	}
	switch {
	case r.tr.Messages[m].Class == trace.Answer:
		return r.answers(m)
	case r.tr.Messages[m].Class == trace.Hook:
		return r.hangs(m)
	case r.tr.Messages[m].Class == trace.End:
		r.actors[actor].Leave()
		r.gone(actor)
	case dead:
		return r.undeliverable(m)
	}
	return false
}

// undeliverable deals with a released message whose receiver has stopped. What the framework says to that comes at once, on the goroutine of who
// sends. It is called with the lock, and reports whether an answer to the sender resolves a future, which is yet to be done.
func (r *Runtime) undeliverable(m int32) (resolves bool) {
	msg, payload := &r.tr.Messages[m], r.payload[m]
	receiver := r.actors[msg.Receiver].Actor
	r.releasing, r.reply = true, -1
	r.mu.Unlock()
	taken := r.sys.framework.Undeliverable(receiver, msg.Class, payload)
	r.mu.Lock()
	if taken {
		r.uncontrolled("sends to an actor that has stopped, and whose name another one has by then: that this one gets the message is not explored")
	}
	r.releasing = false
	return r.reply >= 0 && r.answers(r.reply)
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
	case owner.busy && (call.Waited == nil || call.Waited()) || lossy && !owner.gone:
		if lossy && !owner.busy || call.hooked() {
			r.uncontrolled("answers to a future on which something hangs and that its owner waits for, or while answers may be lost: that this comes before " +
				"what the owner sends next is not explored")
		}
		call.answered = true
		return false
	}
	call.answered = true
	r.resolution(m)
	r.resolver.act, r.resolver.message = r.act, r.message
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
