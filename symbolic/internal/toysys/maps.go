package toysys

// This file: entries of a map that an actor holds, and loops over all of them.

// maxKeys is how many keys there are.
const maxKeys = 2

// Mapped makes the system of a seed, in which an actor keeps entries in a map and adds them up.
func Mapped(seed uint64) *System {
	d := draw(seed)
	d.somewhere()
	kind := d.kind
	for range 2 + d.IntN(2) {
		d.put(d.handlerOf(kind), Stmt{Op: Put, Key: d.sum(), N: d.sum()})
	}
	if d.one(2) {
		d.put(d.handlerOf(kind), Stmt{Op: Drop, Key: d.sum()})
	}
	for range 1 + d.IntN(2) {
		h, field := d.handlerOf(kind), d.IntN(d.s.Kinds[kind].Ints)
		is := Cond{Op: "==", L: Expr{Terms: []Term{{Base: Field, I: field}}}, R: Expr{Add: d.IntN(5)}}
		d.put(h, Stmt{Op: Total, Field: field}, Stmt{Op: If, Cond: is, Then: []Stmt{d.label()}})
	}
	return d.s
}

// handlerOf gives a handler of a kind, of whose type the drawer draws then.
func (d *drawer) handlerOf(kind int) *[]Stmt {
	for {
		if h := d.somewhere(); d.kind == kind {
			return h
		}
	}
}

func (d *drawer) sum() Expr { return Expr{Terms: []Term{d.fieldOrNumber()}, Add: d.IntN(2)} }

// entries executes a statement about entries.
func (t *twin) entries(w *world, f *frame, s *Stmt) {
	n := &w.actors[f.actor].inst[f.inst]
	if s.Op == MakeMap {
		n.made = true
		return
	}
	key := t.eval(w, f, s.Key) & (maxKeys - 1)
	switch s.Op {
	case Put:
		n.has[key], n.val[key] = true, t.eval(w, f, s.N)
	case Drop:
		n.has[key], n.val[key] = false, 0
	case Total:
		sum := 0
		for i, has := range n.has {
			if has {
				sum += 2*i + n.val[i]
			}
		}
		n.ints[s.Field] = sum
	}
}

// entries prints it.
func (t *texts) entries(s *Stmt) {
	switch s.Op {
	case Put:
		t.line("if k.n == nil {\nk.n = map[int]int{}\n}")
		t.line("k.n[(%s)&%d] = %s", t.expr(s.Key), maxKeys-1, t.expr(s.N))
	case Drop:
		t.line("delete(k.n, (%s)&%d)", t.expr(s.Key), maxKeys-1)
	case Total:
		t.line("k.x%d = 0\nfor i, v := range k.n {\nk.x%d += 2*i + v\n}", s.Field, s.Field)
	}
}
