package toysys

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// The models, by short names.
const (
	bagModel    = trace.Bag
	fifoModel   = trace.FIFO
	causalModel = trace.Causal
	boxModel    = trace.Mailbox
	serialModel = trace.MailboxSerial
)

// move is something that may happen next.
type move struct {
	kind  moveKind
	actor int  // that releases
	index int  // of a pending message, or of a timer
	item  item // from outside
}

type moveKind uint8

const (
	deliver moveKind = iota
	outside          // a message from outside is taken at once or, with a mailbox, reaches it
	release
	fire
	advance
)

// moves lists what may happen next.
func (t *twin) moves(w *world) []move {
	var list []move
	for i := range w.actors {
		if len(w.actors[i].held) > 0 {
			list = append(list, move{kind: release, actor: i})
		}
	}
	for i := range w.pending {
		if t.mayTake(w, i) {
			list = append(list, move{kind: deliver, index: i})
		}
	}
	for i := range w.timers {
		if w.timers[i].state == due {
			list = append(list, move{kind: fire, index: i})
		}
	}
	inside := len(list)
	list = t.fromOutside(w, list)
	if inside == 0 && slices.ContainsFunc(w.timers, func(m timer) bool { return m.state == set }) {
		list = append(list, move{kind: advance})
	}
	return list
}

// mayTake reports whether the i-th pending message may be taken now.
func (t *twin) mayTake(w *world, i int) bool {
	m := &w.pending[i]
	a := &w.actors[m.to]
	if !t.accepts(a, m) {
		return false
	}
	if !t.ordered(m) {
		return true
	}
	for j := range w.pending {
		o := &w.pending[j]
		if j != i && o.to == m.to && t.ordered(o) && t.holdsBack(a, o, m, j < i) {
			return false
		}
	}
	return true
}

// ordered reports whether the rules of the model speak of a message.
func (t *twin) ordered(m *item) bool {
	return m.class == user || m.class == system || m.class == timeout && t.queues()
}

func (t *twin) queues() bool { return t.model == boxModel || t.model == serialModel }

// holdsBack reports whether m has to wait for o.
func (t *twin) holdsBack(a *actor, o, m *item, earlier bool) bool {
	switch {
	case m.class == system:
		return o.class == system && earlier
	case o.class == system:
		return t.model != boxModel || a.looked
	case t.model == fifoModel:
		return earlier && o.from == m.from
	case t.model == causalModel:
		return slices.Contains(m.past, o.num)
	case t.queues():
		return earlier && t.accepts(a, o)
	}
	return false
}

// accepts reports whether an actor would handle the message.
func (t *twin) accepts(a *actor, m *item) bool {
	switch {
	case a.stopped || len(a.held) > 0 || a.owed > 0 || len(a.inst) == 0: // the driver takes nothing
		return false
	case a.blocked != nil:
		return (m.class == answer || m.class == expiry) && m.call == a.blocked.wait
	case m.class == answer || m.class == expiry:
		return false
	case m.class == user || m.class == timeout:
		n := a.stack[len(a.stack)-1]
		if list := t.sys.Kinds[a.inst[n].kind].Accept; list != nil && list[m.typ] != nil {
			w := &world{actors: []actor{*a}}
			return t.holds(w, &frame{inst: n}, *list[m.typ])
		}
	}
	return true
}

// fromOutside lists the messages that may come from outside now.
//
// The driver sends all its messages before the others begin. Under bag, fifo and causal one that is sent early and
// taken late is as one that is sent when it is taken. Under mailbox the driver releases one after the other, whenever
// it likes. Under mailbox-serial they are in the mailboxes before all others. Where time passes only when nothing else
// can happen, what could have been taken before is not taken afterwards.
func (t *twin) fromOutside(w *world, list []move) []move {
	if w.left == 0 || w.done || t.early() && w.begun || len(w.actors[0].held) > 0 {
		return list
	}
	for _, m := range t.shapes {
		a := &w.actors[m.to]
		if t.model != boxModel && !t.early() {
			if a.closed || !t.accepts(a, &m) || t.behindSystem(w, m.to) || t.behindFirst(w, m.to) {
				continue
			}
		}
		list = append(list, move{kind: outside, item: m})
	}
	return list
}

// early reports whether messages from outside are put into the mailboxes in the beginning: where one may be refused and
// taken after others.
func (t *twin) early() bool { return t.model == serialModel && t.sys.Has("accepts") }

// behindFirst reports whether a message waits that a start hook has sent before the driver sent its own, and that those
// do not pass.
func (t *twin) behindFirst(w *world, to int) bool {
	return (t.model == causalModel || t.model == serialModel) &&
		slices.ContainsFunc(w.pending, func(m item) bool { return m.to == to && m.first && t.ordered(&m) })
}

// behindSystem reports whether a system message waits, which user messages do not pass.
func (t *twin) behindSystem(w *world, to int) bool {
	return slices.ContainsFunc(w.pending, func(m item) bool { return m.to == to && m.class == system })
}

func (t *twin) describe(w *world, m move) string {
	name := func(i int) string {
		if i == 0 {
			return "Driver"
		}
		if a := &w.actors[i]; len(a.inst) > 0 {
			return fmt.Sprintf("#%d (K%d)", i, a.inst[0].kind)
		}
		return fmt.Sprintf("#%d", i)
	}
	said := func(m item) string {
		kinds := []string{"M%d{%d, ref %d}", "stop", "timer M%d{%d}", "expiry", "answer M%d{%d}", "resolution", "task", "end"}
		s := kinds[m.class]
		switch m.class {
		case system:
			s = map[bool]string{false: "stop", true: "watch"}[m.watch]
		case user:
			s = fmt.Sprintf(s, m.typ, m.n, m.ref)
		case timeout, answer:
			s = fmt.Sprintf(s, m.typ, m.n)
		}
		return fmt.Sprintf("%s from %s to %s", s, name(m.from), name(m.to))
	}
	switch m.kind {
	case deliver:
		return "take " + said(w.pending[m.index])
	case outside:
		return "outside " + said(m.item)
	case release:
		return "release " + said(w.actors[m.actor].held[0])
	case fire:
		return "fire " + said(w.timers[m.index].item)
	}
	return "the clock advances"
}

// Models are all delivery models.
var Models = []trace.Model{bagModel, fifoModel, causalModel, boxModel, serialModel}
