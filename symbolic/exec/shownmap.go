package exec

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file shows maps, in the order of their keys. A map with a key that is no constant has no known text.

// table prints a map.
func (s *showing) table(v Value, t types.Type, u *types.Map, depth int, exported bool) {
	m, ok := v.(*Map)
	switch {
	case !ok || m != nil && (!m.closed || m.at != nil):
		s.unknown = true
	case m == nil:
		s.print("nil")
	default:
		s.within(shownAt{table: m, typ: t}, func() { s.entries(m, u, depth, exported) })
	}
}

// shownEntry is an entry of a map, with the texts of its key and value.
type shownEntry struct {
	key  *term.Term
	name string
	val  *showing
}

func (s *showing) entries(m *Map, u *types.Map, depth int, exported bool) {
	present := s.r.close(m)
	switch {
	case depth <= 0:
		s.elements("map[", "]", "", len(present), depth, nil)
		return
	case len(present) > s.Entries:
		s.print(fmt.Sprintf("map[… %d entries]", len(present)))
		return
	}
	var list []shownEntry
	for _, e := range present {
		key, val := &showing{Shower: s.Shower, r: s.r, path: s.path}, &showing{Shower: s.Shower, r: s.r, path: s.path}
		key.value(e.key, held(u.Key()), depth-1, exported)
		val.value(e.val, held(u.Elem()), depth-1, exported)
		name := s.r.store.Concat(key.parts...)
		if s.unknown = s.unknown || key.unknown || val.unknown || !name.Const(); s.unknown {
			return
		}
		number, _ := e.key.(*term.Term)
		list = append(list, shownEntry{number, name.Value().Text, val})
	}
	slices.SortFunc(list, func(a, b shownEntry) int {
		return cmp.Or(compareKeys(a.key, b.key, u.Key()), strings.Compare(a.name, b.name))
	})
	for i := 1; i < len(list); i++ {
		s.unknown = s.unknown || list[i].name == list[i-1].name
	}
	s.elements("map[", "]", " ", len(list), depth, func(i int) {
		s.print(list[i].name + ":")
		s.parts = append(s.parts, list[i].val.parts...)
		s.longest += list[i].val.longest
	})
}

// compareKeys compares keys that are numbers, by their size.
func compareKeys(a, b *term.Term, t types.Type) int {
	typ, ok := term.TypeOf(t)
	if !ok || a == nil || b == nil || isReference(t) || !a.Const() || !b.Const() {
		return 0
	}
	switch {
	case typ.Kind == term.FloatKind:
		return cmp.Compare(a.Value().Float(), b.Value().Float())
	case typ.Kind != term.WordKind:
		return 0
	case typ.Unsigned:
		return cmp.Compare(a.Value().Uint(), b.Value().Uint())
	}
	return cmp.Compare(a.Value().Int(), b.Value().Int())
}
