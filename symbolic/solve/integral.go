package solve

import (
	"context"
	"math"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Conditions on floats that programs have are mostly met by small round numbers. So floats are searched as integers, in
// units of 1 and then of 1/256. The conditions are translated, which loses rounding, and what is found is evaluated in
// true IEEE arithmetic. It counts if it holds.

// units are what is tried: the numbers of fraction bits, and whether products and quotients have to be multiples of the
// unit, too.
var units = []struct {
	fraction int
	exact    bool
}{{0, true}, {8, true}, {8, false}}

// integral searches a model with floats that are multiples of a unit. Whatever it does not find is Unknown.
func (e *embedded) integral(ctx context.Context, q *query) Result {
	if e.whole == nil {
		e.whole = newEmbedded(e.store, e.config)
	}
	for _, unit := range units {
		in := &integers{store: e.store, fraction: unit.fraction, exact: unit.exact, done: map[*term.Term]*term.Term{}}
		conds := make([]*term.Term, 0, len(q.conds))
		for _, c := range q.conds {
			conds = append(conds, in.term(c))
		}
		if in.failed {
			continue
		}
		r := e.whole.check(ctx, append(conds, in.also...))
		if r.Answer != Sat {
			continue
		}
		m := in.model(q, r.Model)
		if m.Evaluator().Holds(q.conds...) {
			return Result{Answer: Sat, Model: m}
		}
	}
	return Result{Why: "arithmetic of floats"}
}

// integers translates floats to integers of 64 bits, in a unit.
type integers struct {
	store    *term.Store
	fraction int
	exact    bool
	done     map[*term.Term]*term.Term
	also     []*term.Term // conditions under which the translation makes sense
	failed   bool         // there is a constant that no integer stands for
}

func (in *integers) term(t *term.Term) *term.Term {
	if known := in.done[t]; known != nil {
		return known
	}
	args := make([]*term.Term, len(t.Args))
	floats := t.Sort.Kind == term.FloatKind
	for i, a := range t.Args {
		args[i] = in.term(a)
		floats = floats || a.Sort.Kind == term.FloatKind
	}
	var r *term.Term
	switch {
	case !floats && t.Op == term.OpVar, !floats && t.Op == term.OpConst:
		r = t
	case !floats:
		r = in.store.Build(t, args)
	default:
		r = in.translate(t, args)
	}
	in.done[t] = r
	return r
}

// translate gives the operation on integers for one on floats.
func (in *integers) translate(t *term.Term, a []*term.Term) *term.Term {
	s := in.store
	unit := s.Uint(term.Word8, uint64(in.fraction))
	switch t.Op {
	case term.OpConst:
		return in.constant(t.Value().Float())
	case term.OpVar:
		return s.SExtend(term.Word64, s.Var(t.Name+"!integral", term.Word32))
	case term.OpApply:
		if t.Sort.Kind != term.FloatKind {
			return s.Apply(t.Name+"!integral", t.Sort, a...)
		}
		return s.SExtend(term.Word64, s.Apply(t.Name+"!integral", term.Word32, a...))
	case term.OpIf:
		return s.If(a[0], a[1], a[2])
	case term.OpEq, term.OpFEqual:
		return s.Equal(a[0], a[1])
	case term.OpFLess:
		return s.SLess(a[0], a[1])
	case term.OpFAtMost:
		return s.SAtMost(a[0], a[1])
	case term.OpFAdd:
		return s.Add(a[0], a[1])
	case term.OpFSub:
		return s.Sub(a[0], a[1])
	case term.OpFNeg:
		return s.Neg(a[0])
	case term.OpFMul:
		product := s.Mul(a[0], a[1])
		in.needs(s.Equal(s.BitAnd(product, s.Int(term.Word64, 1<<in.fraction-1)), s.Int(term.Word64, 0)))
		return s.SShr(product, unit)
	case term.OpFDiv:
		in.also = append(in.also, s.Not(s.Equal(a[1], s.Int(term.Word64, 0))))
		in.needs(s.Equal(s.SRem(s.Shl(a[0], unit), a[1]), s.Int(term.Word64, 0)))
		return s.SDiv(s.Shl(a[0], unit), a[1])
	case term.OpSToF:
		return s.Shl(s.SExtend(term.Word64, a[0]), unit)
	case term.OpUToF:
		return s.Shl(s.ZExtend(term.Word64, a[0]), unit)
	case term.OpFToS, term.OpFToU:
		return s.Truncate(t.Sort, s.SDiv(a[0], s.Int(term.Word64, 1<<in.fraction)))
	}
	return a[0] // between the widths
}

// needs adds what exact results need.
func (in *integers) needs(cond *term.Term) {
	if in.exact {
		in.also = append(in.also, cond)
	}
}

// constant gives the integer nearest to a constant.
func (in *integers) constant(f float64) *term.Term {
	scaled := math.Round(math.Ldexp(f, in.fraction))
	if !(math.Abs(scaled) < 1<<53) {
		in.failed = true
		scaled = 0
	}
	return in.store.Int(term.Word64, int64(scaled))
}

// model gives the values of floats back.
func (in *integers) model(q *query, found *term.Model) *term.Model {
	m := &term.Model{Vars: map[*term.Term]term.Value{}, Funcs: map[string][]term.Entry{}}
	e := found.Evaluator()
	back := func(t *term.Term) term.Value {
		v := e.Eval(in.term(t))
		if t.Sort.Kind == term.FloatKind {
			return term.FloatValue(t.Sort, math.Ldexp(float64(v.Int()), -in.fraction))
		}
		return v
	}
	for _, v := range q.vars {
		m.Vars[v] = back(v)
	}
	for _, t := range q.calls {
		args := make([]term.Value, len(t.Args))
		for i, a := range t.Args {
			args[i] = m.Eval(a)
		}
		m.Funcs[t.Signature()] = append(m.Funcs[t.Signature()], term.Entry{Args: args, Result: back(t)})
	}
	return m
}
