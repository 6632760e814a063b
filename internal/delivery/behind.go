package delivery

import "slices"

// This file: under Mailbox timers come behind what their handlers had captured when they set them.

// Last gives what the actor has captured last and not released yet, -1 if there is nothing.
func (p *Pool) Last(actor int32) int32 {
	if !p.Holds(actor) {
		return -1
	}
	sends := p.boxes[actor].queues[held]
	return sends[len(sends)-1]
}

// Behind captures, under Mailbox, what a timer sends. Actor by has set the timer, and last is what by had captured last
// at that time. The message of the timer is released by by, in its turn after last. Where last is released already,
// there is nothing to wait for, and Behind reports false.
func (p *Pool) Behind(by, last, m int32) bool {
	at := -1
	if p.Holds(by) {
		at = slices.Index(p.boxes[by].queues[held], last)
	}
	if at < 0 {
		return false
	}
	at++
	for sends := p.boxes[by].queues[held]; at < len(sends) && p.tr.Messages[sends[at]].Timed; at++ {
		// timers that fired before
	}
	p.tr.Messages[m].Timed = true
	p.putAt(p.box(by), by, held, at, m)
	return true
}
