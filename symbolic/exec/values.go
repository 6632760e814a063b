package exec

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Value is what a variable of the program holds:
//
//	*term.Term   numbers, truth values, strings, references to actors, and points in time
//	*Struct      a struct; *Array: an array
//	Ptr          a pointer that is decided; *InputPtr: one of an input
//	Slice        a slice; *Map: a map
//	Face         an interface that is decided; *InputFace: one of an input
//	Func         a function that is decided; *InputFunc: one of an input
//	*Opaque      what is not modelled: channels, complex numbers, what libraries make of their own
//	Tuple        several results
//	*Lazy        an input that nobody has looked at
//
// Structs and arrays are never changed: a store makes another.
type Value any

// Struct is a struct.
type Struct struct {
	Type   types.Type
	Fields []Value
}

// Array is an array, or what is behind a slice.
type Array struct {
	Elem  types.Type
	Elems []Value
}

// Tuple is what a call with several results gives.
type Tuple []Value

// Lazy is an input that nobody has looked at.
type Lazy struct {
	at  *Place
	res Value // nil until then
}

// Object is memory: a variable, what new has made, or what an input leads to.
type Object struct {
	id     int
	typ    types.Type
	val    Value
	at     *Place     // of an input
	global bool       // a package variable
	null   *term.Term // whether the slice that has it as its memory is nil; nil is no
}

// Ptr points into an object: Path has the fields and elements on the way. No object: nil.
type Ptr struct {
	Obj  *Object
	Path []int
}

// at gives the pointer to a part.
func (p Ptr) at(i int) Ptr {
	path := make([]int, len(p.Path)+1)
	copy(path, p.Path)
	path[len(p.Path)] = i
	return Ptr{p.Obj, path}
}

// same reports whether two decided pointers are equal.
func (p Ptr) same(q Ptr) bool {
	if p.Obj != q.Obj || len(p.Path) != len(q.Path) {
		return false
	}
	for i := range p.Path {
		if p.Path[i] != q.Path[i] {
			return false
		}
	}
	return true
}

// InputPtr is a pointer among the inputs.
type InputPtr struct {
	at  *Place
	ref *term.Term // 0 is nil
	to  *Object    // nil until it is known that it is none
}

// Slice is a part of the array to which mem leads. Len -1: all of it, and how long that is nobody has decided.
type Slice struct {
	mem           Ptr
	off, len, cap int
}

// open is the memory of an input slice whose length is not decided, with what was appended.
type open struct {
	at    *Place
	elem  types.Type
	size  *term.Term // without the tail
	elems map[int]Value
	tail  []Value
	text  *term.Term // the string whose bytes it has, of one that is no input; then it has no place
}

// Func is a function, with what it captures. Fn nil: nil.
type Func struct {
	Fn   *ssa.Function
	Free []Value
	Kind string // of a function that a framework or library has made, with Free for its use; then Fn is nil
}

func (f Func) null() bool { return f.Fn == nil && f.Kind == "" }

// InputFunc is a function among the inputs.
type InputFunc struct {
	at  *Place
	ref *term.Term
	res *Func // nil until it is decided
}

// Face is an interface. Type nil: nil.
type Face struct {
	Type types.Type
	Val  Value
}

// InputFace is an interface among the inputs.
type InputFace struct {
	at  *Place
	tag *term.Term // 0 is nil
	res *Face      // nil until it is decided
}

// Opaque is something that is not modelled.
type Opaque struct {
	Type types.Type
	Name string
	ref  *term.Term // its identity, 0 for nil

	makes product // of props
}

// deepest gives the value of an input that was looked at.
func deepest(v Value) Value {
	if l, ok := v.(*Lazy); ok && l.res != nil {
		return l.res
	}
	return v
}

// settled replaces pointers, interfaces and functions of inputs by what was decided of them.
func settled(v Value) Value {
	switch v := deepest(v).(type) {
	case *InputPtr:
		if v.to != nil {
			return Ptr{Obj: v.to}
		}
		return v
	case *InputFace:
		if v.res != nil {
			return *v.res
		}
		return v
	case *InputFunc:
		if v.res != nil {
			return *v.res
		}
		return v
	default:
		return v
	}
}
