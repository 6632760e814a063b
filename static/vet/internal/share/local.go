package share

import "golang.org/x/tools/go/ssa"

// local gives what a field of a local struct has where it is read, if that is sure. After
// `msg.Items = slices.Clone(msg.Items)` the field of the variable msg is another one than that of the message. ok is
// false if no assignment of the field dominates the read.
func (b *Body) local(read *ssa.UnOp) (vals set, ok bool) {
	fa, isField := read.X.(*ssa.FieldAddr)
	if !isField {
		return nil, false
	}
	alloc, isLocal := fa.X.(*ssa.Alloc)
	if !isLocal {
		return nil, false
	}
	var last *ssa.Store
	var others []*ssa.Store
	for _, st := range assignments(alloc, fa.Field) {
		switch {
		case !dominates(st, read):
			others = append(others, st)
		case last == nil || dominates(last, st):
			last = st
		}
	}
	if last == nil {
		return nil, false
	}
	vals = vals.with(b.eval(last.Val)...)
	for _, st := range others {
		vals = vals.with(b.eval(st.Val)...)
	}
	return vals, true
}

// assignments lists the stores to one field of a local struct.
func assignments(alloc *ssa.Alloc, field int) []*ssa.Store {
	var all []*ssa.Store
	for _, ref := range *alloc.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || fa.Field != field {
			continue
		}
		for _, r := range *fa.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == fa {
				all = append(all, st)
			}
		}
	}
	return all
}

// dominates reports whether every way to y leads through x.
func dominates(x, y ssa.Instruction) bool {
	if x.Block() != y.Block() {
		return x.Block().Dominates(y.Block())
	}
	for _, in := range x.Block().Instrs {
		if in == x {
			return true
		}
		if in == y {
			return false
		}
	}
	return false
}
