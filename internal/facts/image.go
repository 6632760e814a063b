package facts

import (
	"math"
	"reflect"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
)

// This file takes in what memory holds, so that it can be told later whether it still does.
//
//	source:     ours
//	differs:    internal/stateful compares states of different executions, where addresses mean nothing. Here the same
//	            memory is looked at twice, and where it lies counts: a pointer that leads to an equal copy has changed.
//	assumes:    what a reference to an actor says never changes; nobody reads a slice's memory beyond its length before
//	            it was written
//	invariants: the image of memory that nobody has written is the same; that of memory with another content is another,
//	            but for one chance in 2^64, unless what changed is behind a function, a channel or an unsafe pointer, and
//	            then the image is Blind
//	cost:       one visit of each region that can be reached
//	checked by: image_test.go

// Image stands for what memory held.
type Image struct {
	sum   uint64
	Blind bool // functions, channels or unsafe pointers are in it, behind which nobody sees
}

// Same reports whether nothing has changed that can be seen.
func (i Image) Same(j Image) bool { return i.sum == j.sum }

// region is memory that was seen or is to be seen.
type region struct {
	at  unsafe.Pointer
	typ reflect.Type
	n   int // length of a slice, -1 for anything else
}

// sight looks at memory. Regions are added up, so that the order in which a map shows its entries does not matter.
type sight struct {
	nature  func(reflect.Type) explore.Nature
	natures map[reflect.Type]explore.Nature // what it said
	seen    map[region]bool
	next    []reflect.Value // pointers, slices and maps that are still to be followed
	blind   bool
}

// image looks at v and all that it leads to.
func (s *sight) image(v reflect.Value) Image {
	if k := v.Kind(); k <= reflect.Complex128 || k == reflect.String {
		return Image{sum: basic(1, v)}
	}
	if s.seen == nil {
		s.seen = map[region]bool{}
	} else if len(s.seen) > 0 {
		clear(s.seen)
	}
	s.next, s.blind = s.next[:0], false
	sum := s.shallow(1, v)
	for len(s.next) > 0 {
		p := s.next[len(s.next)-1]
		s.next = s.next[:len(s.next)-1]
		sum += s.region(p)
	}
	return Image{sum, s.blind}
}

// region hashes what a pointer, slice or map leads to.
func (s *sight) region(p reflect.Value) uint64 {
	h := mix(word(p.UnsafePointer()), typeWord(p.Type()))
	switch p.Kind() {
	case reflect.Pointer:
		return s.shallow(h, p.Elem())
	case reflect.Slice:
		for i := range p.Len() {
			h = s.shallow(h, p.Index(i))
		}
		return h
	}
	for it := p.MapRange(); it.Next(); {
		h += s.shallow(s.shallow(2, addressable(it.Key())), addressable(it.Value()))
	}
	return h
}

// shallow hashes a value up to the pointers in it, which are kept to be followed.
func (s *sight) shallow(h uint64, v reflect.Value) uint64 {
	t := v.Type()
	switch s.natureOf(t) {
	case explore.Opaque:
		return h
	case explore.Reference, explore.Secret:
		return reference(h, v)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return s.leads(h, v)
	case reflect.Interface:
		if v.IsNil() {
			return mix(h, 3)
		}
		return s.shallow(mix(h, typeWord(v.Elem().Type())), addressable(v.Elem()))
	case reflect.Struct:
		v = addressable(v)
		for i := range v.NumField() {
			h = s.shallow(h, open(v.Field(i)))
		}
		return h
	case reflect.Array:
		v = addressable(v)
		for i := range v.Len() {
			h = s.shallow(h, v.Index(i))
		}
		return h
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		s.blind = s.blind || !v.IsNil()
		return mix(h, word(v.UnsafePointer()))
	}
	return basic(h, v)
}

// leads hashes where a pointer, slice or map leads.
func (s *sight) leads(h uint64, v reflect.Value) uint64 {
	if v.IsNil() {
		return mix(h, 4)
	}
	r := region{v.UnsafePointer(), v.Type(), -1}
	if v.Kind() == reflect.Slice {
		r.n = v.Len()
	}
	if !s.seen[r] {
		s.seen[r] = true
		s.next = append(s.next, v)
	}
	return mix(mix(h, word(r.at)), uint64(r.n))
}

func (s *sight) natureOf(t reflect.Type) explore.Nature {
	if k := t.Kind(); k <= reflect.Complex128 || k == reflect.String {
		return explore.Plain
	}
	n, known := s.natures[t]
	if known {
		return n
	}
	switch {
	case t == timeZone || t.Kind() == reflect.Pointer && t.Elem() == timeZone:
		n = explore.Opaque // the local one is filled in when it is first used
	case s.nature != nil:
		n = s.nature(t)
	}
	if s.natures == nil {
		s.natures = map[reflect.Type]explore.Nature{}
	}
	s.natures[t] = n
	return n
}

// reference hashes a value that stands for an actor, or that is known by its address only: what it says never changes.
func reference(h uint64, v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return mix(h, word(v.UnsafePointer()))
	case reflect.Struct:
		v = addressable(v)
		for i := range v.NumField() {
			if f := open(v.Field(i)); f.Kind() <= reflect.Complex128 || f.Kind() == reflect.String {
				h = basic(h, f)
			}
		}
	}
	return h
}

func basic(h uint64, v reflect.Value) uint64 {
	switch {
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return mix(h, 1)
		}
		return mix(h, 0)
	case v.CanInt():
		return mix(h, uint64(v.Int()))
	case v.CanUint():
		return mix(h, v.Uint())
	case v.CanFloat():
		return mix(h, math.Float64bits(v.Float()))
	case v.CanComplex():
		return mix(mix(h, math.Float64bits(real(v.Complex()))), math.Float64bits(imag(v.Complex())))
	case v.Kind() == reflect.String:
		return text(h, v.String())
	}
	return h
}

func text(h uint64, s string) uint64 {
	h = mix(h, uint64(len(s)))
	for len(s) > 0 {
		x := uint64(0)
		for i := range min(8, len(s)) {
			x |= uint64(s[i]) << (8 * i)
		}
		h, s = mix(h, x), s[min(8, len(s)):]
	}
	return h
}

// mix is the finaliser of splitmix64 over a running hash.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

func word(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

// typeWord is the address of what the Go runtime knows of a type.
func typeWord(t reflect.Type) uint64 { return word(reflect.ValueOf(t).UnsafePointer()) }

var timeZone = reflect.TypeFor[time.Location]()

// addressable gives a value whose unexported fields can be read: a copy if need be.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() || v.Kind() != reflect.Struct && v.Kind() != reflect.Array {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// open gives a field that can be read, unexported or not.
func open(f reflect.Value) reflect.Value {
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}
