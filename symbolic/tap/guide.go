package tap

import (
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: what the message flow graph says of a request, once its type is known. Most handlers begin with a test of
// it ([TAP18] 4.3).

// kind gives the type of the message of the run that an actor is at the entry of, nil if the path does not say. It
// reports false if no message that may come is of a type that the path allows.
func (e *Engine) kind(c *configuration, a *actor) (t types.Type, any bool) {
	known, not := e.typed(c, a)
	if known != nil {
		if e.timed(known) {
			return known, false // the rules for Started and ReceiveTimeout are about it
		}
		if flow.SentByFramework(model.MessageName(known)) || flow.SentByFramework(model.TypeName(known)) {
			e.note("a message of the framework's own: " + model.TypeName(known))
		}
		return known, e.outside(a.class, known) || len(e.program.senders(a.class, known)) > 0
	}
	for _, t := range e.shapesOf(a.class) {
		any = any || !not[plain(t)]
	}
	for _, edge := range e.program.graph.Edges {
		any = any || edge.Message != "" && edge.To != nil && edge.From != nil && !edge.From.Environment &&
			a.class.is(edge.To) && !not[strings.TrimPrefix(edge.Message, "*")]
	}
	if !e.useless(a, nil) {
		e.ending(a, not)
	}
	return nil, any
}

// typed gives the type that the path of an actor says that its message has, nil if it does not say, and the names of
// those that it excludes.
func (e *Engine) typed(c *configuration, a *actor) (types.Type, map[string]bool) {
	names := []string{a.msg + "|" + partType}
	if n := len(a.at.frame.fn.Params); n > 0 {
		names = append(names, parameter(a.at.frame, n-1)+"|"+partType)
	}
	not := map[string]bool{}
	for _, k := range c.phi {
		list := []*term.Term{k.t}
		if k.t.Op == term.OpAnd {
			list = k.t.Args
		}
		for _, t := range list {
			is := t.Op == term.OpEq
			if t.Op == term.OpNot {
				t = t.Args[0]
			}
			if t.Op != term.OpEq || t.Args[0].Op != term.OpVar || !t.Args[1].Const() ||
				!slices.Contains(names, t.Args[0].Name) || t.Args[1].Val == 0 {
				continue
			}
			known := e.types[t.Args[1].Val-1]
			if is {
				return known, nil
			}
			not[plain(known)] = true
		}
	}
	return nil, not
}

// plain names a type of messages and that of pointers to them.
func plain(t types.Type) string { return strings.TrimPrefix(model.MessageName(t), "*") }

// outside reports whether a message of a type may come to actors of a class from outside; nil is any type.
func (e *Engine) outside(class *Class, t types.Type) bool {
	list := e.shapesOf(class)
	return t == nil && len(list) > 0 || t != nil && containsType(list, t)
}

// senders gives the classes that may send a message of a type to actors of a class; nil is any type.
func (p *Program) senders(to *Class, t types.Type) (list []*Class) {
	key := sending{to, ""}
	if t != nil {
		key.message = model.MessageName(t)
	}
	if list, ok := p.sending[key]; ok {
		return list
	}
	for _, class := range p.classes {
		if slices.ContainsFunc(p.graph.Edges, func(e *flow.Edge) bool {
			return e.From != nil && e.To != nil && e.Message != "" && class.is(e.From) && to.is(e.To) &&
				(t == nil || strings.TrimPrefix(e.Message, "*") == strings.TrimPrefix(key.message, "*"))
		}) {
			list = append(list, class)
		}
	}
	p.sending[key] = list
	return list
}

// sending is a question: who sends a type of message to a class?
type sending struct {
	to      *Class
	message string // "": any
}

// creates reports whether handlers of a class may create actors of another one.
func (p *Program) creates(from, to *Class) bool {
	return slices.ContainsFunc(p.graph.Edges, func(e *flow.Edge) bool {
		return e.Kind == flow.Create && e.From != nil && from.is(e.From) && to.is(e.To)
	})
}

// creators gives the classes whose handlers may create actors of a class.
func (p *Program) creators(to *Class) (list []*Class) {
	if known, ok := p.making[to]; ok {
		return known
	}
	defer func() { p.making[to] = list }()
	for _, class := range p.classes {
		if p.creates(class, to) {
			list = append(list, class)
		}
	}
	return list
}

// present reports whether a message may come from outside, or from an actor that is there.
func (e *Engine) present(c *configuration, class *Class, t types.Type) bool {
	return e.outside(class, t) || e.among(c, e.program.senders(class, t))
}

// among reports whether there is an actor of one of the classes. Those that have left alpha may have sent before.
func (e *Engine) among(c *configuration, list []*Class) bool {
	known := func(b *actor) bool { return slices.Contains(list, b.class) }
	return slices.ContainsFunc(c.actors, known) || slices.ContainsFunc(c.made, known)
}
