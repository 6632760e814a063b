package effects

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// frame is a function with arguments of one kind. All calls that look alike share it.
type frame struct {
	h      *handler
	fn     *ssa.Function
	args   []val
	free   []val
	values map[ssa.Value]val
	tuples map[ssa.Value][]val
	ret    []val
	edges  map[[2]*ssa.BasicBlock]bool // that may be taken
	pass   int
	above  int // conditions above it, the least number
}

// call analyses a function whose source was read, and gives what it returns.
func (h *handler) call(fn *ssa.Function, args, free []val, above int, pos token.Pos) []val {
	var key strings.Builder
	fmt.Fprintf(&key, "%p", fn)
	for _, list := range [][]val{args, free} {
		for i := range list {
			key.WriteString("|" + list[i].key())
		}
	}
	f := h.frames[key.String()]
	if f == nil {
		if len(h.frames) >= tooMany {
			h.give(pos, "it is too large to analyse: more than %d kinds of calls", tooMany)
			return nil
		}
		f = &frame{h: h, fn: fn, args: args, free: free, values: map[ssa.Value]val{}, tuples: map[ssa.Value][]val{},
			ret: make([]val, fn.Signature.Results().Len()), edges: map[[2]*ssa.BasicBlock]bool{}, above: above}
		h.frames[key.String()] = f
		h.changed = true
	}
	if above < f.above {
		f.above, h.changed = above, true
	}
	if f.pass != h.pass {
		f.pass = h.pass
		f.eval()
	}
	return f.ret
}

// eval goes once through the blocks that may be reached.
func (f *frame) eval() {
	reached := map[*ssa.BasicBlock]bool{f.fn.Blocks[0]: true}
	if f.fn.Recover != nil {
		reached[f.fn.Recover] = true
	}
	for _, b := range f.fn.Blocks { // in no order that matters: what grows is looked at again
		for _, s := range b.Succs {
			reached[s] = reached[s] || f.edges[[2]*ssa.BasicBlock{b, s}]
		}
	}
	for _, b := range f.fn.Blocks {
		if !reached[b] {
			continue
		}
		ends := false
		for _, instr := range b.Instrs {
			if ends = f.panics(instr); ends {
				break
			}
			f.instr(instr)
			if f.h.unknown != "" {
				return
			}
		}
		if ends {
			continue
		}
		for i, s := range b.Succs {
			if f.mayTake(b, i) {
				reached[s] = true
				if e := [2]*ssa.BasicBlock{b, s}; !f.edges[e] {
					f.edges[e], f.h.changed = true, true
				}
			}
		}
	}
}

// mayTake reports whether a block may be left by its i-th edge: a comparison of the message with a type has one
// outcome.
func (f *frame) mayTake(b *ssa.BasicBlock, i int) bool {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return true
	}
	if x, ok := br.Cond.(*ssa.Extract); ok {
		if a, ok := x.Tuple.(*ssa.TypeAssert); ok && !f.get(a.X).set {
			return false // not yet: it is looked at again when it is something
		}
	}
	holds, known := f.outcome(br.Cond)
	return !known || holds == (i == 0)
}

func (f *frame) outcome(cond ssa.Value) (holds, known bool) {
	switch c := cond.(type) {
	case *ssa.Const:
		return constant.BoolVal(c.Value), true
	case *ssa.Extract:
		if a, ok := c.Tuple.(*ssa.TypeAssert); ok && c.Index == 1 {
			return f.asserts(a)
		}
	case *ssa.UnOp:
		if c.Op == token.NOT {
			holds, known = f.outcome(c.X)
			return !holds, known
		}
	}
	return false, false
}

// asserts says whether a value is of a type. Nothing yet is neither.
func (f *frame) asserts(a *ssa.TypeAssert) (holds, known bool) {
	x := f.get(a.X)
	if !x.arrives || f.h.msg == nil && types.IsInterface(a.AssertedType) {
		return false, false
	}
	if f.h.msg == nil {
		return false, true
	}
	if i, ok := a.AssertedType.Underlying().(*types.Interface); ok {
		return implements(f.h.msg, i), true
	}
	return same(f.h.msg, a.AssertedType), true
}

// get gives what a value may be.
func (f *frame) get(v ssa.Value) val {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Builtin:
		return val{set: true}
	case *ssa.Parameter:
		return f.args[slices.Index(f.fn.Params, v)]
	case *ssa.FreeVar:
		return f.free[slices.Index(f.fn.FreeVars, v)]
	case *ssa.Global:
		if !f.h.unchanging(v) {
			f.h.give(token.NoPos, "it uses the package variable %s, which may change", v.RelString(nil))
		}
		return only(ref{obj: f.h.object(v, fixed)})
	case *ssa.Function:
		o := f.h.object(v, closure)
		o.fn = v
		return only(ref{obj: o})
	}
	return f.values[v]
}

// set adds to what a value may be.
func (f *frame) set(v ssa.Value, x val) {
	old := f.values[v]
	old.refs, old.dyn = slices.Clone(old.refs), slices.Clone(old.dyn)
	if old.add(x) {
		f.values[v] = old
		f.h.changed = true
	}
}

func (f *frame) setTuple(v ssa.Value, xs []val) {
	old := f.tuples[v]
	for len(old) < len(xs) {
		old = append(old, val{})
	}
	for i := range xs {
		o := old[i]
		o.refs, o.dyn = slices.Clone(o.refs), slices.Clone(o.dyn)
		if o.add(xs[i]) {
			old[i], f.h.changed = o, true
		}
	}
	f.tuples[v] = old
}

// conditions counts the branches above a block that decide whether it is reached. Comparisons of the message with types
// do not count.
func (f *frame) conditions(b *ssa.BasicBlock) int {
	n := f.above
	for d := b.Idom(); d != nil; d = d.Idom() {
		br, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		if _, known := f.outcome(br.Cond); !known && avoids(d, b, map[*ssa.BasicBlock]bool{}) {
			n++
		}
	}
	return n
}

// avoids reports whether the function may be left from a block without reaching another.
func avoids(from, b *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) bool {
	if from == b || seen[from] {
		return false
	}
	seen[from] = true
	if len(from.Succs) == 0 {
		return true
	}
	return slices.ContainsFunc(from.Succs, func(s *ssa.BasicBlock) bool { return avoids(s, b, seen) })
}

// panics reports whether an instruction never ends: the message is taken for a type that it is not of.
func (f *frame) panics(instr ssa.Instruction) bool {
	a, ok := instr.(*ssa.TypeAssert)
	if !ok || a.CommaOk {
		return false
	}
	holds, known := f.asserts(a)
	if known && !holds {
		f.compared(a)
	}
	return known && !holds
}

// compared notes a type that the message may be compared with.
func (f *frame) compared(a *ssa.TypeAssert) {
	if !f.get(a.X).arrives {
		return
	}
	if i, ok := a.AssertedType.Underlying().(*types.Interface); ok {
		holds, known := f.asserts(a)
		f.h.asks, f.h.implements, f.h.anything = true, f.h.implements || known && holds, f.h.anything || i.Empty()
	} else if !slices.ContainsFunc(f.h.cases, func(t types.Type) bool { return same(t, a.AssertedType) }) {
		f.h.cases = append(f.h.cases, a.AssertedType)
	}
}
