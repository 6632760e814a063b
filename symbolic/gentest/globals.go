package gentest

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
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
		if !ok || strings.ContainsAny(name, ".(") || slices.ContainsFunc(list, func(s setting) bool { return s.name == name }) {
			continue
		}
		if v, is := w.names.pkg.Scope().Lookup(name).(*types.Var); is {
			list = append(list, setting{name, w.world.input(at.Name, v.Type())})
		}
	}
	return list
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
