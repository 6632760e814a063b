package concrete

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/explore"
)

// place is memory of a program that runs.
type place struct {
	at uintptr
	t  reflect.Type
}

// live reads values of a program that runs.
type live struct {
	explore.Inspector
	program *ssa.Program
	ids     map[place]int
	names   map[string]int // of references that are no actors
	owners  map[int]int    // of those among them that stand for an actor's request: the actor's number
}

func newLive(x explore.Inspector, p *ssa.Program) *live {
	return &live{x, p, map[place]int{}, map[string]int{}, map[int]int{}}
}

// outsiders are numbers of references that are no actors: futures, and names of nobody.
const outsiders = 1 << 12

// reference numbers what a value refers to if it is a reference: actors as the trace does, from 1; 0 is nil.
func (l *live) reference(v reflect.Value) (int, bool) {
	if l.Nature(v.Type()) != explore.Reference {
		return 0, false
	}
	a, name := l.ActorOf(copied(v).Interface())
	switch {
	case a >= 0:
		return int(a) + 1, true
	case name == "":
		return 0, true
	}
	if l.names[name] == 0 {
		l.names[name] = outsiders + len(l.names)
	}
	return l.names[name], true
}

// copied gives a value that may be handed out, also if it was found in a field that is not exported.
func copied(v reflect.Value) reflect.Value {
	if v.CanInterface() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	if v.Kind() == reflect.Pointer {
		c.Set(reflect.NewAt(v.Type().Elem(), v.UnsafePointer()))
		return c
	}
	for i := range v.NumField() { // a native reference, of numbers
		f := c.Field(i)
		reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().SetInt(v.Field(i).Int())
	}
	return c
}

// node gives a value as a Node.
func (l *live) node(v reflect.Value) *Node { return l.within(v, map[place]bool{}) }

func (l *live) within(v reflect.Value, done map[place]bool) *Node {
	n := &Node{}
	if id, ok := l.reference(v); ok {
		n.ID = id
		return n
	}
	if l.Nature(v.Type()) != explore.Plain {
		return n
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			n.E = append(n.E, l.within(v.Field(i), done))
		}
	case reflect.Slice, reflect.Array:
		n.Nil = v.Kind() == reflect.Slice && v.IsNil()
		for i := range v.Len() {
			n.E = append(n.E, l.within(v.Index(i), done))
		}
	case reflect.Map:
		n.Nil = v.IsNil()
		for it := v.MapRange(); it.Next(); {
			key := l.within(it.Key(), done)
			if key.ID != 0 { // a reference is told apart by its number
				key.V = strconv.Itoa(key.ID)
			}
			n.Keys, n.E = append(n.Keys, key), append(n.E, l.within(it.Value(), done))
		}
	case reflect.Pointer:
		l.pointer(n, v, done)
	case reflect.Interface:
		if !v.IsNil() {
			n.V, n.Type, n.E = v.Elem().Type().String(), checked(l.program, v.Elem().Type()), []*Node{l.within(v.Elem(), done)}
		}
	case reflect.Func:
		n.V = liveName(v)
	default:
		n.V = written(v)
	}
	return n
}

func (l *live) pointer(n *Node, v reflect.Value, done map[place]bool) {
	if v.IsNil() {
		return
	}
	at := place{v.Pointer(), v.Type()}
	if l.ids[at] == 0 {
		l.ids[at] = len(l.ids) + 1
	}
	n.ID = l.ids[at]
	if !done[at] {
		done[at] = true
		n.E = []*Node{l.within(v.Elem(), done)}
	}
}

// written writes a number, truth value or string.
func written(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.Kind() == reflect.String:
		return v.String()
	}
	return unknown
}

// liveDumper writes values of a program that runs as Dumper writes those of a path.
type liveDumper struct {
	strings.Builder
	*live
	seen map[place]int
}

// dumped writes one value.
func (l *live) dumped(v reflect.Value) string {
	d := &liveDumper{live: l, seen: map[place]int{}}
	d.dump(v)
	return d.String()
}

func (d *liveDumper) dump(v reflect.Value) {
	if id, ok := d.reference(v); ok {
		fmt.Fprintf(d, "ref%d", id)
		return
	}
	if d.Nature(v.Type()) != explore.Plain {
		d.WriteString(unknown)
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
		d.list(v)
	case reflect.Map:
		d.table(v)
	case reflect.Pointer:
		d.pointer(v)
	case reflect.Interface:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		fmt.Fprintf(d, "(%s)", v.Elem().Type())
		d.dump(v.Elem())
	case reflect.String:
		fmt.Fprintf(d, "%q", v.String())
	case reflect.Func:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		d.WriteString(liveName(v))
	default:
		d.WriteString(written(v))
	}
}

func (d *liveDumper) list(v reflect.Value) {
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
}

func (d *liveDumper) pointer(v reflect.Value) {
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
}

func (d *liveDumper) table(v reflect.Value) {
	if v.IsNil() {
		d.WriteString("nil")
		return
	}
	var list entries
	for it := v.MapRange(); it.Next(); {
		k := &liveDumper{live: d.live, seen: d.seen}
		k.dump(it.Key())
		elem := it.Value()
		list = append(list, entry{k.String(), func() string {
			e := &liveDumper{live: d.live, seen: d.seen}
			e.dump(elem)
			return e.String()
		}})
	}
	d.WriteString(list.String())
}
