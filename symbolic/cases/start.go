package cases

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds where the actors of a type come from: functions that give one, and places where one is made and
// handed to the framework.

// Start is a way in which an actor is made.
type Start struct {
	// Fn gives the actor: it is called with arguments that are inputs. If Made is set, it is the function in which the
	// actor is made, out of which nothing is called: the state is one that the source tells.
	Fn   *ssa.Function
	Made bool
	Pos  token.Pos

	recv types.Type // of the actor's method Receive
}

// Argument names the inputs of an argument of a constructor, by its place from 0.
func (s *Start) Argument(i int) string { return fmt.Sprintf("make%d", i+1) }

// starts lists the ways in which the actor of a handler is made, by name and place.
func (p *Program) starts(recv types.Type) []*Start {
	if known, ok := p.started[recv.String()]; ok {
		return known
	}
	var list []*Start
	for _, fn := range p.load.Functions() {
		pkg := packageOf(fn)
		if pkg == nil || !p.roots[pkg] || fn.Synthetic != "" || fn.TypeParams().Len() > 0 || fn.Name() == "init" {
			continue
		}
		switch {
		case gives(fn, recv):
			list = append(list, &Start{Fn: fn, Pos: fn.Pos(), recv: recv})
		case boxes(fn, recv):
			list = append(list, &Start{Fn: fn, Made: true, Pos: fn.Pos(), recv: recv})
		}
	}
	slices.SortStableFunc(list, func(a, b *Start) int { // constructors first: tests call them
		if a.Made != b.Made {
			if b.Made {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Fn.String(), b.Fn.String())
	})
	p.started[recv.String()] = list
	return list
}

// gives reports whether a function is a constructor: it is no method, captures nothing, and its first result is the
// actor, or an interface that it puts one in.
func gives(fn *ssa.Function, recv types.Type) bool {
	res := fn.Signature.Results()
	if fn.Signature.Recv() != nil || len(fn.FreeVars) > 0 || fn.Parent() != nil || res.Len() == 0 {
		return false
	}
	t := res.At(0).Type()
	if types.Identical(t, recv) {
		return true
	}
	face, ok := t.Underlying().(*types.Interface)
	return ok && types.Implements(recv, face) && boxes(fn, recv)
}

// boxes reports whether a function makes an interface of an actor.
func boxes(fn *ssa.Function, recv types.Type) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if box, ok := in.(*ssa.MakeInterface); ok && types.Identical(box.X.Type(), recv) {
				return true
			}
		}
	}
	return false
}

// beginning makes an actor in a run.
type beginning struct {
	start *Start
	m     *exec.Machine
	made  exec.Value // the actor, when it has been handed to the framework
}

// make makes the actor, and ends the run where the function gives none.
func (b *beginning) make() exec.Value {
	fn := b.start.Fn
	var args []exec.Value
	for i, v := range fn.Params {
		args = append(args, b.argument(i, v))
	}
	if !b.start.Made {
		v := b.m.Call(fn, args...)
		if t, ok := v.(exec.Tuple); ok {
			v = t[0]
		}
		if b.take(v) {
			return b.made
		}
		b.m.End("the constructor gives no actor of this type")
	}
	ended := b.m.Resume(b.m.Start(func() {
		v := b.m.Enter(fn, args...)
		if res := fn.Signature.Results(); res.Len() == 1 && types.IsInterface(res.At(0).Type()) && b.take(v) { // a producer
			b.m.Suspend()
		}
	}))
	if ended || b.made == nil {
		b.m.End("the function hands no actor of this type to the framework")
	}
	return b.made
}

func (b *beginning) argument(i int, v *ssa.Parameter) exec.Value {
	t := v.Type()
	if model.Context(t) != "" {
		return b.m.Context(t)
	}
	return b.m.Input(b.start.Argument(i), t)
}

// take notes the actor, if a value is one of the type.
func (b *beginning) take(v exec.Value) bool {
	v = b.m.Held(v)
	if face, ok := v.(exec.Face); ok {
		if face.Type == nil || !types.Identical(face.Type, b.start.recv) {
			return false
		}
		v = b.m.Held(face.Val)
	}
	switch u := v.(type) {
	case exec.Ptr:
		if u.Obj == nil {
			return false
		}
	case *exec.Struct:
	default:
		return false
	}
	b.made = v
	return true
}

// handed sees what is handed to the framework, and goes on without the rest of the function if it is the actor. Of
// several, each is one run.
func (b *beginning) handed(o exec.Operation) {
	if !b.start.Made || b.made != nil {
		return
	}
	var v exec.Value
	switch {
	case o.Op == model.Spawn && o.Made != nil:
		v = o.Made
	case o.Op == model.Props && o.Func != nil:
		if f, ok := b.m.Held(o.Func).(exec.Func); ok && f.Fn != nil && len(f.Fn.Params) == 0 {
			v = b.m.CallValue(f)
		}
	}
	if v == nil || !b.take(v) {
		return
	}
	if b.m.Pick(2) == 1 {
		b.made = nil
		return
	}
	b.m.Suspend()
}

// probe is the run of a start alone.
type probe struct {
	beginning
	name  string
	state []exec.Named
}

func (d *probe) Run(m *exec.Machine) []exec.Value {
	d.m = m
	d.state = m.Flatten(d.name, d.make())
	return nil
}

func (d *probe) Operate(_ *exec.Machine, o exec.Operation) (exec.Value, bool) {
	d.handed(o)
	return nil, false
}

// probed gives the states in which a start leaves an actor, and whether these are all.
func (p *Program) probed(ctx context.Context, s *Start, name string) (states [][]exec.Named, all bool) {
	var runs []*probe
	solver := p.solver.Scope()
	defer solver.Close()
	found := p.Exec().Explore(ctx, p.store, solver, exec.Entry{Fn: s.Fn, Driver: func() exec.Driver {
		runs = append(runs, &probe{beginning: beginning{start: s}, name: name})
		return runs[len(runs)-1]
	}}, exec.Config{Paths: 50})
	for i, path := range found.Paths {
		if path.Exit == exec.Return && runs[i].state != nil {
			states = append(states, runs[i].state)
		}
	}
	return states, found.Complete()
}

// determined reports whether the source tells a state: all of it is constants, and references to actors that the run
// has or creates.
func determined(state []exec.Named) bool {
	for _, n := range state {
		for _, v := range term.Vars(n.Term) {
			if !references.MatchString(v.Name) {
				return false
			}
		}
	}
	return true
}

// references are the names that package exec gives to references to actors.
var references = regexp.MustCompile(`^(spawn\d+|self|sender|parent)!ref$`)
