package exec

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file models containers of libraries whose source is not read as maps: sync.Map, and the sets of references of
// protoactor-go. The map is in the place of one of the container's own fields, so that it is copied, overwritten and
// named like any field. sync.Map has keys and elements of any type; a set has references as keys.
//
// differs: a set of references remembers in which order they came; here it is a map, and paths are marked as those of
// one order.

// container gives the map that a field of a library's container stands for.
func (r *run) container(p Ptr, field string, t *types.Map) *Map {
	s, ok := r.load(p).(*Struct)
	if !ok {
		panic("exec: a container that is no struct")
	}
	i := fieldIndex(structOf(s.Type), field)
	if m, ok := r.inside(s.Fields[i], t).(*Map); ok && m != nil {
		m.solid = true
		return m
	}
	m := r.newMap(t)
	r.storeAt(p.at(i), m)
	return m
}

// inside gives a field that is private to a library as a value of a type of ours. Nothing else looks at the field.
func (r *run) inside(field Value, t types.Type) Value {
	if l, ok := field.(*Lazy); ok {
		if l.res == nil {
			at := *l.at
			at.Type = t
			l.res = r.input(&at)
		}
		return l.res
	}
	return field
}

// fieldIndex finds a field by its name.
func fieldIndex(s *types.Struct, name string) int {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return i
		}
	}
	panic("exec: no field " + name)
}

var (
	anyType   = types.NewInterfaceType(nil, nil)
	syncTable = types.NewMap(anyType, anyType)
)

// syncMaps are the methods of sync.Map.
var syncMaps = map[string]library{
	"(*sync.Map).Load": onTable(func(r *run, m *Map, args []Value) Value {
		v, ok := r.lookup(m, anyType, args[0])
		return Tuple{v, r.store.Bool(ok)}
	}),
	"(*sync.Map).Store": onTable(func(r *run, m *Map, args []Value) Value {
		r.set(m, args[0], args[1])
		return nil
	}),
	"(*sync.Map).Delete": onTable(func(r *run, m *Map, args []Value) Value {
		r.remove(m, args[0])
		return nil
	}),
	"(*sync.Map).LoadOrStore": onTable(func(r *run, m *Map, args []Value) Value {
		if v, ok := r.lookup(m, anyType, args[0]); ok {
			return Tuple{v, r.store.Bool(true)}
		}
		r.set(m, args[0], args[1])
		return Tuple{args[1], r.store.Bool(false)}
	}),
	"(*sync.Map).LoadAndDelete": onTable(func(r *run, m *Map, args []Value) Value {
		v, ok := r.lookup(m, anyType, args[0])
		r.remove(m, args[0])
		return Tuple{v, r.store.Bool(ok)}
	}),
	"(*sync.Map).Swap": onTable(func(r *run, m *Map, args []Value) Value {
		v, ok := r.lookup(m, anyType, args[0])
		r.set(m, args[0], args[1])
		return Tuple{v, r.store.Bool(ok)}
	}),
	"(*sync.Map).Clear": emptied("m", func(*types.Func) *types.Map { return syncTable }),
	"(*sync.Map).Range": onTable(func(r *run, m *Map, args []Value) Value {
		r.each(m, func(e *entry) bool { return r.truth(r.callValue(args[0], r.force(e.key), r.force(e.val)).(*term.Term)) })
		return nil
	}),
}

func onTable(do func(r *run, m *Map, args []Value) Value) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		return do(r, r.container(r.deref(args[0]), "m", syncTable), args[1:]), true
	}
}

// emptied gives a container another map.
func emptied(field string, table func(*types.Func) *types.Map) library {
	return func(r *run, fn *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		p := r.deref(args[0])
		r.storeAt(p.at(fieldIndex(structOf(r.load(p).(*Struct).Type), field)), r.newMap(table(fn)))
		return nil, true
	}
}

// each goes through what a map has when it begins, as long as the function says so.
func (r *run) each(m *Map, do func(e *entry) bool) {
	list := r.close(m)
	if len(list) > 1 {
		r.mark(Order, "the order of a map of %d entries", len(list))
	}
	for _, e := range list {
		if !e.has.False() && !do(e) {
			return
		}
	}
}

