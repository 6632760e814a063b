package tap

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// change is a substitution phi[v'/v] of a whole symbolic configuration ([TAP18] 5.1). The path condition is substituted
// at once. Pending events are, when they are matched: the changes are a list that begins at the newest, and an event
// remembers where it came in.
type change struct {
	what string
	prev *change
	n    int // changes before it

	keys []string // variables and families of functions that it is about: nothing else is looked at
	base string   // a variable that gets a value
	with value
	vars func(t *term.Term) *term.Term // if set, in place of base and with
	// what becomes of applied functions; nil is unmodelled
	applies []func(t *term.Term, args []*term.Term) (*term.Term, bool)

	raw func(t *term.Term) (*term.Term, bool) // as applies, before the arguments are substituted

	memo map[*term.Term]*term.Term
}

// assign is the substitution of a variable of the program by a value.
func assign(base string, v value) *change {
	return &change{what: base, keys: []string{base}, base: base, with: v}
}

// split takes the name of a free variable apart: a variable of the program, and the part of its value.
func split(name string) (base, part string) {
	base, part, _ = strings.Cut(name, "|")
	return base, part
}

// support lists the variables and families of functions in a term, sorted, with "@" and the actor for all memory of
// one.
func (e *Engine) support(t *term.Term) []string {
	if s, ok := e.supports[t]; ok {
		return s
	}
	var s []string
	switch t.Op {
	case term.OpVar:
		base, _ := split(t.Name)
		s = []string{base}
	case term.OpConst:
	default:
		if t.Op == term.OpApply {
			actor, family := ofMemory(t.Name)
			s = append(s, family, "@"+actor)
		}
		for _, a := range t.Args {
			s = append(s, e.support(a)...)
		}
		slices.Sort(s)
		s = slices.Compact(s)
	}
	e.supports[t] = s
	return s
}

// touches reports whether a term has what a change is about.
func (e *Engine) touches(c *change, t *term.Term) bool {
	s := e.support(t)
	for _, k := range c.keys {
		if _, ok := slices.BinarySearch(s, k); ok {
			return true
		}
	}
	return false
}

// substitute applies a change to a term. It gives nil if the term depends on something that is not modelled.
func (e *Engine) substitute(c *change, t *term.Term) *term.Term {
	if !e.touches(c, t) {
		return t
	}
	if known, ok := c.memo[t]; ok {
		return known
	}
	if c.memo == nil {
		c.memo = map[*term.Term]*term.Term{}
	}
	u := e.substituted(c, t)
	c.memo[t] = u
	return u
}

func (e *Engine) substituted(c *change, t *term.Term) *term.Term {
	if t.Op == term.OpVar {
		if c.vars != nil {
			return c.vars(t)
		}
		_, part := split(t.Name)
		return c.with(part, t.Sort)
	}
	if c.raw != nil && t.Op == term.OpApply {
		if u, ok := c.raw(t); ok {
			return u
		}
	}
	if u, ok := e.decides(c, t); ok {
		return u
	}
	args := make([]*term.Term, len(t.Args))
	for i, a := range t.Args {
		if args[i] = e.substitute(c, a); args[i] == nil {
			return nil
		}
	}
	if t.Op == term.OpApply {
		for _, apply := range c.applies {
			if u, ok := apply(t, args); ok {
				return u
			}
		}
	}
	return e.store.Build(t, args)
}

// decides substitutes a choice, a conjunction or a disjunction of which a part decides: the others may depend on what
// is not modelled.
func (e *Engine) decides(c *change, t *term.Term) (*term.Term, bool) {
	switch t.Op {
	case term.OpIf:
		switch cond := e.substitute(c, t.Args[0]); {
		case cond == nil:
			return nil, true
		case cond.True():
			return e.substitute(c, t.Args[1]), true
		case cond.False():
			return e.substitute(c, t.Args[2]), true
		}
	case term.OpAnd, term.OpOr:
		for _, a := range t.Args {
			if u := e.substitute(c, a); u != nil && (t.Op == term.OpAnd && u.False() || t.Op == term.OpOr && u.True()) {
				return u, true
			}
		}
	}
	return nil, false
}

// since applies the changes after one to a term, the oldest first.
func (e *Engine) since(after, now *change, t *term.Term) *term.Term {
	var list []*change
	for c := now; c != after; c = c.prev {
		list = append(list, c)
	}
	for _, c := range slices.Backward(list) {
		if t = e.substitute(c, t); t == nil {
			return nil
		}
	}
	return t
}
