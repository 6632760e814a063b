package gentest

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Instance is one input of a case.
type Instance struct {
	Label string // "" of the smallest, distinct, edge
	Model *term.Model
}

// chooser finds inputs of a case with further properties, each as far as the conditions and the properties before it
// allow.
type chooser struct {
	ctx    context.Context
	solver solve.Solver
	store  *term.Store
	inputs []exec.Input
	conds  []*term.Term
	model  *term.Model
	timed  int // amounts of time so far
}

// instances gives up to three inputs of a case. The smallest is easy to read, and hides mistakes: 0 is what a forgotten
// store leaves, and 1 what is left of a product. So there is one whose numbers all differ, and one at the edge of its
// conditions, where < and <= part.
func instances(ctx context.Context, p *cases.Program, solver solve.Solver, c *cases.Case) []Instance {
	if c.Model == nil {
		return nil
	}
	base := &chooser{ctx: ctx, solver: solver, store: p.Store(), inputs: c.Inputs, conds: c.Conditions(), model: c.Model}
	edge := base.clone()
	base.shape()
	var list []Instance
	add := func(label string, k *chooser) {
		if !slices.ContainsFunc(list, func(i Instance) bool { return base.equal(i.Model, k.model) }) {
			list = append(list, Instance{label, k.model})
		}
	}
	small := base.clone()
	small.small(c.Model)
	add("", small)
	distinct := base.clone()
	distinct.distinct()
	add("distinct", distinct)
	sizes := edge.edges(edge.ofSizes(c.Constraints)) // before the sizes are kept
	if edge.shape(); edge.edges(c.Constraints) || sizes {
		edge.distinct()
		add("edge", edge)
	}
	return list
}

func (k *chooser) clone() *chooser {
	n := *k
	n.conds = slices.Clone(k.conds)
	return &n
}

// try has one more condition hold, if it can.
func (k *chooser) try(c *term.Term) bool {
	if c.False() {
		return false
	}
	if !k.model.Eval(c).Bool() {
		r := k.solver.Check(k.ctx, append(slices.Clone(k.conds), c)...)
		if r.Answer != solve.Sat {
			return false
		}
		k.model = r.Model
	}
	k.conds = append(k.conds, c)
	return true
}

// isActor reports whether an input is a reference to an actor.
func isActor(in exec.Input) bool {
	return in.Aspect == "!ref" && (in.At.Type == nil || isReference(in.At.Type))
}

// shape keeps what is there and of which type, and has each reference lead somewhere else.
func (k *chooser) shape() {
	var actors, pointers []*term.Term
	first := k.model
	for _, in := range k.inputs {
		_, pointer := in.At.Type, false
		if in.At.Type != nil {
			_, pointer = in.At.Type.Underlying().(*types.Pointer)
		}
		switch {
		case isActor(in):
			actors = append(actors, in.Var)
		case in.Aspect == "!ref" && pointer && first.Eval(in.Var).Uint() != 0:
			k.try(k.store.Not(k.store.Equal(in.Var, k.store.Uint(in.Var.Sort, 0))))
			pointers = append(pointers, in.Var)
		case in.Aspect != "":
			k.try(k.store.Equal(in.Var, k.store.Const(first.Eval(in.Var))))
		case isDuration(in) && first.Eval(in.Var).Int() > 0:
			k.seconds(in.Var)
		}
	}
	k.apart(actors, true)
	k.apart(pointers, false)
}

// isDuration reports whether an input is an amount of time.
func isDuration(in exec.Input) bool {
	return in.Aspect == "" && isNamed(in.At.Type, "time", "Duration")
}

// seconds has an amount of time be some seconds, different ones where it can: of a few nanoseconds real time may take
// more.
func (k *chooser) seconds(v *term.Term) {
	for i := range 4 {
		k.timed++
		if k.try(k.store.Equal(v, k.store.Int(v.Sort, int64(k.timed)*int64(time.Second)))) || i == 3 {
			return
		}
	}
}

// apart has references differ.
func (k *chooser) apart(refs []*term.Term, there bool) {
	for i, a := range refs {
		if there {
			k.try(k.store.Not(k.store.Equal(a, k.store.Uint(a.Sort, 0))))
		}
		for _, b := range refs[:i] {
			k.try(k.store.Not(k.store.Equal(a, b)))
		}
	}
}

