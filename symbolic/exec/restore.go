package exec

import (
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file is for drivers that begin in a state which was read from a process: they make memory and values as they
// were there.

// Memory makes a variable of a type, whose value Fill gives. Of what is behind a slice the type is the slice's.
func (m *Machine) Memory(t types.Type) Ptr { return Ptr{Obj: m.r.alloc(t, nil)} }

// Fill gives a variable that Memory has made its value.
func (m *Machine) Fill(p Ptr, v Value) { p.Obj.val = v }

// Part gives the pointer to a part: fields and elements that lead there.
func (p Ptr) Part(path []int) Ptr {
	for _, i := range path {
		p = p.at(i)
	}
	return p
}

// Sliced gives a slice of the array to which a pointer leads, from one of its elements on.
func (m *Machine) Sliced(array Ptr, from, length, capacity int) Value {
	return Slice{mem: array, off: from, len: length, cap: capacity}
}

// NewMap makes a map without entries.
func (m *Machine) NewMap(t *types.Map) *Map { return m.r.newMap(t) }

// Enters puts an entry into a map that NewMap has made. Its key is one that the map does not have.
func (m *Machine) Enters(to *Map, key, val Value) {
	yes := m.r.store.Bool(true)
	to.entries = append(to.entries, &entry{key: key, val: val, had: yes, has: yes})
}

// Number gives a value of a type by its bits: an integer, a truth value, or a floating-point number.
func (m *Machine) Number(t types.Type, bits uint64) Value {
	store := m.r.store
	switch s, _ := scalar(t); {
	case s == term.Bool:
		return store.Bool(bits != 0)
	case s == term.Float32:
		return store.Float(s, float64(math.Float32frombits(uint32(bits))))
	case s == term.Float64:
		return store.Float(s, math.Float64frombits(bits))
	default:
		return store.Uint(s, bits)
	}
}

// IsTerm reports whether values of a type are terms, and whether they are references to actors or points in time.
func IsTerm(t types.Type) (is, reference, time bool) {
	_, is = scalar(t)
	return is, isReference(t), isTime(t)
}

// Began says that the program has run for a while before the run begins. Package variables that it may have changed are
// read; those that read does not know are inputs, and marked.
func (m *Machine) Began(read func(*ssa.Global) (Value, bool)) {
	m.r.begun, m.r.reread = read, map[*ssa.Global]bool{}
}

// rereads gives a package variable what it held when the run began.
func (r *run) rereads(g *ssa.Global, o *Object) {
	if r.begun == nil || r.initialising > 0 || r.reread[g] || g.Pkg == nil {
		return
	}
	r.reread[g] = true
	i := r.program.globals[g]
	if model.Unchanging(g.Object()) ||
		(i == nil || !i.leaks && i.stores <= 1) && !model.MayLead(pointerTo(g.Type()), false) {
		return
	}
	if v, ok := r.begun(g); ok {
		o.val = v
		return
	}
	at := root(g.Pkg.Pkg.Name()+"."+g.Name(), pointerTo(g.Type()))
	r.mark(Env, "the package variable %s, which was not read", at.Name)
	o.at, o.val = at, &Lazy{at: at}
	r.memories = append(r.memories, o)
}
