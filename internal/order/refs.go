package order

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
)

// holding is which actors a value refers to.
type holding struct {
	actors []int32
	any    bool // it may refer to any: it has functions, channels or pointers that cannot be followed
}

// has reports whether the actor may be referred to.
func (h *holding) has(actor int32) bool {
	if h.any {
		return true
	}
	for _, a := range h.actors {
		if a == actor {
			return true
		}
	}
	return false
}

func (h *holding) add(actor int32) {
	if actor >= 0 && !h.has(actor) {
		h.actors = append(h.actors, actor)
	}
}

// finder walks Go values: through pointers, structs, slices, arrays, maps, interfaces and unexported fields.
type finder struct {
	x    explore.Inspector
	bare map[reflect.Type]bool // no value of the type leads to an actor
	seen map[visit]bool
}

// visit is a place that was looked at: a cycle ends there. The length is that of a slice.
type visit struct {
	at  unsafe.Pointer
	typ reflect.Type
	len int
}

// of finds the actors to which v refers, nil for nothing.
func (f *finder) of(v any) (h holding) {
	if v == nil {
		return h
	}
	clear(f.seen)
	f.walk(reflect.ValueOf(v), &h)
	return h
}

// walk adds the actors to which a value refers. What hides references that cannot be read may refer to any.
func (f *finder) walk(v reflect.Value, h *holding) {
	if h.any || !v.IsValid() || f.leadsNowhere(v.Type()) {
		return
	}
	switch f.x.Nature(v.Type()) {
	case explore.Reference:
		actor, _ := f.x.ActorOf(open(v).Interface())
		h.add(actor)
		return
	case explore.Opaque:
		return
	case explore.Secret:
		h.any = true
		return
	}
	f.contents(v, h)
}

// contents walks what a value is made of.
func (f *finder) contents(v reflect.Value, h *holding) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && f.fresh(v.UnsafePointer(), v.Type(), 0) {
			f.walk(v.Elem(), h)
		}
	case reflect.Interface:
		if !v.IsNil() {
			f.walk(open(v).Elem(), h)
		}
	case reflect.Struct:
		v = addressable(v)
		for i := range v.NumField() {
			f.walk(v.Field(i), h)
		}
	case reflect.Array:
		v = addressable(v)
		for i := range v.Len() {
			f.walk(v.Index(i), h)
		}
	case reflect.Slice:
		if v.Len() > 0 && f.fresh(v.UnsafePointer(), v.Type(), v.Len()) {
			for i := range v.Len() {
				f.walk(v.Index(i), h)
			}
		}
	case reflect.Map:
		if !v.IsNil() && f.fresh(v.UnsafePointer(), v.Type(), 0) {
			for it := open(v).MapRange(); it.Next(); {
				f.walk(addressable(it.Key()), h)
				f.walk(addressable(it.Value()), h)
			}
		}
	case reflect.Func, reflect.Chan:
		h.any = h.any || !v.IsNil()
	case reflect.UnsafePointer:
		h.any = h.any || v.UnsafePointer() != nil
	case reflect.Uintptr:
		h.any = true
	}
}

// fresh reports whether the place was not looked at before.
func (f *finder) fresh(at unsafe.Pointer, t reflect.Type, n int) bool {
	k := visit{at, t, n}
	if f.seen[k] {
		return false
	}
	f.seen[k] = true
	return true
}

// leadsNowhere reports whether no value of the type can lead to an actor: most fields are numbers and texts.
func (f *finder) leadsNowhere(t reflect.Type) bool {
	bare, ok := f.bare[t]
	if !ok {
		f.bare[t] = false // should it contain itself
		bare = f.isBare(t)
		f.bare[t] = bare
	}
	return bare
}

// isBare reports whether no value of the type can refer to an actor. What may hold any type cannot be known so.
func (f *finder) isBare(t reflect.Type) bool {
	if n := f.x.Nature(t); n != explore.Plain {
		return n == explore.Opaque
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if !f.leadsNowhere(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array, reflect.Slice:
		return f.leadsNowhere(t.Elem())
	case reflect.Map:
		return f.leadsNowhere(t.Elem()) && f.leadsNowhere(t.Key())
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		return false
	}
	return true
}

// addressable gives the value in memory of its own if it is in none: fields of what is in none cannot be opened.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	at := reflect.New(v.Type()).Elem()
	if v.CanInterface() {
		at.Set(v)
		return at
	}
	return v
}

// open makes the value of an unexported field one that can be looked into.
func open(v reflect.Value) reflect.Value {
	if v.CanInterface() || !v.CanAddr() {
		return v
	}
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}
