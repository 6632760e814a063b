package startstate

import (
	"reflect"
	"slices"
	"sort"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
)

// reader reads values. First all memory that they lead to is found; then what is a part of other memory is told as
// that; then values are written down.
//
//	assumes: nobody changes the memory meanwhile; a pointer leads to what its type says
type reader struct {
	in     explore.Inspector
	wanted []wanted
	blocks []*block
	known  map[blockKey]*block
	maps   map[unsafe.Pointer]*block
	work   []reflect.Value
	values int // so far
	own    func(path string) bool
}

// wanted is a value that is to be written down at a place.
type wanted struct {
	to *Value
	v  reflect.Value // of an interface
}

// block is memory that something leads to.
type block struct {
	addr  uintptr
	typ   reflect.Type
	val   reflect.Value
	index int // of State.Memory, -1 while it is not needed
	in    *block
	path  []int // in it
}

type blockKey struct {
	addr unsafe.Pointer
	typ  reflect.Type
}

func (b *block) end() uintptr { return b.addr + b.typ.Size() }

// most bounds the values that are read, and longest the elements of one array.
const (
	most    = 100_000
	longest = 1024
)

// want has a value be written down.
func (r *reader) want(to *Value, v any) {
	r.wanted = append(r.wanted, wanted{to, boxed(reflect.ValueOf(&v).Elem()).Elem()})
}

// boxed gives a pointer to a copy of a value, all of which can be read.
func boxed(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	if v.CanInterface() {
		p.Elem().Set(v)
		return p
	}
	// A field that is not exported, of a value that has no address: the value as a whole is copied elsewhere before.
	panic("startstate: a value that cannot be copied")
}

// opened gives a part of a value that has an address, so that it can be read though it is not exported.
func opened(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	return v
}

// find finds all memory.
func (r *reader) find() {
	r.known, r.maps = map[blockKey]*block{}, map[unsafe.Pointer]*block{}
	for _, w := range r.wanted {
		r.work = append(r.work, w.v)
	}
	for len(r.work) > 0 && r.values < most {
		v := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		r.leads(v)
	}
	r.nest()
}

// leads finds the memory that a value leads to.
func (r *reader) leads(v reflect.Value) {
	r.values++
	if v.IsZero() || r.opaque(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			r.work = append(r.work, opened(v.Field(i)))
		}
	case reflect.Array:
		if !flat(v.Type().Elem()) && v.Len() <= longest {
			for i := range v.Len() {
				r.work = append(r.work, opened(v.Index(i)))
			}
		}
	case reflect.Pointer:
		r.block(v.UnsafePointer(), v.Type().Elem())
	case reflect.Slice:
		if v.Cap() <= longest && v.Cap() > 0 {
			r.block(v.UnsafePointer(), reflect.ArrayOf(v.Cap(), v.Type().Elem()))
		}
	case reflect.Interface:
		r.work = append(r.work, boxed(v.Elem()).Elem())
	case reflect.Map:
		r.mapped(v)
	}
}

// block notes memory.
func (r *reader) block(at unsafe.Pointer, t reflect.Type) {
	key := blockKey{at, t}
	if r.known[key] != nil {
		return
	}
	b := &block{addr: uintptr(at), typ: t, val: reflect.NewAt(t, at).Elem(), index: -1}
	r.known[key] = b
	r.blocks = append(r.blocks, b)
	r.work = append(r.work, b.val)
}

// mapped notes a map.
func (r *reader) mapped(v reflect.Value) {
	if r.maps[v.UnsafePointer()] != nil {
		return
	}
	r.maps[v.UnsafePointer()] = &block{typ: v.Type(), val: v, index: -1}
	if v.Len() > longest {
		return
	}
	for it := v.MapRange(); it.Next(); {
		r.work = append(r.work, boxed(it.Key()).Elem(), boxed(it.Value()).Elem())
	}
}

// flat reports whether values of a type lead nowhere.
func flat(t reflect.Type) bool { return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128 }

// nest finds which memory is a part of other memory.
func (r *reader) nest() {
	list := slices.Clone(r.blocks)
	sort.SliceStable(list, func(i, j int) bool { return list[i].typ.Size() > list[j].typ.Size() })
	var tops []*block // that are no part of others, by address
	for _, b := range list {
		if b.typ.Size() == 0 {
			continue
		}
		i := sort.Search(len(tops), func(i int) bool { return tops[i].end() > b.addr })
		if i < len(tops) && tops[i].addr < b.end() {
			b.in = tops[i]
			b.path = pathTo(tops[i].typ, b.addr-tops[i].addr, b.typ)
			continue
		}
		tops = slices.Insert(tops, i, b)
	}
}

// pathTo gives the fields and elements that lead to a part of a type at a distance in bytes. It is nil if there is none
// of its own type, or elements that are not all of an array.
func pathTo(t reflect.Type, off uintptr, part reflect.Type) []int {
	path := []int{}
	for {
		switch {
		case off == 0 && t == part:
			return path
		case off == 0 && t.Kind() == reflect.Array && part.Kind() == reflect.Array && t.Elem() == part.Elem():
			return append(path, 0) // its first elements
		case t.Kind() == reflect.Array && t.Len() > 0 && t.Elem().Size() > 0:
			i := off / t.Elem().Size()
			if part.Kind() == reflect.Array && part.Elem() == t.Elem() && off%t.Elem().Size() == 0 {
				return append(path, int(i))
			}
			path, off, t = append(path, int(i)), off%t.Elem().Size(), t.Elem()
		case t.Kind() == reflect.Struct:
			i := fieldAt(t, off)
			if i < 0 {
				return nil
			}
			path, off, t = append(path, i), off-t.Field(i).Offset, t.Field(i).Type
		default:
			return nil
		}
	}
}

// fieldAt gives the field at a distance, -1 if there is none.
func fieldAt(t reflect.Type, off uintptr) int {
	for i := range t.NumField() {
		if f := t.Field(i); f.Type.Size() > 0 && f.Offset <= off && off < f.Offset+f.Type.Size() {
			return i
		}
	}
	return -1
}
