package exec

import (
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// tag gives the number of a type as a term.
func (r *run) tag(t types.Type) *term.Term {
	return r.store.Uint(sortReference, uint64(r.program.number(t)))
}

// holds decides whether an interface holds a value of a type that is no interface.
func (r *run) holds(v Value, t types.Type) (Value, bool) {
	switch f := settled(r.force(v)).(type) {
	case Face:
		if f.Type != nil && types.Identical(f.Type, t) {
			return r.force(f.Val), true
		}
	case *InputFace:
		if Value(f) == r.message && r.entry.Others {
			r.assume(r.store.Not(r.store.Equal(f.tag, r.tag(t))))
			return nil, false
		}
		if r.truth(r.store.Equal(f.tag, r.tag(t))) {
			return r.force(r.resolve(f, t).Val), true
		}
	default:
		r.mark(Havoc, "the type of what a framework or library has given")
	}
	return nil, false
}

// resolve notes that an interface of the inputs holds a value of a type.
func (r *run) resolve(f *InputFace, t types.Type) Face {
	f.res = &Face{t, r.input(f.at.assert(t))}
	if Value(f) == r.message && r.entry.Ask {
		r.result.Asked = append(r.result.Asked, t)
		panic(&stop{exit: Refused, why: "the type of the message is known", pos: r.pos()})
	}
	return *f.res
}

// known decides the type of what an interface holds, among those of the program that implement another interface; the
// result has Type nil if it is none of them. With all set, it is one of them, or nil.
func (r *run) known(v Value, as *types.Interface, all bool) Face {
	switch f := settled(r.force(v)).(type) {
	case Face:
		if f.Type != nil && types.Implements(f.Type, as) {
			return f
		}
		return Face{}
	case *InputFace:
		return r.candidate(f, as, all)
	}
	r.mark(Havoc, "the type of what a framework or library has given")
	return Face{}
}

// implementing lists the types of the program that an interface of the inputs may hold and that implement another one.
func (r *run) implementing(f *InputFace, as *types.Interface) (fit []types.Type) {
	static := f.at.Type.Underlying().(*types.Interface)
	for _, t := range r.program.implementBoth(static, as) {
		if r.program.near(packageOf(r.entry.Fn), t) {
			fit = append(fit, t)
		}
	}
	return fit
}

// implementBoth lists the types that become interfaces and implement two of them. They are looked for once: calls of
// methods ask in each execution, and Go's type checker goes through the methods of all types each time.
func (p *Program) implementBoth(a, b *types.Interface) []types.Type {
	key := [2]*types.Interface{a, b}
	list, known := p.fitting[key]
	if !known {
		for _, t := range p.boxed {
			if types.Implements(t, a) && types.Implements(t, b) {
				list = append(list, t)
			}
		}
		p.fitting[key] = list
	}
	return list
}

func (r *run) candidate(f *InputFace, as *types.Interface, all bool) Face {
	fit := r.implementing(f, as)
	if all {
		fit = r.reachingTypes(fit)
	}
	if Value(f) == r.message && r.entry.Others {
		for _, t := range fit {
			r.assume(r.store.Not(r.store.Equal(f.tag, r.tag(t))))
		}
		return Face{}
	}
	if all {
		r.mark(Closed, "%s holds one of the program's %d types that implement %s", f.at.Name, len(fit), typeName(f.at.Type))
	}
	null := r.isZero(f.tag)
	outcomes, rest := []*term.Term{null}, []*term.Term{r.store.Not(null)}
	for _, t := range fit[:min(len(fit), r.config.Candidates)] {
		is := r.store.Equal(f.tag, r.tag(t))
		outcomes, rest = append(outcomes, is), append(rest, r.store.Not(is))
	}
	if !all || len(fit) > r.config.Candidates {
		outcomes = append(outcomes, r.store.And(rest...))
	} else if len(fit) == 0 {
		r.assume(null)
	}
	switch i := r.fork(outcomes...); {
	case i == 0:
		return Face{}
	case i <= min(len(fit), r.config.Candidates):
		return r.resolve(f, fit[i-1])
	case len(fit) > r.config.Candidates:
		r.cut("more than %d types of %s", r.config.Candidates, f.at.Name)
	}
	r.mark(Closed, "%s holds none of the program's types that implement the interface", f.at.Name)
	return Face{}
}

// faceNil gives the condition that an interface is nil.
func (r *run) faceNil(v Value) *term.Term {
	switch f := settled(r.force(v)).(type) {
	case Face:
		return r.store.Bool(f.Type == nil)
	case *InputFace:
		return r.isZero(f.tag)
	default:
		return r.isZero(r.identity(f))
	}
}

// typeOf gives the number of the type that an interface holds, 0 for nil.
func (r *run) typeOf(v Value) *term.Term {
	switch f := settled(r.force(v)).(type) {
	case Face:
		if f.Type != nil {
			return r.tag(f.Type)
		}
	case *InputFace:
		return f.tag
	default:
		r.mark(Havoc, "the type of what a framework or library has given")
	}
	return r.store.Uint(sortReference, 0)
}

// TypeCondition tells of a condition that an interface holds a value of a type: the name of the interface, and the
// type, nil for a nil interface. It reports false if it is no such condition.
func (p *Program) TypeCondition(c *term.Term) (string, types.Type, bool) {
	if c.Op != term.OpEq {
		return "", nil, false
	}
	for i, a := range c.Args {
		name, ok := strings.CutSuffix(a.Name, aspectType)
		if o := c.Args[1-i]; ok && a.Op == term.OpVar && o.Const() {
			return name, p.Type(o.Val), true
		}
	}
	return "", nil, false
}
