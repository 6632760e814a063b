package solve

import (
	"context"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Minimise finds a model that people like to read: the terms, in their order, as close to 0 as the conditions and the
// terms before them allow. A boolean is false where it can be, and a string is short. Words are close to 0 as signed
// ones, but for those that unsigned reports; it may be nil. Of x and -x the positive one is preferred; a float becomes
// an integer if it can.
//
// The result is that of the conditions: where no smaller value is found in time, the one that was found stays.
func Minimise(ctx context.Context, s Solver, store *term.Store, conds []*term.Term, terms []*term.Term,
	unsigned func(*term.Term) bool) Result {
	r := s.Check(ctx, conds...)
	if r.Answer != Sat {
		return r
	}
	m := &minimiser{ctx: ctx, solver: s, store: store, conds: append([]*term.Term(nil), conds...), model: r.Model}
	for _, t := range terms {
		switch {
		case t.Sort.Kind == term.WordKind && unsigned != nil && unsigned(t):
			m.magnitude(t, func(most uint64) *term.Term { return store.UAtMost(t, store.Uint(t.Sort, most)) },
				func(v term.Value) uint64 { return v.Uint() })
		case t.Sort.Kind == term.WordKind:
			m.signed(t)
		case t.Sort.Kind == term.FloatKind:
			m.float(t)
		case t.Sort.Kind == term.StringKind:
			n := store.Len(t)
			m.magnitude(t, func(most uint64) *term.Term { return store.UAtMost(n, store.Uint(n.Sort, most)) },
				func(v term.Value) uint64 { return uint64(len(v.Text)) })
		default:
			m.try(store.Not(t))
		}
		m.conds = append(m.conds, store.Equal(t, store.Const(m.model.Eval(t))))
	}
	r.Model = m.model
	return r
}

type minimiser struct {
	ctx    context.Context
	solver Solver
	store  *term.Store
	conds  []*term.Term
	model  *term.Model // of the conditions so far
}

// try takes over a model in which one more condition holds, if there is one.
func (m *minimiser) try(cond *term.Term) bool {
	if m.model.Eval(cond).Bool() {
		return true
	}
	r := m.solver.Check(m.ctx, append(m.conds[:len(m.conds):len(m.conds)], cond)...)
	if r.Answer == Sat {
		m.model = r.Model
	}
	return r.Answer == Sat
}

// magnitude finds the least bound on a word: first by doubling, since most are small, then between.
func (m *minimiser) magnitude(t *term.Term, atMost func(uint64) *term.Term, size func(term.Value) uint64) {
	least := uint64(0) // no smaller one is known not to do
	for bound := uint64(0); bound < size(m.model.Eval(t)) && !m.try(atMost(bound)); bound = 2*bound + 1 {
		least = bound + 1
	}
	for least < size(m.model.Eval(t)) && m.ctx.Err() == nil {
		if middle := least + (size(m.model.Eval(t))-least)/2; !m.try(atMost(middle)) {
			least = middle + 1
		}
	}
}

func (m *minimiser) signed(t *term.Term) {
	s := m.store
	m.magnitude(t, func(most uint64) *term.Term {
		if most > t.Sort.Mask()/2 {
			return s.Bool(true)
		}
		return s.And(s.SAtMost(s.Int(t.Sort, -int64(most)), t), s.SAtMost(t, s.Int(t.Sort, int64(most))))
	}, func(v term.Value) uint64 {
		if v.Int() < 0 {
			return -uint64(v.Int())
		}
		return uint64(v.Int())
	})
	if v := m.model.Eval(t).Int(); v < 0 {
		m.try(s.Equal(t, s.Int(t.Sort, -v)))
	}
}

// float tries a few values that people would choose.
func (m *minimiser) float(t *term.Term) {
	for _, f := range []float64{0, 1, -1, 2, 10, 100, 0.5, -10, 1000} {
		if m.try(m.store.Equal(t, m.store.Float(t.Sort, f))) {
			return
		}
	}
}

// SmallCore drops what a core does not need: every condition that is left is needed for the others to be contradicted.
// Where the solver does not know, the condition stays.
func SmallCore(ctx context.Context, s Solver, core []*term.Term) []*term.Term {
	small := append([]*term.Term(nil), core...)
	for i := 0; i < len(small); {
		without := append(append([]*term.Term(nil), small[:i]...), small[i+1:]...)
		r := s.Check(ctx, without...)
		if r.Answer != Unsat {
			i++
			continue
		}
		kept := i // those before i are needed, so they are in the core
		if small = r.Core; len(small) < kept {
			kept = len(small)
		}
		i = kept
	}
	return small
}
