package exec

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Map is a map. A nil *Map is the nil map.
type Map struct {
	at      *Place // of an input
	typ     *types.Map
	entries []*entry // those that were looked for or set, with different keys
	closed  bool     // there are no others
	solid   bool     // it is not nil
	null    *term.Term
	id      int
	all     *term.Term // how many entries it has in the beginning, once somebody has asked
}

// entry is what a map has under a key, or not.
type entry struct {
	key, val Value
	had, has *term.Term // in the beginning, and now
}

func (r *run) inputMap(at *Place, t *types.Map) *Map {
	m := r.newMap(t)
	m.at, m.closed = at, false
	r.maps = append(r.maps, m)
	return m
}

func (r *run) newMap(t *types.Map) *Map {
	r.objects++
	return &Map{typ: t, closed: true, id: r.objects}
}

// find gives the entry of a key, nil if the map cannot have one.
func (r *run) find(m *Map, key Value) *entry {
	if m == nil {
		r.hashable(key)
		return nil
	}
	key = r.force(key)
	r.hashable(key)
	var outcomes, none []*term.Term
	for _, e := range m.entries {
		same := r.equal(key, e.key)
		outcomes, none = append(outcomes, same), append(none, r.store.Not(same))
		if same.True() {
			return e
		}
	}
	if i := r.fork(append(outcomes, r.store.And(none...))...); i < len(m.entries) {
		return m.entries[i]
	}
	if m.closed {
		return nil
	}
	at := m.at.entry(r.spelled(key), key, m.typ.Elem())
	had := r.variable(at, aspectHas, term.Bool)
	if m.null != nil {
		r.assume(r.store.Or(r.store.Not(m.null), r.store.Not(had)))
	}
	e := &entry{key: key, val: &Lazy{at: at}, had: had, has: had}
	m.entries = append(m.entries, e)
	if m.all != nil {
		r.assume(r.store.SAtMost(r.had(m), m.all))
	}
	return e
}

// lookup gives what a map has under a key, and whether it has anything.
func (r *run) lookup(m *Map, elem types.Type, key Value) (Value, bool) {
	if e := r.find(m, key); e != nil && r.truth(e.has) {
		return r.force(e.val), true
	}
	return r.zero(elem), false
}

// set puts a value under a key.
func (r *run) set(m *Map, key, val Value) {
	if m == nil || r.truth(r.mapNil(m)) {
		r.throw(nilMap)
	}
	e := r.find(m, key)
	if e == nil {
		e = &entry{key: key, had: r.store.Bool(false)}
		m.entries = append(m.entries, e)
	}
	e.val, e.has = val, r.store.Bool(true)
	r.wrote(m, e)
}

// remove deletes a key.
func (r *run) remove(m *Map, key Value) {
	if e := r.find(m, key); e != nil {
		e.has = r.store.Bool(false)
		r.wrote(m, e)
	}
}

func (r *run) wrote(m *Map, e *entry) {
	r.touches(m.id, m.at != nil)
	if m.at != nil {
		r.written[m.at.Name+"["+r.spelled(e.key)+"]"] = true
	}
}

// size is how many entries a map has: a number that decides no entry, where the keys' type has enough values for any
// number.
func (r *run) size(m *Map) *term.Term {
	if m == nil || m.closed || !manyKeys(m.typ.Key()) {
		return r.int(len(r.close(m)))
	}
	if m.all == nil {
		m.all = r.variable(m.at, aspectAll, term.Word64)
		r.assume(r.store.SAtMost(r.had(m), m.all))
		if m.null != nil {
			r.assume(r.store.Or(r.store.Not(m.null), r.store.Equal(m.all, r.int(0))))
		}
	}
	n := m.all
	for _, e := range m.entries {
		n = r.store.Add(n, r.store.Sub(r.oneIf(e.has), r.oneIf(e.had)))
	}
	return n
}

// had counts the entries that were looked for and were there in the beginning.
func (r *run) had(m *Map) *term.Term {
	n := r.int(0)
	for _, e := range m.entries {
		n = r.store.Add(n, r.oneIf(e.had))
	}
	return n
}

func (r *run) oneIf(c *term.Term) *term.Term { return r.store.If(c, r.int(1), r.int(0)) }

// manyKeys reports whether a type has as many values as an input map may have entries.
func manyKeys(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || isReference(t) || isTime(t) {
		return false
	}
	switch b.Kind() {
	case types.Int, types.Int32, types.Int64, types.Uint, types.Uint32, types.Uint64, types.String:
		return true
	}
	return false
}

// close decides what the map has.
func (r *run) close(m *Map) []*entry {
	if m == nil {
		return nil
	}
	if !m.closed {
		more := r.variable(m.at, aspectSize, term.Word64)
		r.assume(r.store.Not(r.store.SLess(more, r.int(0))))
		if m.null != nil {
			r.assume(r.store.Or(r.store.Not(m.null), r.store.Equal(more, r.int(0))))
		}
		if m.all != nil {
			r.assume(r.store.Equal(m.all, r.store.Add(r.had(m), more)))
		}
		n := r.among(more, r.config.Elements, "a map of more than %d further entries")
		for i := range n {
			r.further(m, i)
		}
		m.closed = true
	}
	var present []*entry
	for _, e := range m.entries {
		if r.truth(e.has) {
			present = append(present, e)
		}
	}
	return present
}

// further adds an entry that nobody has looked for.
func (r *run) further(m *Map, i int) {
	keyAt, elemAt := m.at.further(i, m.typ)
	key := r.input(keyAt)
	for _, e := range m.entries {
		r.assume(r.store.Not(r.equal(key, e.key)))
	}
	yes := r.store.Bool(true)
	m.entries = append(m.entries, &entry{key: key, val: &Lazy{at: elemAt}, had: yes, has: yes})
}

// mapNil gives the condition that a map is nil.
func (r *run) mapNil(m *Map) *term.Term {
	switch {
	case m == nil:
		return r.store.Bool(true)
	case m.at == nil || m.solid:
		return r.store.Bool(false)
	case m.null == nil:
		m.null = r.variable(m.at, aspectNil, term.Bool)
		if m.closed {
			more := r.variable(m.at, aspectSize, term.Word64)
			r.assume(r.store.Or(r.store.Not(m.null), r.store.Equal(more, r.int(0))))
		}
		if m.all != nil {
			r.assume(r.store.Or(r.store.Not(m.null), r.store.Equal(m.all, r.int(0))))
		}
		for _, e := range m.entries {
			r.assume(r.store.Or(r.store.Not(m.null), r.store.Not(e.had)))
		}
	}
	return m.null
}

// spelled writes a key as a part of a name.
func (r *run) spelled(v Value) string {
	switch v := settled(r.force(v)).(type) {
	case *term.Term:
		return v.String()
	case *Struct:
		var parts []string
		for _, f := range v.Fields {
			parts = append(parts, r.spelled(f))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case *Array:
		var parts []string
		for _, e := range v.Elems {
			parts = append(parts, r.spelled(e))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case Face:
		if v.Type == nil {
			return "nil"
		}
		return typeName(v.Type) + "(" + r.spelled(v.Val) + ")"
	case *InputFace:
		return v.at.Name
	default:
		return fmt.Sprint(r.identity(v))
	}
}

// mustMap gives a value that is a map.
func (r *run) mustMap(v Value) *Map {
	switch m := r.force(v).(type) {
	case *Map:
		return m
	default:
		panic(fmt.Sprintf("exec: a %T is no map", m))
	}
}
