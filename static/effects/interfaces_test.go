package effects

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

const events = `package events

type state struct{}

type event interface {
	apply(s *state, more ...int) (*state, error)
}

type (
	good    struct{}
	pointer struct{}
	fewer   struct{}
	wrong   struct{}
	single  struct{}
	none    struct{}
	whole   struct{ good }
)

func (good) apply(*state, ...int) (*state, error)        { return nil, nil }
func (*pointer) apply(at *state, n ...int) (r *state, e error) { return nil, nil }
func (fewer) apply(*state) (*state, error)               { return nil, nil }
func (wrong) apply(state, ...int) (*state, error)        { return nil, nil }
func (single) apply(*state, []int) (*state, error)       { return nil, nil }
`

// checked type-checks the same package anew, as loading it with and without its tests does.
func checked(t *testing.T) *types.Scope {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "events.go", events, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := types.Config{Importer: importer.Default()}
	pkg, err := c.Check("example.com/events", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Scope()
}

// What implements an interface does so in whichever load of its package either was found.
func TestImplementsAcrossLoads(t *testing.T) {
	one, two := checked(t), checked(t)
	for _, in := range []*types.Scope{one, two} {
		i := in.Lookup("event").Type().Underlying().(*types.Interface)
		for name, want := range map[string]bool{"good": true, "pointer": false, "fewer": false, "wrong": false, "single": false, "none": false, "whole": true} {
			at := one.Lookup(name).Type()
			if got := implements(at, i); got != want {
				t.Errorf("%s: implements %t, want %t", name, got, want)
			}
			want = want || name == "pointer"
			if got := implements(types.NewPointer(at), i); got != want {
				t.Errorf("*%s: implements %t, want %t", name, got, want)
			}
		}
	}
}
