package concrete

import (
	"go/types"
	"reflect"
	"runtime"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file finds what a program that runs calls by the names of package reflect in the program as its source tells it.

// isReference reports whether values of a type are references to actors.
func isReference(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return model.Reference(t) || ok && types.TypeString(p.Elem(), nil) == model.ProtoactorPath+".PID"
}

// FieldType gives the type of a field as package exec sees it: where a library keeps something in a form of its own,
// what it stands for.
func FieldType(t types.Type, i int) types.Type {
	f := t.Underlying().(*types.Struct).Field(i)
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return f.Type()
	}
	switch n.Obj().Pkg().Path() + "." + n.Obj().Name() + "." + f.Name() {
	case "sync.Map.m":
		return types.NewMap(anyType, anyType)
	case "sync/atomic.Pointer.v":
		return types.NewPointer(n.TypeArgs().At(0))
	}
	return f.Type()
}

var anyType = types.NewInterfaceType(nil, nil)

// unknown stands for a value of which nothing is compared.
const unknown = "?"

// opaque reports whether values of a type are a framework's or a library's own, into which handlers do not look.
func opaque(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	switch types.TypeString(t, nil) {
	case model.ProtoactorPath + ".ActorSystem", model.ProtoactorPath + ".RootContext", "log/slog.Logger", "github.com/rehearse-go/rehearse/explore.T":
		return true
	}
	return false
}

// isFunction reports whether values of a type are functions. Who has sent a message has no type.
func isFunction(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// functionName gives the name that the runtime has for a function.
func functionName(fn *ssa.Function) string {
	if fn == nil {
		return "nil"
	}
	name := fn.String()
	bound := strings.HasSuffix(name, "$bound")
	if rest, ok := strings.CutPrefix(name, "(*"); ok { // (*path.Type).Method
		path, method, _ := strings.Cut(rest, ")")
		i := strings.LastIndexByte(path, '.')
		name = path[:i] + ".(*" + path[i+1:] + ")" + method
	}
	if bound {
		name = strings.TrimSuffix(name, "$bound") + "-fm"
	}
	return name
}

// liveName gives the name of a function value, "" for nil.
func liveName(v reflect.Value) string {
	if v.IsNil() {
		return ""
	}
	return runtime.FuncForPC(v.Pointer()).Name()
}

// functionNumber numbers a function as conditions do. One that they do not have gets a number that none has.
func (c *Input) functionNumber(n *Node) int {
	if n.V == "" {
		return 0
	}
	for i := uint64(1); ; i++ {
		switch fn := c.program.Function(i); {
		case fn == nil:
			return 1<<15 - 1
		case functionName(fn) == n.V:
			return int(i)
		}
	}
}

// checked finds the type of the source that a type of the running program is, nil if there is none.
func checked(p *ssa.Program, t reflect.Type) types.Type {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return types.Universe.Lookup(t.Name()).Type()
		}
		pkg := p.ImportedPackage(t.PkgPath())
		if pkg == nil || pkg.Pkg.Scope().Lookup(t.Name()) == nil {
			return nil
		}
		return pkg.Pkg.Scope().Lookup(t.Name()).Type()
	}
	var elem types.Type
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if elem = checked(p, t.Elem()); elem == nil {
			return nil
		}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return types.NewPointer(elem)
	case reflect.Slice:
		return types.NewSlice(elem)
	case reflect.Map:
		if key := checked(p, t.Key()); key != nil {
			return types.NewMap(key, elem)
		}
	}
	return nil
}
