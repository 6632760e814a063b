package system

import (
	"fmt"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/startstate"
)

// compiled finds types and functions by the names that they have in the compiled program.
type compiled struct {
	p        *Program
	packages map[string]*types.Package // that a driver's package leads to, by path
	at       map[place][]*ssa.Function
	bound    map[string]*ssa.Function // bound methods, by the name of the method
	types    map[string]types.Type
}

type place struct {
	file string
	line int
}

// namesOf gives the names of the program that a driver is a part of.
func (p *Program) namesOf(d *Driver) *compiled {
	own := d.Entry.Pkg.Pkg
	if p.names == nil {
		p.names = map[*types.Package]*compiled{}
	}
	c := p.names[own]
	if c != nil {
		return c
	}
	c = &compiled{p: p, packages: map[string]*types.Package{}, at: map[place][]*ssa.Function{},
		bound: map[string]*ssa.Function{}, types: map[string]types.Type{}}
	p.names[own] = c
	c.leads(own)
	for _, fn := range p.load.Functions() {
		if fn.Pkg == nil && fn.Synthetic == "" || fn.Pkg != nil && c.packages[fn.Pkg.Pkg.Path()] != fn.Pkg.Pkg {
			continue
		}
		if method, ok := fn.Object().(*types.Func); ok && strings.HasPrefix(fn.Synthetic, "bound method wrapper") {
			if c.packages[method.Pkg().Path()] == method.Pkg() {
				c.bound[compiledMethod(method)] = fn
			}
			continue
		}
		if fn.Pos().IsValid() && fn.Synthetic == "" {
			at := p.load.Fset.Position(fn.Pos())
			c.at[place{at.Filename, at.Line}] = append(c.at[place{at.Filename, at.Line}], fn)
		}
	}
	return c
}

// leads notes a package and those that it imports.
func (c *compiled) leads(pkg *types.Package) {
	path := strings.TrimSuffix(pkg.Path(), " ["+pkg.Path()+".test]")
	if c.packages[path] != nil {
		return
	}
	c.packages[path] = pkg
	for _, imported := range pkg.Imports() {
		c.leads(imported)
	}
}

// compiledMethod gives the name that a bound method has in compiled programs.
func compiledMethod(fn *types.Func) string {
	t, star := fn.Signature().Recv().Type(), ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return ""
	}
	name := n.Obj().Name()
	if star != "" {
		name = "(*" + name + ")"
	}
	return escaped(fn.Pkg().Path()) + "." + name + "." + fn.Name() + "-fm"
}

// escaped writes the path of a package as names of functions have it: dots in the last element are written as numbers.
func escaped(path string) string {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i] + strings.ReplaceAll(path[i:], ".", "%2e")
}

// literalName ends the names of function literals, which may have been compiled into functions that call the one that
// they stand in.
var literalName = regexp.MustCompile(`\.(func)?\d+(\.\d+)*$`)

// function finds a function.
func (c *compiled) function(v *startstate.Value) (*ssa.Function, string) {
	if strings.HasSuffix(v.Text, "-fm") {
		fn := c.bound[v.Text]
		switch {
		case fn == nil:
			return nil, "nothing in the source makes it"
		case len(v.Parts) == 0:
			return nil, "its receiver is not known"
		}
		return fn, ""
	}
	literal := literalName.MatchString(v.Text)
	var found []*ssa.Function
	for _, fn := range c.at[place{v.File, v.Line}] {
		if (fn.Parent() != nil) == literal && fn.Origin() == nil && fn.TypeParams().Len() == 0 {
			found = append(found, fn)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Sprintf("there are %d functions on its line", len(found))
	}
	return found[0], ""
}

// typeOf finds a type; nil if it is not in the source, or there are several. That of a function is the function's own.
func (c *compiled) typeOf(name string, v startstate.Value) types.Type {
	if name == "func" {
		if fn, _ := c.function(&v); v.Kind == startstate.Function && fn != nil {
			return fn.Signature
		}
		return nil
	}
	if t, ok := c.types[name]; ok {
		return t
	}
	r := &typeReader{c: c, text: name}
	t := r.read()
	if r.text != "" {
		t = nil
	}
	c.types[name] = t
	return t
}

// typeReader reads the name of a type.
type typeReader struct {
	c    *compiled
	text string
}

func (r *typeReader) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(r.text, prefix)
	if ok {
		r.text = rest
	}
	return ok
}

// read reads a type, nil if there is none.
func (r *typeReader) read() types.Type {
	switch {
	case r.skip("*"):
		if t := r.read(); t != nil {
			return types.NewPointer(t)
		}
	case r.skip("[]"):
		if t := r.read(); t != nil {
			return types.NewSlice(t)
		}
	case r.skip("map["):
		key := r.read()
		if key == nil || !r.skip("]") {
			return nil
		}
		if elem := r.read(); elem != nil {
			return types.NewMap(key, elem)
		}
	case r.skip("["):
		text, rest, _ := strings.Cut(r.text, "]")
		n, err := strconv.ParseInt(text, 10, 64)
		r.text = rest
		if t := r.read(); t != nil && err == nil {
			return types.NewArray(t, n)
		}
	case r.skip("struct{}"):
		return types.NewStruct(nil, nil)
	default:
		return r.named()
	}
	return nil
}

// named reads the name of a type, with its arguments.
func (r *typeReader) named() types.Type {
	end := strings.IndexAny(r.text, "[],")
	if end < 0 {
		end = len(r.text)
	}
	name := r.text[:end]
	r.text = r.text[end:]
	t := r.c.declared(name)
	if t == nil || !strings.HasPrefix(r.text, "[") {
		return t
	}
	var args []types.Type
	for r.skip("[") || r.skip(",") {
		arg := r.read()
		if arg == nil {
			return nil
		}
		args = append(args, arg)
	}
	if !r.skip("]") {
		return nil
	}
	full, err := types.Instantiate(types.NewContext(), t, args, true)
	if err != nil {
		return nil
	}
	return full
}

// declared finds a type by its name. One that is declared in a function has to be the only one of its name in the
// package.
func (c *compiled) declared(name string) types.Type {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		if o, ok := types.Universe.Lookup(name).(*types.TypeName); ok {
			return o.Type()
		}
		return nil
	}
	pkg := c.packages[name[:i]]
	if pkg == nil {
		return nil
	}
	if o, ok := pkg.Scope().Lookup(name[i+1:]).(*types.TypeName); ok {
		return o.Type()
	}
	var found types.Type
	for _, loaded := range c.p.load.Packages {
		if loaded.Types != pkg {
			continue
		}
		for _, o := range loaded.TypesInfo.Defs {
			if t, ok := o.(*types.TypeName); ok && t.Name() == name[i+1:] && t.Parent() != pkg.Scope() {
				if found != nil {
					return nil
				}
				found = t.Type()
			}
		}
	}
	return found
}
