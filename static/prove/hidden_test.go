package prove_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// quietly is a program in which nothing is nil. In read, line 13 looks behind the receiver, line 14 behind its field.
const quietly = `package main

import LIBRARY

var _ = LIBRARY.Used

type book struct{ n int }

type desk struct{ book *book }

// Nobody but main makes a desk.
func (d *desk) read() int {
	b := d.book
	return b.n
}

func (d *desk) String() string { return "" }

func main() {
	d := &desk{&book{}}
	other(d.read(), &d.book.n, nil)
}

`

// constructs are what one adds to that program, and what may be nil then.
var constructs = []struct {
	name, library, text string
	want                []string
}{
	{"nothing", "fmt", ``, none},
	{"a size", "unsafe", `var size = unsafe.Sizeof(desk{})`, none},
	{"bytes of a text", "unsafe", `var bytes = unsafe.Slice(unsafe.StringData("abc"), 3)`, none},
	{"a pointer becomes unsafe", "unsafe", `func f(n *int) unsafe.Pointer { return unsafe.Pointer(n) }`, none},
	{"an unsafe pointer", "unsafe", `func f(n *int) *[8]byte { return (*[8]byte)(unsafe.Pointer(n)) }`, all},
	{"a number becomes a pointer", "unsafe", `func f(n uintptr) **book { return (**book)(unsafe.Pointer(n)) }`, all},
	{"a generic cast", "unsafe", `func f[P unsafe.Pointer](p P) **book { return (**book)(p) }`, all},
	{"reflect looks", "reflect", `func f(n int) bool { return reflect.ValueOf(n).IsNil() }`, none},
	{"reflect makes", "reflect", `func f() { reflect.Zero(nil) }`, all},
	{"reflect makes, by a variable", "reflect", `func f() { zero := reflect.Zero; zero(nil) }`, all},
	{"reflect calls, by a variable", "reflect", `func f() { call := reflect.ValueOf(f).Call; call(nil) }`, all},
	{"reflect as a method expression", "reflect",
		`func f(v reflect.Value) { set := reflect.Value.Set; set(v, v) }`, all},
	{"no body", "fmt", `
func missing()
func f() { missing() }`, all},
	{"no body, and no call", "fmt", `func missing()`, none},
	{"a named interface", "fmt", `
type reader interface{ read() int }
func f(m any) int { return m.(reader).read() }`, all},
	{"an interface without a name", "fmt", `func f(m any) int { return m.(interface{ read() int }).read() }`, all},
	{"one of a library", "fmt", `func f(m any) string { return m.(fmt.Stringer).String() }`, field},
	{"one in a message", "fmt", `
type is struct{ in []fmt.Stringer }
func f(m any) bool { _, ok := m.(is); return ok }`, field},
	{"a type of the same name before", "fmt", `
type is struct{ d *desk }
func e(m any) bool { type is int; _, ok := m.(is); return ok }
func f(m any) bool { _, ok := m.(is); return ok }`, field},
	{"with a method that nothing calls", "fmt", `
type desks struct{ d *desk }
func (d *desks) empty() { d.d.book = nil }
func f(m any) { m.(interface{ empty() }).empty() }`, field},
	{"one that it has not", "fmt", `
type writer interface{ write() int }
func f(m any) int { return m.(writer).write() }`, none},
	{"a generic interface", "fmt", `
type reader[T any] interface{ read() T }
func f(m any) int { return m.(reader[int]).read() }`, all},
	{"in a generic function", "fmt", `func f[T any](m any) T { return m.(interface{ read() T }).read() }`, all},
	{"a generic type with the method", "fmt", `
type writer interface{ write() int }
type crate[T any] struct{ v T }
func (crate[T]) write() int { return 0 }
func f(m any) int { return m.(writer).write() }`, none},
	{"which may hold a desk", "fmt", `
type writer interface{ write() int }
type crate[T interface{ read() int }] struct{ v T }
func (c crate[T]) write() int { return c.v.read() }
func f(m any) int { return m.(writer).write() }`, all},
	{"which holds no desk, of those that it may", "fmt", `
type crate[T interface{ *desk | *book }] struct{ v T }
func f(m any) bool { _, ok := m.(crate[*book]); return ok }`, none},
	{"which is for desks, in a generic function", "fmt", `
type crate[T any] struct{ v T }
func f[T interface{ *desk | *book }](m any) bool { _, ok := m.(crate[T]); return ok }`, field},
	{"of itself", "fmt", `
type crate[T any] struct{ v T }
func f[T interface{ *T }](m any) bool { _, ok := m.(crate[T]); return ok }`, none},
}

// What may be nil in read.
var (
	none  []string
	field = []string{"14 nil"}
	all   = []string{"13 nil", "14 nil"}
)

// TestConstructs: what one construct costs the facts of a program. A construct that cannot make a value of a type costs
// that type nothing. One that may make any value costs all; one by which a message may be a desk costs the desk.
func TestConstructs(t *testing.T) {
	for _, c := range constructs {
		t.Run(c.name, func(t *testing.T) {
			used := map[string]string{"fmt": "fmt.Sprint", "reflect": "reflect.DeepEqual", "unsafe": "unsafe.Sizeof(1)"}
			source := strings.NewReplacer("LIBRARY.Used", used[c.library], "LIBRARY", strconv.Quote(c.library)).
				Replace(quietly) + "func other(int, *int, any) {}\n" + c.text + "\n"
			got := slices.DeleteFunc(mayBeNil(t, source), func(s string) bool { return !slices.Contains(all, s) })
			if !slices.Equal(got, c.want) {
				t.Errorf("may be nil: %q, want %q", got, c.want)
			}
		})
	}
}

// libraries imports what programs of tests use of libraries, without reading these.
type libraries struct{}

func (libraries) Import(path string) (*types.Package, error) {
	text := map[string]string{
		"fmt": `
type Stringer interface{ String() string }
func Sprint(...any) string`,
		"reflect": `
type Type interface{ Name() string }
type Value struct{}
func ValueOf(any) Value
func (Value) IsNil() bool
func (Value) Call([]Value) []Value
func (Value) Set(Value)
func Zero(Type) Value
func DeepEqual(a, b any) bool`,
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, "package "+path+"\n"+text[path], parser.SkipObjectResolution)
	if err != nil || text[path] == "" {
		return nil, fmt.Errorf("no library %s: %v", path, err)
	}
	return (&types.Config{IgnoreFuncBodies: true}).Check(path, fset, []*ast.File{file}, nil)
}
