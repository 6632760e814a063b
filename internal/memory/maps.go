package memory

import (
	"reflect"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// This file saves the entries of maps, and puts them back. A loop over the map then comes to them in the order in which
// it came to them before, if Go draws the same for it. Of up to 8 entries Go keeps the order in which they were put in.
//
//	assumes: of the order: the map has been kept in no tables (slots) since it was saved, and no entry was deleted before
//	         that, or none was put in or deleted since. Else only the entries are the same

// store keeps the entries of saved maps of one type, those of the last map last.
type store struct {
	keys, values reflect.Value // slices, longer than n
	n            int
	key, value   *plan
	iter         *reflect.MapIter
}

// savedMap is a map with the place of its entries.
type savedMap struct {
	m     reflect.Value
	store *store
	from  int
	to    int
}

func (m *Memory) storeOf(t reflect.Type) *store {
	s, ok := m.stores[t]
	if !ok {
		s = &store{keys: reflect.MakeSlice(reflect.SliceOf(t.Key()), 8, 8),
			values: reflect.MakeSlice(reflect.SliceOf(t.Elem()), 8, 8),
			key:    m.planOf(t.Key()), value: m.planOf(t.Elem()), iter: &reflect.MapIter{}}
		m.stores[t] = s
	}
	return s
}

// room makes the slices long enough for n more entries.
func (s *store) room(n int) {
	if s.n+n <= s.keys.Len() {
		return
	}
	size := 2 * (s.n + n)
	keys, values := reflect.MakeSlice(s.keys.Type(), size, size), reflect.MakeSlice(s.values.Type(), size, size)
	reflect.Copy(keys, s.keys)
	reflect.Copy(values, s.values)
	s.keys, s.values = keys, values
}

func (m *Memory) saveMap(v reflect.Value) error {
	if v.IsNil() || m.seen(visit{at: v.UnsafePointer()}, 1) {
		return nil
	}
	s := m.storeOf(v.Type())
	from := s.n
	s.room(v.Len())
	chance.InOrder(func() {
		s.iter.Reset(v)
		for s.iter.Next() {
			s.keys.Index(s.n).SetIterKey(s.iter)
			s.values.Index(s.n).SetIterValue(s.iter)
			s.n++
		}
	})
	m.regions = append(m.regions, region{at: v.UnsafePointer(), n: 1, words: len(m.maps)})
	// SUBTLE: v may stand for the variable that holds the map, which may hold another one by then.
	m.maps = append(m.maps, savedMap{reflect.ValueOf(v.Interface()), s, from, s.n})
	m.entries += (s.n - from) * s.entrySize()
	return m.followEntries(s, from, s.n)
}

// followEntries saves what the keys and values lead to. The copies serve: they hold the same references.
func (m *Memory) followEntries(s *store, from, to int) error {
	for _, side := range []struct {
		p       *plan
		entries reflect.Value
	}{{s.key, s.keys}, {s.value, s.values}} {
		if side.p.never != "" && from < to {
			return &Error{side.p.never}
		}
		for i := from; i < to && len(side.p.refs) > 0; i++ {
			if err := m.followAll(side.p, side.entries.Index(i).Addr().UnsafePointer(), 1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *Memory) restoreMap(saved *savedMap) {
	m.refill(saved)
	m.forget(saved)
}

// forget gives the room of the last map back.
func (m *Memory) forget(saved *savedMap) {
	m.entries -= (saved.to - saved.from) * saved.store.entrySize()
	saved.store.n = saved.from
	saved.m = reflect.Value{}
}

func (s *store) entrySize() int { return int(s.key.size + s.value.size) }

// slots is how many entries a map has in the order in which they were put in. Go keeps it in tables from then on where
// one more is put in, or one is set while there are so many.
const slots = 8

// refill gives a map its entries. Where it has the same keys only values are set, since clearing it would close the
// gaps that deleted entries have left, and has tables ordered otherwise.
func (m *Memory) refill(saved *savedMap) {
	n := saved.to - saved.from
	if n == slots && saved.same() {
		return
	}
	if n == slots || saved.m.Len() != n || !saved.put(n) {
		saved.m.Clear()
		saved.put(n)
	}
}

// same reports whether the map has its entries. It says no where values cannot be compared.
func (s *savedMap) same() bool {
	for i := s.from; i < s.to; i++ {
		is, was := s.m.MapIndex(s.store.keys.Index(i)), s.store.values.Index(i)
		if !is.IsValid() || !was.Comparable() || !is.Comparable() || !is.Equal(was) {
			return false
		}
	}
	return s.m.Len() == s.to-s.from
}

// put puts all entries into the map. It reports false as soon as there are more than n.
func (s *savedMap) put(n int) bool {
	for i := s.from; i < s.to; i++ {
		s.m.SetMapIndex(s.store.keys.Index(i), s.store.values.Index(i))
		if s.m.Len() > n {
			return false
		}
	}
	return true
}
