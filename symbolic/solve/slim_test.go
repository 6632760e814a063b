package solve

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// meeting lists the words of 8 bits for which conditions on x hold.
func meeting(x *term.Term, conds []*term.Term) (list []uint64) {
	for v := range uint64(256) {
		m := &term.Model{Vars: map[*term.Term]term.Value{x: {Sort: term.Word8, Bits: v}}}
		if !slices.ContainsFunc(conds, func(c *term.Term) bool { return m.Eval(c).Bits == 0 }) {
			list = append(list, v)
		}
	}
	return list
}

func TestSlim(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	empty, left := 0, 0
	for range 5000 {
		s := term.NewStore()
		x := s.Var("x", term.Word8)
		var conds []*term.Term
		for range 1 + r.IntN(7) {
			word := s.Add(x, s.Uint(term.Word8, r.Uint64N(256)))
			k := s.Uint(term.Word8, r.Uint64N(256))
			c := []func(a, b *term.Term) *term.Term{s.SLess, s.ULess, s.SAtMost, s.Equal}[r.IntN(4)](word, k)
			if r.IntN(2) == 0 {
				c = s.Not(c)
			}
			if !c.True() && !c.False() {
				conds = append(conds, c)
			}
		}
		few, exclude := slim(conds)
		want, got := meeting(x, conds), meeting(x, few)
		if !slices.Equal(want, got) || exclude != (len(want) == 0 && len(conds) > 1) {
			t.Fatalf("%v: left %v, which hold for %v, want %v; excludes %v", conds, few, got, want, exclude)
		}
		if exclude {
			empty++
		}
		left += len(conds) - len(few)
	}
	if empty < 500 || left < 3000 {
		t.Errorf("%d exclude each other, %d conditions are left out: too few to show anything", empty, left)
	}
}

// A counter that is counted down a thousand times.
func TestSlimCounter(t *testing.T) {
	s := term.NewStore()
	x := s.Var("x", term.Word64)
	var conds []*term.Term
	for i := range int64(1000) {
		conds = append(conds, s.SLess(s.Int(term.Word64, 0), s.Sub(x, s.Int(term.Word64, i))))
	}
	if few, exclude := slim(conds); len(few) != 2 || exclude {
		t.Errorf("%d conditions are left, %v; want 2 that hold", len(few), exclude)
	}
	if few, exclude := slim(append(conds, s.SLess(x, s.Int(term.Word64, 7)))); len(few) > 3 || !exclude {
		t.Errorf("%d conditions are left, %v; want 3 at most that exclude each other", len(few), exclude)
	}
}
