package reach

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: whether actors share memory. It compares what other actors and pending messages lead to before and after
// each step.
//
//	overlap.go:         which pieces of memory several owners can reach
//	isolationreport.go: what is said of one that was changed
//
//	source:     ours
//	assumes:    one step at a time changes memory; what a handler in the middle keeps in its locals belongs to its actor,
//	            of which only the message that it handles is known
//	invariants: I1 an incident means that a step changed memory which another actor, or a message to it, led to before
//	               and after the step
//	            I2 a change by a step of memory that its actor led to before the step is not overlooked, if another one
//	               led there
//	cost:       a visit of all memory in the beginning, one of the stepping actor's after each step; what only one owner
//	            reaches is visited and not compared
//	checked by: twin_test.go, which compares everything with everything

// maxVisits bounds the work of a Looker, in pieces of memory that it visits: about half a second's.
const maxVisits = 2_000_000

// Foreign is an Execution that knows types of which memory is the framework's own affair.
type Foreign interface{ Foreign(t reflect.Type) bool }

// Looker looks at execution after execution. The zero value is ready.
type Looker struct {
	// Hidden names memory that the values of an actor's type do not lead to and its handlers may share, "" if there is
	// none; nil: nobody asks.
	Hidden func(actor string) string
	// Variable says by what a handler is known to use package variables that may change, "" if it is not; nil: nobody
	// asks.
	Variable func(actor, message string) string

	walker   *walker
	over     bool            // too much work: nothing is looked at any more
	asked    map[string]bool // types of actors of which Hidden was asked
	variable string          // which actors use package variables, "" if not two of one execution do

	x       explore.Inspector
	tr      *trace.Trace
	begun   bool
	owners  []owner // by slot
	slots   map[key]int32
	flat    map[reflect.Type]bool
	mails   []bool  // by message: whether it leads to memory of its own
	mailed  bool    // one of them does
	waiting []int32 // slots of messages
	overlap overlap
	before  []region          // of the owner that is visited
	sealed  map[string]string // what several owners reach and nobody can look into, by type and place
	decided string            // one of them of which the order of its uses decides
	user    int32             // the first actor of the execution whose handler uses package variables, 0 if none does yet
}

// key names an owner: an actor or a message.
type key struct {
	message bool
	index   int32
}

// owner is an actor, or a message that waits to be handled.
type owner struct {
	key
	regions []region
	shots   []shot // of regions
	held    int32  // the message in whose handler the actor is, -1 if none
	gone    bool   // the slot is free
	pending bool   // while messages are looked through
}

// shot is what a region held.
type shot struct {
	shared bool // several owners lead there: it is compared
	sum    uint64
	copy   []byte // of a small one
}

// Reset begins an execution. It reports whether that is looked at.
func (l *Looker) Reset(x explore.Execution) bool {
	in, ok := x.(explore.Inspector)
	if !ok || l.over {
		return false
	}
	nature := in.Nature
	if f, ok := x.(Foreign); ok {
		nature = func(t reflect.Type) explore.Nature {
			if n := in.Nature(t); n != explore.Plain || !f.Foreign(t) {
				return n
			}
			return explore.Opaque
		}
	}
	if l.walker == nil {
		l.walker, l.flat, l.asked = newWalker(nature), map[reflect.Type]bool{}, map[string]bool{}
	}
	l.x, l.tr, l.begun = in, x.Trace(), false
	l.owners, l.slots = l.owners[:0], map[key]int32{}
	l.mails, l.mailed, l.waiting = l.mails[:0], false, l.waiting[:0]
	l.overlap.reset()
	l.user = 0
	return true
}

// Begin is called before the first step that is looked at.
func (l *Looker) Begin() {
	if l.begun {
		return
	}
	l.begun = true
	for a := range l.tr.Actors {
		l.actor(int32(a))
	}
	l.mail()
	l.settle()
}

// Step is called when a step is over. It gives what it changed that is not its own.
func (l *Looker) Step(event int32) []trace.Violation {
	e := &l.tr.Events[event]
	if !l.begun || l.over || e.Step.Kind.Chooses() || e.Step.Actor < 0 {
		return nil // a choice is in the middle of a step
	}
	message := int32(-1)
	if e.Step.Kind.Handles() {
		message = e.Step.Message
	}
	l.variables(e.Step.Actor, message)
	found, victims := l.compare(event, message)
	l.renew(e, message)
	for _, slot := range victims {
		if !l.owners[slot].gone {
			l.walk(slot) // what was written may lead elsewhere now
		}
	}
	l.settle()
	l.over = l.walker.Visits > maxVisits
	return found
}

// Unseen lists what was met behind which nobody can look.
func (l *Looker) Unseen() []string {
	if l.walker == nil {
		return nil
	}
	unseen := slices.Sorted(maps.Keys(l.walker.Unseen))
	unseen = append(unseen, slices.Sorted(maps.Values(l.sealed))...)
	if l.over {
		unseen = append(unseen, "the first 2 million pieces of memory")
	}
	return unseen
}

// Shared names what several owners reach and nobody can look into, if the order of its uses decides something. It is
// memory of a type that keeps it to itself, or package variables, of which nobody knows whether they are the same ones.
func (l *Looker) Shared() string { return cmp.Or(l.decided, l.variable) }

// variables notes what an actor's handler of a message uses besides what values lead to.
func (l *Looker) variables(actor, message int32) {
	if l.Variable == nil || l.variable != "" || actor == 0 || actor == l.user || message < 0 {
		return
	}
	typ := l.tr.Messages[message].Type.Name
	by := l.Variable(l.tr.Actors[actor].Type.Name, typ)
	switch {
	case by == "":
	case l.user == 0:
		l.user = actor
	default:
		l.variable = fmt.Sprintf("the handlers of %s and %s use package variables; that of %s for %s: %s",
			l.tr.ActorName(l.user), l.tr.ActorName(actor),
			l.tr.ActorName(actor), trace.ShortType(typ), by)
	}
}

