package actor

import (
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/trace"
)

// This file brings back handlers that waited at the point that undo.go goes back to, and that have gone on since. A
// goroutine cannot go back. So the actor's handlers are run again from the state in which the first of them began,
// until they wait where they did.
//
//	source:     own
//	differs:    re-execution in the sense of [Basset11] 3.2 repeats the steps of all actors; this repeats those of one,
//	            unseen
//	assumes:    a handler depends on its actor's state, its messages and what the machine tells it; what its variables
//	            alone lead to is its own
//	invariants: I1 what a handler does while it is run again goes nowhere: it is compared with the record, and what it
//	               was told then it is told again. The actor's memory, its behaviours and its goroutines are all that is
//	               made anew
//	            I2 the run again begins where the actor was in the middle of no handler, so that no goroutine, old or
//	               gone, holds memory that it makes anew
//	            I3 the actor's state after it is compared with the state that memory was restored to, pointers up to
//	               renaming: if they differ, somebody else changed it, and the machine goes back further, to where the
//	               actor was in no handler
//	            I4 a handler that does something else is a divergence
//	cost:       the handler parts of one actor since it was last in no handler: a loop of n waits that is taken back step
//	            by step costs n*n/2 parts, as it does without; two copies of the actor's state
//	checked by: redo_test.go, redo_differs_test.go, and all tests of undo

// redo is the state of one run again.
type redo struct {
	m        *machine
	on       bool
	tried    bool // something is in the middle of a handler that could have to be run again
	shared   bool // an actor's state depends on others: in this Execute nothing is run again any more
	parts    int  // handler parts that were run again
	handlers []*handler
	open     []*handler // those that are to wait at the end
	written  map[unsafe.Pointer]bool
	born     []Behavior // what was given to Spawn

	// of the current part
	c        *Context
	first    int32 // the step's event
	event    int32 // that, then those of its choices
	end      int32 // the event after the last of them
	sent     []bool
	created  []bool
	note     int // the next one
	lastNote int
	why      string // what differs from the record, "" if nothing
	refused  bool   // it does what cannot be repeated unseen
}

// never is when a handler that runs, or is over, was parked: after every mark.
const never = math.MaxInt

// revive runs the handlers of actors again that were in the middle of one at the point n. It reports the point itself,
// or one to go back to because it could not; -1 if there is none.
func (r *redo) revive(dead []*Context, n int) int {
	for _, c := range dead {
		base := r.base(c, n)
		same, why := r.runAgain(c, base, n)
		if why != "" {
			r.m.undo.driver.Diverged(trace.Incident{Kind: trace.Divergence, Actor: c.index, Message: -1, Text: why})
			return -1
		}
		if !same {
			r.shared = true
			return base
		}
	}
	return n
}

// dead gives the actors that are in the middle of a handler whose goroutine is elsewhere, or gone. back is a point to
// go back to if one of them cannot be run again, else n.
func (r *redo) dead(n, actors int) (dead []*Context, back int) {
	if !r.tried {
		return nil, n
	}
	for _, c := range r.m.actors.all[:actors] {
		first := never
		for h := range c.open {
			if h.parkedAt > n {
				first = min(first, h.begun)
			}
		}
		if first == never {
			continue
		}
		if r.shared || r.base(c, n) < 0 {
			return nil, min(first, n-1)
		}
		dead = append(dead, c)
	}
	return dead, n
}

// open gives the handlers of the actor that are neither over nor running.
func (c *Context) open(yield func(*handler) bool) {
	for _, h := range c.tasks {
		if !yield(h) {
			return
		}
	}
	if c.cur != nil {
		yield(c.cur)
	}
}

// base gives the last step of the actor before n before which it was in the middle of no handler, if all that are open
// began since; else -1.
func (r *redo) base(c *Context, n int) int {
	first := n
	for h := range c.open {
		first = min(first, h.begun)
	}
	for i := first; i >= 0; i-- {
		if k := &r.m.undo.marks[i]; k.actor == c && !k.open {
			return i
		}
	}
	return -1
}

