package target

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file lists what functions of a Config say that goes wrong: invariants, and the final check. An error is a target
// where it is made; of a function that makes none, such as one that gives what another one says, it is that the
// function fails.

// Judge is a function that may judge executions, with the code that it may run.
type Judge struct {
	Fn   *ssa.Function
	Code []*ssa.Function // the function first
}

// Judges lists the functions of the packages that were asked for that may be invariants or final checks, by place.
func (l *Lister) Judges() (list []Judge) {
	for _, fn := range l.loaded.Functions() {
		if !system.IsCheck(fn.Signature) || len(fn.Blocks) == 0 || fn.Signature.Recv() == nil && fn.Synthetic != "" ||
			!l.written(fn) {
			continue
		}
		if slices.ContainsFunc(list, func(j Judge) bool { return Variants(j.Fn, fn) }) {
			continue
		}
		of := &Lister{loaded: l.loaded, whose: map[*ssa.Function]string{}}
		of.own(fn, fn.Name())
		j := Judge{Fn: fn}
		for i := 0; i < len(of.owned); i++ { // it grows
			of.named(of.owned[i])
			if !of.owned[i].variant {
				j.Code = append(j.Code, of.owned[i].fn)
			}
		}
		list = append(list, j)
	}
	return list
}

// judged lists the targets in functions that judge, each block once.
func (l *Lister) judged() (list []*Listed) {
	seen, final := map[*ssa.BasicBlock]bool{}, l.finals()
	for _, j := range l.Judges() {
		kind, top := "invariant", j.Fn
		if final[j.Fn] {
			kind = "final check"
		}
		for top.Parent() != nil {
			top = top.Parent()
		}
		add := func(b *ssa.BasicBlock) {
			if pos := first(b); !seen[b] {
				if !pos.IsValid() {
					pos = b.Parent().Pos()
				}
				t := l.listed(owned{fn: b.Parent(), actor: top.Name()}, b, pos, kind)
				t.Check, t.Panic = j.Fn, true
				seen[b], list = true, append(list, t)
			}
		}
		own := false
		for _, fn := range j.Code {
			for _, b := range fn.Blocks {
				if MakesError(b) {
					own = true
					add(b)
				}
			}
		}
		if !own {
			add(j.Fn.Blocks[0])
		}
	}
	return list
}

// MakesError reports whether a block makes an error, gives one that a package variable holds, or panics.
func MakesError(b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Panic:
			return true
		case *ssa.MakeInterface:
			if isError(in.Type()) {
				return true
			}
		case *ssa.Call:
			if fn := in.Call.StaticCallee(); fn != nil && fn.Object() != nil && makers[fn.Object().(*types.Func).FullName()] {
				return true
			}
		case *ssa.UnOp:
			if _, global := in.X.(*ssa.Global); global && isError(in.Type()) {
				return true
			}
		}
	}
	return false
}

// makers are functions that make errors.
var makers = map[string]bool{"errors.New": true, "fmt.Errorf": true}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// finals gives the functions that some code puts into the field Final of a Config.
func (l *Lister) finals() map[*ssa.Function]bool {
	found := map[*ssa.Function]bool{}
	for _, fn := range l.loaded.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				if at, ok := st.Addr.(*ssa.FieldAddr); ok && fieldNamed(at, "Final") {
					switch v := st.Val.(type) {
					case *ssa.Function:
						found[v] = system.IsCheck(v.Signature)
					case *ssa.MakeClosure:
						found[v.Fn.(*ssa.Function)] = true
					}
				}
			}
		}
	}
	return found
}

// fieldNamed reports whether an address is that of a field with a name.
func fieldNamed(at *ssa.FieldAddr, name string) bool {
	s, ok := pointed(at.X.Type()).Underlying().(*types.Struct)
	return ok && s.Field(at.Field).Name() == name
}
