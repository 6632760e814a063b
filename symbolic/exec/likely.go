package exec

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds texts from outside of which functions (strings.Split, Fields, Cut, strconv.Atoi and others) give
// what a path wants. To the solver these functions may give anything, so a text and its parts have nothing to do with
// each other. The paths stay as they are: this file only chooses among their instances.
//
//	source:     none. First a text is put together of its parts. Then the results that an instance has for functions are
//	            compared with what they give; where they differ, what they give becomes a condition of the next instance
//	assumes:    nothing. Where it finds no such instance, it takes any, and the execution decides
//	checked by: TestLikely: the instances of paths through functions of texts are given to their compiled code

// applied are functions of texts whose results are terms.
var applied = map[string]func(args []term.Value) (term.Value, bool){
	"strings.HasPrefix":  truthOf(strings.HasPrefix),
	"strings.HasSuffix":  truthOf(strings.HasSuffix),
	"strings.Contains":   truthOf(strings.Contains),
	"strings.EqualFold":  truthOf(strings.EqualFold),
	"strings.Index":      countOf(strings.Index),
	"strings.Count":      countOf(strings.Count),
	"strings.ToUpper":    textOf(strings.ToUpper),
	"strings.ToLower":    textOf(strings.ToLower),
	"strings.TrimSpace":  textOf(strings.TrimSpace),
	"strings.TrimPrefix": textsOf(strings.TrimPrefix),
	"strings.TrimSuffix": textsOf(strings.TrimSuffix),
	"strings.Cut.0":      textsOf(func(s, sep string) string { before, _, _ := strings.Cut(s, sep); return before }),
	"strings.Cut.1":      textsOf(func(s, sep string) string { _, behind, _ := strings.Cut(s, sep); return behind }),
	"strings.Cut.2":      truthOf(func(s, sep string) bool { _, _, found := strings.Cut(s, sep); return found }),
	"strconv.Atoi.0": func(args []term.Value) (term.Value, bool) {
		n, _ := strconv.Atoi(args[0].Text)
		return term.WordValue(term.Word64, uint64(n)), true
	},
}

func truthOf(do func(a, b string) bool) func([]term.Value) (term.Value, bool) {
	return func(args []term.Value) (term.Value, bool) {
		return term.BoolValue(do(args[0].Text, args[1].Text)), true
	}
}

func countOf(do func(a, b string) int) func([]term.Value) (term.Value, bool) {
	return func(args []term.Value) (term.Value, bool) {
		return term.WordValue(term.Word64, uint64(do(args[0].Text, args[1].Text))), true
	}
}

func textOf(do func(string) string) func([]term.Value) (term.Value, bool) {
	return func(args []term.Value) (term.Value, bool) { return term.TextValue(do(args[0].Text)), true }
}

func textsOf(do func(a, b string) string) func([]term.Value) (term.Value, bool) {
	return func(args []term.Value) (term.Value, bool) {
		return term.TextValue(do(args[0].Text, args[1].Text)), true
	}
}

// Likely finds an instance of conditions, as Minimal does. If it can, functions of texts give in fact what they give
// in that instance.
func Likely(ctx context.Context, store *term.Store, solver solve.Solver, conds []*term.Term, inputs []Input) (
	m *term.Model, core []*term.Term, why string,
) {
	m, core, why = Minimal(ctx, store, solver, conds, inputs)
	if m == nil || !slices.ContainsFunc(inputs, func(in Input) bool { return in.At.Of != nil }) && !hasApplied(conds) {
		return m, core, why
	}
	l := &likely{ctx, store, solver, slices.Clone(conds), inputs}
	for range rounds {
		l.together()
		better, _, _ := Minimal(ctx, store, solver, l.conds, inputs)
		if better == nil {
			return m, nil, ""
		}
		if !l.corrects(better) {
			return better, nil, ""
		}
	}
	return m, nil, ""
}

// rounds bounds how often what functions give is corrected.
const rounds = 12

// likely is a search for an instance: each attempt adds conditions.
type likely struct {
	ctx    context.Context
	store  *term.Store
	solver solve.Solver
	conds  []*term.Term
	inputs []Input
}

// tries adds a condition if there is an instance with it.
func (l *likely) tries(c *term.Term) bool {
	if slices.Contains(l.conds, c) {
		return true
	}
	r := l.solver.Check(l.ctx, append(slices.Clip(l.conds), c)...)
	if r.Answer == solve.Sat {
		l.conds = append(l.conds, c)
	}
	return r.Answer == solve.Sat
}

// together has texts be put together of the parts that functions give.
func (l *likely) together() {
	for _, in := range l.inputs {
		switch of := in.At.Of; {
		case of == nil:
		case in.Aspect == aspectLen && (of.Function == "strings.Split" || of.Function == "strings.Fields"):
			l.parts(in)
		case of.Function == "strconv.Atoi" && in.Aspect == aspectType:
			l.number(of.Args[0], in.Var)
		}
	}
	term.Walk(func(t *term.Term) {
		if t.Op == term.OpApply {
			l.form(t)
		}
	}, l.conds...)
}

