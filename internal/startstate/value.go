package startstate

import (
	"fmt"
	"math"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
)

// encode writes all values down that are wanted, and the memory that they lead to.
func (r *reader) encode(s *State) {
	r.find()
	out := &writer{reader: r, state: s}
	for _, w := range r.wanted {
		*w.to = out.value(w.v)
	}
	for i := 0; i < len(out.needed); i++ { // grows
		b := out.needed[i]
		m := Memory{Type: TypeName(b.typ)}
		if b.typ.Kind() == reflect.Map {
			m.Entries = out.entries(b.val)
		} else {
			m.Value = out.value(b.val)
		}
		s.Memory = append(s.Memory, m)
	}
}

// writer writes values down.
type writer struct {
	*reader
	state  *State
	needed []*block
	count  int
}

// entries writes the contents of a map, in an order of their keys.
func (w *writer) entries(v reflect.Value) (list [][2]Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	for _, k := range keys {
		list = append(list, [2]Value{w.value(boxed(k).Elem()), w.value(boxed(v.MapIndex(k)).Elem())})
	}
	return list
}

// memory gives the index of a block.
func (w *writer) memory(b *block) int {
	if b.index < 0 {
		b.index = len(w.needed)
		w.needed = append(w.needed, b)
	}
	return b.index
}

func unread(format string, args ...any) Value {
	return Value{Kind: Unread, Text: fmt.Sprintf(format, args...)}
}

// value writes a value.
func (w *writer) value(v reflect.Value) Value {
	if w.count++; w.count > most {
		return unread("there are more than %d values", most)
	}
	if v.IsZero() {
		return Value{}
	}
	t := v.Type()
	switch w.in.Nature(t) {
	case explore.Reference:
		return w.reference(v)
	case explore.Opaque:
		return Value{Kind: Framework}
	case explore.Secret:
		return unread("a %s", t)
	}
	if w.opaque(t) {
		return unread("a %s", t)
	}
	switch v.Kind() {
	case reflect.String:
		return Value{Kind: String, Bytes: []byte(v.String())}
	case reflect.Struct, reflect.Array:
		return w.parts(v)
	case reflect.Pointer:
		return w.pointer(v.UnsafePointer(), t.Elem())
	case reflect.Slice:
		return w.slice(v)
	case reflect.Interface:
		return Value{Kind: Interface, Type: TypeName(v.Elem().Type()), Parts: []Value{w.value(boxed(v.Elem()).Elem())}}
	case reflect.Map:
		if b := w.maps[v.UnsafePointer()]; b != nil && v.Len() <= longest {
			return Value{Kind: Map, Index: w.memory(b)}
		}
		return unread("a map of %d entries", v.Len())
	case reflect.Func:
		return w.function(v)
	}
	return number(v)
}

// number writes a number or a truth value.
func number(v reflect.Value) Value {
	switch {
	case v.Kind() == reflect.Bool:
		return Value{Kind: Number, Text: "1"}
	case v.CanInt():
		return Value{Kind: Number, Text: strconv.FormatInt(v.Int(), 10)}
	case v.CanUint():
		return Value{Kind: Number, Text: strconv.FormatUint(v.Uint(), 10)}
	case v.Kind() == reflect.Float32:
		return Value{Kind: Number, Text: strconv.FormatUint(uint64(math.Float32bits(float32(v.Float()))), 10)}
	case v.Kind() == reflect.Float64:
		return Value{Kind: Number, Text: strconv.FormatUint(math.Float64bits(v.Float()), 10)}
	}
	return unread("a %s", v.Type())
}

// reference writes a reference to an actor.
func (w *writer) reference(v reflect.Value) Value {
	if v.Kind() == reflect.Struct && v.Type().NumField() > 1 {
		return unread("a %s", v.Type()) // a copy of what references are pointers to
	}
	actor, name := w.in.ActorOf(v.Interface())
	switch {
	case actor >= 0:
		return Value{Kind: Actor_, Index: int(actor) - 1}
	case name == "":
		return Value{}
	}
	return unread("a reference to %s, which is no actor of the test", name)
}

// parts writes a struct or an array.
func (w *writer) parts(v reflect.Value) Value {
	out := Value{Kind: Parts}
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			out.Parts = append(out.Parts, w.value(opened(v.Field(i))))
		}
		return out
	}
	if v.Len() > longest {
		return unread("an array of %d elements", v.Len())
	}
	for i := range v.Len() {
		out.Parts = append(out.Parts, w.value(opened(v.Index(i))))
	}
	return out
}

// pointer writes a pointer to something of a type.
func (w *writer) pointer(at unsafe.Pointer, t reflect.Type) Value {
	b := w.known[blockKey{at, t}]
	switch {
	case b == nil:
		return unread("there is too much memory")
	case b.in == nil:
		return Value{Kind: Pointer, Index: w.memory(b)}
	case b.path == nil || t.Kind() == reflect.Array && len(b.path) > 0 && b.in.typ.Kind() == reflect.Array:
		return unread("a *%s that leads into the middle of other memory", t)
	}
	return Value{Kind: Pointer, Index: w.memory(b.in), Path: b.path}
}

