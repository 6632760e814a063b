package goroutine

import (
	"reflect"
	"slices"
	"time"
)

// A timer that was stopped stays in the heap until another is added: then it leaves if it is the first or the last
// there. Nobody would know of one that a handler sets and stops before it sets another. So timers of our own, pins, are
// put where it would be first or last.
//
//	source:     cleanHead and siftUp of Go's runtime/time.go
//	assumes:    a heap of four children a node; no time passes
//	invariants: I1 of the timers that were set and stopped since Hold one at least is in the heap when the next one is
//	               set that is not stopped
//
// The head fires at the next nanosecond, so that no other timer is first. The others fire in the far future. There are
// so many that the parent of the next timer to be added is one of them: they change places. So a pin is last, and what
// was added is within. The next that is added may change places with that in turn. One of the two stays within, and if
// the other was stopped too it leaves when a third is added.

// Pins are such timers of a bubble. The zero value has none.
type Pins struct {
	head *time.Timer
	rest []*time.Timer
}

// far is when pins fire: beyond the horizon of any execution.
const far = 100 * 365 * 24 * time.Hour

// heapArity is the number of children of a node.
const heapArity = 4

// Hold keeps timers in the heap that are stopped from now on until another one is set that is not, in a bubble in which
// FindTimers has found the timers.
func (p *Pins) Hold() {
	if p.head == nil {
		p.head = time.AfterFunc(1, pin)
	}
	bubble := word(g(), timers.bubble)
	_, before := timers.slice(bubble)
	for range heapArity * (before + 1) {
		entries, n := timers.slice(bubble)
		if p.at(entries, n-1) && p.at(entries, (n-1)/heapArity) {
			return
		}
		p.rest = append(p.rest, time.AfterFunc(far+time.Duration(len(p.rest)), pin))
	}
}

// at reports whether one of the pins of the far future is in a place of the heap.
func (p *Pins) at(entries, i uintptr) bool {
	timer := word(pointer(entries), i*entryWords*wordBytes)
	t, pinned := timers.read(timer)
	return pinned && t.Code == ofPin && t.When != 0 && t.Timer != p.head
}

// Release is called before time passes.
func (p *Pins) Release() {
	if p.head != nil {
		p.head.Stop()
		p.head = nil
	}
}

// Remove takes all pins away.
func (p *Pins) Remove() {
	p.Release()
	for _, t := range p.rest {
		t.Stop()
	}
	p.rest = nil
}

// pin is the function of pins.
func pin() {}

// ofPin is its code.
var ofPin = reflect.ValueOf(pin).Pointer()

// pinsHold reports whether pins do in this version of Go what they are for.
func pinsHold() bool {
	for _, delays := range [][]time.Duration{{9}, {9, 5}, {5, 9}, {5, 4, 3, 4, 5}} {
		var p Pins
		p.Hold()
		var set []*time.Timer
		for _, d := range delays {
			t := time.AfterFunc(d*time.Minute, pin)
			t.Stop()
			set = append(set, t)
		}
		last, held := time.AfterFunc(time.Hour, pin), false
		entries, n := timers.slice(word(g(), timers.bubble))
		for i := range n {
			t, ok := timers.read(word(pointer(entries), i*entryWords*wordBytes))
			held = held || ok && slices.Contains(set, t.Timer)
		}
		last.Stop()
		p.Remove()
		if !held {
			return false
		}
	}
	return true
}

// read reads what an entry of the heap points to, if it is a timer with a function.
func (at *timersAt) read(timer uintptr) (t Timer, ok bool) {
	if timer == 0 || word(pointer(timer), at.arg-wordBytes) != at.function {
		return t, false // a sleep, or a channel
	}
	closure := pointer(word(pointer(timer), at.arg))
	return Timer{Timer: (*time.Timer)(pointer(timer - at.timer)), When: int64(word(pointer(timer), at.when)),
		Code: word(closure, 0), closure: closure}, true
}
