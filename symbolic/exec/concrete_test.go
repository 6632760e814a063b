package exec_test

import (
	"go/types"
	"math/rand/v2"
	"strconv"

	"github.com/rehearse-go/rehearse/symbolic/internal/concrete"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// node is a concrete input, as the harness reads it.
type node = concrete.Node

// maker makes random inputs.
type maker struct {
	*rand.Rand
	pkg  *types.Package
	ptrs map[string][]*node // by type, for sharing
	ids  int
	deep int

	zeros bool // every number is
}

func (m *maker) make(t types.Type) *node {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return &node{V: m.scalar(u)}
	case *types.Struct:
		return m.structure(t, u)
	case *types.Array:
		return m.list(u.Elem(), int(u.Len()))
	case *types.Slice:
		if m.IntN(5) == 0 {
			return &node{Nil: true}
		}
		return m.list(u.Elem(), m.IntN(5))
	case *types.Map:
		return m.table(u)
	case *types.Pointer:
		return m.pointer(t, u.Elem())
	case *types.Interface:
		return m.face(u)
	}
	panic("no input of " + t.String())
}

func (m *maker) structure(t types.Type, u *types.Struct) *node {
	n, old := &node{}, m.zeros
	if t.String() == "sync.Mutex" {
		m.zeros = true // nobody holds it
	}
	for i := range u.NumFields() {
		n.E = append(n.E, m.make(concrete.FieldType(t, i)))
	}
	if m.zeros = old; t.String() == "sync/atomic.Bool" {
		n.E[1].V = []string{"0", "1"}[m.IntN(2)]
	}
	return n
}

func (m *maker) list(elem types.Type, k int) *node {
	n := &node{}
	for range k {
		n.E = append(n.E, m.make(elem))
	}
	return n
}

func (m *maker) table(u *types.Map) *node {
	_, library := u.Key().Underlying().(*types.Interface)
	n := &node{Nil: !library && m.IntN(5) == 0}
	for range m.IntN(4) {
		k := m.key(u.Key())
		if n.Nil || n.Has(k.Key()) >= 0 {
			continue
		}
		n.Keys, n.E = append(n.Keys, k), append(n.E, m.make(u.Elem()))
	}
	return n
}

// key makes a key of a map. What an interface holds as one is a number or a string.
func (m *maker) key(t types.Type) *node {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		return m.make(t)
	}
	held := []types.Type{types.Typ[types.Int], types.Typ[types.String]}[m.IntN(2)]
	return &node{V: held.String(), Type: held, E: []*node{m.make(held)}}
}

func (m *maker) pointer(t, elem types.Type) *node {
	known := m.ptrs[t.String()]
	switch n := m.IntN(10); {
	case n < 2 || m.deep > 3:
		return &node{}
	case n < 5 && len(known) > 0:
		return &node{ID: known[m.IntN(len(known))].ID}
	}
	m.ids++
	n := &node{ID: m.ids}
	m.ptrs[t.String()] = append(known, n)
	m.deep++
	n.E = []*node{m.make(elem)}
	m.deep--
	return n
}

// face holds one of the types of the prelude.
func (m *maker) face(u *types.Interface) *node {
	var fit []types.Type
	for _, name := range []string{"P", "V", "Square", "Circle"} {
		t := m.pkg.Scope().Lookup(name).Type()
		fit = append(fit, t, types.NewPointer(t))
	}
	fit = append(fit, types.Typ[types.Int], types.Typ[types.String], types.NewSlice(types.Typ[types.Int]))
	t := fit[m.IntN(len(fit))]
	name := types.TypeString(t, (*types.Package).Name)
	if m.IntN(6) == 0 || m.deep > 3 || !types.Implements(t, u) || name == "*main.V" || name == "*main.Square" || name == "main.Circle" {
		return &node{}
	}
	m.deep++
	defer func() { m.deep-- }()
	return &node{V: name, E: []*node{m.make(t)}, Type: t}
}

func (m *maker) scalar(b *types.Basic) string {
	switch {
	case m.zeros:
		return "0"
	case b.Info()&types.IsBoolean != 0:
		return strconv.FormatBool(m.IntN(2) == 0)
	case b.Info()&types.IsString != 0:
		return []string{"", "a", "ab", "again", "b"}[m.IntN(5)]
	}
	typ, _ := term.TypeOf(b)
	x := []uint64{0, 1, 2, 3, 5, ^uint64(0), 1 << (typ.Bits - 1), 1<<(typ.Bits-1) - 1, m.Uint64()}[m.IntN(9)]
	if v := term.WordValue(typ.Sort, x); typ.Unsigned {
		return strconv.FormatUint(v.Uint(), 10)
	} else {
		return strconv.FormatInt(v.Int(), 10)
	}
}
