package actor

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file runs one part of a handler again, and compares what it does with the record; see redo.go.

// part runs the part of a handler again that step i ran, up to the next step.
func (r *redo) part(i, memory int, open []*handler) {
	m := r.m
	u := &m.undo
	k := &u.marks[i]
	step := m.tr.Events[k.events].Step
	r.first, r.event, r.end = k.events, k.events, int32(len(m.tr.Events))
	r.note, r.lastNote = int(k.savedNotes), len(u.notes)
	if j := u.next(i); j < len(u.marks) {
		memory, r.end, r.lastNote = u.marks[j].memory, u.marks[j].events, int(u.marks[j].savedNotes)
	}
	for e := r.event + 1; e < r.end; e++ {
		if m.tr.Events[e].Step.Kind != trace.Choose {
			r.end = e
		}
	}
	if k.ran < 0 {
		return // it ran no handler
	}
	for e := r.event; e < r.end; e++ {
		if m.tr.Events[e].Registered > 0 {
			r.refused = true // what was registered with the T refers to what the handler had made
			return
		}
	}
	u.memory.Apply(k.given, memory, r.written)
	r.openEvent()
	r.parts++
	h := r.goAgain(int(k.ran), i, step, open)
	if r.why == "" && !r.refused {
		r.closePart(h)
	}
}

// goAgain lets the handler that began with step begun go on in step i, on a goroutine of its own.
func (r *redo) goAgain(begun, i int, step trace.Step, open []*handler) *handler {
	m := r.m
	c := r.c
	var h *handler
	if begun == i {
		for _, o := range open {
			if o.begun == begun {
				h = o
			}
		}
		if h == nil {
			h = &handler{}
		}
		*h = handler{ctx: c, message: step.Message, behavior: c.behavior, taken: -1, task: h.task, since: h.since,
			begun: begun, parked: true, wakes: h.wakes}
		if h.wakes == nil {
			h.wakes = make(chan struct{})
		}
		m.handlers.parked = append(m.handlers.parked, h)
		r.handlers = append(r.handlers, h)
		m.running, c.cur = c, h
		goroutine.Go(func() { r.handleAgain(h) })
	} else {
		at := slices.IndexFunc(r.handlers, func(h *handler) bool { return h.begun == begun })
		if at < 0 || r.handlers[at].parkedAt == never {
			r.refused = true
			return nil
		}
		h = r.handlers[at]
		h.parkedAt = never
		if step.Kind == trace.Deliver {
			h.taken = step.Message
		}
		m.running, c.cur = c, h
		h.wakes <- struct{}{}
	}
	<-m.handlers.back
	m.running = nil
	return h
}

// handleAgain is a handler on a goroutine of its own. It may go on after it was run again up to where it waits.
func (r *redo) handleAgain(h *handler) {
	m := r.m
	m.handlers.guard(h)
	if r.on {
		h.ctx.cur = nil
	} else {
		m.handlers.ended(h)
	}
	h.parkedAt = never
	m.handlers.unpark(h)
}

// openEvent prepares for what the present event says that the handler did.
func (r *redo) openEvent() {
	e := &r.m.tr.Events[r.event]
	r.sent = append(r.sent[:0], make([]bool, len(e.Sent))...)
	r.created = append(r.created[:0], make([]bool, len(e.Created))...)
	r.c.clock = e.Time
}

// closeEvent looks for what the handler did according to the record, and did not do now.
func (r *redo) closeEvent() {
	m := r.m
	e := &m.tr.Events[r.event]
	for j, i := range e.Sent {
		if msg := &m.tr.Messages[i]; !r.sent[j] && msg.Sender == r.c.index && msg.Kind != trace.Task &&
			msg.Kind != trace.End {
			r.differs("it did not send %s to %s", trace.ShortType(msg.Type.Name), m.tr.ActorName(msg.Receiver))
		}
	}
	for j, i := range e.Created {
		if a := &m.tr.Actors[i]; !r.created[j] && a.Parent == r.c.index {
			r.differs("it did not spawn %s", m.tr.ActorName(i))
		}
	}
}

// closePart looks at how the part ended.
func (r *redo) closePart(h *handler) {
	r.closeEvent()
	if r.event+1 != r.end {
		r.differs("it did not choose a value")
	}
	r.skipNotes()
	if r.note < r.lastNote {
		r.differs("it did not %s", noteNames[r.m.undo.notes[r.note].what])
	}
	if (h.parkedAt == never) != r.m.tr.Events[r.end-1].Completed {
		r.differs("it ended or waited where it did not")
	}
}

// differs notes that the handler does something else than before.
func (r *redo) differs(format string, args ...any) {
	m := r.m
	if r.why != "" {
		return
	}
	e := &m.tr.Events[r.event]
	what := "its start"
	if e.Step.Message >= 0 {
		what = trace.ShortType(m.tr.Messages[e.Step.Message].Type.Name)
	}
	r.why = fmt.Sprintf("the handler of %s did something else when it was run again with the same state, messages "+
		"and replies (on %s, step %d): %s; it depends on something else: time, random numbers, a map's order, a "+
		"variable that others share",
		m.tr.ActorName(r.c.index), what, m.tr.StepNumber(int(r.event)), fmt.Sprintf(format, args...))
}

// diverges ends the handler that does something else than before, from inside.
func (r *redo) diverges(format string, args ...any) {
	r.differs(format, args...)
	r.leave()
}

// refuse ends the handler because it does what cannot be repeated unseen, from inside.
func (r *redo) refuse() {
	r.refused = true
	r.leave()
}

// leave ends the handler that is being run again, from inside.
func (r *redo) leave() {
	h := r.c.cur
	h.unwinding, h.parkedAt, r.m.running = true, never, nil
	runtime.Goexit()
}
