package causal

// This file walks over accesses: which events access the same object, and which steps of different actors depend on
// each other.

// EachCollision calls f for every event before e that depends on it, with the number of the access by which it does.
// For each object that e accesses it goes from the last access back, until f says false. An event may come more than
// once.
func (o *footprints) EachCollision(e int32, f func(u, access int32) bool) {
	for k := o.events[e].accesses; k < o.accessEnd(e); k++ {
		write := o.accesses[k].write
		for b := o.accesses[k].before; b >= 0; b = o.accesses[b].before {
			o.walked++
			if !write {
				if b = o.lastWrite(b); b < 0 {
					break
				}
			}
			if !f(o.accesses[b].event, b) {
				break
			}
		}
	}
}

// EachAccess calls f for the accesses of event e, by number, with the one before to the same object, -1 if there is
// none.
func (o *footprints) EachAccess(e int32, f func(access, before int32)) {
	for k := o.events[e].accesses; k < o.accessEnd(e); k++ {
		f(k, o.accesses[k].before)
	}
}

// Collide reports whether one of the events [a, b) depends on one of the events [c, d).
func (o *footprints) Collide(a, b, c, d int32) bool {
	for _, x := range o.accesses[o.events[a].accesses:o.accessEnd(b-1)] {
		for _, y := range o.accesses[o.events[c].accesses:o.accessEnd(d-1)] {
			if x.object == y.object && (x.write || y.write) {
				return true
			}
		}
	}
	return false
}

// EachBeforeOnChain calls f for the steps of the receiver of m, which was not handled, and the arrivals of its system
// messages, with the numbers of their accesses. It goes from the last one back, until f says false.
func (o *footprints) EachBeforeOnChain(m int32, f func(u, access int32) bool) {
	for k := o.heads[o.of(o.tr.Messages[m].Receiver).chain]; k >= 0; k = o.accesses[k].before {
		o.walked++
		if !f(o.accesses[k].event, k) {
			return
		}
	}
}

// OnChain reports whether one of the events [a, b) is a step of the actor or brings it a system message.
func (o *footprints) OnChain(a, b, actor int32) bool {
	chain := o.of(actor).chain
	for _, x := range o.accesses[o.events[a].accesses:o.accessEnd(b-1)] {
		if x.object == chain {
			return true
		}
	}
	return false
}

// EachForeign calls f for events before e that are steps of other actors and on which e depends, but not by arrivals in
// a mailbox. One of the two sends the other's actor a system message, or stops and so makes the other's send a dead
// letter. Or both access the same object and one writes it. An event may come more than once.
func (o *footprints) EachForeign(e int32, f func(u int32)) {
	if o.Actor(e) < 0 {
		return
	}
	for k := o.events[e].accesses; k < o.accessEnd(e); k++ {
		if o.queues() && o.boxes[o.accesses[k].object] {
			continue
		}
		write := o.accesses[k].write
		for b := o.accesses[k].before; b >= 0; b = o.accesses[b].before {
			o.walked++
			if b = o.lastOther(b, e); b >= 0 && !write {
				b = o.lastWrite(b)
			}
			if b < 0 {
				break
			}
			if u := o.accesses[b].event; o.Actor(u) >= 0 && o.Actor(u) != o.Actor(e) {
				f(u)
			}
		}
	}
}

// lastOther looks at access b (-1: none) and those before it to the same object. It gives the last one by a step of
// another actor than event e is; -1 if there is none. So an actor's own steps are not walked over, which are nearly all
// that access it.
func (o *footprints) lastOther(b, e int32) int32 {
	if b >= 0 && o.Actor(o.accesses[b].event) == o.Actor(e) {
		return o.accesses[b].others
	}
	return b
}

// SendsOnly reports whether event e writes no object but the sequence of its actor's steps: it handles its message and
// sends user messages. Two such events depend on each other only if they are steps of one actor.
func (o *footprints) SendsOnly(e int32) bool {
	if o.queues() || o.Actor(e) < 0 || o.Barrier(e) {
		return false
	}
	chain := o.of(o.Actor(e)).chain
	for _, a := range o.accesses[o.events[e].accesses:o.accessEnd(e)] {
		if a.write && a.object != chain {
			return false
		}
	}
	return true
}

// Walked counts the accesses that were walked over so far, for tests that hold this to the length of executions.
func (o *footprints) Walked() int { return o.walked }

func (o *footprints) accessEnd(i int32) int32 {
	if int(i)+1 < len(o.events) {
		return o.events[i+1].accesses
	}
	return int32(len(o.accesses))
}

// eachColliding calls f for the last events before event i that collide with its access k.
func (o *footprints) eachColliding(k, i int32, f func(p int32)) {
	a := &o.accesses[k]
	b := a.before
	if o.events[i].open {
		b = o.heads[a.object] // not linked yet
	}
	if !a.write {
		b = o.lastWrite(b) // those that only read in between are independent of it, however many they are
	}
	for ; b >= 0; b = o.accesses[b].before {
		o.walked++
		p := &o.accesses[b]
		f(p.event)
		if p.write {
			return
		}
	}
}

// lastWrite gives the last access that writes, of access b (-1: none) and those before it to the same object; -1 if
// there is none.
func (o *footprints) lastWrite(b int32) int32 {
	if b >= 0 && !o.accesses[b].write {
		return o.accesses[b].writes
	}
	return b
}
