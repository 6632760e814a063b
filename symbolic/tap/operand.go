package tap

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// operand is the value of what an instruction of a call uses.
func (e *Engine) operand(f *frame, v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Const:
		return e.constant(v)
	case *ssa.Parameter:
		for i, p := range f.fn.Params {
			if p == v {
				return e.variable(parameter(f, i))
			}
		}
	case *ssa.FreeVar:
		for i, p := range f.fn.FreeVars {
			if p == v {
				return e.variable(captured(f, i))
			}
		}
	case *ssa.Function:
		return e.functionValue(v, nil)
	case *ssa.Global, *ssa.Builtin:
		return unmodelled
	}
	return e.variable(f.register(v))
}

// word is a value of one part, as a term.
func (e *Engine) word(f *frame, v ssa.Value) *term.Term { return e.operand(f, v)("", wordSort) }

// index is an index or a length, as 64 bits.
func (e *Engine) index(f *frame, v ssa.Value) *term.Term {
	t, ok := term.TypeOf(v.Type())
	if !ok {
		return nil
	}
	x := e.operand(f, v)("", t.Sort)
	if x == nil {
		return nil
	}
	return e.store.Resize(indexSort, x, t.Unsigned)
}

// functionTerm numbers the functions that are values.
func (e *Engine) functionTerm(fn *ssa.Function) *term.Term {
	for i, known := range e.functions {
		if e.program.one(known) == e.program.one(fn) {
			return e.store.Uint(wordSort, uint64(i+1))
		}
	}
	e.functions = append(e.functions, fn)
	return e.store.Uint(wordSort, uint64(len(e.functions)))
}

// target is the place that a pointer leads to.
func (e *Engine) target(a *actor, f *frame, v ssa.Value) place {
	elem := v.Type().Underlying().(*types.Pointer).Elem()
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return e.field(e.target(a, f, v.X), v.Field)
	case *ssa.IndexAddr:
		i := e.index(f, v.Index)
		if _, ok := v.X.Type().Underlying().(*types.Slice); !ok {
			array := e.target(a, f, v.X)
			if !array.valid() || array.kind != kindField {
				return place{t: elem}
			}
			return e.element(a.name, array.args[0], i, elem)
		}
		x := e.operand(f, v.X)
		addr, off := x(partAddr, wordSort), x(partOff, indexSort)
		if addr == nil || off == nil || i == nil {
			return place{t: elem}
		}
		return e.element(a.name, addr, e.store.Add(off, i), elem)
	}
	return e.at(a.name, e.word(f, v), elem)
}

// there are the conditions under which a pointer leads somewhere: nothing on the way is nil, and no index is out of
// range.
func (e *Engine) there(f *frame, v ssa.Value) (conds []*term.Term) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return e.there(f, v.X)
	case *ssa.IndexAddr:
		conds = append(conds, e.inRange(f, v))
		if _, ok := v.X.Type().Underlying().(*types.Slice); !ok {
			conds = append(conds, e.there(f, v.X)...)
		}
		return conds
	case *ssa.Alloc, *ssa.FreeVar, *ssa.Global:
		return nil
	}
	return []*term.Term{e.notNil(e.word(f, v))}
}

func (e *Engine) notNil(t *term.Term) *term.Term {
	if t == nil {
		return nil
	}
	return e.store.Not(e.store.Equal(t, e.zero("", t.Sort)))
}

// inRange is the condition that an index is one of the array or slice.
func (e *Engine) inRange(f *frame, v *ssa.IndexAddr) *term.Term {
	i, n := e.index(f, v.Index), e.lengthOf(f, v.X)
	if i == nil || n == nil {
		return nil
	}
	return e.store.ULess(i, n)
}

// lengthOf is the length of an array, of what a pointer to one leads to, of a slice or a string.
func (e *Engine) lengthOf(f *frame, v ssa.Value) *term.Term {
	t := v.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Array:
		return e.store.Int(indexSort, t.Len())
	case *types.Slice:
		return e.operand(f, v)(partLen, indexSort)
	case *types.Basic:
		if s := e.operand(f, v)("", term.Sort{Kind: term.StringKind}); s != nil && t.Info()&types.IsString != 0 {
			return e.store.Len(s)
		}
	}
	return nil
}

// entry is the place of a map's element, and whether it is there; both invalid for keys that are not modelled.
func (e *Engine) entry(a *actor, f *frame, m, key ssa.Value) (place, *term.Term) {
	return e.entryAt(a, f, m, e.operand(f, key))
}

// entryAt is the same for the value of a key.
func (e *Engine) entryAt(a *actor, f *frame, m ssa.Value, key value) (place, *term.Term) {
	t := m.Type().Underlying().(*types.Map)
	p := place{t: t.Elem(), kind: kindEntry, actor: a.name, key: typeKey(t)}
	list, ok := leaves(t.Key())
	if !ok {
		return p, nil
	}
	args := []*term.Term{e.word(f, m)}
	for _, l := range list {
		args = append(args, key(l.part, l.sort))
	}
	p.args = args
	if !p.valid() {
		return p, nil
	}
	return p, e.store.Apply(memory(kindEntry, a.name, p.key, partHas), term.Bool, args...)
}
