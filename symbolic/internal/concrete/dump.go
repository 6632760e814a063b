package concrete

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Dumper writes values as a path tells them, for comparison with what a run has written of its own. A pointer that was
// written before is its number.
type Dumper struct {
	strings.Builder
	*Input
	seen map[any]int
}

// NewDumper makes a Dumper for an input. Where a value cannot be told the input is Broken.
func NewDumper(c *Input) *Dumper { return &Dumper{Input: c, seen: map[any]int{}} }

// Dump writes a value of a type.
func (d *Dumper) Dump(v exec.Value, t types.Type) {
	s := d.Path.Look(v)
	switch s.Kind {
	case exec.UntouchedShape:
		if s.Place == nil {
			d.WriteString("nil")
			return
		}
		d.initial(d.at(s.Place), t)
	case exec.ScalarShape:
		d.scalar(d.text(s.Term, t), t)
	case exec.StructShape:
		d.WriteByte('{')
		for i, f := range s.Parts {
			d.field(f, FieldType(t, i))
			d.WriteByte(' ')
		}
		d.WriteByte('}')
	case exec.ListShape:
		d.list(s)
	case exec.OpenShape:
		d.open(s, t)
	case exec.MapShape:
		var n *Node
		if s.Place != nil {
			n = d.at(s.Place)
		}
		d.table(s, t, n)
	case exec.PointerShape:
		if len(s.Parts) == 0 {
			d.WriteString("nil")
			return
		}
		d.pointer(s.At, func() { d.Dump(s.Parts[0], t.Underlying().(*types.Pointer).Elem()) })
	case exec.InterfaceShape:
		if len(s.Parts) == 0 {
			d.WriteString("nil")
			return
		}
		fmt.Fprintf(d, "(%s)", types.TypeString(s.Type, (*types.Package).Name))
		d.Dump(s.Parts[0], s.Type)
	case exec.FunctionShape:
		d.WriteString(functionName(s.Fn))
	default:
		if !opaque(t) {
			d.Broken = true
		}
		d.WriteString(unknown)
	}
}

// field writes a field. What a library keeps in a form of its own is empty as long as nothing was put there.
func (d *Dumper) field(v exec.Value, t types.Type) {
	kind := d.Path.Look(v).Kind
	switch t.Underlying().(type) {
	case *types.Map:
		if kind == exec.StructShape {
			d.WriteString("map[]")
			return
		}
	case *types.Pointer:
		if kind == exec.OtherShape && !opaque(t) {
			d.WriteString("nil")
			return
		}
	}
	d.Dump(v, t)
}

func (d *Dumper) scalar(text string, t types.Type) {
	if isReference(t) {
		d.WriteString("ref" + text)
		return
	}
	if b := t.Underlying().(*types.Basic); b.Info()&types.IsString != 0 {
		text = strconv.Quote(text)
	}
	d.WriteString(text)
}

func (d *Dumper) pointer(at any, lead func()) {
	if n, ok := d.seen[at]; ok {
		fmt.Fprintf(d, "&%d", n)
		return
	}
	d.seen[at] = len(d.seen) + 1
	fmt.Fprintf(d, "&%d:", d.seen[at])
	lead()
}

// null writes a slice or map that is nil in the input.
func (d *Dumper) null(s exec.Shape) bool {
	if s.Place == nil {
		return false
	}
	n := d.at(s.Place)
	if n == nil || !n.Nil {
		return false
	}
	d.WriteString("nil")
	return true
}

func (d *Dumper) list(s exec.Shape) {
	if s.At != nil && len(s.Parts) == 0 && d.null(s) {
		return
	}
	d.WriteByte('[')
	for _, e := range s.Parts {
		d.Dump(e, s.Type)
		d.WriteByte(' ')
	}
	d.WriteByte(']')
}

