// Package render prints Go values for people: states of actors and contents of messages.
//
// What it prints is bounded, and the same in every process: no addresses, map keys in order, cycles marked. Unexported
// fields are followed. No code of the program runs, with two exceptions that cannot reach its state through a pointer.
// The first are String and Error methods of values, not pointers, that were reached without an unexported field. The
// second are the Error methods of the error types of the standard library.
package render

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/trace"
)

// Bounds of what is printed, besides the number of runes.
const (
	MaxDepth    = 6
	MaxElements = 16
	MaxString   = 80
	MaxEntries  = 1000 // of a map: larger ones are not sorted, and so not printed
)

// Value prints v in at most limit runes; what is left out is marked by an ellipsis. limit 0 is 200.
func Value(v any, limit int) string { return ValueNamed(v, limit, nil) }

// ValueNamed is Value with the names of native actors in the place of references to them.
func ValueNamed(v any, limit int, name func(actor int32) string) string {
	if limit <= 0 {
		limit = 200
	}
	p := &printer{left: limit * utf8.UTFMax, name: name}
	p.value(reflect.ValueOf(v), MaxDepth)
	return Shorten(p.b.String(), limit)
}

// Shorten cuts s to at most limit runes, the last of them an ellipsis if something was cut, and keeps it on one line.
func Shorten(s string, limit int) string {
	s = trace.Visible(strings.NewReplacer("\n", " ", "\t", " ", "\r", " ").Replace(strings.ToValidUTF8(s, "\ufffd")))
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	if limit < 1 {
		return ""
	}
	return string([]rune(s)[:limit-1]) + "…"
}

type printer struct {
	b    strings.Builder
	left int     // bytes that may still be printed; checked between elements
	path []visit // pointers being followed
	name func(actor int32) string
}

type visit struct {
	pointer uintptr
	length  int
	typ     reflect.Type
}

func (p *printer) print(s string) { p.b.WriteString(s) }

func (p *printer) full() bool { return p.b.Len() > p.left }

