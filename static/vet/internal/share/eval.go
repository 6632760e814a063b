package share

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// eval gives what memory a value leads to; nothing if its type leads to none, or if it is unknown.
func (b *Body) eval(v ssa.Value) set {
	if b.visited[v] || !Mutable(v.Type()) {
		return slices.Clip(b.memo[v]) // in a loop of phis it is still incomplete, and the next pass of analyze completes it
	}
	b.visited[v] = true
	before := len(b.memo[v])
	b.memo[v] = b.memo[v].with(b.value(v)...)
	if len(b.memo[v]) > before {
		b.grew = true
		b.version++
	}
	return slices.Clip(b.memo[v]) // who adds to it does not write behind its end
}

func (b *Body) value(v ssa.Value) set {
	switch v := v.(type) {
	case *ssa.Parameter:
		if v == b.w.message[b.Fn] {
			return set{{Root: Root{Kind: Msg}}}
		}
		return set{{Root: Root{Kind: Param, N: slices.Index(b.Fn.Params, v)}}}
	case *ssa.FreeVar:
		return set{{Root: Root{Kind: Free, N: slices.Index(b.Fn.FreeVars, v)}}}
	case *ssa.Global:
		return set{{Root: Root{Kind: Global, Name: v.RelString(nil)}, Addr: true}}
	case *ssa.Function, *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.MakeClosure:
		return set{{Root: b.made(v, nil, 0), Addr: true}}
	case *ssa.FieldAddr:
		return b.fields(deref(b.eval(v.X)), v.X.Type(), v.Field, true)
	case *ssa.Field:
		return b.load(b.fields(b.eval(v.X), v.X.Type(), v.Field, false))
	case *ssa.IndexAddr:
		return addresses(deref(b.eval(v.X)))
	case *ssa.Index:
		return b.load(b.eval(v.X))
	case *ssa.Lookup:
		return b.load(deref(b.eval(v.X)))
	case *ssa.UnOp:
		if v.Op.String() == "*" {
			if vals, ok := b.local(v); ok {
				return vals
			}
			return b.load(deref(b.eval(v.X)))
		}
	case *ssa.Phi:
		var all set
		for _, e := range v.Edges {
			all = all.with(b.eval(e)...)
		}
		return all
	case *ssa.Convert:
		if _, ok := v.X.Type().Underlying().(*types.Basic); ok {
			return set{{Root: b.made(v, nil, 0), Addr: true}}
		}
		return b.eval(v.X)
	case *ssa.Call:
		return b.results(v, 0)
	case *ssa.Extract:
		return b.extract(v)
	}
	return b.same(v)
}

// same evaluates what only looks different from its operand.
func (b *Body) same(v ssa.Value) set {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return b.eval(v.X)
	case *ssa.ChangeType:
		return b.eval(v.X)
	case *ssa.ChangeInterface:
		return b.eval(v.X)
	case *ssa.TypeAssert:
		return b.eval(v.X)
	case *ssa.Slice:
		return b.eval(v.X)
	case *ssa.SliceToArrayPointer:
		return b.eval(v.X)
	case *ssa.Range:
		return b.eval(v.X)
	}
	return nil
}

func (b *Body) extract(v *ssa.Extract) set {
	switch t := v.Tuple.(type) {
	case *ssa.TypeAssert:
		return b.eval(t.X)
	case *ssa.Lookup:
		return b.load(deref(b.eval(t.X)))
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok {
			return b.load(deref(b.eval(r.X)))
		}
	case *ssa.Call:
		return b.results(t, v.Index)
	}
	return nil
}

func addresses(locs set) set {
	var all set
	for _, l := range locs {
		l.Addr = true
		all = all.with(l)
	}
	return all
}

func (b *Body) fields(of set, t types.Type, i int, addr bool) set {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	name := st.Field(i).Name()
	var all set
	for _, p := range of {
		p = p.field(name)
		p.Addr = addr
		all = all.with(p)
	}
	return all
}

// results gives what a call returns.
func (b *Body) results(c *ssa.Call, i int) set {
	if bi, ok := c.Call.Value.(*ssa.Builtin); ok {
		if bi.Name() == "append" {
			return b.eval(c.Call.Args[0]).with(Place{Root: b.made(c, nil, 0), Addr: true})
		}
		return nil
	}
	if row, ok := frame.Of(&c.Call); ok && row.Op == frame.Message {
		return set{{Root: Root{Kind: Msg}}}
	}
	var all set
	for _, callee := range b.callees(&c.Call) {
		if i < len(callee.eff.Results) {
			for _, p := range callee.eff.Results[i] {
				all = all.with(b.translate(callee, c, p)...)
			}
		}
	}
	if all == nil {
		all = set{{Root: b.made(c, nil, 0), Addr: true}} // made somewhere else, and taken to be ours
	}
	return all
}
