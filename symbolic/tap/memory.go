package tap

import (
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: what objects hold, as the functions read and update of [TAP18] appendix B. read(v, f) is the function of
// field f applied to the address v. There is one such function for each actor, since actors share no memory. An actor
// that is created, and one that gets a message, has the other's memory as it was then.
//
// Differs: a struct in a struct is an object of its own, whose address is a constant more than that of the struct
// around it. Elements of arrays and slices have the index as a second argument; those of maps, and whether they are
// there, the key.

const (
	kindField = "H"
	kindElem  = "E"
	kindEntry = "M"
)

// memory names a function: the actor whose memory it is, what it holds, and which part of that.
func memory(kind, actor, key, part string) string { return kind + "|" + actor + "|" + key + "|" + part }

// ofMemory gives the actor of a function's name, and the name without its part.
func ofMemory(name string) (actor, family string) {
	end := strings.LastIndexByte(name, '|')
	_, rest, _ := strings.Cut(name, "|")
	actor, _, _ = strings.Cut(rest, "|")
	return actor, name[:end]
}

// inMemory gives the same function of another actor's memory.
func inMemory(name, actor string) string {
	kind, rest, _ := strings.Cut(name, "|")
	_, rest, _ = strings.Cut(rest, "|")
	return kind + "|" + actor + "|" + rest
}

// size counts the addresses that a type takes: one for itself, and those of structs and arrays in it.
func size(t types.Type) uint64 {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || reference(t) {
		return 1
	}
	n := uint64(1)
	for f := range s.Fields() {
		if inner(f.Type()) {
			n += size(f.Type())
		}
	}
	return n
}

// inner reports whether values of a type in a struct are objects of their own.
func inner(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct:
		return !reference(t)
	case *types.Array:
		return true
	}
	return false
}

// offset gives how far the object of field i is behind that of its struct.
func offset(s *types.Struct, i int) uint64 {
	n := uint64(1)
	for j := range i {
		if t := s.Field(j).Type(); inner(t) {
			n += size(t)
		}
	}
	return n
}

// place is a place in memory: what is at args, in the memory of an actor.
type place struct {
	t     types.Type
	kind  string
	actor string
	key   string // what is there: the type of the struct or element; of a field with its name behind it
	part  string // a part of that; for a kindElem whose elements are structs
	args  []*term.Term
}

// valid reports whether the place is modelled.
func (p place) valid() bool {
	for _, a := range p.args {
		if a == nil {
			return false
		}
	}
	return len(p.args) > 0
}

// at is the place of an object of a type at an address.
func (e *Engine) at(actor string, addr *term.Term, t types.Type) place {
	return place{t: t, kind: kindField, actor: actor, key: typeKey(t), args: []*term.Term{addr}}
}

// field is the place of a field of the struct at a place.
func (e *Engine) field(p place, i int) place {
	s := p.t.Underlying().(*types.Struct)
	f := s.Field(i)
	if p.kind == kindElem {
		p.t, p.part = f.Type(), p.part+"."+f.Name()
		return p
	}
	if !p.valid() {
		return place{t: f.Type()}
	}
	if inner(f.Type()) {
		return e.at(p.actor, e.store.Add(p.args[0], e.store.Uint(wordSort, offset(s, i))), f.Type())
	}
	return place{t: f.Type(), kind: kindField, actor: p.actor, key: typeKey(p.t) + "." + f.Name(), args: p.args}
}

// element is the place of an element of the array or slice whose elements begin at an address.
func (e *Engine) element(actor string, addr, index *term.Term, t types.Type) place {
	return place{t: t, kind: kindElem, actor: actor, key: typeKey(t), args: []*term.Term{addr, index}}
}

// read is the value at a place.
func (e *Engine) read(p place) value {
	if !p.valid() {
		return unmodelled
	}
	return func(part string, sort term.Sort) *term.Term {
		q, rest, ok := e.narrow(p, part)
		if !ok {
			return nil
		}
		e.kinds[q.kind+"|"+q.key] = q.t
		return e.store.Apply(memory(q.kind, q.actor, q.key, q.part+rest), sort, q.args...)
	}
}

// narrow goes from a struct to the field that a part of it is in.
func (e *Engine) narrow(p place, part string) (place, string, bool) {
	s, ok := p.t.Underlying().(*types.Struct)
	if !ok || reference(p.t) || p.kind == kindElem || p.kind == kindEntry {
		_, array := p.t.Underlying().(*types.Array)
		return p, part, !array
	}
	for i := range s.NumFields() {
		rest, ok := strings.CutPrefix(part, "."+s.Field(i).Name())
		if ok && (rest == "" || strings.ContainsAny(rest[:1], ".!")) {
			return e.narrow(e.field(p, i), rest)
		}
	}
	return p, "", false
}

// places lists the places that a value of the type of a place is spread over.
func (e *Engine) places(p place, prefix string, each func(q place, prefix string)) {
	s, ok := p.t.Underlying().(*types.Struct)
	if !ok || reference(p.t) || p.kind != kindField {
		each(p, prefix)
		return
	}
	for i := range s.NumFields() {
		e.places(e.field(p, i), prefix+"."+s.Field(i).Name(), each)
	}
}

// update is what storing a value at a place means for what is read afterwards.
func (e *Engine) update(p place, v value) *change {
	c := &change{what: "store"}
	if !p.valid() {
		return c
	}
	e.places(p, "", func(q place, prefix string) {
		family := q.kind + "|" + q.actor + "|" + q.key
		c.keys = append(c.keys, family)
		v := partOf(v, prefix)
		c.applies = append(c.applies, func(t *term.Term, args []*term.Term) (*term.Term, bool) {
			at := strings.LastIndexByte(t.Name, '|')
			part, ok := strings.CutPrefix(t.Name[at+1:], q.part)
			if t.Name[:at] != family || !ok || len(args) != len(q.args) {
				return nil, false
			}
			var hit []*term.Term
			for i := range args {
				if args[i].Sort != q.args[i].Sort {
					return nil, false
				}
				hit = append(hit, e.store.Equal(args[i], q.args[i]))
			}
			return e.ite(e.store.And(hit...), func() *term.Term { return v(part, t.Sort) }, func() *term.Term {
				return e.store.Build(t, args)
			}), true
		})
	})
	return c
}

// ite is a choice whose branches are made only where they matter. nil stands for what is not modelled.
func (e *Engine) ite(c *term.Term, yes, no func() *term.Term) *term.Term {
	switch {
	case c.True():
		return yes()
	case c.False():
		return no()
	}
	a, b := yes(), no()
	if a == nil || b == nil {
		return nil
	}
	return e.store.If(c, a, b)
}
