package gentest

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// setting is a package variable and what it is in a test.
type setting struct {
	name string
	v    *value
}

// variables makes the values of the package's variables that the path depends on.
func (w *writer) variables() (list []setting) {
	prefix := w.names.pkg.Name() + "."
	for _, in := range w.c.Inputs {
		at := in.At
		for at.Up != nil {
			at = at.Up
		}
		name, ok := strings.CutPrefix(at.Name, prefix)
		if !ok || strings.ContainsAny(name, ".(") ||
			slices.ContainsFunc(list, func(s setting) bool { return s.name == name }) {
			continue
		}
		if v, is := w.names.pkg.Scope().Lookup(name).(*types.Var); is && !w.stays(at.Name, v.Type()) {
			w.names.object(v)
			list = append(list, setting{name, w.world.input(at.Name, v.Type())})
		}
	}
	return list
}

// stays reports whether a variable is left as the program makes it: a pointer to something of another package, such as
// actor.Props, of which the case asks nothing. A test could only make it nil.
func (w *writer) stays(name string, t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok || isReference(t) {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == w.names.pkg {
		return false
	}
	for _, c := range w.c.Conditions() {
		for _, v := range term.Vars(c) {
			if rest, ok := strings.CutPrefix(v.Name, name); ok && strings.HasPrefix(rest, "!") {
				return false
			}
		}
	}
	return true
}

// valuesOf gives what variables are.
func valuesOf(list []setting) (values []*value) {
	for _, s := range list {
		values = append(values, s.v)
	}
	return values
}

// set writes assignments of variables, which end with the test.
func (w *writer) set(list []setting) {
	for _, s := range list {
		old := w.variable("old " + s.name)
		w.declare("v", s.v)
		w.add("%s := %s", old, s.name)
		w.add("t.Cleanup(func() { %s = %s })", s.name, old)
		w.add("%s", fmt.Sprintf("%s = %s", s.name, w.expr(s.v, w.names.pkg.Scope().Lookup(s.name).Type())))
	}
}
