package gentest

import (
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Names are those of a file of tests that is not made of cases: what it imports, and what its variables must not hide.
type Names struct{ names *names }

// NewNames gives the names of a file in a package, which declares others beside those that are known of it.
func NewNames(pkg *types.Package, others []string) *Names { return &Names{newNames(pkg, others)} }

// Imported gives the name under which the file imports a package.
func (n *Names) Imported(path, name string) string { return n.names.imported(path, name) }

// Block gives the declaration of what the body of the file uses.
func (n *Names) Block(body string) string { return n.names.block(used(body)) }

// Taken reports whether something in the file has a name.
func (n *Names) Taken(name string) bool { return n.names.taken[name] }

// Take has something in the file have a name.
func (n *Names) Take(name string) { n.names.taken[name] = true }

// Messages writes messages of an execution of a whole program as Go source.
type Messages struct {
	Program *exec.Program
	Path    *exec.Path  // of the whole
	Model   *term.Model // the values of its inputs
	Names   *Names
	Actor   func(ref *term.Term, id uint64) (string, error) // an expression for an actor
}

// Source writes a message: from its value, or where there is none from the terms of its parts, whose names begin with msg. It fails if the file cannot make it.
func (m *Messages) Source(t types.Type, v exec.Value, flat []exec.Named) (text string, err error) {
	why := ""
	defer func() {
		if caught(&why); why != "" {
			text, err = "", fmt.Errorf("a message %s: %s", types.TypeString(t, (*types.Package).Name), why)
		}
	}()
	path := m.Path
	if path == nil {
		path = &exec.Path{}
	}
	w := newWorld(m.Program, path, path.Inputs, m.Model, actors(m.Actor))
	s := newSource(m.Names.names)
	var made *value
	if v != nil {
		made = w.told(v, t)
	} else {
		for _, f := range flat {
			w.vars[f.Name] = f.Term
		}
		made = w.input("msg", t)
	}
	s.declare("v", made)
	if len(s.lines) > 0 {
		fail("it has pointers to something that is no struct, or several to one")
	}
	return s.expr(made, anyType), nil
}

// actors names actors by a function.
type actors func(*term.Term, uint64) (string, error)

func (a actors) name(id uint64, t *term.Term) string {
	text, err := a(t, id)
	if err != nil {
		fail("%s", err)
	}
	return text
}
