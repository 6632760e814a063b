package adapter

import "github.com/rehearse-go/rehearse/trace"

// This file releases captured sends: messages, starts of actors, answers, and ends (end.go).
//
// An answer completes its future on the goroutine of who answers. So what hangs on a future that nobody waits for
// (pipes, continuations) happens in the event of the release. It comes before all that the answering handler still
// sends, and the owner may be in the middle of its own releases. An answer that somebody waits for is handed over by a
// step of its own.

// resolver is what the event was about that goes on with a future.
type resolver struct {
	act     act
	message int32
	sent    int // by what hangs on the future
}

// releases takes the steps that release what handlers have sent.
type releases struct {
	*execution
	cast     *cast
	recorder *recorder
	ends     *ends
	mail     *mail
}

// release is the step that appends a captured send to its receiver's mailbox. It reports whether that resolves a
// future, which is yet to be done.
func (l *releases) release(event int32) (resolves bool) {
	if l.act != actSend {
		return false
	}
	actor := l.tr.Events[event].Step.Actor
	l.mail.resolver.sent = 0
	m, ordered, dead := l.pool.Release(actor, l.first)
	e := &l.tr.Events[event]
	e.Released = m
	// A schedule that is followed takes sends by name: the one that was taken need not be the one that was offered.
	e.Step = l.tr.ReleaseOf(m)
	e.Step.Actor = actor
	if l.sys.reordered = l.sys.reordered || !ordered; !ordered && l.tr.Shuffled == "" {
		l.tr.Shuffled = l.tr.ActorName(actor)
	}
	switch {
	case l.tr.Messages[m].Kind == trace.Answer:
		return l.answers(m)
	case l.tr.Messages[m].Kind == trace.Hook:
		return l.hangs(m)
	case l.tr.Messages[m].Kind == trace.End:
		l.cast.actors[actor].Leave()
		l.ends.gone(actor)
	case dead:
		return l.undeliverable(m)
	default:
		l.arrives(m)
	}
	return false
}

// undeliverable deals with a released message whose receiver has stopped. What the framework says to that comes at
// once, on the goroutine of who sends. It is called with the lock, and reports whether an answer to the sender resolves
// a future, which is yet to be done.
func (l *releases) undeliverable(m int32) (resolves bool) {
	msg, payload := &l.tr.Messages[m], l.recorder.payload[m]
	receiver := l.cast.actors[msg.Receiver].Actor
	before := l.cast.handing // a reply, if who hands it over is blocked
	l.cast.handing, l.mail.reply = toTheDead, -1
	l.mu.Unlock()
	taken := l.sys.framework.Undeliverable(receiver, msg.Kind, payload)
	l.mu.Lock()
	if taken {
		l.uncontrolled("sends to an actor that has stopped, and whose name another one has by then: that this one gets " +
			"the message is not explored")
	}
	l.cast.handing = before
	return l.mail.reply >= 0 && l.answers(l.mail.reply)
}

// answers deals with the answer m, which was released. It reports whether its future is resolved in the same event,
// which is yet to be done.
func (l *releases) answers(m int32) (resolves bool) {
	msg, call := &l.tr.Messages[m], l.recorder.payload[m].(*answer).call
	l.recorder.touch(call.object, true)
	l.recorder.touch(l.futures(call.owner), false)
	owner := &l.cast.actors[call.owner]
	lossy := l.cond.Faults.On() && l.cond.Faults.Kinds.Has(trace.Drop)
	switch {
	case call.answered: // the first that is released wins
		l.resolution(m)
		l.recorder.deadLetter(msg.Type.Name, msg.Sender, -1, false)
		return false
	case owner.busy && (call.Waited == nil || call.Waited()) || lossy && !owner.gone:
		if lossy && !owner.busy || call.hooked() {
			l.uncontrolled("answers to a future on which something hangs and that its owner waits for, or while answers may " +
				"be lost: that this comes before what the owner sends next is not explored")
		}
		call.answered = true
		return false
	}
	call.answered = true
	l.resolution(m)
	l.resolve(m)
	return true
}

// resolution makes of the answer m, which was released, one that is no step of its own.
func (l *releases) resolution(m int32) {
	l.pool.Cancel(m)
	l.tr.Messages[m].Kind = trace.Resolution
}

// noteFutures notes that the step may have looked at futures of its actor: those that are resolved before it are not
// those that are resolved after it.
func (l *releases) noteFutures() {
	if l.cond.Model == trace.Mailbox && l.act != actSend && l.act != actAdvance && l.cast.actors[l.running].asked {
		l.recorder.touch(l.futures(l.running), true)
	}
}

// futures stands for what an actor sees of its futures.
func (l *releases) futures(a int32) trace.ID { return l.tr.Actors[a].ID.With(ofFutures) }

// hangs deals with the hook m, which was released: it is attached in the same event, which is yet to be done.
func (l *releases) hangs(m int32) bool {
	c := l.recorder.payload[m].(*hook).call
	c.hung--
	l.recorder.touch(c.object, true)
	l.recorder.touch(l.futures(c.owner), false)
	l.resolve(m)
	return true
}

// resolve has the event go on with the future that message m resolves, or with what is hung there.
func (l *releases) resolve(m int32) {
	l.mail.resolver.act, l.mail.resolver.message = l.act, l.message
	l.act, l.message = actResolve, m
}

// resolved ends that: the event is about what it was about before.
func (l *releases) resolved() { l.act, l.message = l.mail.resolver.act, l.mail.resolver.message }
