package toysys

import "slices"

// This file has actors that are told of the end of others: how they are drawn, and what the twin makes of them.

// ended gives the type of messages that tell of the end of an actor, -1 if the system has none.
func (s *System) ended() int {
	if n := len(s.Types); n > 0 && s.Types[n-1].Ended {
		return n - 1
	}
	return -1
}

// own says how many types there are that programs send: those of the framework are behind them.
func (s *System) own() int {
	n := len(s.Types)
	for n > 0 && (s.Types[n-1].Ended || s.Types[n-1].Life != "") {
		n--
	}
	return n
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
		if !d.one(12) {
			d.kind = k
			h = d.handler(d.s.ended())
		}
		kind.Handlers = append(kind.Handlers, h)
	}
	d.watchesFirst()
	for range 1 + d.IntN(2) {
		h := d.somewhere()
		d.put(h, Stmt{Op: Watch, To: d.peer()})
		h = d.somewhere()
		d.put(h, d.ending())
	}
}

// watchesFirst has a handler of a message from outside watch somebody, whom it may stop, before all else.
func (d *drawer) watchesFirst() {
	m := d.s.Sends[d.IntN(len(d.s.Sends))]
	d.kind, d.typ = d.s.Start[m.To].Kind, m.Type
	h := &d.s.Kinds[d.kind].Handlers[d.typ]
	at := 0
	for at < len(*h) && (*h)[at].Keep {
		at++
	}
	who := d.peer()
	if i := slices.IndexFunc(d.s.Start[m.To].Refs, func(r Ref) bool { return r.Base != Nobody }); i >= 0 {
		who = Ref{Base: OfField, I: i}
	}
	watch := []Stmt{{Op: Watch, To: who}}
	if !d.one(6) {
		watch = append(watch, Stmt{Op: StopActor, To: who})
	}
	*h = slices.Insert(*h, at, watch...)
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
