package exec_test

import (
	"context"
	"fmt"
	"go/types"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/internal/concrete"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file makes inputs that take a path: by a model of its conditions, where what the path does not ask for is
// random.

// solve gives the arguments of such an input, nil if the solver does not find one.
func (p *twinProgram) solve(ctx context.Context, solver solve.Solver, path *exec.Path, sig *types.Signature, seed uint64) []*node {
	var conds []*term.Term
	for _, c := range path.PC {
		conds = append(conds, c.Term)
	}
	r := solver.Check(ctx, conds...)
	if r.Answer != solve.Sat {
		return nil
	}
	s := &solution{program: p.program, model: r.Model, path: path, vars: map[string]*term.Term{}, objects: map[string]*exec.Place{}, ids: map[string]int{},
		maker: &maker{Rand: rand.New(rand.NewPCG(seed, 99)), pkg: p.loaded.Packages[0].Types, ptrs: map[string][]*node{}, ids: 1000, deep: 3}}
	for _, in := range path.Inputs {
		s.vars[in.At.Name+in.Aspect] = in.Var
		for at := in.At; at != nil; at = at.Up {
			if at.Step == exec.Deref { // the name under which an object is known
				s.known(at)
			}
		}
	}
	var args []*node
	for v := range sig.Params().Variables() {
		args = append(args, s.build(v.Name(), v.Type()))
	}
	if s.foreign {
		return nil
	}
	return args
}

// solution makes the input of a model.
type solution struct {
	*maker
	program *exec.Program
	model   *term.Model
	path    *exec.Path
	vars    map[string]*term.Term
	objects map[string]*exec.Place // by identity and type
	ids     map[string]int
	foreign bool // it cannot be made
}

// known notes what a pointer leads to, by the pointer's identity.
func (s *solution) known(at *exec.Place) {
	if ref := s.vars[at.Up.Name+"!ref"]; ref != nil {
		if id := object(s.model.Eval(ref).Uint(), at.Type); s.objects[id] == nil {
			s.objects[id] = at
		}
	}
}

// object identifies what a pointer leads to. Two pointers of one identity and different types are two objects.
func object(id uint64, t types.Type) string { return fmt.Sprint(id, t) }

func (s *solution) build(name string, t types.Type) *node {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if v := s.vars[name]; v != nil {
			return &node{V: written(s.model.Eval(v), u)}
		}
		return s.maker.make(t)
	case *types.Struct:
		if str := t.String(); str == "sync.Mutex" || str == "sync/atomic.Bool" && s.vars[name+".v"] == nil {
			return s.maker.make(t)
		}
		n := &node{}
		for i := range u.NumFields() {
			n.E = append(n.E, s.build(name+"."+u.Field(i).Name(), concrete.FieldType(t, i)))
		}
		return n
	case *types.Array:
		n := &node{}
		for i := range int(u.Len()) {
			n.E = append(n.E, s.build(fmt.Sprintf("%s[%d]", name, i), u.Elem()))
		}
		return n
	case *types.Slice:
		return s.slice(name, t, u.Elem())
	case *types.Map:
		return s.table(name, t, u)
	case *types.Pointer:
		return s.pointer(name, u.Elem())
	case *types.Interface:
		return s.face(name, t)
	}
	panic("no input of " + t.String())
}

func (s *solution) slice(name string, t, elem types.Type) *node {
	n := &node{}
	if null := s.vars[name+"!isNil"]; null != nil {
		n.Nil = s.model.Eval(null).Bool()
	}
	size := s.vars[name+"!len"]
	if size == nil {
		return s.maker.make(t)
	}
	k := s.model.Eval(size).Int()
	s.foreign = s.foreign || k > 20 // too long to be made
	for i := range min(k, 20) {
		n.E = append(n.E, s.build(fmt.Sprintf("%s[%d]", name, i), elem))
	}
	return n
}

