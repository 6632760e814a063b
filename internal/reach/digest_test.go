package reach

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
)

// node can hold all that a digest tells apart.
type node struct {
	N     int
	small uint8
	S     string
	next  *node
	list  []*node
	bytes []byte
	any   any
	m     map[string]*node
	k     map[[2]int16]float64
	a     [2]struct {
		b bool
		f float32
	}
	when time.Time
}

// grow makes a random value. One of changes, if it is in reach, is made in another way.
func grow(r *rand.Rand, depth int, made *[]*node) *node {
	if depth == 0 || r.IntN(5) == 0 {
		if len(*made) > 0 && r.IntN(2) == 0 {
			return (*made)[r.IntN(len(*made))]
		}
		return nil
	}
	n := &node{N: r.IntN(3), small: uint8(r.IntN(3)), S: fmt.Sprint(r.IntN(200)), bytes: make([]byte, r.IntN(20)),
		when: time.Unix(int64(r.IntN(3)), 0)}
	*made = append(*made, n)
	n.next = grow(r, depth-1, made)
	for range r.IntN(3) {
		n.list = append(n.list, grow(r, depth-1, made))
	}
	switch r.IntN(5) {
	case 0:
		n.any = grow(r, depth-1, made)
	case 1:
		n.any = r.IntN(2)
	case 2:
		n.any = int64(r.IntN(2))
	case 3:
		n.any = struct{ p *node }{grow(r, depth-1, made)}
	}
	if r.IntN(2) == 0 {
		n.m = map[string]*node{}
		for i := range r.IntN(4) {
			n.m[fmt.Sprint(i)] = grow(r, depth-1, made)
		}
		n.k = map[[2]int16]float64{{1, int16(r.IntN(2))}: r.Float64(), {2, 3}: 1}
	}
	n.a[r.IntN(2)].b = r.IntN(2) == 0
	return n
}

func digestOf(d *digester, v any) uint64 {
	p, at := d.plans.boxed(&ref{typ: anyType}, unsafe.Pointer(&v))
	return d.of(p, at)
}

// Two values that are built in the same way have one digest, wherever they lie and however their maps show their
// entries; a change anywhere in one of them shows. Package reflect compares them too.
func TestDigest(t *testing.T) {
	d := &digester{}
	for seed := range uint64(1000) {
		var made, twins []*node
		a, b := grow(rand.New(rand.NewPCG(seed, 1)), 5, &made), grow(rand.New(rand.NewPCG(seed, 1)), 5, &twins)
		before := digestOf(d, a)
		if !reflect.DeepEqual(a, b) || digestOf(d, b) != before {
			t.Fatalf("seed %d: equal values differ", seed)
		}
		if len(made) == 0 {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 2))
		n := twins[r.IntN(len(twins))]
		what := change(r, n)
		if same := reflect.DeepEqual(a, b); same != (digestOf(d, b) == before) {
			t.Fatalf("seed %d: after a change of %s reflect says equal %v, the digests do not", seed, what, same)
		}
	}
}

// change changes something in a node.
func change(r *rand.Rand, n *node) string {
	switch r.IntN(8) {
	case 0:
		n.N++
		return "a number"
	case 1:
		n.S += "x"
		return "a string"
	case 2:
		n.bytes = append(n.bytes, 1)
		return "a slice of bytes"
	case 3:
		n.list = append(n.list, nil)
		return "a slice"
	case 4:
		n.any = uint8(1)
		return "an interface"
	case 5:
		n.m = map[string]*node{"new": nil}
		return "a map"
	case 6:
		n.a[1].f = 3
		return "an array"
	}
	n.when = n.when.Add(time.Second)
	return "a time"
}

// What cannot be compared is left out, and the rest counts.
func TestDigestLeavesOut(t *testing.T) {
	type holder struct {
		f func()
		c chan int
		m map[*int]int
		t *testing.T
		p sync.Pool
		s *sync.Map
		a atomic.Pointer[int]
		o *sync.Cond // which notes where it lies
		N int
	}
	d := &digester{}
	of := func(n int) *holder {
		h := &holder{f: func() { n++ }, c: make(chan int, n), m: map[*int]int{new(int): n}, t: &testing.T{}, s: &sync.Map{},
			o: sync.NewCond(&sync.Mutex{}), N: 1}
		h.o.Signal()
		h.s.Store("a", 1)
		h.s.Store("b", 2)
		h.p.Put(n)
		h.a.Store(new(int))
		return h
	}
	a, b := of(1), of(2)
	if digestOf(d, a) != digestOf(d, b) {
		t.Error("what cannot be compared counts")
	}
	if b.N = 2; digestOf(d, a) == digestOf(d, b) {
		t.Error("a number beside it does not count")
	}
	b.N = 1
	if b.s.Store("b", 3); digestOf(d, a) == digestOf(d, b) {
		t.Error("the entries of a sync.Map do not count")
	}
	b.s.Store("b", 2)
	if *b.a.Load() = 3; digestOf(d, a) == digestOf(d, b) {
		t.Error("what an atomic.Pointer points to does not count")
	}
}

// who stands for an actor.
type who struct{ name string }

// A reference counts by whom it refers to, also as the key of a map.
func TestDigestOfReferences(t *testing.T) {
	d := &digester{actor: func(v any) uint64 { return uint64(len(v.(*who).name)) }}
	d.nature = func(t reflect.Type) explore.Nature {
		if t == reflect.TypeFor[*who]() {
			return explore.Reference
		}
		return explore.Plain
	}
	of := func(names ...string) uint64 {
		m := map[*who]int{}
		for i, n := range names {
			m[&who{n}] = i
		}
		return digestOf(d, m)
	}
	if of("a", "bc") != of("d", "ef") || of("a", "bc") == of("ab", "c") {
		t.Error("references do not count by whom they refer to")
	}
}
