package causal

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// declaring are random programs whose handlers declare what they access.
func declaring(seed uint64) *toy.Program {
	f := toy.Features{Senders: true, Fails: true}
	if seed%3 == 0 {
		f = toy.Full
	}
	f.Effects = true
	return toy.Random(seed, f)
}

// Where handlers declare what they access, two executions have equal keys iff they are of one class by its definition,
// and there are fewer classes; where effects are not heeded, there are as many as without.
func TestKeyWithEffects(t *testing.T) {
	for _, cond := range conditions() {
		with, without := 0, 0
		for seed := range uint64(60) {
			p := declaring(seed)
			cond.Effects = p.Effects()
			keys, back, all := map[string]trace.ID{}, map[trace.ID]string{}, map[trace.ID]bool{}
			explored(t, p, search.NewNaive(), cond, 150, func(tr *trace.Trace) {
				o, q := For(cond), New(cond.Model, cond.Timers)
				o.Extend(tr, len(tr.Events))
				q.Extend(tr, len(tr.Events))
				key, class := o.Key(), toy.ClassKey(cond.Model, tr)
				if old, ok := keys[class]; ok && old != key {
					t.Fatalf("%s %s seed %d: two keys of one class\n%s", cond.Model, cond.Timers, seed, p)
				}
				if old, ok := back[key]; ok && old != class {
					t.Fatalf("%s %s seed %d: one key of two classes\n%s", cond.Model, cond.Timers, seed, p)
				}
				keys[class], back[key], all[q.Key()] = key, class, true
			})
			with, without = with+len(keys), without+len(all)
		}
		if heeds := cond.Model <= trace.Causal && cond.Timers == trace.Quiescent; heeds != (with < without) || with > without {
			t.Errorf("%s %s: %d classes, %d without effects", cond.Model, cond.Timers, with, without)
		}
		t.Log(cond.Model, cond.Timers, with, "classes,", without, "without effects")
	}
}

// Neighbouring steps commute iff they are independent, those of one actor among them.
func TestNeighboursCommuteWithEffects(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal} {
		c := commuting{}
		for seed := range uint64(250) {
			p := declaring(seed)
			cond := explore.Conditions{Model: model, Effects: p.Effects()}
			explored(t, p, sample.NewRandom(seed), cond, 5, func(tr *trace.Trace) { c.swap(t, cond, p, tr) })
		}
		t.Log(model, c.swapped, "swaps of independent steps,", c.own, "of them of one actor;", c.other, "possible ones of dependent steps")
		if c.own < 30 || c.other < 100 {
			t.Errorf("%s: %d swaps of steps of one actor and %d of dependent ones say little", model, c.own, c.other)
		}
	}
}

// What was cut back and extended again is as if it was built at once, and what is said of the past of a step is
// transitive.
func TestOrderWithEffects(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal} {
		cond := explore.Conditions{Model: model}
		apart := 0
		for seed := range uint64(350) {
			p := declaring(seed)
			cond.Effects = p.Effects()
			explored(t, p, search.NewNaive(), cond, 5, func(tr *trace.Trace) {
				o, q := For(cond), For(cond)
				o.Extend(tr, len(tr.Events))
				for cut := range o.Len() {
					q.Truncate(cut / 2)
					q.Extend(tr, cut)
				}
				q.Extend(tr, len(tr.Events))
				same(t, p.String(), o, q, int32(o.Len()))
				for e := range int32(o.Len()) {
					if x := o.Own(e); x >= 0 && !o.Before(x, e) {
						apart++
					}
					o.Past(e).Each(0, func(k int32) bool {
						o.Past(k).Each(0, func(i int32) bool {
							if !o.Before(i, e) && o.Head(i) != o.Head(e) {
								t.Fatalf("%s: not transitive: %d %d %d\n%s", model, i, k, e, p)
							}
							return true
						})
						return true
					})
				}
			})
		}
		if apart < 40 {
			t.Errorf("%s: only %d steps do not come after the one before of their actor", model, apart)
		}
	}
}
