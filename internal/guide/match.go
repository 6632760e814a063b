package guide

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// pattern is an entry made ready to be compared with steps.
type pattern struct {
	trace.OrderEntry
	actor, from *name
	typ         string // of the message, without star
	star, value bool   // pointers alone, values alone
	choose      int
	fault       trace.FaultKind
	count       int // such receives so far
}

// name is an actor's name in an order, with those whom it may mean in the execution at hand: the best of three kinds
// that there are.
type name struct {
	text    string
	base    string // before "#"
	ordinal int    // behind it, 0 if there is none
	exact   []int32
	shared  []int32
	typed   []int32
}

// newName reads a name.
func newName(text string) *name {
	n := &name{text: text}
	if i := strings.LastIndexByte(text, '#'); i > 0 {
		if k, err := strconv.Atoi(text[i+1:]); err == nil && k > 0 {
			n.base, n.ordinal = text[:i], k
		}
	}
	return n
}

// means gives the actors that the name may stand for.
func (n *name) means() []int32 {
	switch {
	case len(n.exact) > 0:
		return n.exact
	case len(n.shared) > 0:
		return n.shared
	}
	return n.typed
}

func (n *name) has(a int32) bool { return n == nil || slices.Contains(n.means(), a) }

// add looks whether the name may stand for an actor, the so-manieth with its own.
func (n *name) add(a int32, base string, ordinal int, typ string) {
	switch {
	case n.ordinal > 0 && n.base == base && n.ordinal == ordinal:
		n.exact = append(n.exact, a)
	case n.text == base:
		n.shared = append(n.shared, a)
	case n.text == typ || n.text == trace.ShortType(typ):
		n.typed = append(n.typed, a)
	}
}

// matcher knows what the names of an order mean in the execution at hand.
type matcher struct {
	model    trace.Model
	patterns []*pattern
	names    map[string]*name
	sorted   []*name // the same, in the order in which the entries have them
	tr       *trace.Trace
	actors   int // that were looked at
	events   int
	bases    map[string]int
	boxes    map[int32][]int32 // by actor: messages that arrived and were not taken, oldest first; of those that queue
	taken    map[int32]int32   // by message that was received: the event
	gone     map[int32]int32   // by timeout that was cancelled: the event
}

func newMatcher(o trace.Order) *matcher {
	m := &matcher{names: map[string]*name{}}
	called := func(text string) *name {
		if text == "" {
			return nil
		}
		if m.names[text] == nil {
			m.names[text] = newName(text)
			m.sorted = append(m.sorted, m.names[text])
		}
		return m.names[text]
	}
	for _, e := range o {
		p := &pattern{OrderEntry: e, actor: called(e.Actor), from: called(e.From), typ: e.Message + e.Timer}
		p.typ, p.star = strings.CutPrefix(p.typ, "*")
		if !strings.HasSuffix(p.typ, " {}") { // of struct {} and interface {} it is a part of the name
			p.typ, p.value = strings.CutSuffix(p.typ, "{}")
		}
		p.choose, _ = strconv.Atoi(e.Choose)
		if e.Fault != "" {
			p.fault, _ = trace.ParseFaultKind(e.Fault)
		}
		m.patterns = append(m.patterns, p)
	}
	return m
}

// reset begins an execution.
func (m *matcher) reset() {
	m.tr, m.actors, m.events = nil, 0, 0
	m.bases = map[string]int{}
	m.boxes, m.taken, m.gone = map[int32][]int32{}, map[int32]int32{}, map[int32]int32{}
	for _, n := range m.sorted {
		n.exact, n.shared, n.typed = n.exact[:0], n.shared[:0], n.typed[:0]
	}
	for _, p := range m.patterns {
		p.count = 0
	}
}

// read takes in what happened since it was called last.
func (m *matcher) read(tr *trace.Trace) {
	m.tr = tr
	for ; m.actors < len(tr.Actors); m.actors++ {
		a := &tr.Actors[m.actors]
		base := a.Name
		if base == "" {
			base = trace.ShortType(a.Type.Name)
		}
		base = trace.Visible(base)
		m.bases[base]++
		for _, n := range m.sorted {
			n.add(int32(m.actors), base, m.bases[base], a.Type.Name)
		}
	}
	for ; m.events < len(tr.Events); m.events++ {
		e := &tr.Events[m.events]
		m.carry(e)
		if s := &e.Step; m.events >= tr.Explored && s.Kind.Handles() && s.Message >= 0 {
			for _, p := range m.patterns {
				if p.Nth > 0 && m.receives(p, s.Message) {
					p.count++
				}
			}
		}
	}
}

