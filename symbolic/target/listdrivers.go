package target

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// This file leaves out methods of actors' types that no actor runs: a driver calls them to talk to the actors, as in
// shop.Place("lamp"). They are listed neither as blocks nor as panics.
//
//	differs: [TAP18] takes all methods of actor classes, which in Akka nobody else can call
//	invariants: I1 what handles messages, and what that names or may call through interfaces, stays. I2 what nobody calls
//	               by its name stays, too: a framework may do that

// drivers finds the functions that only others than actors call.
func (l *Lister) drivers(handles map[*ssa.Function]bool) {
	uses := l.uses()
	l.outer = map[*ssa.Function]bool{}
	for again := true; again; {
		again = false
		for _, o := range l.owned {
			if !handles[o.fn] && !l.outer[o.fn] && l.outside(o.fn, uses) {
				l.outer[o.fn], again = true, true
			}
		}
	}
}

// outside reports whether a function is called by its name, each time by one that is no code of actors. A closure is
// what the function is that it stands in.
func (l *Lister) outside(fn *ssa.Function, uses *uses) bool {
	if fn.Parent() != nil {
		return l.outer[fn.Parent()]
	}
	obj := fn.Object()
	if obj == nil {
		return false
	}
	at := l.loaded.Fset.Position(obj.Pos())
	if uses.values[at] || fn.Signature.Recv() != nil && uses.dynamic[obj.Name()] {
		return false
	}
	for _, by := range uses.callers[at] {
		if l.whose[by] != "" && !l.outer[by] && by != fn && !Variants(by, fn) {
			return false
		}
	}
	return len(uses.callers[at]) > 0
}

// uses says how functions of a program are used, by where they are declared: a package may have been read twice.
type uses struct {
	fset    *token.FileSet
	callers map[token.Position][]*ssa.Function
	values  map[token.Position]bool // those that are values, method values among them
	dynamic map[string]bool         // names of methods that are called through interfaces
}

// uses finds that out.
func (l *Lister) uses() *uses {
	u := &uses{l.loaded.Fset, map[token.Position][]*ssa.Function{}, map[token.Position]bool{},
		map[string]bool{"String": true, "GoString": true, "Error": true, "Format": true}}
	for _, fn := range l.loaded.Functions() {
		if fn.Synthetic != "" && fn.Origin() == nil {
			continue // what such a function is of is noted where that is used
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				u.add(fn, in)
			}
		}
	}
	return u
}

func (u *uses) add(by *ssa.Function, in ssa.Instruction) {
	var called ssa.Value
	if c, ok := in.(ssa.CallInstruction); ok {
		if called = c.Common().Value; c.Common().IsInvoke() {
			u.dynamic[c.Common().Method.Name()] = true
		}
	}
	for i, v := range in.Operands(nil) {
		fn, ok := (*v).(*ssa.Function)
		if !ok || fn.Object() == nil {
			continue
		}
		at := u.fset.Position(fn.Object().Pos())
		if i == 0 && fn == called && fn.Synthetic == "" {
			u.callers[at] = append(u.callers[at], by)
		} else {
			u.values[at] = true
		}
	}
}
