package exec

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Step says how a place is reached from the place above it.
type Step uint8

// The steps.
const (
	Root      Step = iota // a parameter, a package variable, or what a call outside has given
	Field                 // field Index of a struct
	Elem                  // element Index of an array or a slice
	Deref                 // what a pointer leads to
	Held                  // what an interface holds, if it is of type Type
	Under                 // the element of a map under Key
	FreshKey              // the key of the map's further entry Index
	FreshElem             // and its element
	Captured              // variable Index that the function Fn captures
)

// Place is where an input comes from: an access path.
type Place struct {
	Name  string
	Type  types.Type
	Up    *Place // nil for a Root
	Step  Step
	Index int
	Key   Value         // of Under
	Fn    *ssa.Function // of Captured

	Random  bool // a Root that is another one each time
	Clock   bool // a Root that depends on the time
	Outside bool // a Root that is none of the program's inputs: what a library has given

	Of *Given // of such a Root: the call, if nothing but its arguments decides what it gives
}

// Given is a call of a function of a library, with the terms of its arguments.
type Given struct {
	Function string
	Args     []*term.Term
}

// root makes the place of a parameter or the like.
func root(name string, t types.Type) *Place { return &Place{Name: name, Type: t} }

func (p *Place) field(i int) *Place {
	f := structOf(p.Type).Field(i)
	name := p.Name + "." + f.Name()
	if f.Name() == "_" { // there may be many
		name = fmt.Sprintf("%s._%d", p.Name, i)
	}
	return &Place{Name: name, Type: f.Type(), Up: p, Step: Field, Index: i}
}

func (p *Place) elem(i int, t types.Type) *Place {
	return &Place{Name: fmt.Sprintf("%s[%d]", p.Name, i), Type: t, Up: p, Step: Elem, Index: i}
}

// deref has the name of the pointer if it leads to a struct, as Go's selectors do.
func (p *Place) deref() *Place {
	elem := pointerTo(p.Type)
	name := p.Name
	if _, ok := elem.Underlying().(*types.Struct); !ok {
		name += ".*"
	}
	return &Place{Name: name, Type: elem, Up: p, Step: Deref}
}

// own reports whether a place is a field of the struct that a root leads to, or of a struct in it.
func (p *Place) own() bool {
	if p.Step != Field {
		return false
	}
	for p.Step == Field {
		p = p.Up
	}
	return p.Step == Deref && p.Up.Up == nil
}

// key tells places apart: a pointer to a struct has the name of the struct. Anything else that a pointer leads to has a
// name of its own.
func (p *Place) key() string {
	if p.Step == Deref && structOf(p.Type) != nil {
		return p.Name + "*"
	}
	return p.Name
}

// nameOfKey gives the name of the place with a key.
func nameOfKey(key string) string {
	if strings.HasSuffix(key, ".*") {
		return key
	}
	return strings.TrimSuffix(key, "*")
}

func (p *Place) assert(t types.Type) *Place {
	return &Place{Name: p.Name + ".(" + typeName(t) + ")", Type: t, Up: p, Step: Held}
}

// entry is the element under a key that is spelled so.
func (p *Place) entry(spelled string, key Value, t types.Type) *Place {
	return &Place{Name: p.Name + "[" + spelled + "]", Type: t, Up: p, Step: Under, Key: key}
}

// captured is variable i that a function captures, which the place holds.
func (p *Place) captured(fn *ssa.Function, i int) *Place {
	v := fn.FreeVars[i]
	return &Place{Name: p.Name + "." + v.Name(), Type: v.Type(), Up: p, Step: Captured, Index: i, Fn: fn}
}

// further is entry i of those that nobody has looked for by their keys: its key and its element.
func (p *Place) further(i int, m *types.Map) (key, elem *Place) {
	key = &Place{Name: fmt.Sprintf("%s!key%d", p.Name, i), Type: m.Key(), Up: p, Step: FreshKey, Index: i}
	elem = &Place{Name: fmt.Sprintf("%s!elem%d", p.Name, i), Type: m.Elem(), Up: p, Step: FreshElem, Index: i}
	return key, elem
}

// What a variable tells of a place, beside the value of one that is a number, a truth value or a string.
const (
	aspectLen  = "!len"   // of a slice
	aspectNil  = "!isNil" // whether a slice or map is
	aspectRef  = "!ref"   // the identity of a pointer, function or channel, 0 for nil
	aspectType = "!type"  // the type that an interface holds, 0 for nil
	aspectHas  = "!has"   // whether a map has an entry
	aspectSize = "!more"  // how many further entries a map has
	aspectAll  = "!size"  // how many entries a map has in the beginning
)

func typeName(t types.Type) string {
	return types.TypeString(t, (*types.Package).Name)
}

func structOf(t types.Type) *types.Struct {
	s, _ := t.Underlying().(*types.Struct)
	return s
}

// pointerTo gives what pointers of a type lead to.
func pointerTo(t types.Type) types.Type {
	return t.Underlying().(*types.Pointer).Elem()
}
