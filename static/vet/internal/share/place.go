package share

import (
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// Kind says what a root is.
type Kind uint8

const (
	Param  Kind = iota + 1 // the function's parameter N, its receiver first
	Free                   // the literal's captured variable N
	Global                 // a package's variable
	Made                   // number N of what the function, or what it calls, made
	Msg                    // the message being handled
)

// Root is where a way through memory begins, as seen from one function. It means the same in every run, so that facts
// can have it.
type Root struct {
	Kind Kind
	N    int
	Name string // of a global, with its package
}

// Place is a location in memory, or what is stored there. A path is made of ".name" (a field) and "*" (behind a
// pointer, a map, a slice).
type Place struct {
	Root Root
	Path string
	Addr bool // the value is the location's address; else it is what is stored there
}

// set is a small set in order of insertion, which is deterministic.
type set []Place

func (s set) with(ps ...Place) set {
	for _, p := range ps {
		if len(s) < widest && !slices.Contains(s, p) {
			s = append(s, p)
		}
	}
	return s
}

// widest is how many places a set has at most. A value that may be more than that is found in generated code; what is
// above is not seen.
const widest = 24

// deepest is how many pointers a path follows. What is below stands for everything below it: lists and trees have no
// end.
const deepest = 3

func (p Place) star() Place {
	if strings.Count(p.Path, "*") < deepest {
		p.Path += "*"
	}
	return p
}

func (p Place) field(name string) Place {
	if strings.Count(p.Path, ".") < 2*deepest {
		p.Path += "." + name
	}
	return p
}

// outside reports whether the place outlives the function, or was there before it.
func (p Place) outside() bool {
	return p.Root.Kind == Param || p.Root.Kind == Free || p.Root.Kind == Global
}

// within reports whether a path leads through another one, and the rest.
func within(path, prefix string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, prefix)
	return rest, ok && (rest == "" || rest[0] == '.' || rest[0] == '*')
}

// shares reports whether who holds value p can see a change of the location w.
func (p Place) shares(w Place) bool {
	if p.Root != w.Root {
		return false
	}
	rest, ok := within(w.Path, p.Path)
	return ok && (p.Addr || strings.Contains(rest, "*"))
}

// overlaps reports whether two locations have memory in common: one is the other, or the struct that it is a field of.
func (p Place) overlaps(q Place) bool {
	if p.Root != q.Root {
		return false
	}
	if len(p.Path) > len(q.Path) {
		p, q = q, p
	}
	rest, ok := within(q.Path, p.Path)
	return ok && !strings.Contains(rest, "*")
}

// Mutable reports whether values of a type lead to memory that may change.
func Mutable(t types.Type) bool { return mutable(t, map[types.Type]bool{}) }

func mutable(t types.Type, seen map[types.Type]bool) bool {
	if t = types.Unalias(t); seen[t] {
		return false
	}
	seen[t] = true
	if n := frame.Named(t); n != nil && frame.Immutable(n) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Chan, *types.Signature, *types.Interface:
		return true
	case *types.Array:
		return mutable(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if mutable(f.Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		return true
	}
	return false
}