func (p *printer) value(v reflect.Value, depth int) {
	if !v.IsValid() {
		p.print("nil")
		return
	}
	if s, ok := p.actor(v); ok {
		p.print(s)
		return
	}
	if s, ok := known(v); ok {
		p.print(s)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		p.print(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.print(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.print(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		p.print(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
	case reflect.Complex64, reflect.Complex128:
		p.print(strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()))
	case reflect.String:
		p.print(strconv.Quote(Shorten(v.String(), MaxString)))
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		p.opaque(v)
	case reflect.Interface:
		p.value(v.Elem(), depth)
	case reflect.Pointer, reflect.Slice, reflect.Map:
		p.reference(v, depth)
	case reflect.Array:
		p.list(v, depth)
	case reflect.Struct:
		p.fields(v, depth)
	}
}

// opaque prints what has no readable content.
func (p *printer) opaque(v reflect.Value) {
	name := map[reflect.Kind]string{reflect.Func: "func", reflect.Chan: "chan", reflect.UnsafePointer: "pointer"}[v.Kind()]
	if v.IsNil() {
		name = "nil"
	}
	p.print(name)
}

// reference follows a pointer, slice or map, unless it is on the way to itself.
func (p *printer) reference(v reflect.Value, depth int) {
	if v.IsNil() {
		p.print("nil")
		return
	}
	at := visit{v.Pointer(), 0, v.Type()}
	if v.Kind() == reflect.Slice {
		at.length = v.Len()
	}
	if slices.Contains(p.path, at) && (v.Kind() != reflect.Slice || v.Len() > 0) {
		p.print("<cycle>")
		return
	}
	p.path = append(p.path, at)
	switch v.Kind() {
	case reflect.Pointer:
		p.print("&")
		p.value(v.Elem(), depth)
	case reflect.Map:
		p.mapping(v, depth)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			p.bytes(v)
		} else {
			p.list(v, depth)
		}
	}
	p.path = p.path[:len(p.path)-1]
}

func (p *printer) bytes(v reflect.Value) {
	b := make([]byte, min(v.Len(), MaxString))
	printable := true
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
		printable = printable && b[i] >= ' ' && b[i] < 0x7f
	}
	text := "0x" + hex.EncodeToString(b)
	if printable {
		text = strconv.Quote(string(b))
	}
	p.print(text)
	if v.Len() > len(b) {
		p.print("…")
	}
}

func (p *printer) list(v reflect.Value, depth int) {
	p.elements("[", "]", " ", v.Len(), depth, func(i int) { p.value(v.Index(i), depth-1) })
}

// elements prints up to MaxElements of n, and how many there are more.
func (p *printer) elements(left, right, between string, n, depth int, element func(i int)) {
	if n > 0 && depth <= 0 {
		p.print(left + "…" + right)
		return
	}
	p.print(left)
	for i := range n {
		if i > 0 {
			p.print(between)
		}
		if i == MaxElements || p.full() {
			p.print(fmt.Sprintf("… %d more", n-i))
			break
		}
		element(i)
	}
	p.print(right)
}

// mapping prints a map in the order of its keys; keys that print the same are ordered by their values.
func (p *printer) mapping(v reflect.Value, depth int) {
	if depth <= 0 {
		p.elements("map[", "]", "", v.Len(), depth, nil)
		return
	}
	if v.Len() > MaxEntries {
		p.print(fmt.Sprintf("map[… %d entries]", v.Len()))
		return
	}
	entries := p.entries(v, depth)
	p.elements("map[", "]", " ", len(entries), depth, func(i int) { p.print(entries[i].name + ":" + entries[i].val) })
}

// mapEntry is one of a map.
type mapEntry struct {
	key       reflect.Value
	name, val string
}

// entries are those of a map, in their order.
func (p *printer) entries(v reflect.Value, depth int) (entries []mapEntry) {
	for it := v.MapRange(); it.Next(); {
		entries = append(entries, mapEntry{it.Key(), p.aside(it.Key(), depth-1), p.aside(it.Value(), depth-1)})
	}
	slices.SortFunc(entries, func(a, b mapEntry) int {
		return cmp.Or(compareNumbers(a.key, b.key), cmp.Compare(a.name, b.name), cmp.Compare(a.val, b.val))
	})
	return entries
}

// aside prints to a string of its own.
func (p *printer) aside(v reflect.Value, depth int) string {
	q := &printer{left: p.left, path: slices.Clone(p.path), name: p.name}
	q.value(v, depth)
	return q.b.String()
}

func compareNumbers(a, b reflect.Value) int {
	switch {
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat() && b.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	return 0
}

func (p *printer) fields(v reflect.Value, depth int) {
	t := v.Type()
	var shown []int
	for i := range t.NumField() {
		if !noise(t, i) {
			shown = append(shown, i)
		}
	}
	p.elements(typeName(t)+"{", "}", " ", len(shown), depth, func(i int) {
		p.print(t.Field(shown[i]).Name + ":")
		p.value(v.Field(shown[i]), depth-1)
	})
}

// typeName leaves out the package; a type without a name has none.
func typeName(t reflect.Type) string { return t.Name() }

// machinery are types whose contents are a framework's or a library's affair, large, and the same for all actors.
var machinery = []string{"ActorSystem", "RootContext", "EventStream", "Logger"}

// noise reports fields that say nothing to people: locks, the machinery that actors hold on to, and the bookkeeping of
// generated protocol buffers.
func noise(t reflect.Type, i int) bool {
	f := t.Field(i)
	ft := f.Type
	for ft.Kind() == reflect.Pointer {
		ft = ft.Elem()
	}
	switch {
	case f.Name == "_", ft.PkgPath() == "sync":
		return true
	case ft.Kind() == reflect.Struct && ft.PkgPath() != t.PkgPath() && slices.Contains(machinery, ft.Name()):
		return true
	case ft.Name() == "MessageState" && strings.HasSuffix(ft.PkgPath(), "protobuf/internal/impl"):
		return true
	case f.Name == "sizeCache" || f.Name == "unknownFields":
		first := t.Field(0)
		return first.Type.Name() == "MessageState"
	}
	return false
}