// runAgain runs the steps of an actor from base up to n again. same: its state is what it was. why: its handlers do
// something else.
func (r *redo) runAgain(c *Context, base, n int) (same bool, why string) {
	m := r.m
	u := &m.undo
	stance, life, now := c.stance, c.life, m.timers.now
	open := slices.AppendSeq(r.open[:0], c.open)
	r.open = open
	begin := u.memory.Mark()
	ok := r.saveOpen(c, open) == nil
	want := r.snapshots(c)
	middle := u.memory.Mark()
	r.on, r.c, r.refused, r.why, m.timers.now = true, c, false, "", 0
	r.handlers, r.born = r.handlers[:0], r.born[:0]
	r.stateAt(c, base, begin)
	last := base
	for i := base; i < n && ok && r.why == ""; i++ {
		if u.marks[i].actor == c {
			r.part(i, begin, open)
			last, ok = i, !r.refused
		}
	}
	r.on, m.timers.now, m.running, c.stance = false, now, nil, stance
	life.handles = c.handles
	c.life = life
	same = ok && r.why == "" && r.saveOpen(c, open) == nil && reflect.DeepEqual(want, r.snapshots(c)) &&
		r.isSame(begin, middle)
	u.memory.Drop(begin)
	for _, h := range r.handlers {
		if h.parkedAt != never {
			h.parkedAt = last + 1
		}
		if !same && h.parkedAt != never {
			m.handlers.quit(h)
			h.parkedAt = never
		}
	}
	return same, r.why
}

// saveOpen saves the state of an actor: what its behaviours lead to.
func (r *redo) saveOpen(c *Context, open []*handler) error {
	err := r.saveMemory(c.behavior)
	for b := range c.beside {
		err = firstOf(err, r.saveMemory(b))
	}
	for _, h := range open {
		err = firstOf(err, r.saveMemory(h.behavior))
	}
	return err
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func (r *redo) saveMemory(b Behavior) error {
	m := r.m
	if _, own := b.(Snapshotter); own {
		return nil
	}
	if info := m.types.of(b); info.plain {
		m.undo.memory.SavePointee(info.pointee, b)
		return nil
	}
	return m.undo.memory.Save(b)
}

// snapshots gives the states of the behaviours of an actor that save their own.
func (r *redo) snapshots(c *Context) (states []any) {
	if s, own := c.behavior.(Snapshotter); own {
		states = append(states, s.Snapshot())
	}
	for b := range c.beside {
		if s, own := b.(Snapshotter); own {
			states = append(states, s.Snapshot())
		}
	}
	return states
}

// isSame compares the state that was saved from begin to middle with that saved since. What was given to Spawn must not
// share what was made anew: the actor that it became has the old one.
func (r *redo) isSame(begin, middle int) bool {
	m := r.m
	end := m.undo.memory.Mark()
	if !m.undo.memory.Same(begin, middle, end) {
		return false
	}
	for _, b := range r.born {
		if m.undo.memory.Save(b) != nil {
			return false
		}
	}
	return len(r.born) == 0 || !m.undo.memory.Meets(begin, middle, end)
}

// stateAt brings the actor's state back to what it was before step i.
func (r *redo) stateAt(c *Context, i, end int) {
	u := &r.m.undo
	k := &u.marks[i]
	for j := int(k.savedLives); j < len(u.lives); j++ {
		if u.lives[j].of == c {
			c.handles = u.lives[j].life.handles
			c.previous, c.dropped = slices.Clip(c.previous), slices.Clip(c.dropped)
			break
		}
	}
	to, states := end, len(u.states)
	if j := u.next(i); j < len(u.marks) {
		to, states = u.marks[j].memory, int(u.marks[j].savedStates)
	}
	if r.written == nil {
		r.written = map[unsafe.Pointer]bool{}
	}
	clear(r.written)
	u.memory.Apply(k.memory, to, r.written)
	for j := states - 1; j >= int(k.savedStates); j-- {
		u.states[j].of.Restore(u.states[j].state)
	}
}

// next gives the mark of the step after i.
func (u *undo) next(i int) int {
	for i++; i < len(u.marks) && u.marks[i].within; i++ {
	}
	return i
}
