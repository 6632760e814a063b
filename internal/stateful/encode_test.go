package stateful

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// ref refers to an actor.
type ref int32

// box is the framework's own.
type box struct{ f func() }

// fake knows of natures only.
type fake struct{ explore.Inspector }

func (fake) Nature(t reflect.Type) explore.Nature {
	switch t {
	case reflect.TypeFor[ref]():
		return explore.Reference
	case reflect.TypeFor[*box]():
		return explore.Opaque
	case reflect.TypeFor[*secret]():
		return explore.Secret
	}
	return explore.Plain
}

func (fake) ActorOf(v any) (int32, string) { return int32(v.(ref)), "" }

type secret struct{}

type treeNode struct {
	value int
	next  *treeNode
	other *treeNode
}

type holder struct {
	name   string
	on     bool
	list   []int
	rest   []int
	nodes  map[string]*treeNode
	known  map[ref]int
	any    any
	who    ref
	frame  *box
	first  *treeNode
	second *treeNode
	field  *int
	fixed  [2]complex128
	f      func()
	c      chan int
	p      unsafe.Pointer
	byNode map[*treeNode]int
	s      *secret
}

// keyOf hashes values, each a unit, among three actors that are told apart.
func keyOf(t *testing.T, values ...any) (trace.ID, error) {
	t.Helper()
	var types types
	e := encoder{types: &types, x: fake{}}
	u := &units{actors: 3 + len(values), words: [][]word{{{plain, 1}}, {{plain, 2}}, {{plain, 3}}}}
	for i, v := range values {
		e.begin(int32(3 + i))
		if err := e.any(v); err != nil {
			return trace.ID{}, err
		}
		u.words = append(u.words, e.words)
	}
	u.words = append(u.words, shared(e.spans)...)
	return u.canonical().Key, nil
}

// rich makes a holder in which everything is used.
func rich() *holder {
	a, b := &treeNode{value: 1}, &treeNode{value: 2}
	a.next, b.next = b, a // a cycle
	h := &holder{name: "a name of some length", on: true, list: []int{1, 2, 3, 4},
		nodes: map[string]*treeNode{"x": a, "y": b, "z": a},
		known: map[ref]int{0: 5, 1: 6, 2: 7}, any: treeNode{value: 9}, who: 2, frame: &box{func() {}}, first: a, second: b,
		fixed: [2]complex128{1, 2i}}
	h.rest, h.field = h.list[1:3], &h.list[2]
	return h
}

func TestValues(t *testing.T) {
	base, err := keyOf(t, rich())
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := keyOf(t, rich()); again != base {
		t.Error("a copy has another key")
	}
	for name, change := range map[string]func(*holder){
		"string":       func(h *holder) { h.name = "a name of same length" },
		"bool":         func(h *holder) { h.on = false },
		"element":      func(h *holder) { h.list[3]++ },
		"nil slice":    func(h *holder) { h.rest = nil },
		"empty slice":  func(h *holder) { h.rest = h.rest[:0] },
		"copied slice": func(h *holder) { h.rest = []int{2, 3} },
		"slice elsewhere": func(h *holder) {
			h.list = []int{2, 3, 2,
				3}
			h.rest = h.list[2:4]
			h.field = &h.list[2]
		},
		"pointer into a slice":       func(h *holder) { v := 3; h.field = &v },
		"map entry":                  func(h *holder) { delete(h.nodes, "z") },
		"map value":                  func(h *holder) { h.nodes["x"], h.nodes["y"] = h.nodes["y"], h.nodes["x"] },
		"map of references":          func(h *holder) { h.known[0], h.known[1] = 6, 5 },
		"interface":                  func(h *holder) { h.any = holder{} },
		"nil interface":              func(h *holder) { h.any = nil },
		"reference":                  func(h *holder) { h.who = 1 },
		"nobody":                     func(h *holder) { h.who = -1 },
		"aliasing":                   func(h *holder) { h.second = &treeNode{value: 2, next: h.first} },
		"cycle":                      func(h *holder) { h.second.next = &treeNode{value: 1, next: h.second} },
		"nil pointer":                func(h *holder) { h.second = nil },
		"complex":                    func(h *holder) { h.fixed[1] = 2 },
		"a field of another element": func(h *holder) { h.field = &h.list[1] },
	} {
		h := rich()
		change(h)
		if k, err := keyOf(t, h); err != nil || k == base {
			t.Errorf("%s: the change does not change the key (%v)", name, err)
		}
	}
	for name, change := range map[string]func(*holder){
		"what is opaque":   func(h *holder) { h.frame = &box{} },
		"order of entries": func(h *holder) { m := h.known; h.known = map[ref]int{2: m[2], 1: m[1], 0: m[0]} },
	} {
		h := rich()
		change(h)
		if k, err := keyOf(t, h); err != nil || k != base {
			t.Errorf("%s changes the key (%v)", name, err)
		}
	}
}

