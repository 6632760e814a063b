package exec_test

import (
	"fmt"
	"go/types"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/actor"
)

// place is memory of a program that runs.
type place struct {
	at uintptr
	t  reflect.Type
}

// snapshot makes nodes of live values.
type snapshot struct {
	pkg *types.Package
	ids map[place]int
}

// of gives a live value as a node.
func (s *snapshot) of(v reflect.Value) *node {
	done := map[place]bool{}
	return s.node(v, done)
}

func (s *snapshot) node(v reflect.Value, done map[place]bool) *node {
	if v.Type() == reflect.TypeFor[actor.Ref]() {
		return &node{ID: int(v.Field(0).Int())}
	}
	n := &node{}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			n.E = append(n.E, s.node(v.Field(i), done))
		}
	case reflect.Slice, reflect.Array:
		n.Nil = v.Kind() == reflect.Slice && v.IsNil()
		for i := range v.Len() {
			n.E = append(n.E, s.node(v.Index(i), done))
		}
	case reflect.Map:
		n.Nil = v.IsNil()
		for it := v.MapRange(); it.Next(); {
			key := s.node(it.Key(), done)
			if key.ID != 0 { // a reference is told apart by its number
				key.V = strconv.Itoa(key.ID)
			}
			n.Keys, n.E = append(n.Keys, key), append(n.E, s.node(it.Value(), done))
		}
	case reflect.Pointer:
		s.pointer(n, v, done)
	case reflect.Interface:
		if !v.IsNil() {
			n.typ = s.typeOf(v.Elem().Type())
			n.V, n.E = v.Elem().Type().String(), []*node{s.node(v.Elem(), done)}
		}
	default:
		n.V = written1(v)
	}
	return n
}

func (s *snapshot) pointer(n *node, v reflect.Value, done map[place]bool) {
	if v.IsNil() {
		return
	}
	at := place{v.Pointer(), v.Type()}
	if s.ids[at] == 0 {
		s.ids[at] = len(s.ids) + 1
	}
	n.ID = s.ids[at]
	if !done[at] {
		done[at] = true
		n.E = []*node{s.node(v.Elem(), done)}
	}
}

// typeOf gives the type of a live value as the checker knows it; nil if it is not one of the package or predeclared.
func (s *snapshot) typeOf(t reflect.Type) types.Type {
	name := strings.TrimPrefix(t.String(), "*")
	var found types.Type
	if o := s.pkg.Scope().Lookup(strings.TrimPrefix(name, s.pkg.Name()+".")); o != nil {
		found = o.Type()
	} else if o := types.Universe.Lookup(name); o != nil {
		found = o.Type()
	}
	if found != nil && t.Kind() == reflect.Pointer {
		return types.NewPointer(found)
	}
	return found
}

// written1 writes a number, truth value or string.
func written1(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return v.String()
}

// realDumper writes live values as dumper writes those of a path.
type realDumper struct {
	strings.Builder
	seen map[place]int
}

func (d *realDumper) dump(v reflect.Value) {
	if v.Type() == reflect.TypeFor[actor.Ref]() {
		fmt.Fprintf(d, "ref%d", v.Field(0).Int())
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.WriteByte('{')
		for i := range v.NumField() {
			d.dump(v.Field(i))
			d.WriteByte(' ')
		}
		d.WriteByte('}')
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			d.WriteString("nil")
			return
		}
		d.WriteByte('[')
		for i := range v.Len() {
			d.dump(v.Index(i))
			d.WriteByte(' ')
		}
		d.WriteByte(']')
	case reflect.Map:
		d.table(v)
	case reflect.Pointer:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		at := place{v.Pointer(), v.Type()}
		if n, ok := d.seen[at]; ok {
			fmt.Fprintf(d, "&%d", n)
			return
		}
		d.seen[at] = len(d.seen) + 1
		fmt.Fprintf(d, "&%d:", d.seen[at])
		d.dump(v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		fmt.Fprintf(d, "(%s)", v.Elem().Type())
		d.dump(v.Elem())
	case reflect.String:
		fmt.Fprintf(d, "%q", v.String())
	default:
		d.WriteString(written1(v))
	}
}

func (d *realDumper) table(v reflect.Value) {
	if v.IsNil() {
		d.WriteString("nil")
		return
	}
	var list []string
	for it := v.MapRange(); it.Next(); {
		k, e := &realDumper{seen: d.seen}, &realDumper{seen: d.seen}
		k.dump(it.Key())
		e.dump(it.Value())
		list = append(list, k.String()+":"+e.String())
	}
	sort.Strings(list)
	d.WriteString("map[" + strings.Join(list, " ") + "]")
}
