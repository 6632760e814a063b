package toysys

// This file has actors that are told of the end of others: how they are drawn, and what the twin makes of them.

// ended gives the type of messages that tell of the end of an actor, -1 if the system has none.
func (s *System) ended() int {
	if n := len(s.Types); n > 0 && s.Types[n-1].Ended {
		return n - 1
	}
	return -1
}

// watched has actors watch others, and stop more often.
func (d *drawer) watched() {
	d.s.Types = append(d.s.Types, MessageType{Ref: true, Ended: true})
	for k := range d.s.Kinds {
		kind := &d.s.Kinds[k]
		if kind.Accept != nil {
			kind.Accept = append(kind.Accept, nil)
		}
		var h []Stmt
		if !d.one(4) {
			d.kind = k
			h = d.handler(d.s.ended())
		}
		kind.Handlers = append(kind.Handlers, h)
	}
	for range 2 + d.IntN(2) {
		h := d.somewhere()
		watch := []Stmt{{Op: Watch, To: d.peer()}}
		if d.one(2) {
			watch = append(watch, Stmt{Op: StopActor, To: watch[0].To})
		}
		d.put(h, watch...)
		h = d.somewhere()
		d.put(h, d.ending())
	}
}

// ending gives a statement by which an actor may stop.
func (d *drawer) ending() Stmt {
	switch d.IntN(3) {
	case 0:
		return Stmt{Op: Stop}
	case 1:
		return Stmt{Op: StopActor, To: d.peer()}
	}
	return d.crash()
}

// leaves is the end of an actor for all others. The requests to be told that are before it count.
func (t *twin) leaves(w *world, i int) {
	a := &w.actors[i]
	a.left = true
	var rest []item
	for _, m := range w.pending {
		if m.to != i {
			rest = append(rest, m)
		} else if m.watch {
			a.watchers = append(a.watchers, m.from)
		}
	}
	w.pending = rest
	for _, to := range a.watchers {
		if m := t.ended(w, i, to); t.model == boxModel {
			a.held = append(a.held, m)
		} else {
			t.arrive(w, m)
		}
	}
	a.watchers = nil
}

// ended makes the message that tells of the end of an actor.
func (t *twin) ended(w *world, i, watcher int) item {
	m := item{class: user, typ: t.sys.ended(), ref: i + 1, from: i, to: watcher, num: w.number()}
	t.notes(w, i, i, &m)
	return m
}

// behindOutside reports whether a message follows all from outside: the driver has ended when it tells of that.
func (t *twin) behindOutside(m item) bool {
	return m.class == user && m.from == 0 && t.sys.Types[m.typ].Ended && t.model != bagModel && t.model != boxModel
}