// table has the entries that the path looked for and found, and the further ones that it went through.
func (s *solution) table(name string, t types.Type, u *types.Map) *node {
	n, asked, all := &node{}, false, int64(0)
	missing := map[string]bool{}
	add := func(key, elem *node) {
		if n.Has(key.Key()) < 0 {
			n.Keys, n.E = append(n.Keys, key), append(n.E, elem)
		}
	}
	for _, in := range s.path.Inputs {
		switch {
		case in.At.Name == name && in.Aspect == "!more":
			asked = true
			for i := range s.model.Eval(in.Var).Int() {
				add(s.further(fmt.Sprintf("%s!key%d", name, i), u.Key()), s.build(fmt.Sprintf("%s!elem%d", name, i), u.Elem()))
			}
		case in.At.Name == name && in.Aspect == "!isNil":
			asked = true
			n.Nil = s.model.Eval(in.Var).Bool()
		case in.At.Up != nil && in.At.Up.Name == name && in.At.Step == exec.Under && in.Aspect == "!has":
			asked = true
			if key := s.key(in.At.Key, u.Key()); s.model.Eval(in.Var).Bool() {
				add(key, s.build(in.At.Name, u.Elem()))
			} else {
				missing[key.Key()] = true
			}
		case in.At.Name == name && in.Aspect == "!size":
			asked, all = true, s.model.Eval(in.Var).Int()
		}
	}
	s.foreign = s.foreign || all > 50
	for tries := 0; int64(len(n.Keys)) < all && !s.foreign; tries++ { // of few different keys there may be too few
		s.foreign = tries > 10_000
		if key := s.maker.key(u.Key()); !missing[key.Key()] {
			add(key, s.maker.make(u.Elem()))
		}
	}
	if !asked {
		return s.maker.make(t)
	}
	return n
}

// further gives a key of an entry that the path does not look for by its key. In an interface it is a number or a
// string.
func (s *solution) further(name string, t types.Type) *node {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		return s.build(name, t)
	}
	if s.vars[name+"!type"] == nil {
		return s.maker.key(t)
	}
	n := s.build(name, t)
	s.foreign = s.foreign || n.V != "int" && n.V != "string"
	return n
}

// key gives a key that the path looks for.
func (s *solution) key(key exec.Value, t types.Type) *node {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		return &node{V: written(s.model.Eval(key.(*term.Term)), t.Underlying().(*types.Basic))}
	}
	shape := s.path.Look(key)
	if shape.Kind == exec.InterfaceShape && len(shape.Parts) > 0 {
		b, basic := shape.Type.(*types.Basic)
		if v, ok := shape.Parts[0].(*term.Term); ok && basic {
			return &node{V: b.Name(), Type: b, E: []*node{{V: written(s.model.Eval(v), b)}}}
		}
	}
	s.foreign = true
	return &node{}
}

func (s *solution) pointer(name string, elem types.Type) *node {
	ref := s.vars[name+"!ref"]
	if ref == nil {
		return &node{}
	}
	id := s.model.Eval(ref).Uint()
	if id == 0 {
		return &node{}
	}
	key := object(id, elem)
	if known := s.ids[key]; known != 0 {
		return &node{ID: known}
	}
	s.ids[key] = len(s.ids) + 1
	n := &node{ID: s.ids[key]}
	at := name
	if o := s.objects[key]; o != nil {
		at = o.Name
	}
	n.E = []*node{s.build(at, elem)}
	return n
}

func (s *solution) face(name string, t types.Type) *node {
	tag := s.vars[name+"!type"]
	if tag == nil {
		return s.maker.make(t)
	}
	number := s.model.Eval(tag).Uint()
	held := s.program.Type(number)
	label := ""
	if held != nil {
		label = types.TypeString(held, (*types.Package).Name)
	}
	if !slices.Contains(heldTypes, label) || !types.Implements(held, t.Underlying().(*types.Interface)) {
		s.foreign = s.foreign || number != 0 // a type that the harness does not make
		return &node{}
	}
	return &node{V: label, Type: held, E: []*node{s.build(name+".("+label+")", held)}}
}

// heldTypes are those that the harness puts into interfaces.
var heldTypes = []string{"main.P", "*main.P", "main.V", "main.Square", "*main.Circle", "int", "string", "[]int"}

// written writes a value as nodes have it.
func written(v term.Value, b *types.Basic) string {
	switch {
	case b.Info()&types.IsString != 0:
		return v.Text
	case b.Info()&types.IsBoolean != 0:
		return strconv.FormatBool(v.Bool())
	case b.Info()&types.IsUnsigned != 0:
		return strconv.FormatUint(v.Uint(), 10)
	}
	return strconv.FormatInt(v.Int(), 10)
}
