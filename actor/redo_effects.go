package actor

import (
	"reflect"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// This file is what a handler that is run again meets: nothing that it does has an effect, and it is told what it was
// told before. Messages and actors are found in the record, by what makes their identity, so that the order of a loop
// over a map does not matter. The rest is found in notes, in its order.

// note is something that a handler did, or was told, that the record does not have.
type note struct {
	actor int32
	what  noteKind
	value int32 // the answer
}

type noteKind uint8

const (
	noteReply noteKind = iota
	noteReady
	noteAwait
	noteUntil
	noteReceive
	noteCall
	noteCancel
	noteStash
	noteUnstash
	noteBecome
	noteUnbecome
	noteTurn
)

var noteNames = [...]string{"reply", "ask a future whether it is ready", "await a future", "await a condition",
	"wait for a message that matches", "wait for a reply",
	"cancel a timer", "stash a message", "put stashed messages back", "become another behaviour",
	"go back to the behaviour before",
	"cancel a timer"}

// noteEffect notes what the running handler did and what answer it got. To one that is run again it gives the answer of
// then.
func (r *redo) noteEffect(c *Context, what noteKind, answer int32) int32 {
	if r.on {
		return r.repeatEffect(what)
	}
	if u := &r.m.undo; u.on && len(u.marks) > 0 {
		u.notes = append(u.notes, note{c.index, what, answer})
	}
	return answer
}

func (r *redo) repeatEffect(what noteKind) int32 {
	r.skipNotes()
	if r.note == r.lastNote {
		r.diverges("it did %s", noteNames[what])
	}
	n := &r.m.undo.notes[r.note]
	if n.what != what {
		r.diverges("it did %s and not %s", noteNames[what], noteNames[n.what])
	}
	r.note++
	return n.value
}

// skipNotes passes over the notes of start hooks that ran inside of the handler.
func (r *redo) skipNotes() {
	for r.note < r.lastNote && r.m.undo.notes[r.note].actor != r.c.index {
		r.note++
	}
}

// sendAgain finds the message that the handler sent then; -1 if it was for nobody.
func (r *redo) sendAgain(to Ref, kind trace.MessageKind, msg any) int32 {
	m := r.m
	if to == (Ref{}) || int(to.n) > len(m.actors.all) {
		return -1
	}
	info := m.types.of(msg)
	if info.refs && !m.c.Copy {
		r.refuse() // what it refers to is shared with the receiver
	}
	but := ""
	for j, i := range m.tr.Events[r.event].Sent {
		o := &m.tr.Messages[i]
		if r.sent[j] || o.Sender != r.c.index || o.Receiver != to.index() || o.Kind != kind || o.Type != info.trace {
			continue
		}
		if !info.holds && !equal(msg, o.Value) {
			but = ", with other contents"
			continue // of a type that comes more than once the right one, whatever the order
		}
		r.sent[j] = true
		return i
	}
	if kind == trace.Timeout {
		r.diverges("it set a timer for %s%s", trace.ShortType(info.trace.Name), but)
	}
	r.diverges("it sent %s to %s%s", trace.ShortType(info.trace.Name), m.tr.ActorName(to.index()), but)
	return -1
}

// equal compares two values of one type that refer to no memory; what is not equal to itself is not compared.
func equal(a, b any) bool {
	t := reflect.TypeOf(a)
	return t == nil || !t.Comparable() || a == b || !reflect.DeepEqual(a, a)
}

func (r *redo) spawnAgain(ty *trace.Type, name string, b Behavior) Ref {
	m := r.m
	if m.types.of(b).starts && r.end-r.first > 1 {
		r.refuse() // values may have been chosen by the start hook, which is not run again
	}
	for j, i := range m.tr.Events[r.event].Created {
		if a := &m.tr.Actors[i]; !r.created[j] && a.Parent == r.c.index && a.Type == ty && a.Name == name {
			r.created[j] = true
			r.born = append(r.born, b)
			if m.types.of(b).starts {
				m.draws.sowOn(a.ID)
			}
			return refOf(i)
		}
	}
	r.diverges("it spawned %s", trace.ShortType(ty.Name))
	return Ref{}
}

// chooseAgain goes on to the event of the value that was chosen.
func (r *redo) chooseAgain(n int) int {
	if r.event+1 == r.end {
		r.diverges("it chose a value")
	}
	r.closeEvent()
	if r.why != "" {
		r.leave()
	}
	r.event++
	r.openEvent()
	v := int(r.m.tr.Events[r.event].Step.Value)
	if v >= n {
		r.diverges("it chose one of %d values", n)
	}
	return v
}

// requestAgain gives the index of the call that the handler made then, -1 if it was to nobody.
func (r *redo) requestAgain(to Ref, msg any) int32 {
	m := r.m
	i := r.sendAgain(to, trace.User, msg)
	if i < 0 {
		return -1
	}
	if m.outbox.extra[i].call == 0 {
		r.diverges("it called %s", m.tr.ActorName(to.index()))
	}
	return m.outbox.extra[i].call - 1
}

// callAgain is callFor up to where it waits. It gives the index of the call.
func (r *redo) callAgain(to Ref, msg any, d time.Duration) int32 {
	i := r.requestAgain(to, msg)
	if i < 0 {
		r.refuse()
	}
	if t := r.m.calls.all[i].timer; (t >= 0) != (d >= 0) {
		r.diverges("it called with another timeout")
	} else if t >= 0 {
		r.marksSent(r.m.timers.all[t].message)
	}
	return i
}

// marksSent notes that the handler has sent a message that it was known for.
func (r *redo) marksSent(message int32) {
	for j, i := range r.m.tr.Events[r.event].Sent {
		if i == message {
			r.sent[j] = true
		}
	}
}

// timerAgain finds the timer that the handler set then.
func (r *redo) timerAgain(c *Context, msg any) TimerID {
	return TimerID(r.m.outbox.extra[r.sendAgain(c.Self(), trace.Timeout, msg)].timer)
}

func (r *redo) askAgain(to Ref, msg any) *Future {
	i := r.requestAgain(to, msg)
	if i < 0 {
		return &Future{callee: -1}
	}
	f := r.m.calls.all[i].future
	if f == nil {
		r.diverges("it asked %s instead of calling it", r.m.tr.ActorName(to.index()))
	}
	return f
}

// replyAgain finds the answer, if there is one: that of an Ask is a message only where it is captured.
func (r *redo) replyAgain(call int32, msg any) {
	m := r.m
	if m.types.of(msg).refs && !m.c.Copy {
		r.refuse()
	}
	for j, i := range m.tr.Events[r.event].Sent {
		if o := &m.tr.Messages[i]; !r.sent[j] && o.Sender == r.c.index &&
			(o.Kind == trace.Answer || o.Kind == trace.Resolution) && m.outbox.extra[i].call == call {
			r.sent[j] = true
			return
		}
	}
}

// unstashAgain finds the messages that were put back: those to the actor itself that it has not sent otherwise.
func (r *redo) unstashAgain(first, n int32) {
	for i := first; i < first+n; i++ {
		r.marksSent(i)
	}
}
