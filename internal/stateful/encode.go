package stateful

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
)

// This file turns Go values into words: what they hold, how their memory hangs together, and which actors they refer
// to.

// Unhashable is a value that no comparison of states can judge.
type Unhashable struct {
	Path string // from the type of the actor or message down, as in bank.Account.audit
	What string // what is there, as in func
}

func (u *Unhashable) Error() string { return fmt.Sprintf("%s (%s)", u.Path, u.What) }

// memoryPlace identifies memory that was shown: the same address may hold a struct and its first field.
type memoryPlace struct {
	addr uintptr
	t    reflect.Type
	n    int // length of a slice, -1 for anything else
}

// span is a piece of memory that a unit shows.
type span struct {
	start, end uintptr
	unit       int32
	number     uint64 // among the unit's
}

// encoder linearises one unit after the other.
type encoder struct {
	types *types
	x     explore.Inspector
	words []word
	spans []span // of all units
	unit  int32
	shown map[memoryPlace]uint64 // of this unit
}

func (e *encoder) reset(x explore.Inspector) {
	e.x, e.spans = x, e.spans[:0]
}

// begin starts a unit.
func (e *encoder) begin(unit int32) {
	e.words, e.unit = nil, unit
	clear(e.shown)
	if e.shown == nil {
		e.shown = map[memoryPlace]uint64{}
	}
}

func (e *encoder) put(x uint64)      { e.words = append(e.words, word{plain, x}) }
func (e *encoder) mark(k kind)       { e.words = append(e.words, word{kind: k}) }
func (e *encoder) refer(actor int32) { e.words = append(e.words, word{unit, uint64(actor)}) }
func (e *encoder) putBool(b bool) {
	if b {
		e.put(1)
	} else {
		e.put(0)
	}
}
func (e *encoder) putString(s string) {
	e.put(uint64(len(s)))
	for len(s) > 0 {
		var x uint64
		for i := range min(8, len(s)) {
			x |= uint64(s[i]) << (8 * i)
		}
		e.put(x)
		s = s[min(8, len(s)):]
	}
}

// any linearises a value with its type.
func (e *encoder) any(v any) error {
	if v == nil {
		e.put(0)
		return nil
	}
	rv := reflect.ValueOf(v)
	err := e.dynamic(rv)
	if u, ok := err.(*Unhashable); ok {
		t := rv.Type()
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		u.Path = t.String() + u.Path
	}
	return err
}

// dynamic linearises a value whose type is not known from what came before.
func (e *encoder) dynamic(v reflect.Value) error {
	info, err := e.types.of(v.Type(), e.x)
	if err != nil {
		return err
	}
	e.put(info.hash)
	return e.value(v)
}

// value linearises a value of a known type. v is never one that was read through an unexported field: see field.
func (e *encoder) value(v reflect.Value) error {
	info, err := e.types.of(v.Type(), e.x)
	if err != nil {
		return err
	}
	switch info.nature {
	case explore.Reference:
		e.reference(v)
		return nil
	case explore.Opaque:
		return nil
	case explore.Secret:
		if isNil(v) {
			e.put(0)
			return nil
		}
		return &Unhashable{What: v.Type().String()}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return e.pointer(v)
	case reflect.Interface:
		if v.IsNil() {
			e.put(0)
			return nil
		}
		return e.dynamic(v.Elem())
	case reflect.Struct:
		return e.fields(v)
	case reflect.Array:
		return e.elements(v, v.Len())
	case reflect.Slice:
		return e.slice(v)
	case reflect.Map:
		return e.mapping(v)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			e.put(0)
			return nil
		}
		return &Unhashable{What: v.Kind().String()}
	}
	e.basic(v)
	return nil
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

func (e *encoder) basic(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		e.putBool(v.Bool())
	case v.CanInt():
		e.put(uint64(v.Int()))
	case v.CanUint():
		e.put(v.Uint())
	case v.CanFloat():
		e.put(math.Float64bits(v.Float()))
	case v.CanComplex():
		e.put(math.Float64bits(real(v.Complex())))
		e.put(math.Float64bits(imag(v.Complex())))
	default:
		e.putString(v.String())
	}
}

func (e *encoder) reference(v reflect.Value) {
	actor, name := e.x.ActorOf(v.Interface())
	if actor >= 0 {
		e.refer(actor)
		return
	}
	e.putString(name)
}

