package cases

import (
	"fmt"
	"go/types"
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file restricts the inputs of cases by what was assumed of them.

// restrict adds to a case the conditions of assumptions and domains.
func (p *Program) restrict(c *Case, assumed []*assumption, config Config) {
	for _, a := range assumed {
		if n, ok := p.of(a, c.Target); ok {
			c.Assumed = append(c.Assumed, n.cond)
			c.needs(n.inputs...)
		}
		for i, name := range c.Queued {
			if t := p.sibling(c.Target, name); t != nil {
				if n, ok := p.of(a, t); ok {
					n = p.renamed(n, map[string]string{"msg": queuedName(i)})
					c.Assumed = append(c.Assumed, n.cond)
					c.needs(n.inputs...)
				}
			}
		}
	}
	if config.Numbers == nil && config.Strings == nil {
		return
	}
	c.needs(p.scalars(c.Target)...)
	for _, in := range c.Inputs {
		if d := p.domain(in, config); d != nil {
			c.Domain = append(c.Domain, d)
		}
	}
}

// sibling gives the target of the same actor with another message, nil if there is none.
func (p *Program) sibling(t *Target, message string) *Target {
	for _, u := range p.targets {
		if u.Kind != Function && u.Fn == t.Fn && u.Handler.Message != nil && u.Handler.Name() == message {
			return u
		}
	}
	return nil
}

// renamed gives a condition on inputs of other roots.
func (p *Program) renamed(n noted, names map[string]string) noted {
	r := newRenaming(names)
	m := noted{cond: r.terms(p.store, []*term.Term{n.cond})[0]}
	for _, in := range n.inputs {
		m.inputs = append(m.inputs, exec.Input{Var: r.terms(p.store, []*term.Term{in.Var})[0], At: r.place(in.At),
			Aspect: in.Aspect})
	}
	return m
}

// needs adds inputs that a case does not have.
func (c *Case) needs(list ...exec.Input) {
	for _, in := range list {
		if !slices.ContainsFunc(c.Inputs, func(o exec.Input) bool { return o.Var == in.Var }) {
			c.Inputs = append(c.Inputs, in)
		}
	}
}

// scalars lists the numbers and strings of a message, or of a function's parameters, whether they are looked at or not.
func (p *Program) scalars(t *Target) (list []exec.Input) {
	var roots []*exec.Place
	if t.Kind == Function {
		for i, v := range t.Fn.Params {
			roots = append(roots, &exec.Place{Name: exec.ParameterName(i, v), Type: v.Type()})
		}
	} else if t.Handler.Message != nil {
		roots = append(roots, &exec.Place{Name: "msg", Type: t.Handler.Message})
	}
	for _, at := range roots {
		list = append(list, p.scalarsOf(at, 0)...)
	}
	return list
}

func (p *Program) scalarsOf(at *exec.Place, depth int) (list []exec.Input) {
	if in, typ, err := aspectOf(at, ""); err == nil {
		if in.Aspect != "" {
			return nil // a reference
		}
		in.Var = p.store.Var(at.Name, typ.Sort)
		return []exec.Input{in}
	}
	if at = behindRoot(at, depth); depth > 4 {
		return nil
	}
	if s, ok := at.Type.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Name() != "_" {
				if field, err := selected(at, f.Name()); err == nil {
					list = append(list, p.scalarsOf(field, depth+1)...)
				}
			}
		}
	}
	return list
}

// behindRoot goes through the pointer that a message or a parameter may be. Other pointers may be nil.
func behindRoot(at *exec.Place, depth int) *exec.Place {
	if depth == 0 {
		return behind(at)
	}
	return at
}

// domain gives the condition that an input is in its domain, nil if it has none.
func (p *Program) domain(in exec.Input, c Config) *term.Term {
	if in.Aspect != "" || in.At.Type == nil {
		return nil
	}
	t, ok := term.TypeOf(in.At.Type)
	if !ok || t.Sort != in.Var.Sort {
		return nil
	}
	switch {
	case t.Kind == term.WordKind && c.Numbers != nil:
		return p.within(in.Var, t, *c.Numbers)
	case t.Kind == term.StringKind && len(c.Strings) > 0:
		var one []*term.Term
		for _, s := range c.Strings {
			one = append(one, p.store.Equal(in.Var, p.store.Text(s)))
		}
		return p.store.Or(one...)
	}
	return nil
}

// within gives the condition that a number is in a range, as far as its type has it. A range that the type does not
// touch holds for no number.
func (p *Program) within(v *term.Term, t term.Type, r Range) *term.Term {
	s := p.store
	most := t.Mask()
	if t.Unsigned {
		if r.Most < 0 || r.Least > 0 && uint64(r.Least) > most {
			return s.Bool(false)
		}
		return s.And(s.UAtMost(s.Uint(t.Sort, uint64(max(r.Least, 0))), v),
			s.UAtMost(v, s.Uint(t.Sort, min(uint64(r.Most), most))))
	}
	greatest := int64(math.MaxInt64) >> (64 - t.Bits)
	least := -greatest - 1
	if r.Most < least || r.Least > greatest {
		return s.Bool(false)
	}
	return s.And(s.SAtMost(s.Int(t.Sort, max(r.Least, least)), v), s.SAtMost(v, s.Int(t.Sort, min(r.Most, greatest))))
}

// queuedName names the inputs of the message that is at a place of the queue in the beginning, as package tasks does.
func queuedName(i int) string { return fmt.Sprintf("queued%d", i+1) }
