package exec_test

import (
	"fmt"
	"go/types"
	"sort"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// dumper writes values of a path as the harness writes those of the program.
type dumper struct {
	strings.Builder
	*concrete
	seen map[any]int
}

func (d *dumper) dump(v exec.Value, t types.Type) {
	s := d.path.Look(v)
	switch s.Kind {
	case exec.UntouchedShape:
		if s.Place == nil {
			d.WriteString("nil")
			return
		}
		d.initial(d.at(s.Place), t)
	case exec.ScalarShape:
		if model.Reference(t) {
			fmt.Fprintf(d, "ref%d", d.eval(s.Term).Uint())
			return
		}
		d.scalar(d.text(s.Term, t), t)
	case exec.StructShape:
		d.WriteByte('{')
		for i, f := range s.Parts {
			d.dump(f, t.Underlying().(*types.Struct).Field(i).Type())
			d.WriteByte(' ')
		}
		d.WriteByte('}')
	case exec.ListShape:
		d.list(s)
	case exec.OpenShape:
		d.open(s, t)
	case exec.MapShape:
		var n *node
		if s.Place != nil {
			n = d.at(s.Place)
		}
		d.table(s, t, n)
	case exec.PointerShape:
		if len(s.Parts) == 0 {
			d.WriteString("nil")
			return
		}
		d.pointer(s.At, func() { d.dump(s.Parts[0], t.Underlying().(*types.Pointer).Elem()) })
	case exec.InterfaceShape:
		if len(s.Parts) == 0 {
			d.WriteString("nil")
			return
		}
		fmt.Fprintf(d, "(%s)", types.TypeString(s.Type, (*types.Package).Name))
		d.dump(s.Parts[0], s.Type)
	default:
		d.broken = true
	}
}

func (d *dumper) scalar(text string, t types.Type) {
	if model.Reference(t) {
		d.WriteString("ref" + text)
		return
	}
	if b := t.Underlying().(*types.Basic); b.Info()&types.IsString != 0 {
		text = strconv.Quote(text)
	}
	d.WriteString(text)
}

func (d *dumper) pointer(at any, lead func()) {
	if n, ok := d.seen[at]; ok {
		fmt.Fprintf(d, "&%d", n)
		return
	}
	d.seen[at] = len(d.seen) + 1
	fmt.Fprintf(d, "&%d:", d.seen[at])
	lead()
}

// null writes a slice or map that is nil in the input.
func (d *dumper) null(s exec.Shape) bool {
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

func (d *dumper) list(s exec.Shape) {
	if s.At != nil && len(s.Parts) == 0 && d.null(s) {
		return
	}
	d.WriteByte('[')
	for _, e := range s.Parts {
		d.dump(e, s.Type)
		d.WriteByte(' ')
	}
	d.WriteByte(']')
}

func (d *dumper) open(s exec.Shape, t types.Type) {
	n := &node{}
	if s.Text != nil {
		for _, b := range []byte(d.eval(s.Text).Text) {
			n.E = append(n.E, &node{V: strconv.Itoa(int(b))})
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
			d.dump(v, elem)
		} else {
			d.initial(e, elem)
		}
		d.WriteByte(' ')
	}
	for _, v := range s.Parts[len(s.Keys):] {
		d.dump(v, elem)
		d.WriteByte(' ')
	}
	d.WriteByte(']')
}

func (d *dumper) table(s exec.Shape, t types.Type, n *node) {
	if d.null(s) {
		return
	}
	m := t.Underlying().(*types.Map)
	var list []string
	known := map[string]bool{}
	one := func(key string, write func(e *dumper)) {
		known[key] = true
		k, e := &dumper{concrete: d.concrete, seen: d.seen}, &dumper{concrete: d.concrete, seen: d.seen}
		k.scalar(key, m.Key())
		write(e)
		list = append(list, k.String()+":"+e.String())
	}
	for i, k := range s.Keys {
		key := d.text(k.(*term.Term), m.Key())
		if d.eval(s.Has[i]).Bool() {
			one(key, func(e *dumper) { e.dump(s.Parts[i], m.Elem()) })
		}
		known[key] = true
	}
	if n != nil {
		for i, k := range n.Keys {
			if !known[k.V] {
				one(k.V, func(e *dumper) { e.initial(n.E[i], m.Elem()) })
			}
		}
	}
	sort.Strings(list)
	d.WriteString("map[" + strings.Join(list, " ") + "]")
}

// initial writes a part of the input that the path has not looked at. Pointers in it may lead to what the path has changed.
func (d *dumper) initial(n *node, t types.Type) {
	if model.Reference(t) {
		fmt.Fprintf(d, "ref%d", n.ID)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		d.scalar(n.V, t)
	case *types.Struct:
		d.WriteByte('{')
		for i, e := range n.E {
			d.initial(e, u.Field(i).Type())
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
	case *types.Interface:
		if n.typ == nil {
			d.WriteString("nil")
			return
		}
		fmt.Fprintf(d, "(%s)", n.V)
		d.initial(n.E[0], n.typ)
	}
}

func (d *dumper) initialList(n *node, elem types.Type) {
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

func (d *dumper) initialPointer(n *node, elem types.Type) {
	if n.ID == 0 {
		d.WriteString("nil")
		return
	}
	v, at, ok := d.path.Of(func(t *term.Term) uint64 { return d.eval(t).Uint() }, uint64(n.ID))
	if ok {
		d.pointer(at, func() { d.dump(v, elem) })
		return
	}
	d.pointer(n.ID, func() { d.initial(d.nodes[n.ID], elem) })
}