// Where nobody else sees the memory, spare capacity is nothing that a program looks at.
func TestSpareCapacity(t *testing.T) {
	full, _ := keyOf(t, &holder{list: []int{1, 2}})
	if spare, _ := keyOf(t, &holder{list: append(make([]int, 0, 9), 1, 2)}); spare != full {
		t.Error("spare capacity changes the key")
	}
	// Here appending to rest would write into list.
	long := append(make([]int, 0, 9), 1, 2)
	inside, _ := keyOf(t, &holder{list: long, rest: long[:1]})
	if capped, _ := keyOf(t, &holder{list: long, rest: long[:1:1]}); capped == inside {
		t.Error("the extent of shared memory does not show")
	}
}

// Memory that two actors share is not the same as two pieces with the same contents.
func TestSharing(t *testing.T) {
	n := &treeNode{value: 1}
	together, _ := keyOf(t, &holder{first: n}, &holder{first: n})
	apart, _ := keyOf(t, &holder{first: n}, &holder{first: &treeNode{value: 1}})
	if together == apart {
		t.Error("sharing between actors does not show")
	}
	turned, _ := keyOf(t, &holder{first: n}, &holder{second: n})
	same, _ := keyOf(t, &holder{second: n}, &holder{first: n})
	if turned != same {
		t.Error("the order of actors shows")
	}
}

// What cannot be compared is named by its path.
func TestRefuses(t *testing.T) {
	n := treeNode{}
	for _, tt := range []struct {
		value any
		want  string
	}{
		{&holder{f: func() {}}, "stateful.holder.f (func)"},
		{&holder{c: make(chan int)}, "stateful.holder.c (chan)"},
		{&holder{p: unsafe.Pointer(&n)}, "stateful.holder.p (unsafe.Pointer)"},
		{&holder{byNode: map[*treeNode]int{&n: 1}}, "stateful.holder.byNode (map with pointers in its keys)"},
		{&holder{s: &secret{}}, "stateful.holder.s (*stateful.secret)"},
		{&holder{any: []any{1, func() {}}}, "stateful.holder.any[] (func)"},
		{&holder{any: map[any]int{&n: 1}}, "stateful.holder.any (map with pointers or NaN in its keys)"},
		{func() {}, "func() (func)"},
	} {
		_, err := keyOf(t, tt.value)
		if err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
	if _, err := keyOf(t, &holder{}); err != nil {
		t.Errorf("nil functions, channels and maps are refused: %v", err)
	}
}

// Types of the same name are told apart, or refused.
func TestTypesOfOneName(t *testing.T) {
	f := func() any { type local struct{ x int }; return local{1} }
	g := func() any { type local struct{ x int }; return local{1} }
	if _, err := keyOf(t, f(), g()); err == nil || !strings.Contains(err.Error(), "two types are called") {
		t.Errorf("got %v", err)
	}
}
