package share

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

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
		sl, cut := args[0].(*ssa.Slice)
		if !(cut && sl.Max != nil) && !clipped(args[0]) && len(args) > 1 {
			for _, l := range base {
				b.write(l, !(cut && truncates(sl)), in, in.Pos())
			}
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

// library has the functions of the standard library that change or hand on what they get. All others are taken to do neither.
func (b *Body) library(f *types.Func, in ssa.CallInstruction) {
	args := in.Common().Args
	if len(args) == 0 {
		return
	}
	name := f.FullName()
	switch {
	case changesFirst(f, name):
		for _, l := range deref(b.eval(args[0])) {
			b.write(l, false, in, in.Pos())
		}
	case name == "encoding/json.Unmarshal":
		for _, l := range deref(b.eval(args[1])) {
			b.write(l, false, in, in.Pos())
		}
	case name == "slices.Clone" || name == "maps.Clone":
		if v, ok := in.(ssa.Value); ok {
			b.store(Place{Root: b.made(v, nil, 0)}, b.deep(b.load(deref(b.eval(args[0]))), v.Type()), token.NoPos)
		}
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

var changing = []string{
	"sort.Slice", "sort.SliceStable", "sort.Sort", "sort.Stable", "sort.Ints", "sort.Strings", "sort.Float64s",
	"slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "slices.Reverse", "slices.Delete", "slices.DeleteFunc", "slices.Compact", "slices.CompactFunc", "slices.Replace",
	"maps.Copy", "maps.DeleteFunc", "maps.Insert", "container/heap.Push", "container/heap.Pop", "container/heap.Init", "container/heap.Fix", "container/heap.Remove",
	"(net/http.Header).Set", "(net/http.Header).Add", "(net/http.Header).Del", "(net/url.Values).Set", "(net/url.Values).Add", "(net/url.Values).Del",
}

// changesFirst reports whether a function of the standard library changes what its receiver or first argument leads to.
func changesFirst(f *types.Func, name string) bool {
	if slices.Contains(changing, name) || strings.HasPrefix(name, "sync/atomic.") && !strings.Contains(name, "Load") {
		return true
	}
	recv := f.Signature().Recv()
	if recv == nil {
		return false
	}
	verb := f.Name()
	switch f.Pkg().Path() {
	case "bytes", "strings":
		return strings.HasPrefix(verb, "Write") || strings.HasPrefix(verb, "Read") || verb == "Reset" || verb == "Truncate" || verb == "Grow"
	case "container/list", "container/ring":
		return !slices.Contains([]string{"Len", "Front", "Back", "Next", "Prev", "Do"}, verb)
	case "math/big":
		return slices.Contains([]string{"Add", "Sub", "Mul", "Div", "Quo", "Mod", "Set", "SetInt64", "SetString", "SetUint64", "Neg", "Abs", "Exp", "Lsh", "Rsh"}, verb)
	case "sync/atomic":
		return !strings.HasPrefix(verb, "Load")
	}
	return false
}