// compare looks at what others than the actor of the step, with the message that it handled, lead to as well. victims
// are those whose memory was changed.
func (l *Looker) compare(event, message int32) (found []trace.Violation, victims []int32) {
	e := &l.tr.Events[event]
	for _, s := range l.overlap.shared {
		o := &l.owners[s.owner]
		if o.gone || o.key == (key{false, e.Step.Actor}) || o.key == (key{true, message}) {
			continue
		}
		r, before := &o.regions[s.region], &o.shots[s.region]
		if l.walker.Sum(r) == before.sum || slices.Contains(victims, s.owner) {
			continue
		}
		found = append(found, l.violation(event, message, s))
		victims = append(victims, s.owner)
	}
	return found, victims
}

// renew looks anew at all that a step may have led elsewhere: its actor, those that it created or stopped, and
// messages.
func (l *Looker) renew(e *trace.Event, message int32) {
	if s, ok := l.slots[key{true, message}]; ok && message >= 0 {
		l.remove(s)
	}
	o := &l.owners[l.slot(key{false, e.Step.Actor})]
	switch {
	case e.Completed:
		o.held = -1
	case message >= 0 && l.tr.Messages[message].Kind == trace.User:
		o.held = message
	}
	l.actor(e.Step.Actor)
	for _, a := range e.Created {
		l.actor(a)
	}
	for _, a := range e.Stopped {
		l.actor(a)
	}
	l.mail()
}

// slot gives the slot of an owner, which may be new.
func (l *Looker) slot(k key) int32 {
	s, ok := l.slots[k]
	if !ok {
		s = int32(len(l.owners))
		l.slots[k] = s
		l.owners = append(l.owners, owner{key: k, held: -1})
	}
	return s
}

// actor looks at an actor. The driver's variables are the test's.
func (l *Looker) actor(a int32) {
	l.walk(l.slot(key{false, a}))
	name := l.tr.Actors[a].Type.Name
	if l.Hidden == nil || a == 0 || l.asked[name] {
		return
	}
	l.asked[name] = true
	if hidden := l.Hidden(name); hidden != "" {
		l.walker.Unseen[hidden] = true
	}
}

// walk finds the memory of an owner anew.
func (l *Looker) walk(slot int32) {
	o := &l.owners[slot]
	l.before = append(l.before[:0], o.regions...)
	if o.message {
		msg := &l.tr.Messages[o.index]
		o.regions = l.walker.Walk(o.regions, msg.Type.Name, msg.Value)
	} else {
		var held any
		if o.held >= 0 {
			held = l.tr.Messages[o.held].Value
		}
		o.regions = l.walker.Walk(o.regions, l.tr.Actors[o.index].Type.Name, l.x.State(o.index), l.x.Kept(o.index), held)
	}
	if !slices.EqualFunc(l.before, o.regions, func(a, b region) bool { return a.Is(&b) }) {
		o.shots = make([]shot, len(o.regions))
		l.overlap.change(slot)
		return
	}
	for i := range o.shots {
		if o.shots[i].shared {
			l.shoot(o, i)
		}
	}
}

// mail looks at messages that are new, and forgets those that are no more. Thousands may be pending, so each is judged
// once.
func (l *Looker) mail() {
	for m := len(l.mails); m < len(l.tr.Messages); m++ {
		counts := l.counts(int32(m))
		l.mails, l.mailed = append(l.mails, counts), l.mailed || counts
	}
	if !l.mailed {
		return
	}
	for _, slot := range l.waiting {
		l.owners[slot].pending = false
	}
	l.x.Pending(func(m int32) {
		if !l.mails[m] {
			return
		}
		before := len(l.owners)
		slot := l.slot(key{true, m})
		if len(l.owners) > before {
			l.waiting = append(l.waiting, slot)
			l.walk(slot)
		}
		l.owners[slot].pending = true
	})
	l.waiting = slices.DeleteFunc(l.waiting, func(slot int32) bool {
		o := &l.owners[slot]
		if !o.gone && !o.pending {
			l.remove(slot)
		}
		return o.gone
	})
}

// counts reports whether a message leads to memory of its own. One that an injected fault doubled is the same memory
// twice.
func (l *Looker) counts(m int32) bool {
	msg := &l.tr.Messages[m]
	if msg.Value == nil || msg.Kind != trace.User && msg.Kind != trace.Answer ||
		l.tr.Events[msg.SentBy].Step.Kind == trace.Fault {
		return false
	}
	t := reflect.TypeOf(msg.Value)
	flat, known := l.flat[t]
	if !known {
		flat = !l.walker.Leads(t)
		l.flat[t] = flat
	}
	return !flat
}

func (l *Looker) remove(slot int32) {
	o := &l.owners[slot]
	delete(l.slots, o.key)
	o.regions, o.shots, o.gone = nil, nil, true
	l.overlap.change(slot)
}

// settle finds what several owners lead to, and takes in what that holds.
func (l *Looker) settle() {
	for _, s := range l.overlap.update(l.owners) {
		o := &l.owners[s.owner]
		if sh := &o.shots[s.region]; !sh.shared {
			sh.shared = true
			l.shoot(o, int(s.region))
			l.seal(s)
		}
	}
}

func (l *Looker) shoot(o *owner, i int) {
	o.shots[i].sum = l.walker.Sum(&o.regions[i])
	o.shots[i].copy = o.regions[i].Copy(o.shots[i].copy)
}