// show registers memory; known says that this unit has shown it before.
func (e *encoder) show(p memoryPlace, size uintptr) (known bool) {
	if size == 0 {
		return false // pointers to nothing say nothing
	}
	if n, ok := e.shown[p]; ok {
		e.words = append(e.words, word{back, n})
		return true
	}
	n := uint64(len(e.shown))
	e.shown[p] = n
	e.spans = append(e.spans, span{p.addr, p.addr + size, e.unit, n})
	return false
}

func (e *encoder) pointer(v reflect.Value) error {
	if v.IsNil() {
		e.put(0)
		return nil
	}
	t := v.Type().Elem()
	if e.show(memoryPlace{v.Pointer(), t, -1}, t.Size()) {
		return nil
	}
	e.put(1)
	return e.value(v.Elem())
}

// slice shows the elements. What lies between length and capacity counts only in that memory shared with other slices
// is told, with its extent.
func (e *encoder) slice(v reflect.Value) error {
	if v.IsNil() {
		e.put(0)
		return nil
	}
	e.put(1 + uint64(v.Len()))
	t := v.Type().Elem()
	if e.show(memoryPlace{v.Pointer(), t, v.Len()}, uintptr(v.Cap())*t.Size()) {
		return nil
	}
	return e.elements(v, v.Len())
}

func (e *encoder) elements(v reflect.Value, n int) error {
	for i := range n {
		if err := e.value(v.Index(i)); err != nil {
			return within(err, "[]")
		}
	}
	return nil
}

// fields shows a struct. Fields that are not exported can only be read where the struct has an address.
func (e *encoder) fields(v reflect.Value) error {
	if !v.CanAddr() {
		p := reflect.New(v.Type()).Elem()
		p.Set(v)
		v = p
	}
	t := v.Type()
	for i := range t.NumField() {
		f := v.Field(i)
		if t.Field(i).PkgPath != "" {
			f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
		}
		if err := e.value(f); err != nil {
			return within(err, "."+t.Field(i).Name)
		}
	}
	return nil
}

func within(err error, where string) error {
	if u, ok := err.(*Unhashable); ok {
		u.Path = where + u.Path
	}
	return err
}

// mapping shows a map. Its entries are sorted by their keys; where those refer to actors, whose names change, they are
// a set.
func (e *encoder) mapping(v reflect.Value) error {
	if v.IsNil() {
		e.put(0)
		return nil
	}
	e.put(1 + uint64(v.Len()))
	if e.show(memoryPlace{v.Pointer(), v.Type(), -1}, 1) || v.Len() == 0 {
		return nil
	}
	if info, err := e.types.of(v.Type().Key(), e.x); err != nil || info.pointed {
		return cmp.Or[error](err, &Unhashable{What: "map with pointers in its keys"})
	}
	keys, refer, err := e.keys(v)
	if err != nil {
		return err
	}
	if refer {
		e.mark(open)
	}
	for i, k := range keys {
		if i > 0 && refer {
			e.mark(next)
		}
		e.words = append(e.words, k.words...)
		if err := e.value(v.MapIndex(k.key)); err != nil {
			return within(err, "[]")
		}
	}
	if refer {
		e.mark(shut)
	}
	return nil
}

// key is a key of a map with its words.
type key struct {
	key   reflect.Value
	words []word
}

// keys gives the sorted keys of a map, and whether any refers to an actor. (NaN, which no look-up finds, is no key of
// actors.)
func (e *encoder) keys(v reflect.Value) (keys []key, refer bool, err error) {
	outer := e.words
	defer func() { e.words = outer }()
	for iter := v.MapRange(); iter.Next(); {
		e.words = nil
		k, spans := iter.Key(), len(e.spans)
		if err := e.value(k); err != nil {
			return nil, false, within(err, "[key]")
		}
		if len(e.spans) > spans || !v.MapIndex(k).IsValid() {
			return nil, false, &Unhashable{What: "map with pointers or NaN in its keys"}
		}
		refer = refer || slices.ContainsFunc(e.words, func(w word) bool { return w.kind == unit })
		keys = append(keys, key{k, e.words})
	}
	slices.SortFunc(keys, func(a, b key) int { return slices.CompareFunc(a.words, b.words, compareWords) })
	return keys, refer, nil
}

func compareWords(a, b word) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.x, b.x))
}
