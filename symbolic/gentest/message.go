package gentest

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Names are those of a file of tests that is not made of cases: what it imports, and what its variables must not hide.
type Names struct{ names *names }

// NewNames gives the names of a file in a package, which declares others beside those that are known of it.
func NewNames(pkg *types.Package, others []string) *Names { return &Names{newNames(pkg, others)} }

// Imported gives the name under which the file imports a package.
func (n *Names) Imported(path, name string) string { return n.names.imported(path, name) }

// Block gives the declaration of what the body of the file uses.
func (n *Names) Block(body string) string { return n.names.block(used(body)) }

// Taken reports whether something in the file has a name.
func (n *Names) Taken(name string) bool { return n.names.taken[name] }

// Take has something in the file have a name.
func (n *Names) Take(name string) { n.names.taken[name] = true }

// Messages writes messages of an execution of a whole program as Go source.
type Messages struct {
	Program *exec.Program
	Path    *exec.Path  // of the whole
	Model   *term.Model // the values of its inputs
	Names   *Names
	Actor   func(ref *term.Term, id uint64) (string, error) // an expression for an actor
	// numbers of any size, such as a *big.Int, are large and not 0, where the handler calls their methods
	Large bool
}

// Source writes a message: from its value, or where there is none from the terms of its parts, whose names begin with
// msg. It fails if the file cannot make it.
func (m *Messages) Source(t types.Type, v exec.Value, flat []exec.Named) (text string, err error) {
	why := ""
	defer func() {
		if why != "" {
			text, err = "", fmt.Errorf("a message %s: %s", types.TypeString(t, (*types.Package).Name), why)
		}
	}()
	defer caught(&why)
	made := m.made(t, v, flat)
	s := newSource(m.Names.names)
	s.declare("v", made)
	if len(s.lines) > 0 {
		fail("it has pointers to something that is no struct, or several to one")
	}
	return s.expr(made, anyType), nil
}

func (m *Messages) made(t types.Type, v exec.Value, flat []exec.Named) *value {
	path := m.Path
	if path == nil {
		path = &exec.Path{}
	}
	w := newWorld(m.Program, path, path.Inputs, m.Model, actors(m.Actor))
	w.outside, w.large = true, m.Large
	if v != nil {
		return w.valueAtEnd(v, t)
	}
	for _, f := range flat {
		w.vars[f.Name] = f.Term
	}
	return w.input("msg", t)
}

// PartChange is a part of a message that is another one than in a message of the same shape. It has what the part was,
// and what it is now, as Go has them.
type PartChange struct {
	Type     types.Type
	Was, Now string       // Was is "" of slices, arrays and maps, which are no constants
	Parts    []PartChange // of these: the same by their elements, where only elements differ
}

// Changes compares two messages of one type, the first one by the terms of its parts. It is not ok if they differ in
// more than numbers, strings, truth values, and slices, arrays and maps as a whole.
func (m *Messages) Changes(t types.Type, was []exec.Named, v exec.Value,
	flat []exec.Named) (list []PartChange, ok bool) {
	var why string
	defer caught(&why) // and it is not ok
	ok = m.changes(&list, m.made(t, nil, was), m.made(t, v, flat))
	return list, ok
}

func (m *Messages) changes(list *[]PartChange, a, b *value) bool {
	if !types.Identical(a.typ, b.typ) {
		return false
	}
	switch a.typ.Underlying().(type) {
	case *types.Basic:
		if scalars[a.kind] && scalars[b.kind] {
			m.change(list, a, b, true)
			return true
		}
	case *types.Slice, *types.Array, *types.Map:
		if lists[a.kind] && lists[b.kind] && !points(b) {
			m.change(list, a, b, false)
			return true
		}
	case *types.Struct:
		a, b = fields(a), fields(b)
	}
	return m.elements(list, a, b)
}

// elements compares what values of one type are made of.
func (m *Messages) elements(list *[]PartChange, a, b *value) bool {
	if a.kind == zeroKind && b.kind == zeroKind || a.kind == refKind && b.kind == refKind && a.lit == b.lit {
		return true
	}
	if a.kind != b.kind || a.kind == refKind || len(a.parts) != len(b.parts) || len(a.keys)+len(b.keys) > 0 ||
		a.lit != b.lit {
		return false
	}
	for i := range a.parts {
		if !m.changes(list, a.parts[i], b.parts[i]) {
			return false
		}
	}
	return (a.to == nil) == (b.to == nil) && (a.to == nil || m.changes(list, a.to.val, b.to.val))
}

// change notes a part, if it is another one.
func (m *Messages) change(list *[]PartChange, a, b *value, constant bool) {
	s := newSource(m.Names.names)
	was, now := s.plain(a), s.plain(b)
	if was == now {
		return
	}
	c := PartChange{Type: a.typ, Now: now}
	if constant {
		c.Was = was
	} else if !m.elements(&c.Parts, a, b) {
		c.Parts = nil
	}
	*list = append(*list, c)
}

// fields is a structure with its fields, also where it is zero.
func fields(v *value) *value {
	if v.kind != zeroKind {
		return v
	}
	all := &value{kind: structKind, typ: v.typ}
	for f := range v.typ.Underlying().(*types.Struct).Fields() {
		all.parts = append(all.parts, &value{kind: zeroKind, typ: f.Type()})
	}
	return all
}

// points reports whether a part of a value is a pointer, which has no source of its own.
func points(v *value) bool {
	return v.kind == pointerKind || slices.ContainsFunc(v.parts, points) || slices.ContainsFunc(v.keys, points)
}

// lists are the kinds of slices, arrays and maps that are written as a whole.
var lists = map[kind]bool{zeroKind: true, listKind: true, mapKind: true}

// scalars are the kinds of values that changes may be.
var scalars = map[kind]bool{zeroKind: true, scalarKind: true}

// actors names actors by a function.
type actors func(*term.Term, uint64) (string, error)

func (a actors) name(id uint64, t *term.Term) string {
	text, err := a(t, id)
	if err != nil {
		fail("%s", err)
	}
	return text
}
