package stateful

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// drawn makes random units: a label, references in order, and a set of references.
func drawn(r *rand.Rand, n int) *units {
	u := &units{actors: n}
	for range n {
		words := []word{{plain, r.Uint64N(2)}}
		for range r.IntN(3) {
			words = append(words, word{unit, r.Uint64N(uint64(n))})
		}
		words = append(words, word{kind: open})
		for range r.IntN(3) {
			words = append(words, word{unit, r.Uint64N(uint64(n))}, word{kind: next})
		}
		u.words = append(u.words, append(words, word{kind: shut}))
	}
	return u
}

// renumbered moves unit i to to[i] and turns sets around.
func renumbered(u *units, to []int) *units {
	v := &units{actors: u.actors, words: make([][]word, len(u.words))}
	for i, words := range u.words {
		at := slices.IndexFunc(words, func(w word) bool { return w.kind == open })
		var elements []word
		for _, w := range words[at:] {
			if w.kind == unit {
				elements = append([]word{{unit, uint64(to[w.x])}, {kind: next}}, elements...)
			}
		}
		var moved []word
		for _, w := range words[:at] {
			if w.kind == unit {
				w.x = uint64(to[w.x])
			}
			moved = append(moved, w)
		}
		moved = append(moved, word{kind: open})
		v.words[to[i]] = append(append(moved, elements...), word{kind: shut})
	}
	return v
}

// sorted writes units so that sets do not depend on the order of their elements.
func sorted(u *units) string {
	var all [][]word
	for _, words := range u.words {
		at := slices.IndexFunc(words, func(w word) bool { return w.kind == open })
		set := slices.DeleteFunc(slices.Clone(words[at:]), func(w word) bool { return w.kind != unit })
		slices.SortFunc(set, compareWords)
		all = append(all, append(slices.Clone(words[:at+1]), set...))
	}
	return fmt.Sprint(all)
}

// permutations calls f with every order of n.
func permutations(n int, f func([]int)) {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	var walk func(int)
	walk = func(k int) {
		if k == n {
			f(p)
			return
		}
		for i := k; i < n; i++ {
			p[k], p[i] = p[i], p[k]
			walk(k + 1)
			p[k], p[i] = p[i], p[k]
		}
	}
	walk(0)
}

// Two states have the same key if and only if one is the other with its units renumbered, which the dumb twin tries in
// all ways.
func TestCanonicalAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	equal := 0
	for range 300 {
		n := 2 + r.IntN(4)
		form := func(u *units) string {
			least := ""
			permutations(n, func(p []int) {
				if s := sorted(renumbered(u, p)); least == "" || s < least {
					least = s
				}
			})
			return least
		}
		forms := map[string]trace.ID{}
		for range 6 {
			u := drawn(r, n)
			k, f := u.canonical().Key, form(u)
			if old, ok := forms[f]; ok && old != k {
				t.Fatalf("equal states have different keys: %v", u.words)
			} else if ok {
				equal++
			}
			for g, old := range forms {
				if g != f && old == k {
					t.Fatalf("different states have equal keys:\n%s\n%s", f, g)
				}
			}
			forms[f] = k
			if v := renumbered(u, r.Perm(n)); v.canonical().Key != k {
				t.Fatalf("renumbering changes the key of %v", u.words)
			}
		}
	}
	t.Logf("%d pairs of equal states drawn", equal)
}

// ring makes rings of these sizes, in which nothing but the shape tells units apart.
func rings(sizes ...int) *units {
	u := &units{}
	for _, n := range sizes {
		first := len(u.words)
		for i := range n {
			u.words = append(u.words, []word{{unit, uint64(first + (i+1)%n)}})
		}
	}
	u.actors = len(u.words)
	return u
}

// Refining colours alone does not tell these apart.
func TestCanonicalSymmetries(t *testing.T) {
	if rings(3, 3).canonical().Key == rings(6).canonical().Key {
		t.Error("two rings of three have the key of one of six")
	}
	// Many units that are all alike take no long search, and are renumbered at will.
	star := func(order []int) *units {
		u := &units{actors: 21, words: make([][]word, 21)}
		for i, k := range order {
			u.words[i] = []word{{plain, 7}}
			u.words[20] = append(u.words[20], word{unit, uint64(k)})
		}
		u.words[20] = append([]word{{kind: open}}, append(u.words[20][:0:0], word{kind: shut})...)
		return u
	}
	a, b := star(rand.New(rand.NewPCG(1, 1)).Perm(20)), star(rand.New(rand.NewPCG(2, 2)).Perm(20))
	if a.canonical().Key != b.canonical().Key {
		t.Error("renumbering a star changes its key")
	}
}

// Ranks map equal states to each other: a message has the same rank before and after renumbering.
func TestRanks(t *testing.T) {
	// Units 0 and 1 are actors that know each other, 2 and 3 are messages to them.
	u := &units{actors: 2, messages: []int32{10, 11},
		words: [][]word{{{unit, 1}}, {{unit, 0}}, {{plain, 1}, {unit, 0}}, {{plain, 2}, {unit, 1}}}}
	v := &units{actors: 2, messages: []int32{20, 21},
		words: [][]word{{{unit, 1}}, {{unit, 0}}, {{plain, 2}, {unit, 0}}, {{plain, 1}, {unit, 1}}}}
	a, b := u.canonical(), v.canonical()
	if a.Key != b.Key || a.Rank[10] != b.Rank[21] || a.Rank[11] != b.Rank[20] || a.Rank[10] == a.Rank[11] {
		t.Errorf("keys %v and %v, ranks %v and %v", a.Key, b.Key, a.Rank, b.Rank)
	}
}
