package prove_test

import (
	"go/types"
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/static/prove"
)

// checked has functions whose lines say in a comment which check on them may fail. All others cannot.
const checked = `package main

type room struct {
	waiting []int
	book    *room
	open    map[int]int
}

func (r *room) Send(int) {}

func walk(s []int) (sum int) {
	for _, v := range s {
		if v > s[0] {
			continue
		}
		sum += v
	}
	for i := len(s) - 1; i >= 0; i-- {
		sum += s[i]
	}
	return sum + s[len(s)-1] // index
}

func first(r *room) int {
	if len(r.waiting) == 0 { // nil
		return 0
	}
	next := r.waiting[0]
	r.waiting = r.waiting[1:]
	return next + r.waiting[0] // index
}

func drop(s []int, x int) []int {
	for i, v := range s {
		if v == x {
			return append(s[:i], s[i+1:]...)
		}
	}
	return s[x:] // slice
}

func ring(s []int, i int) int {
	if i < 0 || len(s) == 0 {
		return 1 % i // division
	}
	return s[i%len(s)] + s[(i+1)%len(s)] // index
}

func copied(s []int) []int {
	t := make([]int, 0, 4)
	for _, v := range s {
		t = append(t, v)
	}
	t = append(t, 1)
	t[0]++
	m := map[int]int{}
	m[1] = t[1] // index
	return t
}

func write(r *room) {
	if r == nil || r.book == nil {
		return
	}
	r.book.open[1] = 2 // map
	r.book.open[2] = 3
	r.book = nil
	r.book.waiting = nil // nil
}
`

func TestChecks(t *testing.T) {
	want := map[string]bool{"21 index": true, "25 nil": true, "30 index": true, "39 slice": true, "44 division": true, "46 index": true, "57 index": true, "65 map": true, "68 nil": true}
	got := map[string]bool{}
	for key, c := range checksOf(t, checked, nil) {
		if c.left > 0 {
			got[key] = true
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("checks that may fail: %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// whole is a program whose lines say in a comment what may be nil there.
const whole = `package main

type book struct{ n int }

type actor struct {
	book, late *book
	seen       map[int]bool
	next       *actor
}

type message struct{ book *book }

type failure struct{}

func (failure) Error() string { return "" }

func newActor(b, other *book) *actor {
	a := &actor{book: b, seen: map[int]bool{}, late: b}
	a.late = other
	return a
}

func open(ok bool) (*book, error) {
	if !ok {
		return nil, failure{}
	}
	return &book{}, nil
}

func given(b *book) int {
	return b.n // nil
}

func (a *actor) Receive(m any) int {
	a.seen[1] = true // whoever calls may have no actor
	switch m := m.(type) {
	case message:
		return m.book.n // nil
	case int:
		return a.late.n // nil
	}
	return a.book.n +
		a.next.book.n // nil
}

func main() {
	b, err := open(true)
	if err != nil {
		return
	}
	make := func() *actor { return newActor(b, nil) }
	make().Receive(1)
	f := given
	for range 2 {
		f = func(*book) int { return 1 }
	}
	f(nil)
}
`

func TestProgram(t *testing.T) {
	want := []string{"31 nil", "35 nil", "38 nil", "40 nil", "43 nil"}
	if got := mayBeNil(t, whole); !slices.Equal(got, want) {
		t.Errorf("may be nil: %q, want %q", got, want)
	}
}

// faces is a program with an interface of its own in which a message may be. A box has its method, a desk has not.
const faces = `package main

type book struct{ n int }

type shelf interface{ first() int }

type box struct{ book *book }

func (b *box) first() int {
	return b.book.n // nil: who sends a message may make a box
}

type desk struct{ book *book }

func (d *desk) read() int {
	return d.book.n
}

func handle(m any) int {
	if m, ok := m.(shelf); ok {
		return m.first()
	}
	return 0
}

func main() {
	b, d := &box{&book{}}, &desk{&book{}}
	handle(b.first() + d.read())
}
`

// TestInterfaces: who sends a message may make values of the types that have the methods of an interface that it may be
// in, and of no others. A generic type with these methods costs what its values may lead to.
func TestInterfaces(t *testing.T) {
	if got, want := mayBeNil(t, faces), []string{"10 nil", "21 nil"}; !slices.Equal(got, want) {
		t.Errorf("may be nil: %q, want %q", got, want)
	}
	generic := faces + "type crate[T any] struct{ book *book }\nfunc (*crate[T]) first() int { return 0 }\n"
	if got, want := mayBeNil(t, generic), []string{"10 nil", "21 nil"}; !slices.Equal(got, want) {
		t.Errorf("with a generic type: may be nil: %q, want %q", got, want)
	}
}

// mayBeNil lists the places of a whole program at which something may be nil.
func mayBeNil(t *testing.T, source string) []string {
	t.Helper()
	found := checksOf(t, source, func(pkg *ssa.Package) func(ssa.Instruction) string {
		var list []*ssa.Function
		for fn := range ssautil.AllFunctions(pkg.Prog) {
			list = append(list, fn)
		}
		return prove.NewProgram(list, func(p *types.Package) bool { return p == pkg.Pkg }).Never
	})
	got := []string{}
	for key, c := range found {
		if c.left > 0 {
			got = append(got, key)
		}
	}
	slices.Sort(got)
	return got
}
