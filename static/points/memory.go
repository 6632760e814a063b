package points

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Loc is a place in abstract memory: an object, or a part of one. Pointers, slices, maps, functions and interfaces are
// sets of places. So are values of structs and arrays. They are the places that they may be copies of, which is the
// same for an analysis that does not follow the order in which places are written.
type Loc int32

// Kind is what an object stands for.
type Kind uint8

// The kinds of objects. Those from Special on belong to the user of this package.
const (
	Memory  Kind = iota // what one allocation in the source makes, in one context
	Box                 // a value in an interface: Type is its dynamic type, the value is in its Content
	Func                // a function, with what it captures
	Global              // a package variable
	Nothing             // a nil interface
	Opaque              // what a library makes of its own: it leads to nothing of the program
	Unknown             // anything: Why says where it comes from
	Truth               // true, false, or either
	Seq                 // a function that yields what is in its Content one by one
	Special
)

// Steps from a place to a part of it. Fields of structs are numbered from 0.
const (
	Elem    = -1 // of an array, slice, channel or map
	Key     = -2 // of a map
	Content = -3 // of a box or a cell
	free    = -100
)

// Object is one abstract object. Only one of its kind has the same site and context.
type Object struct {
	Kind Kind
	Root Loc
	Type types.Type // of the value, nil if it has none
	Fn   *ssa.Function
	Pos  token.Pos
	In   int32 // the instance of a handler that made it
	Why  string
	Tag  any  // of a special object
	Atom bool // it has no parts: what is read from it is itself
	Full bool // what is read from it was written before: it has no zero values

	begun   bool    // false was written to where memory begins with it
	escaped *Object // the unknown that it has been given to
}

// objectKey tells objects apart.
type objectKey struct {
	kind  Kind
	site  any
	in    int32
	calls int32
}

type part struct {
	of   Loc
	step int
}

// memory is all places and what they hold.
type memory struct {
	objects map[objectKey]*Object
	places  []place
	parts   map[part]Loc
}

type place struct {
	object  *Object
	holds   Set
	readers readers
	below   []Loc
}

func (m *memory) init() {
	m.objects, m.parts = map[objectKey]*Object{}, map[part]Loc{}
	m.places = make([]place, 1) // 0 is no place
}

func (m *memory) newPlace(o *Object) Loc {
	m.places = append(m.places, place{object: o})
	return Loc(len(m.places) - 1)
}

// Object gives the object that a place is part of.
func (m *memory) Object(l Loc) *Object { return m.places[l].object }

// object makes an object, or gives the one that there is.
func (m *memory) object(key objectKey, typ types.Type, pos token.Pos) *Object {
	if o, ok := m.objects[key]; ok {
		return o
	}
	o := &Object{Kind: key.kind, Type: typ, Pos: pos, In: key.in}
	o.Root = m.newPlace(o)
	m.objects[key] = o
	return o
}

// Special gives the object of a kind that stands for something of the user's: site and in tell it from others.
func (m *memory) Special(kind Kind, site any, in int32, typ types.Type) *Object {
	return m.object(objectKey{kind: kind, site: site, in: in}, typ, token.NoPos)
}

// Made gives the special object that a call makes where it is made, which depends on the context of the caller.
func (m *memory) Made(kind Kind, c *Call) *Object {
	return m.object(objectKey{kind: kind, site: c.Site, in: c.By.In, calls: c.By.calls}, nil, c.Site.Pos())
}

// NewBox gives a value in an interface that no instruction of the program has put there.
func (m *memory) NewBox(site any, in int32, typ types.Type) Loc {
	return m.object(objectKey{kind: Box, site: site, in: in}, typ, token.NoPos).Root
}

// UnknownFrom gives the object that stands for anything that came from there.
func (m *memory) UnknownFrom(why string) *Object {
	o := m.object(objectKey{kind: Unknown, site: why}, nil, token.NoPos)
	o.Why = why
	return o
}

// closed reports whether places of an object have no parts of their own: they lead to the object again.
func (o *Object) closed() bool {
	return o.Atom || o.Kind == Unknown || o.Kind == Opaque || o.Kind == Nothing || o.Kind == Truth
}

// Part gives the place that is a part of another.
func (s *Solver) Part(l Loc, step int) Loc {
	o := s.Object(l)
	if o.closed() {
		return l
	}
	key := part{l, step}
	p, ok := s.parts[key]
	if !ok {
		p = s.newPlace(o)
		s.parts[key] = p
		s.places[l].below = append(s.places[l].below, p)
		if len(s.places[l].below) == 1 {
			s.wake(l) // see elements
		}
	}
	return p
}

// Parts gives that part of every place.
func (s *Solver) Parts(of Set, step int) Set {
	if len(of) == 0 {
		return nil
	}
	out := make(Set, 0, len(of))
	for _, l := range of {
		out = append(out, s.Part(l, step))
	}
	if !slices.IsSorted(out) {
		slices.Sort(out)
	}
	return slices.Compact(out)
}

// held gives what a place holds.
func (m *memory) held(l Loc) Set {
	p := &m.places[l]
	switch o := p.object; {
	case o.Kind == Nothing:
		return nil
	case o.closed():
		return One(o.Root)
	case o.escaped != nil:
		return p.holds.Union(One(o.escaped.Root))
	}
	return p.holds
}
