package facts

import (
	"reflect"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

// house has everything that a field can lead to.
type house struct {
	rooms   int
	name    string
	owner   *person
	guests  []person
	byName  map[string]*person
	pairs   map[[2]int]float64
	any     any
	door    func()
	built   time.Time
	ratio   complex128
	corners [3]bool
	known   *known
}

type person struct {
	age  int
	next *person
}

// known stands for an actor.
type known struct{ id string }

func newHouse() *house {
	p := &person{age: 3}
	p.next = p
	h := &house{name: "a house with a long name", owner: p, guests: make([]person, 2, 4), byName: map[string]*person{},
		any: []int{1}, known: &known{"x"}, built: time.Unix(1, 2)}
	for _, n := range []string{"a", "b", "c", "d"} {
		h.byName[n] = &person{next: p}
	}
	h.pairs = map[[2]int]float64{{1, 2}: 3}
	return h
}

// Memory that nobody has changed has the same image whenever it is looked at; each change shows, and taking it back
// does too.
func TestImage(t *testing.T) {
	s := &sight{nature: func(t reflect.Type) explore.Nature {
		if t == reflect.TypeFor[*known]() {
			return explore.Reference
		}
		return explore.Plain
	}}
	for name, change := range map[string]func(h *house) (back func()){
		"a number":         func(h *house) func() { h.rooms++; return func() { h.rooms-- } },
		"a string":         func(h *house) func() { n := h.name; h.name = n + "."; return func() { h.name = n } },
		"behind a pointer": func(h *house) func() { h.owner.age++; return func() { h.owner.age-- } },
		"an equal copy":    func(h *house) func() { o := h.owner; c := *o; h.owner = &c; return func() { h.owner = o } },
		"an element":       func(h *house) func() { h.guests[1].age = 1; return func() { h.guests[1].age = 0 } },
		"a longer slice":   func(h *house) func() { h.guests = h.guests[:3]; return func() { h.guests = h.guests[:2] } },
		"an entry":         func(h *house) func() { h.byName["e"] = nil; return func() { delete(h.byName, "e") } },
		"behind an entry":  func(h *house) func() { h.byName["c"].age++; return func() { h.byName["c"].age-- } },
		"entries that swap": func(h *house) func() {
			f := func() { h.byName["a"], h.byName["b"] = h.byName["b"], h.byName["a"] }
			f()
			return f
		},
		"a value in a map": func(h *house) func() {
			h.pairs[[2]int{1,
				2}] = 4
			return func() { h.pairs[[2]int{1, 2}] = 3 }
		},
		"in an interface":    func(h *house) func() { h.any.([]int)[0] = 2; return func() { h.any.([]int)[0] = 1 } },
		"another interface":  func(h *house) func() { a := h.any; h.any = any(int64(1)); return func() { h.any = a } },
		"a time":             func(h *house) func() { b := h.built; h.built = b.Add(1); return func() { h.built = b } },
		"a complex number":   func(h *house) func() { h.ratio = 1i; return func() { h.ratio = 0 } },
		"an array":           func(h *house) func() { h.corners[2] = true; return func() { h.corners[2] = false } },
		"another actor":      func(h *house) func() { k := h.known; h.known = &known{}; return func() { h.known = k } },
		"a function appears": func(h *house) func() { h.door = func() {}; return func() { h.door = nil } },
	} {
		h := newHouse()
		v := reflect.ValueOf(h)
		before := s.image(v)
		for range 5 { // maps show their entries in another order each time
			if !s.image(v).Same(before) {
				t.Fatalf("%s: the image differs although nothing has changed", name)
			}
		}
		back := change(h)
		if s.image(v).Same(before) {
			t.Errorf("%s: the image is the same", name)
		}
		back()
		if !s.image(v).Same(before) {
			t.Errorf("%s: the image differs after the change was taken back", name)
		}
	}
}

// What is behind functions and channels nobody sees, and the image says so; what an actor's name says does not count.
func TestBlind(t *testing.T) {
	s := &sight{}
	for _, tt := range []struct {
		v     any
		blind bool
	}{{newHouse(), false}, {func() {}, true}, {make(chan int), true}, {[]any{func() {}}, true}, {(func())(nil), false},
		{struct{ f func() }{}, false}} {
		if got := s.image(reflect.ValueOf(tt.v)).Blind; got != tt.blind {
			t.Errorf("%T: blind %v, want %v", tt.v, got, tt.blind)
		}
	}
	s = &sight{}
	s.nature = func(t reflect.Type) explore.Nature {
		if t == reflect.TypeFor[*known]() {
			return explore.Reference
		}
		return explore.Plain
	}
	h := newHouse()
	before := s.image(reflect.ValueOf(h))
	h.known.id = "y"
	if !s.image(reflect.ValueOf(h)).Same(before) {
		t.Error("what stands for an actor was followed")
	}
}
