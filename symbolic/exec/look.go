package exec

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Shape is what a value of a path is, for those who look at it from outside of this package.
type Shape struct {
	Kind  ShapeKind
	Term  *term.Term // of a scalar; whether a slice or map is nil, nil for no
	Parts []Value    // fields, elements, elements of a map
	Keys  []Value    // of a map
	Has   []*term.Term
	Type  types.Type // that an interface holds; of the elements of an array or slice
	Place *Place     // of an input that was not decided, or not altogether
	Rest  int        // of the elements of a slice: how many there are behind those of the input
	At    any        // identity of memory

	Fn   *ssa.Function // of a FunctionShape; nil: it is nil
	Text *term.Term    // of a slice of bytes, if it is a string's: the string, and there is no Place
}

// ShapeKind says what a value is.
type ShapeKind uint8

// The kinds of values.
const (
	ScalarShape ShapeKind = iota
	StructShape           // Parts are fields
	ListShape             // an array, or a slice that is decided
	// a slice of an input that is not: Place is that of the input, Parts are changed elements by Keys, then those appended
	OpenShape
	MapShape       // with Place, what else the input has under other keys belongs to it
	PointerShape   // Parts[0] is what it leads to; none: nil
	InterfaceShape // Parts[0] is what it holds; none: nil
	UntouchedShape // the input at Place, as it was
	FunctionShape  // that captures nothing but the tested actor
	OtherShape
)

// Look tells what a value is at the end of the path.
func (p *Path) Look(v Value) Shape {
	if l, ok := deepest(v).(*Lazy); ok {
		if known, ok := p.named[l.at.key()]; ok {
			v = known
		}
	}
	switch v := settled(v).(type) {
	case *Lazy:
		return Shape{Kind: UntouchedShape, Place: v.at}
	case *term.Term:
		return Shape{Kind: ScalarShape, Term: v}
	case *Struct:
		return Shape{Kind: StructShape, Parts: v.Fields}
	case *Array:
		return Shape{Kind: ListShape, Parts: v.Elems, Type: v.Elem}
	case Slice:
		return lookSlice(v)
	case *Map:
		return lookMap(v)
	case Ptr:
		if v.Obj == nil {
			return Shape{Kind: PointerShape}
		}
		return Shape{Kind: PointerShape, Parts: []Value{v.now()}, At: v.key()}
	case *InputPtr:
		return Shape{Kind: UntouchedShape, Place: v.at}
	case Face:
		if v.Type == nil {
			return Shape{Kind: InterfaceShape}
		}
		return Shape{Kind: InterfaceShape, Type: v.Type, Parts: []Value{v.Val}}
	case *InputFace:
		return Shape{Kind: UntouchedShape, Place: v.at}
	case *InputFunc:
		return Shape{Kind: UntouchedShape, Place: v.at}
	case Func:
		if v.null() || v.Fn != nil && (len(v.Free) == 0 || isBound(v.Fn) && p.isActor(v.Free[0])) {
			return Shape{Kind: FunctionShape, Fn: v.Fn}
		}
	}
	return Shape{Kind: OtherShape}
}

// isActor reports whether a value leads to the receiver of the handler.
func (p *Path) isActor(v Value) bool {
	if len(p.Args) == 0 {
		return false
	}
	a, ok := settled(v).(Ptr)
	b, too := settled(p.Args[0]).(Ptr)
	return ok && too && a.same(b)
}

// pointerKey identifies what a pointer leads to.
type pointerKey struct {
	obj  *Object
	path string
}

func (p Ptr) key() pointerKey {
	path := make([]rune, len(p.Path))
	for i, n := range p.Path {
		path[i] = rune(n)
	}
	return pointerKey{p.Obj, string(path)}
}

// now gives what a pointer leads to, without deciding anything.
func (p Ptr) now() Value {
	v := deepest(p.Obj.val)
	for _, i := range p.Path {
		switch u := v.(type) {
		case *Lazy:
			v = &Lazy{at: partOf(u.at, i)}
		case *Struct:
			v = deepest(u.Fields[i])
		case *Array:
			v = deepest(u.Elems[i])
		case *open:
			if x, ok := u.elems[i]; ok {
				v = deepest(x)
			} else {
				v = &Lazy{at: u.at.elem(i, u.elem)}
			}
		}
	}
	return v
}

// partOf gives the place of a field or an element.
func partOf(p *Place, i int) *Place {
	switch u := p.Type.Underlying().(type) {
	case *types.Array:
		return p.elem(i, u.Elem())
	case *types.Slice:
		return p.elem(i, u.Elem())
	}
	return p.field(i)
}

func lookSlice(s Slice) Shape {
	if s.mem.Obj == nil {
		return Shape{Kind: UntouchedShape} // the zero value: nil
	}
	shape := Shape{Kind: ListShape, Term: s.mem.Obj.null, At: s.mem.Obj}
	switch mem := (Ptr{s.mem.Obj, s.mem.Path}).now().(type) {
	case *open:
		shape.Kind, shape.Place, shape.Rest, shape.Type, shape.Text = OpenShape, mem.at, len(mem.tail), mem.elem, mem.text
		for _, i := range keysOf(mem.elems) {
			shape.Keys, shape.Parts = append(shape.Keys, i), append(shape.Parts, mem.elems[i])
		}
		shape.Parts = append(shape.Parts, mem.tail...)
	case *Array:
		shape.Type = mem.Elem
		if s.len < 0 {
			s.off, s.len = 0, len(mem.Elems)
		}
		shape.Parts = mem.Elems[s.off : s.off+s.len]
	}
	if o := s.mem.Obj; o.at != nil {
		shape.Place = o.at
	}
	return shape
}

func lookMap(m *Map) Shape {
	if m == nil {
		return Shape{Kind: UntouchedShape}
	}
	shape := Shape{Kind: MapShape, Term: m.null, At: m, Place: m.at}
	for _, e := range m.entries {
		shape.Keys, shape.Parts, shape.Has = append(shape.Keys, e.key), append(shape.Parts, e.val), append(shape.Has, e.has)
	}
	return shape
}

// Of gives the path's object that a pointer of the inputs leads to, by its place, as the value there is in the end.
func (p *Path) Of(identity func(*term.Term) uint64, id uint64) (v Value, at any, ok bool) {
	for _, l := range p.lazies {
		if l.to != nil && identity(l.ref) == id {
			q := Ptr{Obj: l.to}
			return q.now(), q.key(), true
		}
	}
	return nil, nil, false
}
