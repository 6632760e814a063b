package toysys

import "slices"

// widen adds what systems of even seeds do not have: panics of Go's runtime, start hooks, constraints, messages that
// are put aside, and behaviours that are functions.
func (d *drawer) widen() {
	for range 2 {
		switch d.IntN(6) {
		case 0, 1:
			d.crashes()
		case 2:
			d.stashes()
		case 3:
			d.hooked()
		case 4:
			d.accepts()
		}
	}
	for i := range d.s.Kinds {
		if k := &d.s.Kinds[i]; k.Accept == nil && k.Hook == nil && d.one(3) {
			k.Func, k.Methods = true, false
		}
	}
}

// somewhere gives a handler that is there, of which kind and type the drawer draws then.
func (d *drawer) somewhere() *[]Stmt {
	for {
		d.kind, d.typ = d.IntN(len(d.s.Kinds)), d.IntN(len(d.s.Types))
		if h := &d.s.Kinds[d.kind].Handlers[d.typ]; *h != nil {
			return h
		}
		if !slices.ContainsFunc(d.s.Kinds,
			func(k Kind) bool { return slices.ContainsFunc(k.Handlers, func(h []Stmt) bool { return h != nil }) }) {
			d.s.Kinds[0].Handlers[0] = []Stmt{d.label()}
		}
	}
}

// put inserts statements into a handler, behind its guards, at any place of it or of a branch.
func (d *drawer) put(h *[]Stmt, list ...Stmt) {
	first := 0
	for first < len(*h) && (*h)[first].Keep {
		first++
	}
	at := first + d.IntN(len(*h)-first+1)
	if at < len(*h) && (*h)[at].Op == If && d.one(2) {
		d.put(&(*h)[at].Then, list...)
		return
	}
	*h = slices.Insert(*h, at, list...)
}

// crash gives a statement that may panic.
func (d *drawer) crash() Stmt {
	s := Stmt{Op: []Op{Index, Divide, Store}[d.IntN(3)], Label: d.s.Labels,
		N: Expr{Terms: []Term{d.fieldOrNumber()}, Add: d.IntN(4) - 1}}
	d.s.Labels++
	return s
}

func (d *drawer) fieldOrNumber() Term {
	if d.one(2) && d.typ < d.s.own() {
		return Term{Base: Number}
	}
	return Term{Base: Field, I: d.IntN(d.s.Kinds[d.kind].Ints)}
}

func (d *drawer) crashes() {
	for range 2 + d.IntN(3) {
		h := d.somewhere()
		s := d.crash()
		d.put(h, s)
		if s.Op == Store && d.one(2) {
			d.put(&d.s.Kinds[d.kind].Handlers[d.typ], Stmt{Op: MakeMap})
		}
	}
}

func (d *drawer) stashes() {
	h := d.somewhere()
	kind := d.kind
	d.put(h, Stmt{Op: If, Cond: d.ofState(), Then: []Stmt{d.label(), {Op: Stash}, {Op: Return}}})
	for range 2 {
		for {
			if h = d.somewhere(); d.kind == kind || d.one(20) {
				break
			}
		}
		d.put(h, Stmt{Op: Unstash})
	}
}

// ofState gives a condition on a field.
func (d *drawer) ofState() Cond {
	return Cond{Op: []string{"==", "!=", "<", ">"}[d.IntN(4)],
		L: Expr{Terms: []Term{{Base: Field, I: d.IntN(d.s.Kinds[d.kind].Ints)}}}, R: Expr{Add: d.IntN(3)}}
}

// accepts gives a kind constraints. A search forward with timers that go off behind messages that are refused is
// another matter.
func (d *drawer) accepts() {
	if d.s.Has("timer") || d.s.Has("calltimeout") {
		return
	}
	d.kind = d.IntN(len(d.s.Kinds))
	k := &d.s.Kinds[d.kind]
	k.Accept = make([]*Cond, len(d.s.Types))
	for range 2 {
		c := d.ofState()
		k.Accept[d.IntN(len(k.Accept))] = &c
	}
}

// hooked adds a kind with a start hook, which handlers alone create.
func (d *drawer) hooked() {
	if len(d.s.Kinds) > 3 {
		return
	}
	from := d.s.Kinds[d.IntN(len(d.s.Kinds))]
	k := Kind{Ints: from.Ints, Refs: from.Refs, Methods: from.Methods}
	for _, h := range from.Handlers {
		h = cloneBlock(h)
		eachOf(h, func(s *Stmt) {
			if s.Op == Reach || s.Op == Index || s.Op == Divide || s.Op == Store {
				s.Label = d.s.Labels
				d.s.Labels++
			}
		})
		k.Handlers = append(k.Handlers, h)
	}
	d.s.Kinds = append(d.s.Kinds, k)
	d.kind = len(d.s.Kinds) - 1
	d.s.Kinds[d.kind].Hook = d.hookOf()
	for range 2 {
		h := d.somewhere()
		b := d.birth()
		for b.Kind != len(d.s.Kinds)-1 {
			b = d.birth()
		}
		d.put(h, Stmt{Op: Spawn, Field: d.IntN(d.s.Kinds[d.kind].Refs), Birth: b})
	}
}

// hookOf draws what a start hook does: it has no message, and must not wait.
func (d *drawer) hookOf() []Stmt {
	known := func() Expr {
		return Expr{Terms: []Term{{Base: Field, I: d.IntN(d.s.Kinds[d.kind].Ints)}}, Add: d.IntN(3) - 1}
	}
	who := func() Ref {
		if d.one(3) {
			return Ref{Base: Self}
		}
		return Ref{Base: OfField, I: d.IntN(d.s.Kinds[d.kind].Refs)}
	}
	tell := Stmt{Op: Tell, To: who(), Type: d.IntN(d.s.own()), N: known(), R: who()}
	list := []Stmt{d.label(), {Op: SetInt, Field: d.IntN(d.s.Kinds[d.kind].Ints), N: known()}, tell}
	switch d.IntN(4) {
	case 0:
		list = append(list, Stmt{Op: If, Cond: d.ofState(), Then: []Stmt{d.label(), {Op: Stop}}})
	case 1:
		list = append(list, Stmt{Op: Index, Label: d.s.Labels, N: known()})
		d.s.Labels++
	case 2:
		if !slices.ContainsFunc(d.s.Kinds, func(k Kind) bool { return k.Accept != nil }) {
			list = append(list, Stmt{Op: After, Type: d.IntN(d.s.own()), N: known(), R: who(), Delay: 1})
		}
	}
	return append(list, Stmt{Op: Tell, To: who(), Type: d.IntN(d.s.own()), N: known(), R: who()})
}
