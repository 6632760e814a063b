package target

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file restricts messages from outside: by ranges of numbers, by lists of strings, and by assumptions.
//
//	invariants: I1 a way that is found has only messages from outside for which all of it holds
//	checked by: assume_test.go, against the twin of random systems

// assumptions are what a configuration says of messages from outside. There is one for each different configuration, so
// that it can be compared.
type assumptions struct {
	e     *Engine
	c     Config
	conds map[string][]*term.Term // of Config.Assume, by the type of messages
}

// assumed gives what holds of messages from outside of a type, under the names of the message.
func (e *Engine) assumed(t types.Type) []*term.Term { return e.assume.Assumed(t) }

// Assumed is system.Assumer.
func (a *assumptions) Assumed(t types.Type) (conds []*term.Term) {
	if a.c.Numbers != nil || len(a.c.Strings) > 0 {
		scalars("msg", t, 0, func(name string, t types.Type) {
			if c := a.domain(name, t); c != nil {
				conds = append(conds, c)
			}
		})
	}
	return append(conds, a.conds[typeKey(t)]...)
}

// text tells what is restricted, behind the bounds of a search.
func (a *assumptions) text() (text string) {
	if a.c.Numbers != nil {
		text += fmt.Sprintf(", numbers in %d..%d", a.c.Numbers.Least, a.c.Numbers.Most)
	}
	if len(a.c.Strings) > 0 {
		text += fmt.Sprintf(", strings in %q", a.c.Strings)
	}
	for _, c := range a.c.Assume {
		text += ", assuming " + c
	}
	return text
}

// some reports whether anything is restricted.
func (c *Config) some() bool { return c.Numbers != nil || len(c.Strings) > 0 || len(c.Assume) > 0 }

// scalars calls f for all numbers, strings and truth values of a message, with their names.
func scalars(name string, t types.Type, depth int, f func(name string, t types.Type)) {
	if _, ok := term.TypeOf(t); ok {
		f(name, t)
		return
	}
	if depth == 0 {
		t = pointed(t)
	}
	if s, ok := t.Underlying().(*types.Struct); ok && depth < 4 && !isReference(t) {
		for v := range s.Fields() {
			scalars(name+"."+v.Name(), v.Type(), depth+1, f)
		}
	}
}

// domain gives the condition that a part of a message is in its domain, nil if it has none.
func (a *assumptions) domain(name string, t types.Type) *term.Term {
	s := a.e.store
	switch d, ok := term.TypeOf(t); {
	case !ok:
	case d.Kind == term.WordKind && a.c.Numbers != nil:
		return a.inRange(s.Var(name, d.Sort), d)
	case d.Kind == term.StringKind && len(a.c.Strings) > 0:
		var one []*term.Term
		for _, text := range a.c.Strings {
			one = append(one, s.Equal(s.Var(name, d.Sort), s.Text(text)))
		}
		return s.Or(one...)
	}
	return nil
}

// inRange gives the condition that a number is in the range of the configuration.
func (a *assumptions) inRange(v *term.Term, d term.Type) *term.Term {
	s, r := a.e.store, *a.c.Numbers
	if d.Unsigned {
		if r.Most < 0 || r.Least > 0 && uint64(r.Least) > d.Mask() {
			return s.Bool(false)
		}
		return s.And(s.UAtMost(s.Uint(d.Sort, uint64(max(r.Least, 0))), v),
			s.UAtMost(v, s.Uint(d.Sort, min(uint64(max(r.Most, 0)), d.Mask()))))
	}
	most := int64(math.MaxInt64) >> (64 - d.Bits)
	if r.Most < -most-1 || r.Least > most {
		return s.Bool(false)
	}
	return s.And(s.SAtMost(s.Int(d.Sort, max(r.Least, -most-1)), v), s.SAtMost(v, s.Int(d.Sort, min(r.Most, most))))
}

// typeKey is the same for messages of one type, and for pointers to it.
func typeKey(t types.Type) string { return types.TypeString(pointed(t), nil) }

// assumes reads the assumptions of a configuration, once. It fails where one means nothing in the whole program.
func (e *Engine) assumes(ctx context.Context, c Config) (*assumptions, error) {
	key := fmt.Sprintf("%v %q %q", c.Numbers, c.Strings, c.Assume)
	if len(c.Assume) > 0 { // it is about the messages that are known
		for _, t := range e.messages(ctx) {
			key += " " + typeKey(t)
		}
	}
	if a := e.assumptions[key]; a != nil {
		return a, nil
	}
	a := &assumptions{e: e, c: c, conds: map[string][]*term.Term{}}
	for _, text := range c.Assume {
		text = strings.TrimSpace(text)
		read := a.comparison
		if token.IsIdentifier(text) && text != "true" && text != "false" {
			read = a.predicate
		}
		if err := read(ctx, text); err != nil {
			return nil, fmt.Errorf("assumption %q: %w", text, err)
		}
	}
	e.assumptions[key] = a
	return a, nil
}

// Knows tells the engine of further starts, from which others search: what is assumed may be about messages that only
// their drivers send.
func (e *Engine) Knows(starts []*system.Start) { e.others = starts }

