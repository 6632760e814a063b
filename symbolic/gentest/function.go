package gentest

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// functionTest writes the body of a test of a function, or says why there is none.
func (p *printer) functionTest(c *cases.Case, m *term.Model) (lines []string, why string) {
	defer caught(&why)
	w := newWriter(p.program, p.names, c, m)
	if len(c.Events) > 0 {
		fail("the function acts on actors: test the handler that calls it")
	}
	w.noChance()
	for _, pkg := range []string{"fmt", "strings", "reflect"} { // before variables have names
		w.names.imported(pkg, pkg)
	}
	fn := c.Target.Fn
	var args []*value
	for i, param := range fn.Params {
		args = append(args, w.world.input(exec.ParameterName(i, param), param.Type()))
	}
	variables := w.variables()
	results := w.results()
	after := w.afterArguments()
	if len(w.peers.made) > 0 || len(w.peers.wide) > 0 {
		fail("the function gets references to actors: test the handler that calls it")
	}
	var call []string
	w.lines = nil
	p.declareFakes(w)
	w.share(nil, append(valuesOf(variables), args...)...)()
	w.set(variables)
	w.declare("v", args...)
	for i, a := range args {
		static := fn.Params[i].Type()
		if after[i] == nil {
			call = append(call, w.expr(a, static))
			continue
		}
		name := w.variable(exec.ParameterName(i, fn.Params[i]))
		w.add("var %s %s = %s", name, w.names.typ(static), w.expr(a, static))
		call = append(call, name)
	}
	calls := w.called(call)
	if c.Verdict == cases.Panicked {
		w.panics(calls)
		return w.lines, ""
	}
	w.compareResults(calls, results)
	for i, v := range after {
		if v != nil {
			w.compare(call[i], v, fn.Params[i].Type())
		}
	}
	return w.lines, ""
}

// called writes the call.
func (w *writer) called(args []string) string {
	fn := w.c.Target.Fn
	name := fn.Name()
	if recv := fn.Signature.Recv(); recv != nil {
		receiver := args[0]
		if strings.HasPrefix(receiver, "&") || strings.HasPrefix(receiver, "*") || receiver == "nil" {
			receiver = "(" + receiver + ")"
		}
		if receiver == "(nil)" || receiver == "0" {
			receiver = conversion(w.names.typ(recv.Type()), args[0])
		} else if _, ok := recv.Type().Underlying().(*types.Basic); ok {
			receiver = conversion(w.names.typ(recv.Type()), args[0])
		}
		name, args = receiver+"."+name, args[1:]
	} else {
		w.names.object(fn.Object())
	}
	dots := ""
	if fn.Signature.Variadic() {
		dots = "..."
	}
	return fmt.Sprintf("%s(%s%s)", name, strings.Join(args, ", "), dots)
}

func (w *writer) results() (list []*value) {
	if w.c.Verdict == cases.Panicked {
		return nil
	}
	res := w.c.Target.Fn.Signature.Results()
	for i, v := range w.c.Path.Results {
		list = append(list, w.world.valueAtEnd(v, res.At(i).Type()))
	}
	return list
}

// afterArguments makes arguments as they are in the end, nil for those that nobody can have changed.
func (w *writer) afterArguments() (list []*value) {
	for i, param := range w.c.Target.Fn.Params {
		switch param.Type().Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Map:
			list = append(list, w.world.valueAtEnd(w.c.Path.Args[i], param.Type()))
		default:
			list = append(list, nil)
		}
	}
	return list
}

// panics writes a call that is to panic, with a text that has the one of the case in it, as far as that is known.
func (w *writer) panics(call string) {
	text := w.panicText()
	w.add("defer func() {")
	if text == "" {
		w.add("if recover() == nil {")
		w.add("t.Error(%q)", "no panic, want one")
	} else {
		w.add("if text := %s.Sprint(recover()); !%s.Contains(text, %q) {", w.names.imported("fmt", "fmt"),
			w.names.imported("strings", "strings"), text)
		w.add("t.Errorf(%q, text)", "the panic is %s, want one with "+strings.ReplaceAll(strconv.Quote(text), "%", "%%"))
	}
	w.add("}")
	w.add("}()")
	w.add("%s", call)
}

func (w *writer) compareResults(call string, results []*value) {
	if len(results) == 0 {
		w.add("%s", call)
		return
	}
	var got []string
	for range results {
		got = append(got, w.variable("got"))
	}
	w.add("%s := %s", strings.Join(got, ", "), call)
	for i, v := range results {
		w.compare(got[i], v, w.c.Target.Fn.Signature.Results().At(i).Type())
	}
}

// compare writes the comparison of a variable with what it is to be.
func (w *writer) compare(got string, v *value, static types.Type) {
	w.declare("want", v)
	want := w.variable("want")
	w.add("var %s %s = %s", want, w.names.typ(static), w.expr(v, static))
	if types.Comparable(static) && !types.IsInterface(static) && !pointers(static) {
		w.add("if %s != %s {", got, want)
	} else {
		w.add("if !%s.DeepEqual(%s, %s) {", w.names.imported("reflect", "reflect"), got, want)
	}
	w.add("t.Errorf(%q, %s, %s)", got+" is %+v, want %+v", got, want)
	w.add("}")
}

// pointers reports whether equality of a type is not that of what it means.
func pointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return true
	case *types.Interface:
		return true
	case *types.Array:
		return pointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if pointers(f.Type()) {
				return true
			}
		}
	case *types.Basic:
		return u.Info()&types.IsFloat != 0 // NaN
	}
	return false
}
