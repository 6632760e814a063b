package gentest

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// names are those of a file of tests: what it imports, and what must not be hidden by its variables.
type names struct {
	pkg     *types.Package
	imports map[string]string // names by path
	fakes   map[string]*fakeType
	taken   map[string]bool // of the package and of its tests, of imports, and predeclared
}

func newNames(pkg *types.Package, others []string) *names {
	n := &names{pkg: pkg, imports: map[string]string{}, fakes: map[string]*fakeType{}, taken: map[string]bool{}}
	for _, list := range [][]string{pkg.Scope().Names(), types.Universe.Names(), others, ownNames} {
		for _, name := range list {
			n.taken[name] = true
		}
	}
	return n
}

// ownNames are those that test functions have for their own.
var ownNames = []string{"t", "x"}

// imported gives the name of a package in the file.
func (n *names) imported(p, name string) string {
	if known, ok := n.imports[p]; ok {
		return known
	}
	free := name
	for i := 2; n.taken[free]; i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	n.imports[p], n.taken[free] = free, true
	return free
}

// block gives the import declaration.
func (n *names) block(used map[string]bool) string {
	var std, other []string
	for p, name := range n.imports {
		if !used[name] {
			continue
		}
		line := fmt.Sprintf("%q", p)
		if name != path.Base(p) {
			line = name + " " + line
		}
		if strings.Contains(strings.Split(p, "/")[0], ".") {
			other = append(other, p+"\x00"+line)
		} else {
			std = append(std, p+"\x00"+line)
		}
	}
	var b strings.Builder
	b.WriteString("import (\n")
	for i, list := range [][]string{std, other} {
		slices.Sort(list)
		if i > 0 && len(std) > 0 && len(other) > 0 {
			b.WriteString("\n")
		}
		for _, line := range list {
			b.WriteString("\t" + line[strings.IndexByte(line, 0)+1:] + "\n")
		}
	}
	b.WriteString(")\n")
	return b.String()
}

// typ writes a type. It fails if the file cannot name it.
func (n *names) typ(t types.Type) string {
	n.nameable(t, map[types.Type]bool{})
	return types.TypeString(n.spelled(t), func(p *types.Package) string {
		if p.Path() == n.pkg.Path() {
			return ""
		}
		return n.imported(p.Path(), p.Name())
	})
}

// spelled is a type without the aliases that the file cannot name. What they stand for may have a name that is exported.
func (n *names) spelled(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Alias:
		o := t.Obj()
		foreign := o.Pkg() != nil && o.Pkg().Path() != n.pkg.Path() && !o.Exported()
		if local := o.Pkg() != nil && o.Parent() != nil && o.Parent() != o.Pkg().Scope(); foreign || local {
			return n.spelled(t.Rhs())
		}
	case *types.Named:
		var args []types.Type
		for a := range t.TypeArgs().Types() {
			args = append(args, n.spelled(a))
		}
		if len(args) > 0 {
			if with, err := types.Instantiate(nil, t.Origin(), args, false); err == nil {
				return with
			}
		}
	case *types.Pointer:
		return types.NewPointer(n.spelled(t.Elem()))
	case *types.Slice:
		return types.NewSlice(n.spelled(t.Elem()))
	case *types.Array:
		return types.NewArray(n.spelled(t.Elem()), t.Len())
	case *types.Chan:
		return types.NewChan(t.Dir(), n.spelled(t.Elem()))
	case *types.Map:
		return types.NewMap(n.spelled(t.Key()), n.spelled(t.Elem()))
	}
	return t
}

// nameable fails if a part of a type has no name in the file.
func (n *names) nameable(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		n.object(t.Obj())
		for a := range t.TypeArgs().Types() {
			n.nameable(a, seen)
		}
	case *types.Pointer:
		n.nameable(t.Elem(), seen)
	case *types.Slice:
		n.nameable(t.Elem(), seen)
	case *types.Array:
		n.nameable(t.Elem(), seen)
	case *types.Chan:
		n.nameable(t.Elem(), seen)
	case *types.Map:
		n.nameable(t.Key(), seen)
		n.nameable(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			n.nameable(f.Type(), seen)
		}
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				n.nameable(v.Type(), seen)
			}
		}
	}
}

// object fails if the file cannot name something.
func (n *names) object(o types.Object) {
	p := o.Pkg()
	switch {
	case p == nil:
	case o.Parent() != nil && o.Parent() != p.Scope():
		fail("the type %s is one of a function: a test cannot name it", o.Name())
	case p.Path() == n.pkg.Path() && slices.Contains(ownNames, o.Name()):
		fail("the package declares %s, which is something else in a test", o.Name())
	case p.Path() == n.pkg.Path():
	case !o.Exported():
		fail("%s.%s is not exported", p.Name(), o.Name())
	case p.Name() == "main" || !n.importable(p.Path()):
		fail("the package %s cannot be imported here", p.Path())
	case leadsTo(p, n.pkg.Path(), map[*types.Package]bool{}):
		fail("the package %s imports this one", p.Path())
	}
}

// leadsTo reports whether a package imports another one, itself or by others.
func leadsTo(p *types.Package, path string, seen map[*types.Package]bool) bool {
	seen[p] = true
	return slices.ContainsFunc(p.Imports(), func(q *types.Package) bool {
		return q.Path() == path || !seen[q] && leadsTo(q, path, seen)
	})
}

// importable reports whether the file may import a package.
func (n *names) importable(p string) bool {
	i := strings.LastIndex("/"+p+"/", "/internal/")
	if i < 0 {
		return true
	}
	above := strings.TrimSuffix(p[:max(0, i-1)], "/")
	return i > 0 && (n.pkg.Path() == above || strings.HasPrefix(n.pkg.Path(), above+"/"))
}

// variable gives the source of a package variable, from its name with that of its package.
func (n *names) variable(of string) string {
	pkg, name, _ := strings.Cut(of, ".")
	if o := n.pkg.Scope().Lookup(name); pkg == n.pkg.Name() && o != nil {
		n.object(o)
		return name
	}
	for _, p := range n.pkg.Imports() {
		if o := p.Scope().Lookup(name); p.Name() == pkg && o != nil {
			n.object(o)
			return n.imported(p.Path(), pkg) + "." + name
		}
	}
	fail("the variable %s is of a package that this one does not import", of)
	return ""
}

// functionValue makes a function of the program, or a method of the tested actor.
func (w *world) functionValue(t types.Type, fn *ssa.Function) *value {
	obj, ok := fn.Object().(*types.Func)
	switch {
	case !ok:
		fail("the state holds the function %s, which is inside of another one", fn.Name())
	case obj.Signature().Recv() != nil:
		return &value{kind: methodKind, typ: t, lit: obj.Name()}
	}
	return &value{kind: variableKind, typ: t, lit: obj.Pkg().Name() + "." + obj.Name()}
}

// identifier makes a name of a Go variable from any text.
func identifier(text string) string {
	var b strings.Builder
	upper := false
	for _, r := range text {
		switch {
		case r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			s := string(r)
			if upper && b.Len() > 0 {
				s = strings.ToUpper(s)
			}
			b.WriteString(s)
			upper = false
		default:
			upper = true
		}
	}
	name := strings.TrimLeft(b.String(), "0123456789_")
	if name == "" || token.IsKeyword(name) {
		name = "v" + name
	}
	return name
}
