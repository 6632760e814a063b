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
func (m *machine) part(i, memory int, open []*handler) {
	r, u := &m.redo, &m.undo
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
	m.openEvent()
	r.parts++
	h := m.goAgain(int(k.ran), i, step, open)
	if r.why == "" && !r.refused {
		m.closePart(h)
	}
}

// goAgain lets the handler that began with step begun go on in step i, on a goroutine of its own.
func (m *machine) goAgain(begun, i int, step trace.Step, open []*handler) *handler {
	r := &m.redo
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
		*h = handler{ctx: c, message: step.Message, behavior: c.behavior, taken: -1, task: h.task, since: h.since, begun: begun, parked: true, wakes: h.wakes}
		if h.wakes == nil {
			h.wakes = make(chan struct{})
		}
		m.parked = append(m.parked, h)
		r.handlers = append(r.handlers, h)
		m.running, c.cur = c, h
		goroutine.Go(func() { m.handleAgain(h) })
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
	<-m.back
	m.running = nil
	return h
}

// handleAgain is a handler on a goroutine of its own. It may go on after it was run again up to where it waits.
func (m *machine) handleAgain(h *handler) {
	m.guard(h)
	if m.redo.on {
		h.ctx.cur = nil
	} else {
		m.ended(h)
	}
	h.parkedAt = never
	m.unpark(h)
}

// openEvent prepares for what the present event says that the handler did.
func (m *machine) openEvent() {
	r := &m.redo
	e := &m.tr.Events[r.event]
	r.sent = append(r.sent[:0], make([]bool, len(e.Sent))...)
	r.created = append(r.created[:0], make([]bool, len(e.Created))...)
	r.c.clock = e.Time
}

// closeEvent looks for what the handler did according to the record, and did not do now.
func (m *machine) closeEvent() {
	r := &m.redo
	e := &m.tr.Events[r.event]
	for j, i := range e.Sent {
		if msg := &m.tr.Messages[i]; !r.sent[j] && msg.Sender == r.c.index && msg.Class != trace.Task && msg.Class != trace.End {
			m.differs("it did not send %s to %s", trace.ShortType(msg.Type.Name), m.tr.ActorName(msg.Receiver))
		}
	}
	for j, i := range e.Created {
		if a := &m.tr.Actors[i]; !r.created[j] && a.Parent == r.c.index {
			m.differs("it did not spawn %s", m.tr.ActorName(i))
		}
	}
}

// closePart looks at how the part ended.
func (m *machine) closePart(h *handler) {
	r := &m.redo
	m.closeEvent()
	if r.event+1 != r.end {
		m.differs("it did not choose a value")
	}
	m.skipNotes()
	if r.note < r.lastNote {
		m.differs("it did not %s", noteNames[m.undo.notes[r.note].what])
	}
	if (h.parkedAt == never) != m.tr.Events[r.end-1].Completed {
		m.differs("it ended or waited where it did not")
	}
}

// differs notes that the handler does something else than before.
func (m *machine) differs(format string, args ...any) {
	r := &m.redo
	if r.why != "" {
		return
	}
	e := &m.tr.Events[r.event]
	what := "its start"
	if e.Step.Message >= 0 {
		what = trace.ShortType(m.tr.Messages[e.Step.Message].Type.Name)
	}
	r.why = fmt.Sprintf("the handler of %s did something else when it was run again with the same state, messages and replies (on %s, step %d): %s; "+
		"it depends on something else: time, random numbers, a map's order, a variable that others share",
		m.tr.ActorName(r.c.index), what, int(r.event)-m.tr.Explored+1, fmt.Sprintf(format, args...))
}

// strays ends the handler that does something else than before, from inside.
func (m *machine) strays(format string, args ...any) {
	m.differs(format, args...)
	m.leave()
}

// refuse ends the handler because it does what cannot be repeated unseen, from inside.
func (m *machine) refuse() {
	m.redo.refused = true
	m.leave()
}

// leave ends the handler that is being run again, from inside.
func (m *machine) leave() {
	h := m.redo.c.cur
	h.unwinding, h.parkedAt, m.running = true, never, nil
	runtime.Goexit()
}
