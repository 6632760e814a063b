package tap

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: what a map of an actor of the start configuration holds. Its entries are named by their keys, such as
// s.seen["ann"]; it has no others.

// entry gives what a map has under a key, or how many entries it has.
func (m *initialMemory) entry(path, part string, typ types.Type, sort term.Sort, key []*term.Term) *term.Term {
	switch {
	case !m.has(path + "["):
		return m.e.zero(part, sort)
	case part == partCount:
		return m.entries(path)
	case len(key) != 1:
		return nil
	case key[0].Const():
		return m.entryAt(path, key[0], part, typ, sort)
	}
	all, ok := m.keys(path, key[0].Sort)
	if !ok {
		return nil
	}
	found := m.e.zero(part, sort)
	for _, k := range all {
		held := m.entryAt(path, k, part, typ, sort)
		if held == nil {
			return nil
		}
		found = m.e.store.If(m.e.store.Equal(key[0], k), held, found)
	}
	return found
}

// entryAt gives what a map has under a key that is known.
func (m *initialMemory) entryAt(path string, key *term.Term, part string, typ types.Type, sort term.Sort) *term.Term {
	path += "[" + key.String() + "]"
	if part == partHas {
		if has := m.terms[path+partHas]; has != nil {
			return has
		}
		return m.e.store.Bool(false)
	}
	return m.at(path, part, typ, sort)
}

// spelled lists the keys of a map as their entries have them in their names, sorted. Those of maps in it are longer.
func (m *initialMemory) spelled(path string) (list []string) {
	for name := range m.terms {
		if rest, ok := strings.CutPrefix(name, path+"["); ok {
			if rest, ok = strings.CutSuffix(rest, "]"+partHas); ok {
				list = append(list, rest)
			}
		}
	}
	slices.Sort(list)
	return list
}

// entries counts the entries of a map, nil if its keys are not known one by one.
func (m *initialMemory) entries(path string) *term.Term {
	s := m.e.store
	n := s.Int(indexSort, 0)
	for _, k := range m.spelled(path) {
		if strings.Contains(k, "][") {
			return nil
		}
		n = s.Add(n, s.If(m.terms[path+"["+k+"]"+partHas], s.Int(indexSort, 1), s.Int(indexSort, 0)))
	}
	return n
}

// keys gives the keys of a map. It reports false if one of them is no number or string.
func (m *initialMemory) keys(path string, sort term.Sort) (list []*term.Term, ok bool) {
	for _, spelled := range m.spelled(path) {
		k := m.key(spelled, sort)
		if k == nil || k.String() != spelled {
			return nil, false
		}
		list = append(list, k)
	}
	return list, true
}

// key reads a key, nil if it is no number or string.
func (m *initialMemory) key(spelled string, sort term.Sort) *term.Term {
	switch sort.Kind {
	case term.StringKind:
		if text, err := strconv.Unquote(spelled); err == nil {
			return m.e.store.Text(text)
		}
	case term.WordKind:
		if n, err := strconv.ParseInt(spelled, 10, 64); err == nil {
			return m.e.store.Int(sort, n)
		}
	}
	return nil
}