func (d *Dumper) open(s exec.Shape, t types.Type) {
	n := &Node{}
	if s.Text != nil {
		for _, b := range []byte(d.Eval(s.Text).Text) {
			n.E = append(n.E, &Node{V: strconv.Itoa(int(b))})
		}
	} else {
		n = d.at(s.Place)
	}
	if s.Rest == 0 && d.null(s) {
		return
	}
	elem := t.Underlying().(*types.Slice).Elem()
	changed := map[int]exec.Value{}
	for i, k := range s.Keys {
		changed[k.(int)] = s.Parts[i]
	}
	d.WriteByte('[')
	for i, e := range n.E {
		if v, ok := changed[i]; ok {
			d.Dump(v, elem)
		} else {
			d.initial(e, elem)
		}
		d.WriteByte(' ')
	}
	for _, v := range s.Parts[len(s.Keys):] {
		d.Dump(v, elem)
		d.WriteByte(' ')
	}
	d.WriteByte(']')
}

func (d *Dumper) table(s exec.Shape, t types.Type, n *Node) {
	if d.null(s) {
		return
	}
	m := t.Underlying().(*types.Map)
	var list entries
	known := map[string]bool{}
	one := func(key string, write func(e *Dumper)) {
		known[key] = true
		k := &Dumper{Input: d.Input, seen: d.seen}
		if _, ok := m.Key().Underlying().(*types.Interface); ok {
			k.WriteString(key)
		} else {
			k.scalar(key, m.Key())
		}
		list = append(list, entry{k.String(), func() string {
			e := &Dumper{Input: d.Input, seen: d.seen}
			write(e)
			return e.String()
		}})
	}
	for i, k := range s.Keys {
		key := d.keyText(k, m.Key())
		if d.Eval(s.Has[i]).Bool() {
			one(key, func(e *Dumper) { e.Dump(s.Parts[i], m.Elem()) })
		}
		known[key] = true
	}
	if n != nil {
		for i, k := range n.Keys {
			if !known[k.Key()] {
				one(k.Key(), func(e *Dumper) { e.initial(n.E[i], m.Elem()) })
			}
		}
	}
	d.WriteString(list.String())
}

// entries are those of a map. Elements are written in the order of keys, in which their pointers are numbered.
type entries []entry

type entry struct {
	key  string
	elem func() string
}

func (list entries) String() string {
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	var b strings.Builder
	for i, e := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(e.key + ":" + e.elem())
	}
	return "map[" + b.String() + "]"
}

// initial writes a part of the input that the path has not looked at. Pointers in it may lead to what the path has
// changed.
func (d *Dumper) initial(n *Node, t types.Type) {
	switch {
	case isReference(t):
		fmt.Fprintf(d, "ref%d", n.ID)
		return
	case opaque(t):
		d.WriteString(unknown)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		d.scalar(n.V, t)
	case *types.Struct:
		d.WriteByte('{')
		for i, e := range n.E {
			d.initial(e, FieldType(t, i))
			d.WriteByte(' ')
		}
		d.WriteByte('}')
	case *types.Array:
		d.initialList(n, u.Elem())
	case *types.Slice:
		d.initialList(n, u.Elem())
	case *types.Map:
		if n.Nil {
			d.WriteString("nil")
			return
		}
		d.table(exec.Shape{}, t, n)
	case *types.Pointer:
		d.initialPointer(n, u.Elem())
	case *types.Signature:
		d.WriteString(cmp.Or(n.V, "nil"))
	case *types.Interface:
		switch {
		case n.V == "":
			d.WriteString("nil")
			return
		case n.Type == nil: // one that the program's source does not have
			d.Broken = true
			return
		}
		fmt.Fprintf(d, "(%s)", n.V)
		d.initial(n.E[0], n.Type)
	}
}

func (d *Dumper) initialList(n *Node, elem types.Type) {
	if n.Nil {
		d.WriteString("nil")
		return
	}
	d.WriteByte('[')
	for _, e := range n.E {
		d.initial(e, elem)
		d.WriteByte(' ')
	}
	d.WriteByte(']')
}

func (d *Dumper) initialPointer(n *Node, elem types.Type) {
	if n.ID == 0 {
		d.WriteString("nil")
		return
	}
	v, at, ok := d.Path.Of(func(t *term.Term) uint64 { return d.Eval(t).Uint() }, uint64(n.ID))
	if ok {
		d.pointer(at, func() { d.Dump(v, elem) })
		return
	}
	d.pointer(n.ID, func() { d.initial(d.nodes[n.ID], elem) })
}
