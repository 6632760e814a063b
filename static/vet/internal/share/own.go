package share

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file: loops over the elements of a slice, an array or a map, of which each turn gives another one to an actor,
// or sends another one. All elements are one place (place.go), so that it would look as if the actors shared them, or
// as if what was sent were changed in the next turn.
//
//	assumes:    elements that the function did not put there itself are not the same ones
//	not seen:   indices that are computed otherwise than by counting, elements that handlers find by an index of their
//	            own
//	checked by: the corpus (shared-element.txtar, message-element.txtar), both ways

// ownElement reports whether each run of a spawn gets memory only by an element that no other run gets.
func (b *Body) ownElement(e Event, r Root) bool {
	t := b.turnOf(e, r)
	if t == nil {
		return false
	}
	again := false
	after(e.At, func(in ssa.Instruction) bool {
		again = again || in == e.At
		return !again && in != t.at
	}, func() {})
	return !again
}

// turnOf gives the turn with which the element changes that an event gets a memory by; nil if there is another way to
// it, or if elements come again.
func (b *Body) turnOf(e Event, r Root) *turn {
	w := ways{b: b, event: e.At, to: r, seen: map[ssa.Value]bool{}}
	if only := e.Payload != nil && w.value(e.Payload) || e.Payload == nil && w.operands(e.At); !only || len(w.turns) == 0 {
		return nil
	}
	for _, t := range w.turns {
		if t.at != w.turns[0].at {
			return nil
		}
	}
	return w.turns[0]
}

// ways goes back from an event to where it has a memory from.
type ways struct {
	b     *Body
	event ssa.Instruction
	to    Root
	seen  map[ssa.Value]bool
	turns []*turn // of the elements that ways lead through
}

// leads reports whether memory is reached from values.
func (w *ways) leads(vals set) bool {
	return slices.ContainsFunc(w.b.reach(vals), func(p Place) bool { return p.Root == w.to })
}

// operands reports whether all operands that lead to the memory do so by elements, and one does.
func (w *ways) operands(in ssa.Instruction) bool {
	found := false
	for _, op := range in.Operands(nil) {
		if *op != nil && w.leads(w.b.eval(*op)) {
			if found = true; !w.value(*op) {
				return false
			}
		}
	}
	return found
}

// value reports whether a value leads to the memory only by elements.
func (w *ways) value(v ssa.Value) bool {
	if w.seen[v] {
		return true
	}
	w.seen[v] = true
	switch v := v.(type) {
	case *ssa.Alloc:
		return w.stored(v)
	case *ssa.MakeClosure:
		return w.closure(v)
	case *ssa.UnOp:
		if ia, ok := v.X.(*ssa.IndexAddr); ok && w.element(w.b.eval(ia.X), turns(ia.Index)) {
			return true
		}
	case *ssa.IndexAddr:
		if w.element(w.b.eval(v.X), turns(v.Index)) {
			return true
		}
	case *ssa.Extract:
		if next, ok := v.Tuple.(*ssa.Next); ok && v.Index == 2 {
			if over, ok := next.Iter.(*ssa.Range); ok && w.element(w.b.eval(over.X), &turn{next, []ssa.Instruction{over}}) {
				return true
			}
		}
	}
	in, ok := v.(ssa.Instruction)
	return ok && w.operands(in)
}

// stored is value for a variable or a literal: what is stored into it, or into its fields, counts.
func (w *ways) stored(v *ssa.Alloc) bool {
	found := false
	addrs := []ssa.Value{v}
	for i := 0; i < len(addrs); i++ {
		for _, ref := range *addrs[i].Referrers() {
			switch ref := ref.(type) {
			case *ssa.FieldAddr:
				addrs = append(addrs, ref)
			case *ssa.IndexAddr:
				addrs = append(addrs, ref)
			case *ssa.Store:
				if ref.Addr == addrs[i] && w.leads(w.b.eval(ref.Val)) {
					if found = true; !w.value(ref.Val) {
						return false
					}
				}
			}
		}
	}
	return found
}

// closure is value for a function literal: it may have a slice and take the element itself, with an index that it has,
// too.
func (w *ways) closure(c *ssa.MakeClosure) bool {
	for i, v := range c.Bindings {
		if !w.leads(w.b.eval(v)) {
			continue
		}
		t := indexed(c, i)
		if !(t != nil && w.element(w.b.load(deref(w.b.eval(v))), t)) && !w.value(v) {
			return false
		}
	}
	return true
}

// indexed gives how the index turns with which a literal takes an element of the slice that it has captured, if it does
// nothing else with that; else nil.
func indexed(c *ssa.MakeClosure, i int) *turn {
	fn := c.Fn.(*ssa.Function)
	var found *turn
	for _, ref := range *fn.FreeVars[i].Referrers() {
		load, ok := ref.(*ssa.UnOp)
		if !ok {
			return nil
		}
		for _, use := range *load.Referrers() {
			ia, ok := use.(*ssa.IndexAddr)
			if !ok || ia.X != load {
				return nil
			}
			index, ok := ia.Index.(*ssa.UnOp)
			if !ok {
				return nil
			}
			k := slices.IndexFunc(fn.FreeVars, func(v *ssa.FreeVar) bool { return v == index.X })
			if k < 0 || slices.ContainsFunc(*index.X.Referrers(),
				func(r ssa.Instruction) bool { _, load := r.(*ssa.UnOp); return !load }) {
				return nil
			}
			t := turnsAt(c.Bindings[k])
			if t == nil || found != nil && found.at != t.at {
				return nil
			}
			found = t
		}
	}
	return found
}

