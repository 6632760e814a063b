package solve

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-air/gini/z"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// embedded is the solver in pure Go: circuits over a SAT solver, with what circuits do not say added where a model
// breaks it.
//
//	differs:    one SAT solver per scope, as usual, but made anew when its circuits have grown past a bound: a model
//	            assigns every gate that there ever was
//	invariants: I1 the circuits demand nothing that is not true of all values: Unsat is right
//	            I2 a model is evaluated before it is returned: Sat is right
//	            I3 the same calls in the same order give the same results, but for checks that the context ended
//	checked by: twin_test.go, against enumeration, and against z3 where there is one
type embedded struct {
	store   *term.Store
	config  Config
	b       *blaster
	queries queries
	whole   *embedded // for floats, as integers
	stats   Stats
	first   []*term.Term // the first question since the SAT solver was renewed
	gates   int          // that it took
}

// maxRounds bounds how often a model may break what circuits do not say. Every round adds a lemma, of which a query has
// finitely many, but for strings.
const maxRounds = 200

func newEmbedded(store *term.Store, config Config) *embedded {
	return &embedded{store: store, config: config, b: newBlaster(), queries: queries{}}
}

func (e *embedded) Scope() Solver { return newEmbedded(e.store, e.config) }
func (e *embedded) Close() error  { return nil }
func (e *embedded) Stats() Stats {
	s := e.stats
	s.Gates += e.b.Gates()
	return s
}

func (e *embedded) Check(ctx context.Context, conds ...*term.Term) Result {
	r := e.check(ctx, conds)
	e.stats.count(r)
	return r
}

func (e *embedded) check(ctx context.Context, conds []*term.Term) Result {
	if r, ok := trivial(conds); ok {
		return r
	}
	conds, exclude := slim(conds)
	if exclude {
		return Result{Answer: Unsat, Core: conds}
	}
	if e.grown(conds) {
		e.stats.Gates += e.b.Gates()
		e.stats.Renewed++
		e.b, e.queries = newBlaster(), queries{}
	}
	fresh := e.b.Gates() == 0
	q := e.queries.of(conds)
	a := newAttempt(e, q)
	r := a.run(ctx)
	switch {
	case r.Answer == Unknown:
		e.first, e.gates = nil, 0
	case fresh:
		e.first, e.gates = conds, e.b.Gates()
	}
	if r.Answer != Sat || !q.floats {
		return a.believe(r)
	}
	if w := e.integral(ctx, q); w.Answer == Sat {
		return w
	}
	return a.believe(r)
}

// grown reports whether the SAT solver has to be renewed. Gates of other questions are a burden; those of this one
// would only be made again. So a question that repeats most of the first one may have as many again, as long as none
// was given up.
func (e *embedded) grown(conds []*term.Term) bool {
	if e.b.Gates() <= e.config.Gates {
		return false
	}
	repeated := 0
	for _, c := range e.first {
		if slices.Contains(conds, c) {
			repeated++
		}
	}
	return 2*repeated <= len(e.first) || e.b.Gates() > 2*e.gates
}

// trivial answers what needs no solver.
func trivial(conds []*term.Term) (Result, bool) {
	open := false
	for _, c := range conds {
		if c.False() {
			return Result{Answer: Unsat, Core: []*term.Term{c}}, true
		}
		open = open || !c.True()
	}
	return Result{Answer: Sat, Model: &term.Model{}}, !open
}

// attempt is one check in progress.
type attempt struct {
	*embedded
	q     *query
	lits  []z.Lit // one for each condition
	extra []z.Lit // small values or short strings, if that is tried
	parts []z.Lit // equal concatenations have equal parts, if that is tried
	tried int     // of lengthsTried
	steps int     // that are left
}

func newAttempt(e *embedded, q *query) *attempt {
	a := &attempt{embedded: e, q: q, steps: e.config.Steps}
	for _, c := range q.conds {
		a.lits = append(a.lits, e.b.lit(c))
	}
	if q.lengths {
		e.b.addLengths(q)
	}
	for _, t := range q.inputs() {
		e.b.word(t)
	}
	if q.hard {
		a.extra = e.b.small(q)
	}
	a.parts = e.b.aligned(q)
	return a
}

