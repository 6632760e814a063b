package gentest

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// fake is a value that an interface of the inputs holds, or whose method a function of the inputs is, of a type that a
// file of tests declares. It gives the answers of the case, call after call.
type fake struct {
	name  string // of its variable
	typ   types.Type
	calls map[string][][]*value // by the method: of each call the arguments that are compared, and what it gives
}

// faked makes the fake that an interface holds, or that a function is of. What it gives are inputs of the case.
func (w *world) faked(name string, t types.Type) *value {
	f := &fake{name: w.variable(name[strings.LastIndexByte(name, '.')+1:]), typ: t, calls: map[string][][]*value{}}
	for _, c := range w.path.Calls {
		if c.At.Name != name {
			continue
		}
		var list []*value
		for i, v := range c.Args {
			if p := c.Method.Signature().Params().At(i); isCompared(p.Type()) {
				list = append(list, w.valueAtEnd(v, p.Type()))
			}
		}
		for _, at := range c.Results {
			list = append(list, w.input(at.Name, at.Type))
		}
		f.calls[c.Method.Name()] = append(f.calls[c.Method.Name()], list)
	}
	w.fakes = append(w.fakes, f)
	if isFunction(t) {
		return &value{kind: fakeKind, typ: t, lit: f.name + "." + exec.FunctionCall}
	}
	return &value{kind: fakeKind, typ: t, lit: f.name}
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isCompared reports whether fakes compare arguments of a type. What is behind pointers may be another by the end of
// the case.
func isCompared(t types.Type) bool { return types.Comparable(t) && !pointers(t) }

// declareFakes declares the fakes of a test. A test also fails if the program calls less often than the case does.
func (p *printer) declareFakes(w *writer) {
	for _, f := range w.world.fakes {
		t := p.fakeType(f.typ, f.name)
		if !slices.Contains(p.fakes, t) {
			p.fakes = append(p.fakes, t)
		}
		var all []*value
		for _, m := range t.methods {
			all = append(all, slices.Concat(f.calls[m.Name()]...)...)
		}
		w.declare("v", all...)
		fields := []string{"test: t"}
		for _, m := range t.methods {
			if calls := f.calls[m.Name()]; len(calls) > 0 {
				fields = append(fields, calling+m.Name()+": "+w.calling(t, m, calls))
			}
		}
		w.add("%s := &%s{%s}", f.name, t.name, strings.Join(fields, ", "))
		w.add("t.Cleanup(%s.%s)", f.name, noMore)
	}
}

// calling writes the calls of a method.
func (w *writer) calling(t *fakeType, m *types.Func, calls [][]*value) string {
	var list []string
	for _, call := range calls {
		var each []string
		for i, part := range partsOf(m) {
			each = append(each, w.expr(call[i], part.typ))
		}
		list = append(list, "{"+strings.Join(each, ", ")+"}")
	}
	return "[]" + t.name + m.Name() + "{" + strings.Join(list, ", ") + "}"
}

// part is a part of a call: an argument that is compared, or a result.
type part struct {
	name, told string
	typ        types.Type
	argument   bool
}

func partsOf(m *types.Func) (list []part) {
	for i := range m.Signature().Params().Len() {
		if p := m.Signature().Params().At(i); isCompared(p.Type()) {
			list = append(list, part{fmt.Sprintf("p%d", i), p.Name(), p.Type(), true})
		}
	}
	for i := range m.Signature().Results().Len() {
		r := m.Signature().Results().At(i)
		list = append(list, part{fmt.Sprintf("r%d", i), r.Name(), r.Type(), false})
	}
	return list
}

// Names in a fake that methods of an interface must not have.
const (
	calling = "calls" // begins the names of fields with calls
	noMore  = calling + "NoMore"
)

// fakeType is a type that a file of tests declares for an interface.
type fakeType struct {
	name    string
	methods []*types.Func
	source  string
}

func methodsOf(t types.Type) (list []*types.Func) {
	if sig, ok := t.Underlying().(*types.Signature); ok {
		return []*types.Func{types.NewFunc(token.NoPos, nil, exec.FunctionCall, sig)}
	}
	for m := range t.Underlying().(*types.Interface).Methods() {
		list = append(list, m)
	}
	return list
}

// fakeType gives the type of fakes for an interface or a function in the file of the tests at hand. Like is what to
// call it, if its type has no name.
func (p *printer) fakeType(t types.Type, like string) *fakeType {
	key := p.file + " " + types.TypeString(t, nil)
	if known := p.names.fakes[key]; known != nil {
		return known
	}
	f := &fakeType{methods: methodsOf(t)}
	for _, m := range f.methods {
		p.names.nameable(m.Type(), map[types.Type]bool{})
		switch {
		case !m.Exported() && m.Pkg().Path() != p.names.pkg.Path():
			fail("the method %s of %s is not exported", m.Name(), t)
		case m.Name() == "test" || strings.HasPrefix(m.Name(), calling):
			fail("%s has a method %s, whose name a fake needs", t, m.Name())
		}
	}
	f.name = p.freeFake(t, like, f.methods)
	f.source = f.write(p.names, t)
	p.names.fakes[key] = f
	return f
}

// freeFake gives a name that nothing in the package has. The file's name is in it, since other files may have fakes for
// the same interface.
func (p *printer) freeFake(t types.Type, like string, methods []*types.Func) string {
	like = upper(like)
	if n, ok := types.Unalias(t).(*types.Named); ok {
		like = upper(n.Obj().Name())
	}
	like = "fake" + like + "Of" + upper(identifier(strings.TrimSuffix(p.file, Suffix)))
	taken := func(name string) bool {
		return p.names.taken[name] || slices.ContainsFunc(methods,
			func(m *types.Func) bool { return p.names.taken[name+m.Name()] })
	}
	name := like
	for i := 2; taken(name); i++ {
		name = fmt.Sprintf("%s%d", like, i)
	}
	p.names.taken[name] = true
	for _, m := range methods {
		p.names.taken[name+m.Name()] = true
	}
	return name
}

func upper(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// write writes the declarations of the type.
func (f *fakeType) write(n *names, t types.Type) string {
	var fields, checks, rest strings.Builder
	for _, m := range f.methods {
		field := calling + m.Name()
		fmt.Fprintf(&fields, "%s []%s\n", field, f.name+m.Name())
		fmt.Fprintf(&checks, "if n := len(f.%s); n > 0 {\nf.test.Errorf(\"%%d calls of %s too few\", n)\n}\n", field,
			m.Name())
		f.method(&rest, n, m)
	}
	does := "implements"
	if isFunction(t) {
		does = "has a method that is a"
	}
	doc := fmt.Sprintf("\n// %s %s %s. It has the calls that a test expects, in their order, and what they give.\n",
		f.name, does, types.TypeString(t, (*types.Package).Name))
	return doc + fmt.Sprintf("type %s struct {\ntest *testing.T\n%s}\n\nfunc (f *%s) %s() {\n%s}\n%s", f.name,
		fields.String(), f.name, noMore, checks.String(), rest.String())
}

// method writes a method, and the type of its calls.
func (f *fakeType) method(b *strings.Builder, n *names, m *types.Func) {
	sig, called := m.Signature(), f.name+m.Name()
	var params, results, gives []string
	for i := range sig.Params().Len() {
		text := n.typ(sig.Params().At(i).Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
		}
		params = append(params, fmt.Sprintf("p%d %s", i, text))
	}
	var fields, checks strings.Builder
	for _, p := range partsOf(m) {
		comment := ""
		if p.told != "" && p.told != "_" {
			comment = " // " + p.told
		}
		fmt.Fprintf(&fields, "%s %s%s\n", p.name, n.typ(p.typ), comment)
		if !p.argument {
			results, gives = append(results, p.name+" "+n.typ(p.typ)), append(gives, "c."+p.name)
			continue
		}
		fmt.Fprintf(&checks, "if %s != c.%s {\nf.test.Errorf(\"%s: argument %s is %%v, want %%v\", %s, c.%s)\n}\n", p.name,
			p.name, m.Name(), p.name[1:], p.name, p.name)
	}
	field := "f." + calling + m.Name()
	fmt.Fprintf(b, "\ntype %s struct {\n%s}\n", called, fields.String())
	fmt.Fprintf(b, "\nfunc (f *%s) %s(%s) (%s) {\n", f.name, m.Name(), strings.Join(params, ", "),
		strings.Join(results, ", "))
	fmt.Fprintf(b, "if len(%s) == 0 {\nf.test.Error(\"a call of %s too many\")\nreturn\n}\n", field, m.Name())
	if fields.Len() > 0 {
		fmt.Fprintf(b, "c := %s[0]\n", field)
	}
	fmt.Fprintf(b, "%s = %s[1:]\n%s", field, field, checks.String())
	if len(gives) > 0 {
		fmt.Fprintf(b, "return %s\n", strings.Join(gives, ", "))
	}
	b.WriteString("}\n")
}
