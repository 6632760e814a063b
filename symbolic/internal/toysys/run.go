package toysys

import "slices"

// run goes on with a handler until it ends or waits.
func (t *twin) run(w *world, f *frame) {
	for len(f.stack) > 0 {
		top := &f.stack[len(f.stack)-1]
		s := &top.block[top.at]
		if s.Op == Cancel && t.isLate(w, f) {
			t.takeTurn(w, f)
			return
		}
		if top.at++; top.at == len(top.block) {
			f.stack = f.stack[:len(f.stack)-1]
		}
		if t.do(w, f, s) {
			return
		}
	}
}

// enter goes on with a block.
func (f *frame) enter(block []Stmt) {
	if len(block) > 0 {
		f.stack = append(f.stack, place{block, 0})
	}
}

// do executes a statement. It reports whether the handler waits.
func (t *twin) do(w *world, f *frame, s *Stmt) (waits bool) {
	a := &w.actors[f.actor]
	w.did = append(w.did, doing{s, a.inst[f.inst].kind, f.runner != f.actor,
		f.msg.class == user && f.runner == f.actor && t.sys.Types[f.msg.typ].Ended})
	switch s.Op {
	case Reach:
		w.hits = append(w.hits, s.Label)
	case SetInt:
		a.inst[f.inst].ints[s.Field] = t.eval(w, f, s.N)
	case SetRef:
		a.inst[f.inst].refs[s.Field] = t.deref(w, f, s.To)
	case If:
		if t.holds(w, f, s.Cond) {
			f.enter(s.Then)
		} else {
			f.enter(s.Else)
		}
	case Spawn:
		t.spawn(w, f, s)
	case Become:
		a.inst = append(a.inst, t.make(w, f, s.Birth))
		a.stack = append(a.stack, len(a.inst)-1)
	case Unbecome:
		a.stack = a.stack[:max(len(a.stack)-1, 1)]
	case Stop:
		a.stopping = true
	case Return:
		f.stack = nil
	case Index, Divide, Store:
		if t.panics(w, f, s) {
			w.hits = append(w.hits, s.Label)
			t.breaks(w, f)
		}
	case MakeMap, Put, Drop, Total:
		t.entries(w, f, s)
	case Stash:
		a.stash = append(a.stash, f.msg)
	case Unstash:
		t.unstash(w, a)
	case Call, CallTimeout, Await:
		return t.ask(w, f, s)
	default:
		t.talk(w, f, s)
	}
	return false
}

// spawn makes an actor, and has the field refer to it.
func (t *twin) spawn(w *world, f *frame, s *Stmt) {
	made := t.make(w, f, s.Birth)
	w.actors = append(w.actors, newActor(made))
	child := len(w.actors) - 1
	t.hook(w, f, child)
	w.actors[f.actor].inst[f.inst].refs[s.Field] = child + 1
}

func newActor(n instance) actor { return actor{inst: []instance{n}, stack: []int{0}} }

// make is what a constructor gives.
func (t *twin) make(w *world, f *frame, b Birth) instance {
	n := instance{kind: b.Kind}
	for i, e := range b.Ints {
		n.ints[i] = t.eval(w, f, e)
	}
	for i, r := range b.Refs {
		n.refs[i] = t.deref(w, f, r)
	}
	return n
}

func (t *twin) eval(w *world, f *frame, e Expr) int {
	sum := e.Add
	for _, x := range e.Terms {
		v := 0
		switch x.Base {
		case Field:
			v = w.actors[f.actor].inst[f.inst].ints[x.I]
		case Number:
			if v = f.msg.n; !t.sys.Types[f.msg.typ].Guard {
				v &= t.sys.Types[f.msg.typ].Mask
			}
		case Answer:
			v = f.vars[x.I] & 3
		}
		if x.Neg {
			v = -v
		}
		sum += v
	}
	return sum
}

// deref gives a reference: 0 is nobody, else an actor's index plus one.
func (t *twin) deref(w *world, f *frame, r Ref) int {
	switch r.Base {
	case Self:
		return f.actor + 1
	case Sender:
		return f.msg.from + 1
	case OfMessage:
		return f.msg.ref
	case OfField:
		return w.actors[f.actor].inst[f.inst].refs[r.I]
	case OfStart:
		return r.I + 2
	case OfDriver:
		return 1
	}
	return 0
}

func (t *twin) holds(w *world, f *frame, c Cond) bool {
	l, r := 0, 0
	if c.Refs {
		l, r = t.deref(w, f, c.A), t.deref(w, f, c.B)
	} else {
		l, r = t.eval(w, f, c.L), t.eval(w, f, c.R)
	}
	switch c.Op {
	case "==":
		return l == r
	case "!=":
		return l != r
	case "<":
		return l < r
	case "<=":
		return l <= r
	case ">":
		return l > r
	}
	return l >= r
}

// number gives all statements a number, and says how many variables handlers have.
func (t *twin) enumerate() {
	n := 0
	t.sys.each(func(s *Stmt) {
		n++
		s.id = n
		t.vars = max(t.vars, s.Var+1)
	})
}

// others says who may be told of from outside: nobody, the driver, and the actors that it has created.
func (t *twin) others() []int {
	refs := []int{0, 1}
	for i := range t.sys.Start {
		refs = append(refs, i+2)
	}
	return refs
}

// outsiders lists the messages of the shapes, with all values.
func (t *twin) outsiders(shapes []Shape) []item {
	var list []item
	if shapes == nil {
		for _, s := range t.sys.Sends {
			shapes = append(shapes, Shape{s.To, s.Type})
		}
	}
	for _, s := range shapes {
		ty := t.sys.Types[s.Type]
		lo, hi := 0, ty.Mask
		if ty.Guard {
			lo, hi = -1, ty.Mask+1
		}
		refs := []int{0}
		if ty.Ref {
			refs = t.others()
		}
		for n := lo; n <= hi; n++ {
			for _, r := range refs {
				list = append(list, item{class: user, typ: s.Type, n: n, ref: r, to: s.To + 1})
			}
		}
	}
	slices.SortFunc(list, func(a, b item) int {
		return slices.Compare([]int{a.to, a.typ, a.n, a.ref}, []int{b.to, b.typ, b.n, b.ref})
	})
	return slices.CompactFunc(list,
		func(a, b item) bool { return a.to == b.to && a.typ == b.typ && a.n == b.n && a.ref == b.ref })
}