// isTaken reports whether the message was received.
func (m *matcher) isTaken(message int32) bool {
	_, ok := m.taken[message]
	return ok
}

// carry puts what arrives in an event into mailboxes and takes out what is received or cancelled.
func (m *matcher) carry(e *trace.Event) {
	if s := &e.Step; s.Message >= 0 && s.Kind.Handles() {
		m.taken[s.Message] = int32(m.events)
		m.remove(s.Message)
	} else if s.Kind == trace.Timer {
		m.arrive(s.Message)
	}
	for _, i := range e.Sent {
		if msg := &m.tr.Messages[i]; msg.AtOnce || m.model != trace.Mailbox && msg.Kind != trace.Timeout {
			m.arrive(i)
		}
	}
	if e.Released >= 0 {
		m.arrive(e.Released)
	}
	if !m.model.Queues() {
		for _, i := range e.Due {
			m.arrive(i)
		}
	}
	for _, i := range e.Cancelled {
		m.gone[i] = int32(m.events)
		m.remove(i)
	}
}

func (m *matcher) arrive(i int32) {
	msg := &m.tr.Messages[i]
	box := m.boxes[msg.Receiver]
	switch {
	case msg.Kind != trace.User && msg.Kind != trace.Timeout || msg.EndsCall || slices.Contains(box, i):
	case msg.Renews >= 0:
		m.boxes[msg.Receiver] = slices.Insert(box, 0, i)
	default:
		m.boxes[msg.Receiver] = append(box, i)
	}
}

func (m *matcher) remove(i int32) {
	box := m.boxes[m.tr.Messages[i].Receiver]
	if k := slices.Index(box, i); k >= 0 {
		m.boxes[m.tr.Messages[i].Receiver] = slices.Delete(box, k, k+1)
	}
}

// isReceive reports whether the pattern names the receive of a message.
func (p *pattern) isReceive() bool {
	return p.Choose == "" && p.fault == trace.NoFault
}

func isPointer(msg *trace.Message) bool {
	return msg.Value != nil && reflect.TypeOf(msg.Value).Kind() == reflect.Pointer
}

// hasType reports whether the message is of the type that the pattern names.
func (m *matcher) hasType(p *pattern, msg *trace.Message) bool {
	if p.typ == "" {
		return true
	}
	if p.typ != msg.Type.Name && p.typ != trace.ShortType(msg.Type.Name) {
		return false
	}
	return !p.star && !p.value || isPointer(msg) == p.star
}

// receives reports whether the pattern names the receive of a message, whichever of equal ones it is.
func (m *matcher) receives(p *pattern, message int32) bool {
	msg := &m.tr.Messages[message]
	switch {
	case !p.actor.has(msg.Receiver) || !p.from.has(msg.Sender):
		return false
	case p.Timer != "":
		return msg.Kind == trace.Timeout && !msg.EndsCall && m.hasType(p, msg)
	case p.Timeout:
		return msg.EndsCall
	case p.fault != trace.NoFault || p.Choose != "":
		return false
	}
	return !msg.EndsCall && m.hasType(p, msg)
}

// matches reports whether the pattern names a step that may be taken now.
func (m *matcher) matches(p *pattern, s *trace.Step) bool {
	switch {
	case s.Kind == trace.Choose:
		return p.Choose != "" && int(s.Value) == p.choose && p.actor.has(s.Actor)
	case s.Kind == trace.Fault:
		return m.strikes(p, s)
	case !s.Kind.Handles() || s.Message < 0 || !m.receives(p, s.Message):
		return false
	}
	return (p.Nth == 0 || p.count == p.Nth-1) && (p.Sent == 0 || m.sent(p, s.Message) == p.Sent)
}

// strikes reports whether the pattern names an injected fault.
func (m *matcher) strikes(p *pattern, s *trace.Step) bool {
	if p.fault == trace.NoFault || s.Fault() != p.fault {
		return false
	}
	if s.Message < 0 {
		return p.actor.has(s.Actor)
	}
	msg := &m.tr.Messages[s.Message]
	return p.actor.has(msg.Receiver) && p.from.has(msg.Sender) && m.hasType(p, msg)
}

// sent is the number of such messages that the sender of message sent to its receiver, up to this one.
func (m *matcher) sent(p *pattern, message int32) int {
	last := &m.tr.Messages[message]
	n := 0
	for i := range m.tr.Messages[:message+1] {
		msg := &m.tr.Messages[i]
		if msg.Sender == last.Sender && msg.Receiver == last.Receiver && int(msg.SentBy) >= m.tr.Explored &&
			m.receives(p, int32(i)) {
			n++
		}
	}
	return n
}
