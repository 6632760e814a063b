package exec

import (
	"go/types"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// product is what props make.
type product struct {
	kind     string // the type of the actor, or the function that it is made from; "" where that is not known
	function bool
}

// This file tells what kind of actor props make: by the type of what the producer gives, or by the function. It is the
// name that a trace has.
//
// assumes: an option that gives props another producer, or another way to spawn, comes from this path if it is given to
// props of this path

// propsOf tells of props that are made now.
func (r *run) propsOf(c *operating) product {
	switch c.row.Op {
	case model.Option:
		r.reproduced = r.reproduced || c.row.Slot == "producer" || c.row.Slot == "spawner"
	case model.Props:
		return product{kind: r.produced(c.first(c.row.Func))}
	case model.PropsFunc:
		return product{r.functionName(c.first(c.row.Func)), true}
	case model.PropsSame, model.PropsClone:
		if o, ok := c.first(0).(*Opaque); ok {
			return o.makes
		}
	}
	return product{}
}

// first gives an argument, also the first one.
func (c *operating) first(i int) Value {
	if i < 0 || i >= len(c.args) {
		return nil
	}
	return c.args[i]
}

// kindOf tells of the actor that props make. One from a function has the name that it is given, if it is given one.
func (r *run) kindOf(v Value, name *term.Term) string {
	if o, ok := v.(*Opaque); ok && !r.reproduced && !(o.makes.function && name != nil) {
		return o.makes.kind
	}
	return ""
}

// termOf gives a value that is a term, nil for any other.
func (r *run) termOf(v Value) *term.Term {
	if v == nil {
		return nil
	}
	t, _ := r.force(v).(*term.Term)
	return t
}

// produced tells which type of actor a producer gives.
func (r *run) produced(v Value) string {
	f, ok := settled(v).(Func)
	if !ok || f.Fn == nil {
		return ""
	}
	if t := boxed(f.Fn, 0); t != nil {
		if _, isFunc := t.Underlying().(*types.Signature); !isFunc {
			return strings.TrimPrefix(typeName(t), "*")
		}
	}
	return ""
}

// boxed tells which type the interface has that a function returns, nil where there are several or that is not known.
func boxed(fn *ssa.Function, depth int) (one types.Type) {
	if depth > 4 || len(fn.Blocks) == 0 {
		return nil
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) == 0 {
			continue
		}
		var t types.Type
		switch v := ret.Results[0].(type) {
		case *ssa.MakeInterface:
			t = v.X.Type()
		case *ssa.Call:
			if to := v.Common().StaticCallee(); to != nil {
				t = boxed(to, depth+1)
			}
		}
		if t == nil || one != nil && !types.Identical(one, t) {
			return nil
		}
		one = t
	}
	return one
}

// functionName names a function from which an actor is made as traces do: by the declared function that it is in, in
// the package that its folder names.
func (r *run) functionName(v Value) string {
	f, ok := settled(v).(Func)
	if !ok || f.Fn == nil || len(f.Fn.TypeArgs()) > 0 {
		return ""
	}
	name := model.FunctionName(f.Fn)
	fn := f.Fn
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	file := r.program.load.Fset.Position(fn.Pos()).Filename
	i := strings.IndexByte(name, '.')
	if i < 0 || strings.HasSuffix(file, "_test.go") {
		return ""
	}
	return path.Base(filepath.ToSlash(filepath.Dir(file))) + name[i:]
}