// scalars lists inputs that are numbers, truth values and strings.
func (k *chooser) scalars() (list []exec.Input) {
	for _, in := range k.inputs {
		if in.Aspect == "" {
			list = append(list, in)
		}
	}
	slices.SortStableFunc(list, func(a, b exec.Input) int { return strings.Compare(a.Var.Name, b.Var.Name) })
	return list
}

// small takes the values of the smallest input.
func (k *chooser) small(m *term.Model) {
	for _, in := range k.scalars() {
		k.try(k.store.Equal(in.Var, k.store.Const(m.Eval(in.Var))))
	}
}

var primes = []int64{3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97}

// distinct has numbers and strings differ from each other, and truth values be true.
func (k *chooser) distinct() {
	for i, in := range k.scalars() {
		v := in.Var
		switch v.Sort.Kind {
		case term.BoolKind:
			k.try(v)
		case term.StringKind:
			if !k.try(k.store.Equal(v, k.store.Text(fmt.Sprintf("%c%d", 'a'+i%26, i)))) {
				k.try(k.store.Not(k.store.Equal(v, k.store.Text(""))))
			}
		case term.FloatKind:
			k.prime(v, i, func(n int64) *term.Term { return k.store.Equal(v, k.store.Float(v.Sort, float64(n))) })
		default:
			unit := int64(1)
			if isDuration(in) {
				unit = int64(time.Second)
			}
			k.prime(v, i, func(n int64) *term.Term { return k.store.Equal(v, k.store.Int(v.Sort, n*unit)) })
		}
		k.conds = append(k.conds, k.store.Equal(v, k.store.Const(k.model.Eval(v))))
	}
}

// prime gives a variable a number of its own, if one of a few does.
func (k *chooser) prime(v *term.Term, i int, is func(int64) *term.Term) {
	for step := range 4 {
		if k.try(is(primes[(i+step*5)%len(primes)])) {
			return
		}
	}
	for n := int64(2); n <= 40; n *= 4 {
		if k.try(is(n)) || k.try(is(-n)) {
			return
		}
	}
	if v.Sort.Kind == term.WordKind {
		k.try(k.store.Not(k.store.Equal(v, k.store.Uint(v.Sort, 0))))
	}
}

// ofSizes lists the conditions that are about how many elements there are.
func (k *chooser) ofSizes(conds []*term.Term) (list []*term.Term) {
	for _, c := range conds {
		if slices.ContainsFunc(term.Vars(c), func(v *term.Term) bool { return strings.HasSuffix(v.Name, "!len") }) {
			list = append(list, c)
		}
	}
	return list
}

// edges has comparisons hold by as little as they can. It reports whether there are any.
func (k *chooser) edges(conds []*term.Term) (any bool) {
	for _, c := range conds {
		not := c.Op == term.OpNot
		if not {
			c = c.Args[0]
		}
		if len(c.Args) != 2 {
			continue
		}
		if e := k.edge(c, not); e != nil {
			any = k.try(e) || any
		}
	}
	return any
}

// edge gives the condition that a comparison holds by as little as it can, or fails to; nil if it is no comparison of
// numbers.
func (k *chooser) edge(c *term.Term, not bool) *term.Term {
	s, a, b := k.store, c.Args[0], c.Args[1]
	switch c.Op {
	case term.OpSLess, term.OpULess:
		if not {
			return s.Equal(a, b)
		}
		return s.Equal(s.Add(a, s.Uint(a.Sort, 1)), b)
	case term.OpEq:
		if not && a.Sort.Kind == term.WordKind && a.Sort != term.Word16 {
			return s.Equal(s.Add(a, s.Uint(a.Sort, 1)), b)
		}
	case term.OpFLess:
		if not {
			return s.FEqual(a, b)
		}
		return s.FEqual(s.FAdd(a, s.Float(a.Sort, 1)), b)
	case term.OpFAtMost:
		if not {
			return s.FEqual(s.FAdd(b, s.Float(a.Sort, 1)), a)
		}
		return s.FEqual(a, b)
	}
	return nil
}

// equal compares the inputs of two models.
func (k *chooser) equal(a, b *term.Model) bool {
	for _, in := range k.inputs {
		if a.Eval(in.Var) != b.Eval(in.Var) {
			return false
		}
	}
	return true
}
