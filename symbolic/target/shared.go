package target

import (
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds memory through which one actor may see what another one does: behind a pointer, in a slice or a map.
// The search follows messages only. So a part of the state that is such memory is in doubt if something that may run
// writes memory of the same kind behind a pointer.
//
//	assumes: Go's types: what is read as a field of one struct is not written as a field of another one

// cell is a kind of memory: a type, and of a field of a struct which one it is.
type cell struct {
	typ   types.Type
	in    types.Type // the struct; nil for what is no field
	field int
}

// meets reports whether two kinds of memory may overlap.
func (c cell) meets(o cell) bool {
	if c.in != nil && o.in != nil && c.field == o.field && types.Identical(c.in, o.in) {
		return true
	}
	return c.within(o.typ) || o.within(c.typ)
}

// within reports whether memory may be a part of a value of a type.
func (c cell) within(t types.Type) bool {
	if c.in != nil {
		return types.Identical(t, c.in) || holds(t, c.in)
	}
	return types.Identical(t, c.typ) || holds(t, c.typ)
}

// holds reports whether a value of a type has one of another type in it.
func holds(t, part types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if types.Identical(f.Type(), part) || holds(f.Type(), part) {
				return true
			}
		}
	case *types.Array:
		return types.Identical(u.Elem(), part) || holds(u.Elem(), part)
	}
	return false
}

// writes notes what a path writes: memory that is none of its actor's, and such that others may have, too.
func (d *doubts) writes(r *route) {
	for _, name := range r.path.Written {
		at, held := r.held(name)
		if !held {
			d.at(r.fn.Pos(), "%s writes %s, which is none of its actor's", r.fn.Name(), name)
			continue
		}
		c, shared, known := r.cell(at)
		if !known {
			d.at(r.fn.Pos(), "%s writes %s, of which others may have a part", r.fn.Name(), strings.TrimPrefix(at, state+"."))
			continue
		}
		if shared {
			d.shared = append(d.shared, c)
		}
		if p, ok := types.Unalias(c.typ).Underlying().(*types.Pointer); ok { // the struct behind it has the same name
			d.shared = append(d.shared, cell{typ: p.Elem()})
		}
	}
}

// reads notes what a path looks at that others may write.
func (d *doubts) reads(r *route) {
	if len(d.shared) == 0 {
		return
	}
	matters := map[*term.Term]bool{}
	for _, v := range term.Vars(seenOf(r.path)...) {
		matters[v] = true
	}
	for _, in := range r.path.Inputs {
		at, held := r.held(in.Var.Name)
		if held && matters[in.Var] && in.At != nil && behindPointer(in.At) &&
			slices.ContainsFunc(d.shared, cellOf(in.At).meets) {
			d.at(r.fn.Pos(), "%s looks at %s, which others may have too", r.fn.Name(), strings.TrimPrefix(at, state+"."))
		}
	}
}

// cellOf gives the kind of memory at a place.
func cellOf(at *exec.Place) cell {
	if at.Step == exec.Field {
		return cell{at.Type, at.Up.Type, at.Index}
	}
	return cell{typ: at.Type}
}

// cell gives the kind of memory that a name of the state tells of, and whether it is behind a pointer; known is false
// for names that are not understood.
func (h *handler) cell(at string) (c cell, shared, known bool) {
	first, rest := root(strings.TrimPrefix(at, state))
	if v, ok := strings.CutPrefix(first, "^"); ok {
		for _, f := range h.fn.FreeVars {
			if exec.CapturedName(f) == v {
				c.typ = f.Type()
			}
		}
	} else if first == "" && h.fn.Signature.Recv() != nil {
		c.typ = h.fn.Signature.Recv().Type()
	}
	own := true // the first pointer is that to the actor, or to the variable
	for c.typ != nil {
		if p, ok := types.Unalias(c.typ).Underlying().(*types.Pointer); ok && rest != "" && rest[0] != '!' {
			c, shared, own = cell{typ: p.Elem()}, shared || !own, false
			rest = strings.TrimPrefix(rest, ".*")
			continue
		}
		if rest == "" || rest[0] == '!' && strings.IndexAny(rest, ".[(") < 0 {
			return c, shared, !strings.HasPrefix(rest, "!key") && !strings.HasPrefix(rest, "!elem")
		}
		own = false
		if rest[0] == '[' {
			end := strings.IndexByte(rest, ']')
			elem, behind := elementOf(c.typ)
			if end < 0 || elem == nil {
				break
			}
			c, rest, shared = cell{typ: elem}, rest[end+1:], shared || behind
			continue
		}
		name, tail, ok := cutField(rest)
		if !ok {
			break
		}
		c, rest = fieldOf(c.typ, name), tail
	}
	return c, shared, false
}

// elementOf gives the type of elements, and whether they are in memory of their own.
func elementOf(t types.Type) (elem types.Type, behind bool) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem(), true
	case *types.Map:
		return u.Elem(), true
	case *types.Array:
		return u.Elem(), false
	}
	return nil, false
}

// fieldOf gives the field of a name; none has no type.
func fieldOf(t types.Type, name string) cell {
	if s, ok := t.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			if f := s.Field(i); f.Name() == name {
				return cell{f.Type(), t, i}
			}
		}
	}
	return cell{}
}

// seenOf lists the terms by which others learn of what a path looks at, or which decide that it is taken.
func seenOf(p *exec.Path) (list []*term.Term) {
	for _, c := range p.PC {
		if !c.Given {
			list = append(list, c.Term)
		}
	}
	for _, ev := range p.Events {
		if ev.To != nil {
			list = append(list, ev.To)
		}
		for _, part := range ev.Flat {
			list = append(list, part.Term)
		}
	}
	return list
}

// behindPointer reports whether a place is behind a pointer, slice or map of the actor.
func behindPointer(at *exec.Place) bool {
	for p := at; p != nil && p.Up != nil; p = p.Up {
		switch p.Step {
		case exec.Deref:
			if p.Up.Up != nil {
				return true
			}
		case exec.Elem:
			if _, array := p.Up.Type.Underlying().(*types.Array); !array {
				return true
			}
		case exec.Under, exec.FreshKey, exec.FreshElem:
			return true
		}
	}
	return false
}
