package exec

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file is for drivers that execute whole programs: test functions, the actors that they make, and handlers one
// after the other on the same memory.

// Caller is a Driver that may take the call of any function over whose source was not read.
type Caller interface {
	Driver

	// Outer may take the call over. It gives the results as Operate does.
	Outer(m *Machine, fn *types.Func, args []Value) (Value, bool)
}

// taken asks the driver whether it takes a call over.
func (r *run) taken(fn *types.Func, args []Value) (Value, bool) {
	if r.machine == nil {
		return nil, false
	}
	if d, ok := r.machine.driver.(Caller); ok {
		return d.Outer(r.machine, fn, args)
	}
	return nil, false
}

// maxActor is the greatest number of an actor that is known as a constant: references lie below the identities of other
// things.
const maxActor = 1<<13 - 1

// Known gives the reference to an actor as a constant, by its number from 1. Two of them are equal if and only if the
// numbers are. The run ends where there are more actors than references.
func (m *Machine) Known(number int) *term.Term {
	if number > maxActor {
		m.Cut("more than %d actors", maxActor)
	}
	return m.r.store.Uint(sortReference, uint64(number))
}

// KnownActor gives the number of the actor to which a constant refers, 0 for nobody, -1 if it is no constant.
func KnownActor(ref *term.Term) int {
	if !ref.Const() || ref.Val > maxActor {
		return -1
	}
	return int(ref.Val)
}

// FullName gives the full name of a function, as types.Func does.
func (m *Machine) FullName(fn *types.Func) string { return m.r.program.find(fn).name }

// Row gives what package model says of a function, as its Find does.
func (m *Machine) Row(fn *types.Func) (model.Row, bool) {
	found := m.r.program.find(fn)
	return found.row, found.told
}

// References gives those of a list that are inputs and refer to actors.
func (m *Machine) References(list []Named) (refs []*term.Term) {
	for _, in := range m.r.path.Inputs {
		if in.Aspect == aspectRef && isReference(in.At.Type) &&
			slices.ContainsFunc(list, func(n Named) bool { return n.Term == in.Var }) {
			refs = append(refs, in.Var)
		}
	}
	return refs
}

// Store gives the store of the run's terms.
func (m *Machine) Store() *term.Store { return m.r.store }

// Globals lists the terms of the package variables that the run has looked at and that the program may change after it
// has started, by name.
func (m *Machine) Globals() (list []Named) {
	var changing []*ssa.Global
	for g := range m.r.globals {
		if i := m.r.program.globals[g]; i != nil && (i.leaks || i.stores > 1) {
			changing = append(changing, g)
		}
	}
	slices.SortFunc(changing, func(a, b *ssa.Global) int { return strings.Compare(a.String(), b.String()) })
	for _, g := range changing {
		list = append(list, m.r.flatten(g.String(), m.r.globals[g].val)...)
	}
	return list
}

// Fence has the writes be counted, from here on, to memory that was there before.
func (m *Machine) Fence() { m.r.fence, m.r.older = m.r.objects, 0 }

// Changed reports whether memory was written that was there when Fence was called last.
func (m *Machine) Changed() bool { return m.r.older > 0 }

// Replays reports whether the run still takes decisions that an earlier one has left to it.
func (m *Machine) Replays() bool { return len(m.r.path.Decisions) < len(m.r.prefix) }

// Path gives the path so far.
func (m *Machine) Path() *Path { return m.r.path }

// Pos is where the run is.
func (m *Machine) Pos() token.Pos { return m.r.pos() }

// At gives the place where the run has left a function, or a literal of it, by the calls that are under way. It is none
// if the run is in no such function.
func (m *Machine) At(fn *ssa.Function) token.Pos {
	for f := m.r.frame; f != nil; f = f.up {
		for at := f.fn; at != nil; at = at.Parent() {
			if at == fn {
				return f.at
			}
		}
	}
	return token.NoPos
}

// Failed tells of a panic that Catch has caught.
type Failed struct {
	Why string
	Val Value // nil for a panic of Go's runtime
	Pos token.Pos
}

// Catch does something and gives the panic of the program that ends it, nil if it comes to its end. It is to be called
// where no function of the program runs, as in a new Task.
func (m *Machine) Catch(do func()) *Failed {
	if t := m.r.try(m.r.frame, do); t != nil {
		return &Failed{t.why, t.val, t.pos}
	}
	return nil
}

