package exec_test

// harness runs the functions of a generated program on inputs that it reads, and writes what they have done: a line
// each.
const harness = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
)

type node struct {
	V    string  ` + "`json:\",omitempty\"`" + ` // of a number, truth value or string; the type that an interface holds
	E    []*node ` + "`json:\",omitempty\"`" + ` // fields, elements, what a pointer leads to, what an interface holds
	Keys []*node ` + "`json:\",omitempty\"`" + `
	ID   int     ` + "`json:\",omitempty\"`" + ` // of a pointer, 0 is nil
	Nil  bool    ` + "`json:\",omitempty\"`" + ` // a slice or map
}

type task struct {
	F    string
	Args []*node
}

var held = map[string]reflect.Type{}

func hold(values ...any) {
	for _, v := range values {
		held[reflect.TypeOf(v).String()] = reflect.TypeOf(v)
	}
}

type builder struct {
	made  map[int]reflect.Value
	nodes map[int]*node
}

func (b *builder) build(t reflect.Type, n *node) reflect.Value {
	v := reflect.New(t).Elem()
	if b.library(v, n) {
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(n.V == "true")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, err := strconv.ParseInt(n.V, 10, 64)
		must(err)
		v.SetInt(x)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x, err := strconv.ParseUint(n.V, 10, 64)
		must(err)
		v.SetUint(x)
	case reflect.String:
		v.SetString(n.V)
	case reflect.Struct, reflect.Array:
		for i, e := range n.E {
			if t.Kind() == reflect.Struct {
				f := v.Field(i)
				reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().Set(b.build(f.Type(), e)) // also one that is not exported
			} else {
				v.Index(i).Set(b.build(t.Elem(), e))
			}
		}
	case reflect.Slice:
		if !n.Nil {
			v.Set(reflect.MakeSlice(t, len(n.E), len(n.E)))
			for i, e := range n.E {
				v.Index(i).Set(b.build(t.Elem(), e))
			}
		}
	case reflect.Map:
		if !n.Nil {
			v.Set(reflect.MakeMap(t))
			for i, k := range n.Keys {
				v.SetMapIndex(b.build(t.Key(), k), b.build(t.Elem(), n.E[i]))
			}
		}
	case reflect.Pointer:
		if n.ID == 0 {
			return v
		}
		if known, ok := b.made[n.ID]; ok {
			return known
		}
		p := reflect.New(t.Elem())
		b.made[n.ID] = p
		p.Elem().Set(b.build(t.Elem(), b.nodes[n.ID]))
		return p
	case reflect.Interface:
		if n.V != "" {
			v.Set(b.build(held[n.V], n.E[0]))
		}
	default:
		panic("cannot build " + t.String())
	}
	return v
}

// library builds what a library keeps in a form of its own.
func (b *builder) library(v reflect.Value, n *node) bool {
	switch {
	case v.Type() == reflect.TypeFor[sync.Map]():
		m := v.Addr().Interface().(*sync.Map)
		for i, k := range n.E[1].Keys {
			m.Store(b.build(reflect.TypeFor[any](), k).Interface(), b.build(reflect.TypeFor[any](), n.E[1].E[i]).Interface())
		}
	case strings.HasPrefix(v.Type().String(), "atomic.Pointer["):
		store := v.Addr().MethodByName("Store")
		store.Call([]reflect.Value{b.build(store.Type().In(0), n.E[2])})
	default:
		return false
	}
	return true
}

// find notes what pointers lead to.
func (b *builder) find(n *node) {
	if n.ID != 0 && len(n.E) > 0 { // else it leads to what another one does
		b.nodes[n.ID] = n.E[0]
	}
	for _, e := range n.E {
		b.find(e)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type place struct {
	at uintptr
	t  reflect.Type
}

type dumper struct {
	strings.Builder
	seen map[place]int
}

// library writes what a library keeps in a form of its own.
func (d *dumper) library(v reflect.Value) bool {
	switch {
	case v.Type() == reflect.TypeFor[sync.Map]():
		m := map[any]any{}
		reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface().(*sync.Map).Range(func(k, e any) bool {
			m[k] = e
			return true
		})
		d.WriteString("{{} ")
		d.dump(reflect.ValueOf(m))
		d.WriteString(" }")
	case strings.HasPrefix(v.Type().String(), "atomic.Pointer["):
		d.WriteString("{[] {} ")
		d.dump(reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).MethodByName("Load").Call(nil)[0])
		d.WriteString(" }")
	default:
		return false
	}
	return true
}

func (d *dumper) dump(v reflect.Value) {
	if d.library(v) {
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
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		values, list := map[string]reflect.Value{}, []string{}
		for it := v.MapRange(); it.Next(); {
			k := &dumper{seen: d.seen}
			k.dump(it.Key())
			values[k.String()] = it.Value()
			list = append(list, k.String())
		}
		sort.Strings(list)
		for i, k := range list { // in this order, in which pointers are numbered
			e := &dumper{seen: d.seen}
			e.dump(values[k])
			list[i] += ":" + e.String()
		}
		d.WriteString("map[" + strings.Join(list, " ") + "]")
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
	case reflect.Bool:
		fmt.Fprint(d, v.Bool())
	default:
		if v.CanInt() {
			fmt.Fprint(d, v.Int())
			return
		}
		fmt.Fprint(d, v.Uint())
	}
}

func run(t task, f reflect.Value) (out string) {
	b := &builder{made: map[int]reflect.Value{}, nodes: map[int]*node{}}
	for _, a := range t.Args {
		b.find(a)
	}
	var args, results []reflect.Value
	for i, a := range t.Args {
		args = append(args, b.build(f.Type().In(i), a))
	}
	d := &dumper{seen: map[place]int{}}
	func() {
		defer func() {
			switch x := recover().(type) {
			case nil:
			case runtime.Error:
				fmt.Fprintf(d, "panic %s\n", x)
			default:
				d.WriteString("panic ")
				d.dump(reflect.ValueOf(&x).Elem())
				d.WriteString("\n")
			}
		}()
		results = f.Call(args)
	}()
	for _, r := range results {
		d.dump(r)
		d.WriteString("\n")
	}
	for _, a := range args {
		d.dump(a)
		d.WriteString("\n")
	}
	return d.String()
}

func main() {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for in.More() {
		var t task
		must(in.Decode(&t))
		must(out.Encode(run(t, reflect.ValueOf(functions[t.F]))))
	}
}
`