const pidSet = model.ProtoactorPath + ".PIDSet"

// pidSets are the methods of protoactor-go's sets of references.
var pidSets = map[string]library{
	model.ProtoactorPath + ".NewPIDSet": newSet,
	"(*" + pidSet + ").Add": onSet(func(r *run, m *Map, args []Value) Value {
		r.set(m, r.inSet(args[0]), r.store.Bool(true))
		return nil
	}),
	"(*" + pidSet + ").Remove": onSet(func(r *run, m *Map, args []Value) Value {
		pid := r.inSet(args[0])
		_, ok := r.lookup(m, types.Typ[types.Bool], pid)
		if ok {
			r.remove(m, pid)
		}
		return r.store.Bool(ok)
	}),
	"(*" + pidSet + ").Contains": onSet(func(r *run, m *Map, args []Value) Value {
		_, ok := r.lookup(m, types.Typ[types.Bool], r.inSet(args[0]))
		return r.store.Bool(ok)
	}),
	"(*" + pidSet + ").Len":   onSet(func(r *run, m *Map, _ []Value) Value { return r.length(m) }),
	"(*" + pidSet + ").Empty": onSet(func(r *run, m *Map, _ []Value) Value { return r.store.Bool(len(r.close(m)) == 0) }),
	"(*" + pidSet + ").Clear": emptied("lookup", setTable),
	"(*" + pidSet + ").ForEach": onSet(func(r *run, m *Map, args []Value) Value {
		for i, pid := range r.members(m) {
			r.callValue(args[0], r.int(i), pid)
		}
		return nil
	}),
	"(*" + pidSet + ").Values": onSet(func(r *run, m *Map, _ []Value) Value {
		list := r.members(m)
		return r.newSlice(m.typ.Key(), list, len(list))
	}),
	"(*" + pidSet + ").Get": onSet(func(r *run, m *Map, args []Value) Value {
		list := r.members(m)
		return list[r.index(args[0].(*term.Term), len(list))]
	}),
	"(*" + pidSet + ").Clone": func(r *run, fn *types.Func, sig *types.Signature, args []Value) (Value, bool) {
		m := r.container(r.deref(args[0]), "lookup", setTable(fn))
		return r.setOf(sig.Results().At(0).Type(), setTable(fn), r.members(m)), true
	},
}

// setTable gives the type of the map of a set, from a method or function of sets.
func setTable(fn *types.Func) *types.Map {
	pid := fn.Pkg().Scope().Lookup("PID").Type()
	return types.NewMap(types.NewPointer(pid), types.Typ[types.Bool])
}

func onSet(do func(r *run, m *Map, args []Value) Value) library {
	return func(r *run, fn *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		return do(r, r.container(r.deref(args[0]), "lookup", setTable(fn)), args[1:]), true
	}
}

// inSet gives a reference that is asked for in a set. The set looks into it.
func (r *run) inSet(v Value) Value {
	ref := r.reference(v)
	if r.truth(r.isZero(ref)) {
		r.throw(nilDereference)
	}
	return ref
}

// members lists the references of a set.
func (r *run) members(m *Map) (list []Value) {
	r.each(m, func(e *entry) bool {
		list = append(list, r.force(e.key))
		return true
	})
	return list
}

// newSet is NewPIDSet.
func newSet(r *run, fn *types.Func, sig *types.Signature, args []Value) (Value, bool) {
	var list []Value
	if len(args) > 0 {
		list = r.elems(r.mustSlice(args[0]))
	}
	return r.setOf(sig.Results().At(0).Type(), setTable(fn), list), true
}

// setOf makes a set.
func (r *run) setOf(t types.Type, table *types.Map, list []Value) Value {
	set := Ptr{Obj: r.alloc(pointerTo(t), r.zero(pointerTo(t)))}
	m := r.container(set, "lookup", table)
	for _, pid := range list {
		r.set(m, r.inSet(pid), r.store.Bool(true))
	}
	return set
}