// slice writes a slice.
func (w *writer) slice(v reflect.Value) Value {
	if v.Cap() > longest {
		return unread("a slice of %d elements", v.Cap())
	}
	if v.Cap() == 0 {
		return Value{Kind: Slice, Index: -1}
	}
	out := Value{Kind: Slice, Len: v.Len(), Cap: v.Cap()}
	b := w.known[blockKey{v.UnsafePointer(), reflect.ArrayOf(v.Cap(), v.Type().Elem())}]
	switch {
	case b == nil:
		return unread("there is too much memory")
	case b.in == nil:
		out.Index = w.memory(b)
	case b.path == nil:
		return unread("a %s that leads into the middle of other memory", v.Type())
	default:
		out.Index, out.Path = w.memory(b.in), b.path
		if n := len(b.path); !entire(b.in.typ, b.path, b.typ) {
			out.Path, out.From = b.path[:n-1], b.path[n-1]
		}
	}
	return out
}

// entire reports whether a path leads to an array of a type itself, and not to some of its elements.
func entire(t reflect.Type, path []int, part reflect.Type) bool {
	for _, i := range path {
		if t.Kind() == reflect.Struct {
			t = t.Field(i).Type
		} else {
			t = t.Elem()
		}
	}
	return t == part
}

// function writes a function. A bound method has its receiver, if that is a pointer to memory that was read.
func (w *writer) function(v reflect.Value) Value {
	code := v.Pointer()
	fn := runtime.FuncForPC(code)
	if fn == nil {
		return unread("a function without a name")
	}
	out := Value{Kind: Function, Text: fn.Name()}
	out.File, out.Line = fn.FileLine(fn.Entry())
	if method, bound := strings.CutSuffix(fn.Name(), "-fm"); bound {
		out.Parts = w.receiver(v, method)
	}
	return out
}

// receiver finds the receiver of a bound method among the memory that was read.
func (w *writer) receiver(v reflect.Value, method string) []Value {
	if !v.CanAddr() {
		return nil
	}
	closure := *(**[2]unsafe.Pointer)(unsafe.Pointer(v.UnsafeAddr())) // the code, and the receiver
	i := strings.LastIndex(method, ".(*")
	j := strings.LastIndex(method, ").")
	if i < 0 || j < i {
		return nil
	}
	name := method[:i] + "." + method[i+3:j]
	for _, b := range w.blocks {
		if b.addr == uintptr(closure[1]) &&
			strings.ReplaceAll(TypeName(b.typ), "%2e", ".") == strings.ReplaceAll(name, "%2e", ".") {
			return []Value{w.pointer(closure[1], b.typ)}
		}
	}
	return nil
}

// opaque reports whether what values of a type hold is not looked at: structs of the standard library and of the
// framework, and what leads outside of Go.
func (r *reader) opaque(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Chan, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Pointer:
		return r.in.Nature(t) != explore.Plain
	case reflect.Struct:
		if r.in.Nature(t) != explore.Plain {
			return true
		}
		if t.PkgPath() == "sync/atomic" {
			return strings.HasPrefix(t.Name(), "Pointer") || t.Name() == "Value"
		}
		f, ok := r.in.(interface{ Foreign(reflect.Type) bool })
		return t.PkgPath() != "" && (r.standard(t.PkgPath()) || ok && f.Foreign(t))
	}
	return false
}

// standard reports whether a package is of the standard library.
func (r *reader) standard(pkg string) bool {
	if r.own == nil {
		r.own = modules()
	}
	first, _, _ := strings.Cut(pkg, "/")
	return !strings.Contains(first, ".") && !r.own(pkg)
}

// modules gives a function that knows the packages of modules.
func modules() func(pkg string) bool {
	info, ok := debug.ReadBuildInfo()
	var list []string
	if ok {
		list = append(list, info.Main.Path)
		for _, d := range info.Deps {
			list = append(list, d.Path)
		}
	}
	return func(pkg string) bool {
		for _, m := range list {
			if m != "" && (pkg == m || strings.HasPrefix(pkg, m+"/") || pkg == m+"_test" || path.Dir(pkg) == m) {
				return true
			}
		}
		return false
	}
}

// TypeName names a type with the whole paths of its packages, so that it can be found in the source.
func TypeName(t reflect.Type) string {
	switch {
	case t.Name() != "" && t.PkgPath() != "":
		return t.PkgPath() + "." + t.Name()
	case t.Name() != "":
		return t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + TypeName(t.Elem())
	case reflect.Slice:
		return "[]" + TypeName(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), TypeName(t.Elem()))
	case reflect.Map:
		return "map[" + TypeName(t.Key()) + "]" + TypeName(t.Elem())
	case reflect.Func:
		return "func"
	case reflect.Struct:
		if t.NumField() == 0 {
			return "struct{}"
		}
	}
	return "?" + t.String()
}