// run solves until a model breaks no lemma.
func (a *attempt) run(ctx context.Context) Result {
	for range maxRounds {
		switch answer := a.solve(ctx); {
		case answer < 0 && a.parts != nil:
			a.parts = nil
			continue
		case answer < 0 && a.extra != nil: // no small values then, or no short strings
			if a.extra = nil; a.tried > 0 {
				a.shorten()
			}
			continue
		case answer < 0:
			return Result{Answer: Unsat, Core: a.core()}
		case answer == 0 && ctx.Err() != nil:
			return Result{Why: "the time is over", Err: ctx.Err()}
		case answer == 0:
			return Result{Why: fmt.Sprintf("undecided after %d steps", a.config.Steps)}
		}
		r, lemmas := a.judge()
		if len(lemmas) == 0 && r.Answer != Unknown {
			return r
		}
		added := false
		for _, l := range lemmas {
			added = a.b.add(l) || added
		}
		switch {
		case added:
		case a.q.lengths && a.shorten(): // too long, or not to be spelt
		default:
			return r
		}
	}
	return Result{Why: fmt.Sprintf("undecided after %d models", maxRounds)}
}

// shorten has the next models have short strings. It reports false if all lengths were tried.
func (a *attempt) shorten() bool {
	if a.tried == len(lengthsTried) {
		return false
	}
	a.extra = a.b.short(a.q, lengthsTried[a.tried])
	a.tried++
	return true
}

// judge reads the SAT solver's model: a model of the conditions, or lemmas that it breaks.
func (a *attempt) judge() (Result, []lemma) {
	id := a.b.read(a.q.inputs())
	lemmas := brokenCalls(a.q.calls, id)
	var size snapshot
	if a.q.lengths {
		size = a.b.readLengths(a.q)
		lemmas = append(lemmas, a.b.brokenTexts(a.q, id, size)...)
	}
	if len(lemmas) > 0 {
		return Result{Why: "strings that nothing was found for"}, lemmas
	}
	for _, n := range size {
		if n > shortText && a.tried == 0 {
			return Result{Why: "long strings"}, nil
		}
	}
	texts, why := a.b.spell(a.q, id, size)
	if why != "" {
		return Result{Why: why}, nil
	}
	return Result{Answer: Sat, Model: a.q.model(id, texts)}, nil
}

// believe evaluates a model. What does not hold is unknown, if circuits do not say everything about the conditions, and
// otherwise our mistake.
func (a *attempt) believe(r Result) Result {
	if r.Answer != Sat || r.Model.Evaluator().Holds(a.q.conds...) {
		return r
	}
	switch {
	case a.q.loose != "":
		return Result{Why: a.q.loose}
	case len(a.q.joins) > 0:
		return Result{Why: "concatenations"}
	}
	panic(fmt.Sprintf("solve: I2: the model %v is none of %v", r.Model.Vars, a.q.conds))
}

// step is a time that is over whenever the SAT solver looks at the clock, which it does every 20,000 propagations. So a
// step is always the same work, and what was learnt in it is there for the next.
const step = 1

// solve asks the SAT solver: 1, -1, or 0 if the steps or the time are over.
func (a *attempt) solve(ctx context.Context) int {
	for ; a.steps > 0 && ctx.Err() == nil; a.steps-- {
		a.b.SAT.Assume(a.lits...)
		a.b.SAT.Assume(a.extra...)
		a.b.SAT.Assume(a.parts...)
		if answer := a.b.SAT.Try(step); answer != 0 {
			return answer
		}
		a.stats.Steps++
	}
	return 0
}

// smallBits is the width of values that are tried first where circuits are hard: most of a product of such values is
// constant.
const smallBits = 8

// small is what to assume for variables that are small and not negative.
func (b *blaster) small(q *query) []z.Lit {
	var lits []z.Lit
	for _, v := range q.vars {
		if w := b.word(v); v.Sort.Kind == term.WordKind && len(w) > smallBits {
			for _, high := range w[smallBits:] {
				lits = append(lits, high.Not())
			}
		}
	}
	return lits
}

// core gives the conditions among the assumptions that failed.
func (a *attempt) core() []*term.Term {
	failed := map[z.Lit]bool{}
	for _, l := range a.b.SAT.Why(nil) {
		failed[l] = true
	}
	var core []*term.Term
	for i, l := range a.lits {
		if failed[l] {
			core = append(core, a.q.conds[i])
			delete(failed, l) // one of several that are the same
		}
	}
	return core
}

// count counts a check.
func (s *Stats) count(r Result) {
	s.Checks++
	switch r.Answer {
	case Sat:
		s.Sat++
	case Unsat:
		s.Unsat++
	default:
		s.Unknown++
	}
}
