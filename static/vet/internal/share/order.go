package share

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// after visits the instructions that may run after one, each once. visit returns false to go no further on that way;
// leave is called where a way returns.
func after(from ssa.Instruction, visit func(ssa.Instruction) bool, leave func()) {
	blk := from.Block()
	seen := map[*ssa.BasicBlock]bool{}
	var run func(instrs []ssa.Instruction, blk *ssa.BasicBlock)
	run = func(instrs []ssa.Instruction, blk *ssa.BasicBlock) {
		for _, in := range instrs {
			if !visit(in) {
				return
			}
			if _, ok := in.(*ssa.Return); ok {
				leave()
			}
		}
		for _, next := range blk.Succs {
			if !seen[next] {
				seen[next] = true
				run(next.Instrs, next)
			}
		}
	}
	run(blk.Instrs[slices.Index(blk.Instrs, from)+1:], blk)
}

// cleared lists the locations that the values of an event were taken from and that get another value on every way from
// there to the function's end. Who sends the content of a field and then empties the field keeps nothing.
func (b *Body) cleared(e Event) set {
	var all set
	for _, v := range b.outsidePlaces(e.Vals) {
		loc := Place{Root: v.Root, Path: v.Path}
		left := false
		after(b.takenAt(e, loc), func(in ssa.Instruction) bool { return !b.overwrites(in, loc, e.Vals) },
			func() { left = true })
		if !v.Addr && !left {
			all = all.with(loc)
		}
	}
	return all
}

// outsidePlaces lists where, outside of the function, values or parts of them are outsidePlaces: as values of
// parameters, captured variables and globals.
func (b *Body) outsidePlaces(vals set) set {
	var all set
	for _, v := range b.reach(vals) {
		if v.outside() {
			all = all.with(v)
		}
		for _, e := range b.Edges {
			if e.Val == v && e.To.outside() {
				all = all.with(e.To)
			}
		}
	}
	return all
}

// overwrites reports whether an instruction gives a location a value that is none of vals.
func (b *Body) overwrites(in ssa.Instruction, loc Place, vals set) bool {
	st, ok := in.(*ssa.Store)
	if !ok {
		return false
	}
	to := deref(b.eval(st.Addr))
	if len(to) != 1 || to[0].Root != loc.Root {
		return false
	}
	rest, ok := within(loc.Path, to[0].Path)
	if !ok || len(rest) > 0 && rest[0] == '*' {
		return false
	}
	for _, v := range b.eval(st.Val) {
		if slices.Contains(vals, v) {
			return false
		}
	}
	return true
}

// takenAt is where the payload of an event was read from a location, else where the event is.
func (b *Body) takenAt(e Event, loc Place) ssa.Instruction {
	found := e.At
	seen := map[ssa.Value]bool{}
	var look func(v ssa.Value)
	look = func(v ssa.Value) {
		if v == nil || seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.MakeInterface:
			look(v.X)
		case *ssa.ChangeType:
			look(v.X)
		case *ssa.Slice:
			look(v.X)
		case *ssa.Phi:
			for _, e := range v.Edges {
				look(e)
			}
		case *ssa.UnOp:
			if slices.Contains(deref(b.eval(v.X)), loc) {
				found = v
			}
			look(v.X)
		case *ssa.Alloc:
			for _, ref := range *v.Referrers() {
				b.lookStored(ref, look)
			}
		}
	}
	look(e.Payload)
	return found
}

// lookStored looks at what is stored into a composite literal or its fields.
func (b *Body) lookStored(ref ssa.Instruction, look func(ssa.Value)) {
	switch ref := ref.(type) {
	case *ssa.Store:
		look(ref.Val)
	case *ssa.FieldAddr:
		for _, r := range *ref.Referrers() {
			if st, ok := r.(*ssa.Store); ok {
				look(st.Val)
			}
		}
	}
}

// ChangedAfter gives a change of what an event sent, done after it in the same function. Ways on which the memory is
// made anew, or is another element, as in the next turn of a loop, do not count.
func (b *Body) ChangedAfter(e Event) (Write, bool) {
	by := map[ssa.Instruction][]Write{}
	values := b.reach(e.Vals)
	for _, w := range b.Writes {
		if !w.Weak && slices.ContainsFunc(values, func(v Place) bool { return v.shares(w.Place) }) {
			by[w.At] = append(by[w.At], w)
		}
	}
	if len(by) == 0 {
		return Write{}, false
	}
	var found Write
	var ok bool
	turns := map[Root]*turn{}
	for _, v := range values {
		t, known := turns[v.Root]
		if !known {
			t = b.turnOf(e, v.Root)
			turns[v.Root] = t
		}
		after(e.At, func(in ssa.Instruction) bool {
			if ok || b.makes(in, v.Root) || t != nil && in == t.at {
				return false
			}
			for _, w := range by[in] {
				if v.shares(w.Place) {
					found, ok = w, true
				}
			}
			return !ok
		}, func() {})
	}
	return found, ok
}

// makes reports whether an instruction makes the memory of a root.
func (b *Body) makes(in ssa.Instruction, r Root) bool {
	m := b.home(r)
	v, ok := in.(ssa.Value)
	return ok && m != nil && v == m.at
}

// again reports whether an instruction can run twice while the memory of a root stays the same.
func (b *Body) again(at ssa.Instruction, r Root) bool {
	found := false
	after(at, func(in ssa.Instruction) bool {
		if b.makes(in, r) {
			return false
		}
		found = found || in == at
		return !found
	}, func() {})
	return found
}

// before reports whether one instruction can run before another.
func before(a, b ssa.Instruction) bool {
	found := false
	after(a, func(in ssa.Instruction) bool {
		found = found || in == b
		return !found
	}, func() {})
	return found
}
