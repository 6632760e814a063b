package gentest

import (
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// kind is what a value is made of.
type kind uint8

const (
	zeroKind     kind = iota // the zero value of its type
	scalarKind               // lit
	refKind                  // a reference to an actor: lit
	structKind               // parts are fields
	listKind                 // an array or a slice
	mapKind                  // keys and parts
	pointerKind              // to
	faceKind                 // parts[0] is what it holds
	variableKind             // of a package: lit, with the package's name
	methodKind               // of the tested actor: lit
	fakeKind                 // a fake: lit is its variable, or the method of that
	callKind                 // what is written as an expression: lit
	libraryKind              // what a library makes: lit
)

// value is a concrete value. Pointers to one object have one object.
type value struct {
	kind  kind
	typ   types.Type
	lit   string // of a value that a library makes with {paths} of packages
	parts []*value
	keys  []*value
	to    *object
}

// object is what pointers lead to.
type object struct {
	val  *value
	name string // of its variable, "" if it has none
	uses int
}

// missing says why a value cannot be made. It is thrown, and caught where a test is left out.
type missing struct{ why string }

func fail(format string, args ...any) { panic(missing{fmt.Sprintf(format, args...)}) }

// caught turns a value that cannot be made into the reason.
func caught(why *string) {
	switch x := recover().(type) {
	case nil:
	case missing:
		*why = x.why
	default:
		panic(x)
	}
}

// world makes the values of one instance of a case.
type world struct {
	program *exec.Program
	path    *exec.Path
	model   *term.Model
	eval    *evaluator
	vars    map[string]*term.Term
	roots   map[*term.Term]*exec.Place // what the inputs are of
	owners  map[uint64]*exec.Place     // what pointers of an identity lead to
	first   map[string]*value          // of the inputs, by place
	objects map[string]*object         // of the inputs, by identity and type
	last    map[any]*object            // in the end
	after   map[*object]*object        // objects of the inputs as they are in the end
	nilMaps map[string]bool            // of a state that the source tells
	refs    references
	outside bool // it is that of messages from outside
	large   bool // numbers of any size are large in these

	variable func(like string) string // a name for a fake
	fakes    []*fake                  // those that others need come first
}

// references names actors.
type references interface {
	name(id uint64, t *term.Term) string
}

func newWorld(program *exec.Program, path *exec.Path, inputs []exec.Input, m *term.Model, refs references) *world {
	w := &world{program: program, path: path, model: m, eval: newEvaluator(program, m), vars: map[string]*term.Term{},
		roots: map[*term.Term]*exec.Place{}, owners: map[uint64]*exec.Place{},
		first: map[string]*value{}, objects: map[string]*object{}, last: map[any]*object{}, after: map[*object]*object{},
		nilMaps: map[string]bool{}, refs: refs}
	for _, in := range inputs {
		w.vars[in.At.Name+in.Aspect] = in.Var
		w.roots[in.Var] = rootOf(in.At)
	}
	w.eval.roots = w.roots
	for _, in := range inputs {
		for up := in.At; up != nil; up = up.Up {
			if up.Step == exec.Deref {
				w.owned(up)
			}
		}
	}
	return w
}

// rootOf gives the parameter, or what a call gave, that a place is in.
func rootOf(at *exec.Place) *exec.Place {
	for at.Up != nil {
		at = at.Up
	}
	return at
}

// owned notes what a pointer leads to, by the pointer's identity.
func (w *world) owned(at *exec.Place) {
	if ref := w.vars[at.Up.Name+"!ref"]; ref != nil {
		if id := w.model.Eval(ref).Uint(); w.owners[id] == nil {
			w.owners[id] = at
		}
	}
}

// isReference reports whether values of a type are references to actors.
func isReference(t types.Type) bool {
	return model.Reference(t) || model.Stands(t)
}

func isNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}

// isZero reports whether a value is the zero value of its type, so that nobody has to write it.
func (v *value) isZero() bool {
	switch v.kind {
	case zeroKind:
		return true
	case structKind:
		for _, p := range v.parts {
			if !p.isZero() {
				return false
			}
		}
		return true
	case listKind:
		if _, ok := v.typ.Underlying().(*types.Array); !ok {
			return false
		}
		for _, p := range v.parts {
			if !p.isZero() {
				return false
			}
		}
		return true
	}
	return false
}

// reference makes a reference to an actor.
func (w *world) reference(t types.Type, id uint64, at *term.Term) *value {
	if id == 0 {
		return &value{kind: zeroKind, typ: t}
	}
	return &value{kind: refKind, typ: t, lit: w.refs.name(id, at)}
}

// function makes a function of the program, by its number. A number of none of its type is that of any other function.
func (w *world) function(name string, t types.Type, number uint64) *value {
	if number == 0 {
		return &value{kind: zeroKind, typ: t}
	}
	if fn := w.program.Function(number); fn != nil && types.Identical(fn.Signature, t.Underlying()) {
		return w.functionValue(t, fn)
	}
	return w.faked(name, t)
}
