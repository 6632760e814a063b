package exec_test

import (
	"fmt"
	"go/types"
	"math/rand/v2"
	"sort"
	"strconv"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// node is a concrete input, as the harness reads it.
type node struct {
	V    string  `json:",omitempty"`
	E    []*node `json:",omitempty"`
	Keys []*node `json:",omitempty"`
	ID   int     `json:",omitempty"`
	Nil  bool    `json:",omitempty"`

	typ types.Type // of what an interface holds
}

// maker makes random inputs.
type maker struct {
	*rand.Rand
	pkg  *types.Package
	ptrs map[string][]*node // by type, for sharing
	ids  int
	deep int
}

func (m *maker) make(t types.Type) *node {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return &node{V: m.scalar(u)}
	case *types.Struct:
		n := &node{}
		for f := range u.Fields() {
			n.E = append(n.E, m.make(f.Type()))
		}
		return n
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

func (m *maker) list(elem types.Type, k int) *node {
	n := &node{}
	for range k {
		n.E = append(n.E, m.make(elem))
	}
	return n
}

func (m *maker) table(u *types.Map) *node {
	n := &node{Nil: m.IntN(5) == 0}
	for range m.IntN(4) {
		k := m.make(u.Key())
		if n.Nil || n.has(k.V) >= 0 {
			continue
		}
		n.Keys, n.E = append(n.Keys, k), append(n.E, m.make(u.Elem()))
	}
	return n
}

// has finds a key.
func (n *node) has(key string) int {
	for i, k := range n.Keys {
		if k.V == key {
			return i
		}
	}
	return -1
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
	return &node{V: name, E: []*node{m.make(t)}, typ: t}
}

func (m *maker) scalar(b *types.Basic) string {
	switch {
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

// concrete finds what a place is in a concrete input.
type concrete struct {
	program *exec.Program
	roots   map[string]*node
	model   *term.Model
	path    *exec.Path
	nodes   map[int]*node // what pointers lead to
	broken  bool          // a term could not be evaluated
}

// at gives the node of a place, nil if the input has none.
func (c *concrete) at(p *exec.Place) *node {
	if p.Up == nil {
		return c.roots[p.Name]
	}
	up := c.at(p.Up)
	if up == nil {
		return nil
	}
	switch p.Step {
	case exec.Field, exec.Elem:
		if p.Index < len(up.E) {
			return up.E[p.Index]
		}
	case exec.Deref:
		if up.ID != 0 {
			return c.nodes[up.ID]
		}
	case exec.Held:
		if up.typ != nil && types.Identical(up.typ, p.Type) {
			return up.E[0]
		}
	case exec.Under:
		if i := up.has(c.key(p)); i >= 0 {
			return up.E[i]
		}
	case exec.FreshKey, exec.FreshElem:
		if rest := c.others(p.Up, up); p.Index < len(rest) {
			i := up.has(rest[p.Index])
			if p.Step == exec.FreshKey {
				return up.Keys[i]
			}
			return up.E[i]
		}
	}
	return nil
}

// key gives the key of an entry, as nodes have it.
func (c *concrete) key(p *exec.Place) string {
	m := p.Up.Type.Underlying().(*types.Map)
	return c.text(p.Key.(*term.Term), m.Key())
}

// others lists the keys of a map that the path does not look for, in their order.
func (c *concrete) others(m *exec.Place, n *node) (rest []string) {
	asked := map[string]bool{}
	for _, in := range c.path.Inputs {
		if in.At.Up != nil && in.At.Step == exec.Under && in.At.Up.Name == m.Name {
			asked[c.key(in.At)] = true
		}
	}
	for _, k := range n.Keys {
		if !asked[k.V] {
			rest = append(rest, k.V)
		}
	}
	sort.Strings(rest)
	return rest
}

// value gives what a variable of the path is.
func (c *concrete) value(in exec.Input) term.Value {
	n := c.at(in.At)
	zero := term.Value{Sort: in.Var.Sort}
	if n == nil {
		return zero
	}
	word := func(x int) term.Value { return term.WordValue(in.Var.Sort, uint64(x)) }
	switch in.Aspect {
	case "!len":
		return word(len(n.E))
	case "!isNil":
		return term.BoolValue(n.Nil)
	case "!ref":
		return word(n.ID)
	case "!has":
		return term.BoolValue(true)
	case "!more":
		return word(len(c.others(in.At, n)))
	case "!type":
		if n.typ == nil {
			return word(0)
		}
		return word(int(c.program.TypeNumber(n.typ)))
	}
	typ, _ := term.TypeOf(in.At.Type)
	switch typ.Kind {
	case term.BoolKind:
		return term.BoolValue(n.V == "true")
	case term.StringKind:
		return term.TextValue(n.V)
	case term.FloatKind:
		x, _ := strconv.ParseFloat(n.V, 64)
		return term.FloatValue(typ.Sort, x)
	}
	if typ.Unsigned {
		x, _ := strconv.ParseUint(n.V, 10, 64)
		return term.WordValue(typ.Sort, x)
	}
	x, _ := strconv.ParseInt(n.V, 10, 64)
	return term.WordValue(typ.Sort, uint64(x))
}

// text gives a term's value as the harness writes it.
func (c *concrete) text(t *term.Term, typ types.Type) string {
	v := c.eval(t)
	if model.Reference(typ) {
		return strconv.FormatUint(v.Uint(), 10)
	}
	of, ok := term.TypeOf(typ)
	switch {
	case !ok:
		panic(fmt.Sprintf("no text of %s", typ))
	case of.Kind == term.StringKind:
		return v.Text
	case of.Kind == term.FloatKind:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case of.Kind == term.BoolKind:
		return strconv.FormatBool(v.Bool())
	case of.Unsigned:
		return strconv.FormatUint(v.Uint(), 10)
	}
	return strconv.FormatInt(v.Int(), 10)
}

// eval evaluates a term, with the functions of strings that the solver does not know.
func (c *concrete) eval(t *term.Term) term.Value {
	term.Walk(func(a *term.Term) {
		if a.Op == term.OpApply {
			c.apply(a)
		}
	}, t)
	return c.model.Eval(t)
}

func (c *concrete) apply(a *term.Term) {
	var args []term.Value
	for _, x := range a.Args {
		args = append(args, c.model.Eval(x))
	}
	result, ok := exec.Apply(a, args)
	if !ok {
		c.broken = true
		return
	}
	rows := c.model.Funcs[a.Signature()]
	for _, row := range rows {
		same := true
		for i := range args {
			same = same && row.Args[i] == args[i]
		}
		if same {
			return
		}
	}
	c.model.Funcs[a.Signature()] = append(rows, term.Entry{Args: args, Result: result})
}