// messages gives the types of all messages that handlers of the program have a case for, without pointers, and those
// that drivers send.
func (e *Engine) messages(ctx context.Context) (list []*types.Named) {
	add := func(t types.Type) {
		if n, ok := types.Unalias(pointed(t)).(*types.Named); ok && n.Obj().Pkg() != nil &&
			!slices.ContainsFunc(list, func(o *types.Named) bool { return types.Identical(o, n) }) {
			list = append(list, n)
		}
	}
	e.asks(ctx)
	for _, h := range e.asked {
		if h.Message != nil {
			add(h.Message)
		}
	}
	for _, start := range append(slices.Clone(e.others), e.start) {
		for _, s := range start.Shapes {
			add(s.Type)
		}
	}
	return list
}

// comparison reads an assumption that is a condition on one message: on each of its name.
func (a *assumptions) comparison(ctx context.Context, text string) error {
	var last error
	found := false
	for _, t := range a.e.messages(ctx) {
		c, err := a.parse(text, t)
		switch {
		case err == nil:
			a.conds[typeKey(t)] = append(a.conds[typeKey(t)], c)
			found = true
		case last == nil || !errors.Is(err, errNothing):
			last = err
		}
	}
	switch {
	case found:
		return nil
	case last == nil:
		return errors.New("no handler has a case for a message")
	}
	return last
}

// errNothing is told of an assumption that is not about the message at hand.
var errNothing = errors.New("no message has what it names: want comparisons of Message.Field with numbers, strings and truth values, of one message")

// parse reads a condition on a message of a type.
func (a *assumptions) parse(text string, t *types.Named) (*term.Term, error) {
	real := map[string]*term.Term{}
	find := func(name string) (term.Type, bool) {
		for _, base := range []string{t.Obj().Pkg().Name() + "." + t.Obj().Name(), t.Obj().Name()} {
			rest, ok := strings.CutPrefix(name, base)
			if !ok || rest != "" && rest[0] != '.' || strings.Contains(rest, "!") {
				continue
			}
			if at := typeAt(t, rest); at != nil {
				if d, ok := term.TypeOf(at); ok && !isReference(at) {
					real[name] = a.e.store.Var("msg"+rest, d.Sort)
					return d, true
				}
			}
		}
		return term.Type{}, false
	}
	c, err := term.ParseCondition(a.e.store, text, term.Names{Var: find})
	switch {
	case err != nil && len(real) == 0:
		return nil, fmt.Errorf("%w (%w)", errNothing, err)
	case err != nil:
		return nil, err
	case len(term.Vars(c)) == 0:
		return nil, errNothing
	}
	return a.e.store.SubstNames(real).Apply(c), nil
}

// predicate reads an assumption that is a function of a message.
func (a *assumptions) predicate(ctx context.Context, name string) error {
	i := slices.IndexFunc(a.e.loaded.Functions(), func(fn *ssa.Function) bool {
		return fn.Pkg != nil && fn.Parent() == nil && fn.Signature.Recv() == nil && fn.Name() == name
	})
	if i < 0 {
		return fmt.Errorf("there is no function %s, and a condition is a comparison, such as Pay.Amount > 0", name)
	}
	fn := a.e.loaded.Functions()[i]
	if res := fn.Signature.Results(); res.Len() != 1 || !types.Identical(res.At(0).Type(), types.Typ[types.Bool]) ||
		len(fn.Params) != 1 {
		return fmt.Errorf("%s is a %s: want a function of one message that gives a bool", name, typeText(fn.Signature))
	}
	t := fn.Params[0].Type()
	if !slices.ContainsFunc(a.e.messages(ctx), func(n *types.Named) bool { return types.Identical(n, pointed(t)) }) {
		return fmt.Errorf("no handler has a case for a %s, which %s is about", typeText(t), name)
	}
	solver := a.e.newSolver()
	defer solver.Close()
	found := a.e.summaries.Exec().Explore(ctx, a.e.store, solver, exec.Entry{Fn: fn}, exec.Config{})
	if !found.Complete() {
		return fmt.Errorf("%s (%s) cannot be executed within the bounds", name, a.e.loaded.Position(fn.Pos()))
	}
	one := []*term.Term{a.e.store.Bool(false)}
	for _, path := range found.Paths {
		c, err := a.holds(path, exec.ParameterName(0, fn.Params[0]))
		if err != nil {
			return fmt.Errorf("%s (%s) %w", name, a.e.loaded.Position(fn.Pos()), err)
		}
		one = append(one, c)
	}
	a.conds[typeKey(t)] = append(a.conds[typeKey(t)], a.e.store.Or(one...))
	return nil
}

// holds gives the condition that a path of a predicate is taken and gives true, of the parts of the message. Where it
// panics it does not hold.
func (a *assumptions) holds(path *exec.Path, parameter string) (*term.Term, error) {
	if len(path.Marks) > 0 {
		return nil, fmt.Errorf("depends on what is not known: %s", path.Marks[0].What)
	}
	if path.Exit != exec.Return {
		return a.e.store.Bool(false), nil
	}
	conds := []*term.Term{path.Results[0].(*term.Term)}
	for _, c := range path.PC {
		conds = append(conds, c.Term)
	}
	c := a.e.store.And(conds...)
	names := map[string]*term.Term{}
	for _, v := range term.Vars(c) {
		first, rest := root(v.Name)
		if first != parameter || strings.ContainsAny(rest, "[!") {
			if rest == "!ref" { // the message itself is there
				names[v.Name] = a.e.store.Uint(v.Sort, 1)
				continue
			}
			return nil, fmt.Errorf("depends on %s: want numbers, strings and truth values of the message", v.Name)
		}
		names[v.Name] = a.e.store.Var("msg"+rest, v.Sort)
	}
	return a.e.store.SubstNames(names).Apply(c), nil
}
