package render

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
)

type account struct {
	mu      sync.Mutex
	Owner   string
	balance int
	open    bool
	history []entry
	limits  map[string]int
	wait    time.Duration
	at      time.Time
	last    error
	hook    func()
	done    chan int
	count   atomic.Int64
}

type entry struct{ Amount int }

// place is the path of a reference of some frameworks.
type place struct{ name string }

func (p *place) Name() string { return p.name }

// withPath is a reference that has its name in a path, and the actor beside that.
func withPath(p *place) any {
	type PID struct {
		path  interface{ Name() string }
		actor *node
	}
	ring := &node{Name: "a"}
	ring.next = ring
	if p == nil {
		return &PID{nil, ring}
	}
	return &PID{p, ring}
}

type node struct {
	Name string
	next *node
}

type money int

func (m money) String() string { return fmt.Sprintf("%d.%02d EUR", int(m)/100, int(m)%100) }

type broken struct{ N int }

func (broken) String() string { panic("not today") }

type pointy struct{ n int }

// String must not be called: it would see the program's state through a pointer.
func (p *pointy) String() string { p.n++; return "called" }

type wrapper struct {
	Money money
	money money
}

type PID struct {
	Address, Id string
	p           *node
}

func TestValue(t *testing.T) {
	ring := &node{Name: "a"}
	ring.next = &node{"b", ring}
	self := map[string]any{}
	self["me"] = self
	acc := &account{Owner: "Ann", balance: -5, history: []entry{{3}, {-8}}, limits: map[string]int{"b": 2, "a": 1},
		wait: time.Second, at: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), last: errors.New("no"), hook: func() {}}
	acc.count.Store(7)
	deep := &node{Name: "0"}
	for i, n := 1, deep; i < 20; i, n = i+1, n.next {
		n.next = &node{Name: fmt.Sprint(i)}
	}
	large := map[int]int{}
	for i := range 1001 {
		large[i] = i
	}
	for _, c := range []struct {
		name string
		v    any
		want string
	}{
		{"nil", nil, "nil"},
		{"number", -3, "-3"},
		{"unsigned", uint8(3), "3"},
		{"float", 0.1, "0.1"},
		{"float32", float32(0.1), "0.1"},
		{"string", "a\nb", `"a b"`},
		{"actor", acc, `&account{Owner:"Ann" balance:-5 open:false history:[entry{Amount:3} entry{Amount:-8}] limits:map["a":1 "b":2] ` +
			`wait:1s at:2026-01-02T03:04:05.000000006Z last:&errorString{s:"no"} hook:func done:nil count:7}`},
		{"ring", ring, `&node{Name:"a" next:&node{Name:"b" next:<cycle>}}`},
		{"map in itself", self, `map["me":<cycle>]`},
		{"numeric keys", map[int]string{10: "x", 9: "y"}, `map[9:"y" 10:"x"]`},
		{"negative keys", map[int]bool{1: true, -1: false}, `map[-1:false 1:true]`},
		{"large map", large, "map[… 1001 entries]"},
		{"pointer keys", map[*entry]int{{2}: 1, {1}: 2, {1}: 1},
			`map[&entry{Amount:1}:1 &entry{Amount:1}:2 &entry{Amount:2}:1]`},
		{"nil slice", []int(nil), "nil"},
		{"empty slice", []int{}, "[]"},
		{"long slice", make([]int, 20), "[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 … 4 more]"},
		{"bytes", []byte("hello"), `"hello"`},
		{"binary", []byte{0, 255}, "0x00ff"},
		{"array", [2]bool{true}, "[true false]"},
		{"anonymous", struct{ A int }{1}, "{A:1}"},
		{"deep", deep, `&node{Name:"0" next:&node{Name:"1" next:&node{Name:"2" next:&node{Name:"3" next:&node{Name:"4" next:&node{Name:"5" next:&node{…}}}}}}}`},
		{"error", errors.New("no luck"), "no luck"},
		{"wrapped error", fmt.Errorf("open: %w", errors.New("gone")), "open: gone"},
		{"stringer", money(1234), "12.34 EUR"},
		{"stringer behind an unexported field", wrapper{100, 100}, "wrapper{Money:1.00 EUR money:100}"},
		{"stringer that panics", broken{3}, "broken{N:3}"},
		{"stringer on a pointer", &pointy{1}, "&pointy{n:1}"},
		{"nil pointer", (*pointy)(nil), "nil"},
		{"nil in an interface", struct{ E error }{}, "{E:nil}"},
		{"typed nil error", error((*nilError)(nil)), "nil"},
		{"duration", 1500 * time.Millisecond, "1.5s"},
		{"reference of an actor", &PID{"local", "bank/$1", ring}, "&bank/$1"},
		{"reference with a path", withPath(&place{"teller"}), "&teller"},
		{"reference without a path", withPath(nil), "&PID{path:nil actor:&node{Name:\"a\" next:<cycle>}}"},
		{"channel", make(chan int), "chan"},
		{"machinery", struct {
			L *slog.Logger
			N int
		}{slog.Default(), 1}, "{N:1}"},
		{"complex", complex(1, -2), "(1-2i)"},
	} {
		if got := Value(c.v, 400); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

type nilError struct{}

func (e *nilError) Error() string { panic("called on nil") }

// A time behind an unexported field prints as it does in the open, with and without a monotonic reading.
func TestHiddenTime(t *testing.T) {
	type box struct{ at time.Time }
	for _, at := range []time.Time{time.Now(), time.Now().Round(0), {}, time.Unix(0, 0),
		time.Date(1600, 1, 1, 0, 0, 0, 5, time.UTC)} {
		if got, want := Value(box{at}, 100), "box{at:"+Value(at, 100)+"}"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestValueIsBounded(t *testing.T) {
	wide := map[string][]any{}
	for i := range 100 {
		wide[strings.Repeat("k", i)] = []any{make([]string, 100), wide, strings.Repeat("ä", 1000),
			[]byte(strings.Repeat("x", 1000))}
	}
	for _, limit := range []int{1, 2, 10, 80, 200} {
		first := Value(wide, limit)
		if n := utf8.RuneCountInString(first); n != limit {
			t.Errorf("limit %d: %d runes", limit, n)
		}
		if again := Value(wide, limit); again != first {
			t.Errorf("limit %d: printed differently:\n%s\n%s", limit, first, again)
		}
	}
	if Value(1, 0) != "1" || Shorten("abc", 0) != "" {
		t.Error("limit 0")
	}
}