// number has a text be a number if it may be one: a small one, without a sign if that is possible. err is the type of
// the error of Atoi, 0 for none.
func (l *likely) number(text, err *term.Term) {
	if !l.tries(l.store.Equal(err, l.store.Uint(err.Sort, 0))) {
		l.tries(l.store.Equal(text, l.store.Text("none")))
		return
	}
	n := l.store.Apply("strconv.Atoi.0", term.Word64, text)
	if !l.tries(l.store.Equal(text, l.store.Apply(decimalFunction, term.String, n))) {
		return
	}
	for _, least := range []int64{0, math.MinInt64 + 1} {
		for most := int64(1); most < math.MaxInt64/10; most *= 10 {
			low, high := l.store.Int(n.Sort, max(least, -most)), l.store.Int(n.Sort, most)
			if l.tries(l.store.And(l.store.SAtMost(low, n), l.store.SAtMost(n, high))) {
				return
			}
		}
	}
}

// form has what a function of texts is given be of the simplest form for which it gives what is wanted.
func (l *likely) form(t *term.Term) {
	a := t.Args
	free := func(of string) *term.Term { return l.store.Var(of+" "+t.String(), term.String) }
	is := func(c *term.Term, parts ...*term.Term) bool {
		return l.tries(l.store.Equal(c, l.store.Concat(parts...)))
	}
	switch t.Name {
	case "strings.Cut.0", "strings.Cut.1", "strings.Cut.2":
		part := func(i string) *term.Term { return l.store.Apply("strings.Cut."+i, term.String, a...) }
		if !l.tries(l.store.Apply("strings.Cut.2", term.Bool, a...)) || !is(a[0], part("0"), a[1], part("1")) {
			is(a[0], part("0"))
		}
	case "strings.TrimSpace", "strings.ToUpper", "strings.ToLower":
		is(a[0], t)
	case "strings.Contains", "strings.HasPrefix", "strings.HasSuffix", "strings.EqualFold":
		if l.solver.Check(l.ctx, append(slices.Clip(l.conds), l.store.Not(t))...).Answer != solve.Unsat {
			return
		}
		switch t.Name {
		case "strings.EqualFold":
			is(a[0], a[1])
		case "strings.HasPrefix":
			is(a[0], a[1], free("behind"))
		case "strings.HasSuffix":
			is(a[0], free("before"), a[1])
		default:
			is(a[0], free("before"), a[1], free("behind"))
		}
	}
}

// parts has a text be put together of the elements of a slice: as few of them as there may be.
func (l *likely) parts(in Input) {
	of := in.At.Of
	between, fields := l.store.Text(" "), of.Function == "strings.Fields"
	if !fields {
		between = of.Args[1]
	}
	for n := range mostParts + 1 {
		if n == 0 && !fields {
			continue // a text without the separator is one part
		}
		if !l.tries(l.store.Equal(in.Var, l.store.Int(in.Var.Sort, int64(n)))) {
			continue
		}
		var all []*term.Term
		for i := range n {
			if i > 0 {
				all = append(all, between)
			}
			part := l.store.Var(in.At.elem(i, in.At.Type).Name, term.String)
			if all = append(all, part); fields {
				l.tries(l.store.Not(l.store.Equal(part, l.store.Text(""))))
			}
		}
		l.tries(l.store.Equal(of.Args[0], l.store.Concat(all...)))
		return
	}
}

// mostParts bounds the parts of which a text is put together.
const mostParts = 8

// corrects compares the results of functions in a model with what they give for the arguments there. It fixes the
// arguments and the result of the first that is wrong, if an instance has them. Else it adds, of each, that these
// arguments have that result. Numbers as texts come first. It reports whether anything was wrong.
func (l *likely) corrects(m *term.Model) (wrong bool) {
	var lemmas []*term.Term
	pinned := false
	correct := func(t *term.Term, number bool) {
		if t.Op != term.OpApply || pinned || isNumber(t) != number {
			return
		}
		var args []term.Value
		same := l.store.Bool(true)
		for _, a := range t.Args {
			v := m.Eval(a)
			args = append(args, v)
			same = l.store.And(same, l.store.Equal(a, l.store.Const(v)))
		}
		want, ok := Apply(t, args)
		if !ok || want == m.Eval(t) {
			return
		}
		wrong = true
		is := l.store.Equal(t, l.store.Const(want))
		if pinned = l.tries(l.store.And(same, is)); !pinned {
			lemmas = append(lemmas, l.store.Or(l.store.Not(same), is))
		}
	}
	term.Walk(func(t *term.Term) { correct(t, true) }, l.conds...)
	term.Walk(func(t *term.Term) { correct(t, false) }, l.conds...)
	l.conds = append(l.conds, lemmas...)
	return wrong
}

// hasApplied reports whether conditions have a function whose results Apply knows.
func hasApplied(conds []*term.Term) (has bool) {
	term.Walk(func(t *term.Term) {
		if t.Op == term.OpApply && !has {
			args := make([]term.Value, len(t.Args))
			for i, a := range t.Args {
				args[i] = term.Value{Sort: a.Sort}
			}
			_, has = Apply(t, args)
		}
	}, conds...)
	return has
}
