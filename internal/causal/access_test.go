package causal

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// TestAccesses: what Accesses tells is what the relation knows, for every event of random executions and for every step
// before it happened.
func TestAccesses(t *testing.T) {
	events, expected := 0, 0
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace) {
		o := New(model, timers)
		o.Extend(tr, len(tr.Events))
		for e := range int32(o.Len()) {
			at := int32(o.First()) + e
			var written []trace.ID
			everything := Accesses{}.Written(model, tr, at, func(x trace.ID) {
				if !slices.Contains(written, x) {
					written = append(written, x)
				}
			})
			var want []trace.ID
			for _, a := range o.Footprint(nil, e) {
				if a.Write {
					want = append(want, a.Object)
				}
			}
			if everything != o.Barrier(e) {
				t.Fatalf("%s: event %d (%s) is said to be one that all depend on: %v\n%s", cond, e, tr.StepName(tr.Events[at].Step), everything, p)
			}
			if !everything && !sameObjects(written, want) {
				t.Fatalf("%s: event %d (%s) writes %v, the relation has %v\n%s", cond, e, tr.StepName(tr.Events[at].Step), written, want, p)
			}
			whole := map[trace.ID]bool{}
			for _, a := range o.Footprint(nil, e) {
				whole[a.Object] = a.Write
			}
			alone := Accesses{}.Of(model, tr, at, at+1, nil)
			other := func(a Access) bool { write, ok := whole[a.Object]; return !ok || write != a.Write }
			if len(alone) != len(whole) || slices.ContainsFunc(alone, other) {
				t.Fatalf("%s: event %d (%s) accesses %v alone, in the relation %v\n%s",
					cond, e, tr.StepName(*o.Step(e)), alone, whole, p)
			}
			events++
			s := o.Step(e)
			if s.Kind.Chooses() || s.Kind == trace.Start || everything {
				continue
			}
			early, _ := Accesses{}.Expected(model, tr, s, nil)
			for _, x := range early {
				if expected++; !slices.Contains(want, x) {
					t.Fatalf("%s: event %d (%s) was expected to write %v, and writes %v\n%s", cond, e, tr.StepName(*s), x, want, p)
				}
			}
		}
	})
	t.Logf("%d events, %d writes that were expected", events, expected)
}

func sameObjects(a, b []trace.ID) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return len(a) == len(b)
}

// Steps depend on each other iff what they access together does.
func TestUnion(t *testing.T) {
	dependent, all := 0, 0
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace) {
		first, second := Union{}, Union{}
		var f, g Footprint
		for e := tr.Explored; e+1 < len(tr.Events); e++ {
			if advances(tr, int32(e)) {
				continue
			}
			u, v, end := first, &f, int32(e)+1
			if e%2 == 1 {
				u, v = second, &g
			}
			if e%7 == 0 {
				clear(u)
				*v = nil
			}
			*v = Accesses{}.Of(model, tr, int32(e), end, *v)
			for _, a := range (Accesses{}).Of(model, tr, int32(e), end, nil) {
				written, known := u[a.Object]
				if want := !known || a.Write && !written; u.Add(a) != want {
					t.Fatalf("%s: %v is news: %v", cond, a, !want)
				}
			}
			if all++; first.Dependent(second) {
				dependent++
			}
			if first.Dependent(second) != f.Dependent(g) || second.Dependent(first) != f.Dependent(g) {
				t.Fatalf("%s: %v and %v depend on each other: %t as footprints\n%s", cond, first, second, f.Dependent(g), p)
			}
		}
	})
	if dependent < all/10 || dependent > all*9/10 {
		t.Errorf("%d of %d pairs are dependent, which says little", dependent, all)
	}
}
