package delivery

// This file keeps the actors that may have something before them, in the order in which they got it. That is the order
// of the steps that Enabled gives.
//
//	source:     dancing links: who is taken out of a list goes back to where it was, if all that came later is taken
//	            back first
//	invariants: I1 a box is in the list iff it is listed; one that holds a message is
//	cost:       the same for a list of any length
//	checked by: view_test.go (sane), undo_test.go

// active is the list of boxes, linked through them.
type active struct{ first, last int32 }

// none is the empty list.
var none = active{-1, -1}

// list appends a box.
func (p *Pool) list(actor int32, b *box) {
	last := p.active.last
	b.listed, b.prev, b.next = true, last, -1
	if p.active.last = actor; last >= 0 {
		p.boxes[last].next = actor
	} else {
		p.active.first = actor
	}
}

// unlistLast takes the last box out.
func (p *Pool) unlistLast(b *box) {
	b.listed = false
	if p.active.last = b.prev; b.prev >= 0 {
		p.boxes[b.prev].next = -1
	} else {
		p.active.first = -1
	}
}

// unlist takes a box out.
func (p *Pool) unlist(b *box) {
	b.listed = false
	if b.prev >= 0 {
		p.boxes[b.prev].next = b.next
	} else {
		p.active.first = b.next
	}
	if b.next >= 0 {
		p.boxes[b.next].prev = b.prev
	} else {
		p.active.last = b.prev
	}
}

// relist puts a box behind another one, first if that is -1.
func (p *Pool) relist(actor int32, b *box, behind int32) {
	b.listed, b.prev, b.since = true, behind, 0
	if behind >= 0 {
		b.next = p.boxes[behind].next
		p.boxes[behind].next = actor
	} else {
		b.next = p.active.first
		p.active.first = actor
	}
	if b.next >= 0 {
		p.boxes[b.next].prev = actor
	} else {
		p.active.last = actor
	}
}

// drop takes a box out that holds nothing.
func (p *Pool) drop(actor int32, b *box) {
	p.log.add(dropped, 0, actor, b.prev, 0)
	p.unlist(b)
}