// element reports whether each turn has another element of a container, whether the event cannot come to all turns
// again, and whether the memory belongs to one element alone.
func (w *ways) element(container set, t *turn) bool {
	if t == nil || len(container) == 0 {
		return false
	}
	locs, own := deref(container), true
	after(w.event, func(in ssa.Instruction) bool {
		own = own && !slices.Contains(t.begins, in)
		return own && !slices.ContainsFunc(locs, func(p Place) bool { return w.b.makes(in, p.Root) })
	}, func() {})
	if own = own && w.once(locs); own {
		w.turns = append(w.turns, t)
	}
	return own
}

// once reports whether the memory is put into a container at most once. What the function did not put there was put
// there by others, or belongs to it.
func (w *ways) once(locs set) bool {
	if among(locs, w.to) {
		return true
	}
	var puts []ssa.Instruction
	for _, blk := range w.b.Fn.Blocks {
		for _, in := range blk.Instrs {
			if w.puts(in, locs) {
				puts = append(puts, in)
			}
		}
	}
	if len(puts) > 0 {
		return len(puts) == 1 && !w.b.again(puts[0], w.to)
	}
	m := w.b.home(w.to)
	if m == nil {
		return false
	}
	_, called := m.at.(*ssa.Call)
	return called
}

// puts reports whether an instruction puts the memory into a container.
func (w *ways) puts(in ssa.Instruction, locs set) bool {
	b := w.b
	to := func(container ssa.Value) bool {
		return slices.ContainsFunc(deref(b.eval(container)), func(p Place) bool { return among(locs, p.Root) })
	}
	switch in := in.(type) {
	case *ssa.Store:
		ia, ok := in.Addr.(*ssa.IndexAddr)
		return ok && to(ia.X) && w.leads(b.eval(in.Val))
	case *ssa.MapUpdate:
		return to(in.Map) && w.leads(b.eval(in.Value))
	case *ssa.Call:
		bi, ok := in.Call.Value.(*ssa.Builtin)
		return ok && bi.Name() == "append" && len(in.Call.Args) > 1 && to(in) &&
			w.leads(b.load(deref(b.eval(in.Call.Args[1]))))
	}
	return false
}

// among reports whether one of several places is in a root.
func among(locs set, r Root) bool {
	return slices.ContainsFunc(locs, func(p Place) bool { return p.Root == r })
}

// turn is how a value changes: it has another one each time that an instruction is passed, until one of those where it
// begins anew.
type turn struct {
	at     ssa.Instruction
	begins []ssa.Instruction
}

// turns gives how an index turns that counts in a loop; nil if it does not.
func turns(v ssa.Value) *turn {
	switch v := v.(type) {
	case *ssa.BinOp:
		if phi, ok := v.X.(*ssa.Phi); ok && counts(v) {
			return turns(phi)
		}
	case *ssa.Phi:
		return turning(v, func(edge ssa.Value) bool {
			add, ok := edge.(*ssa.BinOp)
			return ok && add.X == v && counts(add)
		})
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return turnsAt(v.X)
		}
	}
	return nil
}

// turnsAt is turns for a variable that a literal captures: it is another variable in each turn.
func turnsAt(addr ssa.Value) *turn {
	switch v := addr.(type) {
	case *ssa.Alloc:
		if stores := into(v); len(stores) == 1 {
			return turns(stores[0].Val)
		}
	case *ssa.Phi:
		return turning(v, func(edge ssa.Value) bool {
			next, ok := edge.(*ssa.Alloc)
			return ok && slices.ContainsFunc(into(next), func(st *ssa.Store) bool {
				add, ok := st.Val.(*ssa.BinOp)
				return ok && counts(add)
			}) && len(into(next)) == 2
		})
	}
	return nil
}

// turning gives the turn of a phi whose edges, but for those on which it begins, go on counting.
func turning(phi *ssa.Phi, goesOn func(ssa.Value) bool) *turn {
	t := &turn{at: phi}
	for i, edge := range phi.Edges {
		if !goesOn(edge) {
			from := phi.Block().Preds[i].Instrs
			t.begins = append(t.begins, from[len(from)-1])
		}
	}
	if len(t.begins) != 1 || len(phi.Edges) < 2 {
		return nil
	}
	return t
}

// counts reports whether an operation adds or takes away a constant that is not 0.
func counts(op *ssa.BinOp) bool {
	c, ok := op.Y.(*ssa.Const)
	return ok && (op.Op == token.ADD || op.Op == token.SUB) && c.Value != nil && c.Value.Kind() == constant.Int &&
		constant.Sign(c.Value) != 0
}

// into lists the stores to a variable in its own function.
func into(v *ssa.Alloc) []*ssa.Store {
	var all []*ssa.Store
	for _, ref := range *v.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == v {
			all = append(all, st)
		}
	}
	return all
}
