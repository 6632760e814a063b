package model

import (
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// TypeName gives the name of a type as reflection gives it, which is how traces name actors and messages. The package
// is named, not its path, and the star of a pointer to a named type is left out.
func TypeName(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok && named(p.Elem()) {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && n.TypeArgs().Len() > 0 {
		var args []string
		for arg := range n.TypeArgs().Types() {
			args = append(args, reflected(arg, (*types.Package).Path))
		}
		return n.Obj().Pkg().Name() + "." + n.Obj().Name() + "[" + strings.Join(args, ",") + "]"
	}
	return reflected(t, (*types.Package).Name)
}

// MessageName is TypeName with a star before what a pointer points to: to handlers a message and a pointer to it are
// two.
func MessageName(t types.Type) string {
	name := TypeName(t)
	if p, ok := types.Unalias(t).(*types.Pointer); ok && !strings.HasPrefix(name, "*") && named(p.Elem()) {
		return "*" + name
	}
	return name
}

// FunctionName names a function, or the one that a literal stands in, as traces name actors made from it. The name has
// the package's name, the receiver of a method with a pointer, and the name of the function.
func FunctionName(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	name := strings.TrimSuffix(strings.TrimSuffix(fn.Name(), "$bound"), "$thunk")
	o, _ := fn.Object().(*types.Func)
	if o == nil {
		return name
	}
	pkg := o.Pkg().Name()
	if recv := o.Signature().Recv(); recv != nil {
		if p, ok := types.Unalias(recv.Type()).(*types.Pointer); ok {
			return pkg + ".(*" + types.TypeString(p.Elem(), func(*types.Package) string { return "" }) + ")." + o.Name()
		}
	}
	return pkg + "." + o.Name()
}

// named reports whether traces leave out the star of a pointer to a type.
func named(t types.Type) bool {
	switch types.Unalias(t).(type) {
	case *types.Named, *types.Basic:
		return true
	}
	return false
}

// respelled are the parts of types without a name that reflection writes in its own way.
var respelled = map[string]string{"struct{}": "struct {}", "interface{}": "interface {}", "any": "interface {}",
	"byte": "uint8", "rune": "int32"}

var respell = regexp.MustCompile(`struct\{\}|interface\{\}|[\pL_.][\pL\d_.]*`)

func reflected(t types.Type, qualifier types.Qualifier) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return types.TypeString(t, qualifier)
	case *types.Struct:
		if t.NumFields() > 0 {
			var fields []string
			for f := range t.Fields() {
				fields = append(fields, f.Name()+" "+reflected(f.Type(), qualifier))
			}
			return "struct { " + strings.Join(fields, "; ") + " }"
		}
	}
	return respell.ReplaceAllStringFunc(types.TypeString(t, qualifier), func(word string) string {
		if as, ok := respelled[word]; ok {
			return as
		}
		return word
	})
}

// Reference reports whether values of a type are references to actors by themselves, as structs that nobody looks into.
func Reference(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == ours+"/actor" && n.Obj().Name() == "Ref"
}
