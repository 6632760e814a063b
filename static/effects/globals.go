package effects

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file looks at the whole application once: which package variables never change, and of which fields somebody
// holds the address.

// survey is what a look at all functions has shown.
type survey struct {
	changing map[*ssa.Global]bool
	taken    map[place]bool // fields whose address somebody may keep
	// of fields and elements whose address somebody may keep, those that are no more than a number or a text
	numbers map[types.BasicKind]bool
}

// place is a field of a struct type.
type place struct {
	in    string // the struct's shape: pointers can be converted between types of one shape
	field int
}

func look(functions []*ssa.Function) *survey {
	s := &survey{changing: map[*ssa.Global]bool{}, taken: map[place]bool{}, numbers: map[types.BasicKind]bool{}}
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				s.instr(fn, instr)
			}
		}
	}
	return s
}

func (s *survey) instr(fn *ssa.Function, instr ssa.Instruction) {
	for _, op := range instr.Operands(nil) {
		if g, ok := (*op).(*ssa.Global); ok && !s.keeps(fn, instr, g) {
			s.changing[g] = true
		}
	}
	switch x := instr.(type) {
	case *ssa.FieldAddr:
		if !inPlace(x) {
			s.address(deref(x.Type()))
			s.take(x)
		}
	case *ssa.IndexAddr:
		if !inPlace(x) {
			s.address(deref(x.Type()))
			s.take(x)
		}
	}
}

func shape(t types.Type) string { return types.TypeString(t.Underlying(), nil) }

// take notes an address that somebody may keep: it leads into all fields that it is a part of.
func (s *survey) take(addr ssa.Value) {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			s.taken[place{shape(deref(x.X.Type())), x.Field}] = true
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return
		}
	}
}

func (s *survey) address(t types.Type) {
	if b, ok := t.Underlying().(*types.Basic); ok {
		s.numbers[b.Kind()] = true
	}
}

// keeps reports whether an instruction leaves a package variable as its initialisation made it.
func (s *survey) keeps(fn *ssa.Function, instr ssa.Instruction, g *ssa.Global) bool {
	switch x := instr.(type) {
	case *ssa.Store:
		return x.Addr == g && x.Val != g && fn.Synthetic == "package initializer"
	case *ssa.UnOp:
		return !holdsReferences(x.Type()) || isError(x.Type()) || onlyRead(x, 0)
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return onlyRead(x.(ssa.Value), 0) || fn.Synthetic == "package initializer"
	case *ssa.DebugRef:
		return true
	}
	return false
}

// onlyRead reports whether all that becomes of a value is that something is read through it.
func onlyRead(v ssa.Value, steps int) bool {
	if steps > 8 || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch x := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
			continue
		case *ssa.UnOp:
			if holdsReferences(x.Type()) && !onlyRead(x, steps+1) {
				return false
			}
		case *ssa.Call:
			if b, ok := x.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				continue
			}
			if !readBy(v, &x.Call) || holdsReferences(x.Type()) && !onlyRead(x, steps+1) {
				return false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Range, *ssa.Slice:
			if !onlyRead(x.(ssa.Value), steps+1) {
				return false
			}
		case *ssa.Field, *ssa.Index, *ssa.Lookup, *ssa.Next, *ssa.Extract:
			if w := x.(ssa.Value); holdsReferences(w.Type()) && !onlyRead(w, steps+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// readBy reports whether a function of a library that is called with a value does no more than read it, as loggers are.
func readBy(v ssa.Value, c *ssa.CallCommon) bool {
	does, known := model.Library(callee(c))
	if !known || len(does.Asks) > 0 && types.IsInterface(v.Type()) {
		return false
	}
	for i := range len(c.Args) + 1 {
		if argument(c, i) == v && does.Writes.Has(i) {
			return false
		}
	}
	return true
}

// inPlace reports whether an address is used to read and to write, and for nothing else.
func inPlace(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch x := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
		case *ssa.Store:
			if x.Val == v {
				return false
			}
		case *ssa.FieldAddr: // looked at by itself
		case *ssa.IndexAddr:
		default:
			return false
		}
	}
	return true
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// unchanging reports whether a package variable is what its initialisation made of it. Of one that was not read only an
// error is taken to be.
func (a *analysis) unchanging(g *ssa.Global) bool {
	if a.sources[g.Pkg] {
		return !a.survey.changing[g]
	}
	return isError(deref(g.Type())) || model.Unchanging(g.Object())
}
