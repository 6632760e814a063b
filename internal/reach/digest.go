package reach

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
)

// This file takes in what a value holds, wherever it lies.
//
//	invariants: equal values have equal digests: pointers count by where they lead, in the order in which they are met,
//	            entries of maps in the order of what their keys hold. Functions, channels, unsafe pointers, secrets of
//	            the framework, and the entries of maps whose keys hold pointers do not count.

// digester hashes values of one execution.
type digester struct {
	plans
	actor func(v any) uint64 // what a Reference refers to

	seen places
	next []piece
}

// piece is memory that is still to be taken in: n elements.
type piece struct {
	at   unsafe.Pointer
	plan *plan
	n    int
}

// of hashes what lies at an address.
func (d *digester) of(p *plan, at unsafe.Pointer) uint64 {
	d.seen.clear()
	d.next = d.next[:0]
	h := d.shallow(1, p, at)
	for i := 0; i < len(d.next); i++ {
		h = d.piece(h, d.next[i])
	}
	clear(d.next)
	return h
}

func (d *digester) piece(h uint64, x piece) uint64 {
	if x.plan.hashable() {
		return raw(h, x.at, x.plan.size*uintptr(x.n))
	}
	for i := range x.n {
		h = d.shallow(h, x.plan, unsafe.Add(x.at, uintptr(i)*x.plan.size))
	}
	return h
}

// shallow hashes an element up to its pointers, which are kept to be followed.
func (d *digester) shallow(h uint64, p *plan, at unsafe.Pointer) uint64 {
	h = p.hashPlain(h, at)
	for i := range p.refs {
		h = d.ref(h, &p.refs[i], unsafe.Add(at, p.refs[i].off))
	}
	return h
}

func (d *digester) ref(h uint64, r *ref, at unsafe.Pointer) uint64 {
	switch {
	case r.nature == explore.Reference:
		return mix(h, d.actor(reflect.NewAt(r.typ, at).Elem().Interface()))
	case r.nature == explore.Secret:
		return h
	}
	switch r.kind {
	case reflect.String:
		return text(h, *(*string)(at))
	case reflect.Interface:
		p, in := d.boxed(r, at)
		if p == nil {
			return mix(h, 0)
		}
		return d.shallow(text(h, p.typ.String()), p, in)
	case reflect.Pointer:
		return d.leads(h, piece{*(*unsafe.Pointer)(at), r.elem, 1})
	case reflect.Slice:
		s := (*header)(at)
		return d.leads(h, piece{s.data, r.elem, s.len})
	case reflect.Map:
		return d.mapping(h, r, at)
	}
	return h // nobody knows what is behind it
}

// leads hashes where a pointer or slice leads: to memory that was met before, or that is followed later.
func (d *digester) leads(h uint64, x piece) uint64 {
	if x.at == nil || x.plan.size == 0 {
		return mix(mix(h, 0), uint64(x.n))
	}
	n, known := d.seen.meet(place{x.at, x.plan, x.n})
	if !known {
		d.next = append(d.next, x)
	}
	return mix(mix(h, 1+uint64(n)), uint64(x.n))
}

// mapping hashes a map, in the order of its keys.
func (d *digester) mapping(h uint64, r *ref, at unsafe.Pointer) uint64 {
	m, id := r.mapAt(at)
	if id == nil {
		return mix(h, 0)
	}
	n, known := d.seen.meet(place{id, nil, 0})
	if h = mix(mix(h, 1+uint64(n)), uint64(m.Len())); known || m.Len() == 0 {
		return h
	}
	es := entriesOf(m)
	key, value := d.plans.of(m.Type().Key()), d.plans.of(m.Type().Elem())
	order := make([]entry, es.n)
	outer, next := d.seen, len(d.next)
	d.seen = places{}
	for i := range order {
		order[i] = entry{d.shallow(2, key, es.key(i)), i}
	}
	pointers := d.seen.n > 0
	d.seen, d.next = outer, d.next[:next]
	if pointers {
		return h // they have no order
	}
	slices.SortFunc(order, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	for _, e := range order {
		h = d.shallow(mix(h, e.key), value, es.value(e.i))
	}
	return h
}

// entry is the i-th entry of a map, with the digest of its key.
type entry struct {
	key uint64
	i   int
}

// entries is a copy of the entries of a map.
type entries struct {
	keys, values reflect.Value
	n            int
}

func entriesOf(m reflect.Value) entries {
	t, n := m.Type(), m.Len()
	es := entries{keys: reflect.MakeSlice(reflect.SliceOf(t.Key()), n, n),
		values: reflect.MakeSlice(reflect.SliceOf(t.Elem()), n, n)}
	for it := m.MapRange(); it.Next() && es.n < n; es.n++ {
		es.keys.Index(es.n).SetIterKey(it)
		es.values.Index(es.n).SetIterValue(it)
	}
	return es
}

func (es *entries) key(i int) unsafe.Pointer   { return es.keys.Index(i).Addr().UnsafePointer() }
func (es *entries) value(i int) unsafe.Pointer { return es.values.Index(i).Addr().UnsafePointer() }
