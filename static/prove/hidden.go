package prove

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file finds what costs the facts of the whole program, since it may write any value anywhere. Such are a pointer
// that is made of an unsafe one, and functions of package reflect that make or write values. So is a call of a function
// of the program without a body (scan.go). To import unsafe or reflect costs nothing: generated code of protocol
// buffers imports both, and takes no such step.

// Lost is a construct for which nothing is known of a whole program.
type Lost struct {
	Pos token.Pos
	Why string // follows "this place"
}

// Lost gives the first construct for which a program has no facts, nil if there is none.
func (p *Program) Lost() *Lost { return p.lost }

// hides notes that an instruction of the program's own code may make or write any values.
func (s *scan) hides(in ssa.Instruction, why string) {
	if pkg := in.Parent().Package(); s.lost == nil && pkg != nil && s.own(pkg.Pkg) {
		s.lost = &Lost{in.Pos(), why}
	}
}

// reflects notes that an instruction names a function of package reflect by which it may make or write values.
func (s *scan) reflects(in ssa.Instruction, fn *ssa.Function) {
	obj, ok := fn.Object().(*types.Func)
	if ok && obj.Pkg() != nil && obj.Pkg().Path() == "reflect" && !looking[obj.Name()] {
		s.hides(in, "names reflect's "+obj.Name()+", which may make or write values")
	}
}

// looking are the functions of package reflect, and the methods of its types, that only look at values. A value that
// they give was there before.
var looking = map[string]bool{
	"DeepEqual": true, "TypeOf": true, "TypeFor": true, "ValueOf": true, "Indirect": true, "Kind": true, "Type": true,
	"String": true, "Name": true, "PkgPath": true, "IsNil": true, "IsValid": true, "IsZero": true, "Len": true,
	"Cap": true, "NumField": true, "NumMethod": true, "Field": true, "FieldByName": true, "Index": true, "Elem": true,
	"Interface": true, "Bool": true, "Int": true, "Uint": true, "Float": true, "Get": true, "Lookup": true,
	"MapKeys": true, "MapIndex": true, "MapRange": true, "Next": true, "Key": true, "Value": true, "Equal": true,
	"Comparable": true, "CanInt": true, "CanInterface": true, "IsExported": true, "Pointer": true,
}

// unsafely notes that an instruction makes something of an unsafe pointer. A size, or the bytes of a text, need no such
// step.
func (s *scan) unsafely(in ssa.Instruction, from types.Type) {
	if unsafePointer(from) {
		s.hides(in, "makes something of an unsafe pointer")
	}
}

// unsafePointer reports whether values of a type are unsafe pointers; of a parameter of types, whether they may be.
func unsafePointer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Interface:
		return slices.ContainsFunc(listed(u), unsafePointer)
	}
	return false
}