// Fail ends the run as the panic does that was caught.
func (m *Machine) Fail(f *Failed) { panic(&thrown{f.Why, f.Val, f.Pos}) }

// Give gives the results of a signature.
func (m *Machine) Give(sig *types.Signature, each func(i int, t types.Type) Value) Value {
	return results(sig, each)
}

// Pointer makes a pointer to a new variable that holds a value.
func (m *Machine) Pointer(t types.Type, v Value) Value { return Ptr{Obj: m.r.alloc(t, v)} }

// Load gives what a pointer leads to.
func (m *Machine) Load(v Value) Value { return m.r.load(m.r.deref(v)) }

// Slice makes a slice of values.
func (m *Machine) Slice(elem types.Type, list []Value) Value {
	return m.r.newSlice(elem, list, len(list))
}

// Entries gives what a map has, if the program has made it, and whether that is all known.
func (m *Machine) Entries(v Value) (keys, vals []Value, known bool) {
	held, ok := settled(m.r.force(v)).(*Map)
	if !ok || held != nil && !held.closed {
		return nil, nil, false
	}
	if held == nil {
		return nil, nil, true
	}
	for _, e := range held.entries {
		if !e.has.Const() {
			return nil, nil, false
		}
		if e.has.True() {
			keys, vals = append(keys, m.r.force(e.key)), append(vals, m.r.force(e.val))
		}
	}
	return keys, vals, true
}

// NilPointer decides whether a pointer is nil.
func (m *Machine) NilPointer(v Value) bool { return m.r.truth(m.r.samePointer(v, Ptr{})) }

// Text gives a string if it is a constant.
func (m *Machine) Text(v Value) (string, bool) {
	t, ok := m.r.force(v).(*term.Term)
	if !ok || !t.Const() || t.Sort != term.String {
		return "", false
	}
	return t.Value().Text, true
}

// Error makes an error with a text, equal to itself alone.
func (m *Machine) Error(text string) Value {
	o := m.r.alloc(m.r.program.errorString, m.r.store.Text(text))
	return Face{types.NewPointer(m.r.program.errorString), Ptr{Obj: o}}
}

// Whole has package variables begin with what their packages' initialisations give them, as in a program that starts.
// Without it they are inputs.
func (m *Machine) Whole() { m.r.initialised = map[*ssa.Package]bool{} }

// initialises runs the initialisation of a variable's package, if the run is of a whole program. That happens where the
// first of its variables is looked at, which nobody can tell from its having happened before.
//
// assumes: no initialisation reads what the program has changed since it started
func (r *run) initialises(g *ssa.Global) bool {
	if r.initialised == nil || g.Pkg == nil {
		return false
	}
	init := g.Pkg.Func("init")
	if init == nil || len(init.Blocks) == 0 {
		return false
	}
	if r.initialised[g.Pkg] {
		r.globals[g].val = r.zero(pointerTo(g.Type())) // it is looked at while its package is initialised
		return true
	}
	r.initialised[g.Pkg] = true
	r.globals[g].val = r.zero(pointerTo(g.Type()))
	kept := r.unchanged(g.Pkg)
	frame := r.frame
	r.frame = nil
	r.initialising++
	r.enter(init, nil, nil, nil)
	r.initialising--
	r.frame = frame
	for o, v := range kept {
		o.val = v
	}
	return true
}

// unchanged gives the variables of a package that never change after its initialisation, with their values, and makes
// ready what guards that.
func (r *run) unchanged(pkg *ssa.Package) map[*Object]Value {
	kept := map[*Object]Value{}
	for _, member := range pkg.Members {
		g, ok := member.(*ssa.Global)
		switch {
		case !ok:
		case g.Name() == "init$guard":
			r.globals[g] = r.alloc(types.Typ[types.Bool], r.store.Bool(false))
		case r.globals[g] != nil && r.globals[g].val != nil:
			if v, ok := r.unchanging(g, root(g.Name(), pointerTo(g.Type()))); ok && v != nil {
				kept[r.globals[g]] = r.globals[g].val
			}
		}
	}
	return kept
}

// Require goes on with a condition only: it takes no other outcome. It reports whether there may be inputs that meet
// it.
func (m *Machine) Require(c *term.Term) bool {
	if c.False() || !c.True() && !m.r.possible(c) {
		return false
	}
	m.r.condition(c, false)
	return true
}
