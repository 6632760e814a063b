package tap

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// wordSort is the sort of references to actors, of addresses, and of the numbers of types and functions. 0 is nobody,
// nil, none.
var (
	wordSort  = term.Word(32)
	indexSort = term.Word(64)
)

// The parts of a value that is no single term. A field is "." and its name.
const (
	partType = "!type" // of an interface: the number of the type that it holds. What it holds is under ".(" and that type.
	partAddr = "!addr" // of a slice: where its elements are
	partOff  = "!off"  // and the index of its first one there
	partLen  = "!len"
	partHas  = "!has" // of a map: whether a key is there
)

// value is a Go value, part by part: the term of each of its parts. It gives nil where the engine has no term for a
// part.
type value func(part string, sort term.Sort) *term.Term

// unmodelled is a value of which nothing is known, so that nothing may depend on it.
func unmodelled(string, term.Sort) *term.Term { return nil }

// variable is the value of a variable of the program: its parts are free variables of the path condition.
func (e *Engine) variable(base string) value {
	return func(part string, sort term.Sort) *term.Term { return e.store.Var(base+"|"+part, sort) }
}

// zero is the zero value of any type.
func (e *Engine) zero(_ string, sort term.Sort) *term.Term {
	switch sort.Kind {
	case term.BoolKind:
		return e.store.Bool(false)
	case term.WordKind:
		return e.store.Uint(sort, 0)
	case term.FloatKind:
		return e.store.Float(sort, 0)
	}
	return e.store.Text("")
}

// single is a value of one part.
func single(t *term.Term) value {
	return func(part string, sort term.Sort) *term.Term {
		if part != "" || t == nil || t.Sort != sort {
			return nil
		}
		return t
	}
}

// boxed is an interface that holds a value.
func (e *Engine) boxed(t types.Type, held value) value {
	prefix := ".(" + typeKey(t) + ")"
	return func(part string, sort term.Sort) *term.Term {
		if part == partType {
			return e.typeTerm(t)
		}
		if rest, ok := strings.CutPrefix(part, prefix); ok {
			return held(rest, sort)
		}
		return e.zero(part, sort) // nobody looks at it without asking for the type
	}
}

// partOf is a part of a value as a value.
func partOf(v value, prefix string) value {
	return func(part string, sort term.Sort) *term.Term { return v(prefix+part, sort) }
}

// choice is one of two values.
func (e *Engine) choice(c *term.Term, yes, no value) value {
	if c == nil {
		return unmodelled
	}
	return func(part string, sort term.Sort) *term.Term {
		a, b := yes(part, sort), no(part, sort)
		if a == nil || b == nil {
			return nil
		}
		return e.store.If(c, a, b)
	}
}

// constant is the value of a constant.
func (e *Engine) constant(c *ssa.Const) value {
	if c.Value == nil {
		return e.zero
	}
	t, ok := term.TypeOf(c.Type())
	if !ok {
		return unmodelled
	}
	switch t.Kind {
	case term.BoolKind:
		return single(e.store.Bool(constant.BoolVal(c.Value)))
	case term.WordKind:
		if t.Unsigned {
			return single(e.store.Uint(t.Sort, c.Uint64()))
		}
		return single(e.store.Int(t.Sort, c.Int64()))
	case term.FloatKind:
		return single(e.store.Float(t.Sort, c.Float64()))
	}
	return single(e.store.Text(constant.StringVal(c.Value)))
}

// leaf is a part of the values of a type.
type leaf struct {
	part string
	sort term.Sort
	ref  bool // a reference to an actor
}

// leaves lists the parts of the values of a type. It reports false where they depend on more than the type, or are not
// modelled.
func leaves(t types.Type) (list []leaf, ok bool) {
	if reference(t) {
		return []leaf{{sort: wordSort, ref: true}}, true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		s, ok := term.TypeOf(t)
		return []leaf{{sort: s.Sort}}, ok
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return []leaf{{sort: wordSort}}, true
	case *types.Struct:
		for f := range u.Fields() {
			sub, ok := leaves(f.Type())
			if !ok {
				return nil, false
			}
			for _, l := range sub {
				list = append(list, leaf{"." + f.Name() + l.part, l.sort, l.ref})
			}
		}
		return list, true
	case *types.Slice:
		return []leaf{{part: partAddr, sort: wordSort}, {part: partOff, sort: indexSort},
			{part: partLen, sort: indexSort}}, true
	}
	return nil, false
}

// reference reports whether values of a type are references to actors: those of native actors, and protoactor-go's
// *PID.
func reference(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		n, ok := types.Unalias(p.Elem()).(*types.Named)
		return ok && n.Obj().Name() == "PID" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == model.ProtoactorPath
	}
	return model.Reference(t)
}

// typeKey spells a type with the paths of its packages.
func typeKey(t types.Type) string { return types.TypeString(t, nil) }

// typeTerm is the number of a type, from 1.
func (e *Engine) typeTerm(t types.Type) *term.Term { return e.store.Uint(wordSort, e.typeNumber(t)) }

func (e *Engine) typeNumber(t types.Type) uint64 {
	if n, ok := e.numbers.At(t).(uint64); ok {
		return n
	}
	e.types = append(e.types, t)
	e.numbers.Set(t, uint64(len(e.types)))
	return uint64(len(e.types))
}

// sameHeld is the equality of two interfaces, nil where the type that one of them holds is not known.
func (e *Engine) sameHeld(x, y value) *term.Term {
	p, q := x(partType, wordSort), y(partType, wordSort)
	if p != nil && p.Const() {
		p, q = q, p
	}
	switch {
	case p == nil || q == nil || !q.Const():
		return nil
	case q.Val == 0:
		return e.store.Equal(p, q)
	}
	t := e.types[q.Val-1]
	prefix := ".(" + typeKey(t) + ")"
	held := e.same(t, partOf(x, prefix), partOf(y, prefix))
	if held == nil {
		return nil
	}
	return e.store.And(e.store.Equal(p, q), held)
}

// same is the equality of two values of a type; nil where it is not modelled.
func (e *Engine) same(t types.Type, x, y value) *term.Term {
	list, ok := leaves(t)
	if !ok {
		return nil
	}
	var all []*term.Term
	for _, l := range list {
		a, b := x(l.part, l.sort), y(l.part, l.sort)
		if a == nil || b == nil {
			return nil
		}
		if l.sort.Kind == term.FloatKind {
			all = append(all, e.store.FEqual(a, b))
		} else {
			all = append(all, e.store.Equal(a, b))
		}
	}
	return e.store.And(all...)
}
