package exec

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// binary executes an operator on two values.
func (r *run) binary(op token.Token, tx, ty types.Type, x, y Value) Value {
	switch op {
	case token.EQL:
		return r.equal(r.unboxed(x, tx, ty), r.unboxed(y, ty, tx))
	case token.NEQ:
		return r.store.Not(r.equal(r.unboxed(x, tx, ty), r.unboxed(y, ty, tx)))
	}
	a, ok := x.(*term.Term)
	b, two := y.(*term.Term)
	if !ok || !two {
		r.mark(Havoc, "arithmetic of %s", tx)
		return r.havoc("number", tx)
	}
	typ, _ := term.TypeOf(tx)
	switch op {
	case token.QUO, token.REM:
		if typ.Kind == term.WordKind {
			b = r.divisor(b)
			if r.truth(r.isZero(b)) {
				r.throw(divideByZero)
			}
		}
	case token.SHL, token.SHR:
		b = r.pinned(b)
		if count, _ := term.TypeOf(ty); !count.Unsigned && r.truth(r.store.SLess(b, r.store.Int(b.Sort, 0))) {
			r.throw(negativeShift)
		}
	}
	t, ok := r.store.Binary(op, typ, a, b)
	if !ok {
		r.mark(Havoc, "the operator %s of %s", op, tx)
		return r.havoc("number", tx)
	}
	return t
}

// divisor gives a divisor that is easier for the solver: the length of a slice is decided, which an index computed with
// it needs anyway.
func (r *run) divisor(b *term.Term) *term.Term {
	b = r.pinned(b)
	if b.Op == term.OpVar && strings.HasSuffix(b.Name, aspectLen) {
		return r.int(r.among(b, r.config.Elements, "a slice of more than %d elements"))
	}
	return b
}

// unboxed makes an interface of an operand that is compared with one.
func (r *run) unboxed(v Value, t, other types.Type) Value {
	if types.IsInterface(other) && !types.IsInterface(t) {
		return Face{t, v}
	}
	return v
}

// pinned gives the constant that a term is equal to on this path, if a condition says so. Division by a constant is
// much the cheaper question.
func (r *run) pinned(t *term.Term) *term.Term {
	if t.Const() {
		return t
	}
	for _, c := range r.path.PC {
		if c.Term.Op != term.OpEq {
			continue
		}
		for i, a := range c.Term.Args {
			if o := c.Term.Args[1-i]; a == t && o.Const() {
				return o
			}
		}
	}
	if t.Op == term.OpVar || len(t.Args) == 0 {
		return t
	}
	return r.store.Subst(func(v *term.Term) *term.Term { return r.pinned(v) }).Apply(t)
}
