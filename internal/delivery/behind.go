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

// Behind takes, under Mailbox, what a timer sends that by has set when last was what it had captured last: it is
// released in its turn after that, by by. It reports false if last is released: then there is nothing to wait for.
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
