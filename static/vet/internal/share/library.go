package share

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

func (b *Body) builtin(name string, in ssa.CallInstruction) {
	args := in.Common().Args
	switch name {
	case "copy", "clear", "delete":
		for _, l := range deref(b.eval(args[0])) {
			b.write(l, false, in, in.Pos())
		}
		if name == "copy" {
			b.read(deref(b.eval(args[1])), in.Pos())
		}
	case "len", "cap":
		if _, slice := args[0].Type().Underlying().(*types.Slice); !slice {
			b.read(deref(b.eval(args[0])), in.Pos())
		}
	case "append":
		base := deref(b.eval(args[0]))
		for _, a := range args {
			b.read(deref(b.eval(a)), in.Pos())
		}
		if len(args) > 1 {
			b.appends(args[0], in)
		}
		if v, ok := in.(ssa.Value); ok && len(args) > 1 && elements(args[0].Type()) {
			for _, l := range base.with(Place{Root: b.made(v, nil, 0)}) {
				b.store(l, b.load(deref(b.eval(args[1]))), in.Pos())
			}
		}
	}
}

// elements reports whether the elements of a slice lead to memory; those of a type parameter may.
func elements(t types.Type) bool {
	sl, ok := t.Underlying().(*types.Slice)
	return !ok || Mutable(sl.Elem())
}

// truncates reports whether a slice expression leaves memory behind its end that an append would overwrite.
func truncates(s *ssa.Slice) bool {
	_, slice := s.X.Type().Underlying().(*types.Slice)
	return slice && s.High != nil && s.Max == nil
}

func clipped(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	f := frame.Func(&call.Call)
	return f != nil && f.FullName() == "slices.Clip"
}

// library does what the table of libraries says that a function changes, or hands on. All others are taken to do
// neither.
func (b *Body) library(f *types.Func, in ssa.CallInstruction) {
	args := in.Common().Args
	if in.Common().IsInvoke() {
		args = append([]ssa.Value{in.Common().Value}, args...)
	}
	does, _ := model.Library(f)
	for i, a := range args {
		switch {
		case !does.Writes.Has(i):
		case does.Appends:
			b.appends(a, in)
		default:
			for _, l := range deref(b.eval(a)) {
				b.write(l, false, in, in.Pos())
			}
		}
	}
	if name := f.FullName(); name == "slices.Clone" || name == "maps.Clone" {
		if v, ok := in.(ssa.Value); ok {
			b.store(Place{Root: b.made(v, nil, 0)}, b.deep(b.load(deref(b.eval(args[0]))), v.Type()), token.NoPos)
		}
	}
}

// appends writes behind the end of a slice, unless that has no room there.
func (b *Body) appends(to ssa.Value, in ssa.CallInstruction) {
	sl, cut := to.(*ssa.Slice)
	if cut && sl.Max != nil || clipped(to) {
		return
	}
	for _, l := range deref(b.eval(to)) {
		b.write(l, !(cut && truncates(sl)), in, in.Pos())
	}
}

// deep keeps the elements that a shallow copy shares with its original.
func (b *Body) deep(elems set, t types.Type) set {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if Mutable(u.Elem()) {
			return elems
		}
	case *types.Map:
		if Mutable(u.Elem()) {
			return elems
		}
	}
	return nil
}
