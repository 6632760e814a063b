package causal_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// shown is what all executions of a program show.
type shown struct {
	outcomes map[string]bool // what each actor handles, in its order, and what goes wrong
	counts   map[string]bool // types of actors
	complete bool
}

// show explores a program. Sends of the executions say where the order counts.
func show(t *testing.T, p *toy.Program, s explore.Strategy, c explore.Conditions, limit int) shown {
	t.Helper()
	sends, types := causal.NewSends(c), map[trace.ID]string{}
	got := shown{outcomes: map[string]bool{}, counts: map[string]bool{}}
	out, err := explore.Run(toy.NewSystem(p), s, explore.Options{Conditions: c, Budget: explore.Budget{Executions: limit},
		After: func(_ *explore.Counters, tr *trace.Trace) {
			sends.Add(tr)
			got.outcomes[handled(tr)] = true
			for i := range tr.Actors {
				types[tr.Actors[i].ID] = tr.Actors[i].Type.Name
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	for id, name := range types {
		if sends.Counts(id) {
			got.counts[name] = true
		}
	}
	got.complete = out.Exhausted
	return got
}

// handled lists actors with what they have handled, by identity.
func handled(tr *trace.Trace) string {
	by := make([]string, len(tr.Actors))
	for i := range by {
		by[i] = tr.Actors[i].ID.String()
	}
	for i := range tr.Events {
		if s := &tr.Events[i].Step; s.Kind.Handles() {
			by[s.Actor] += " " + s.ID.String()
		}
	}
	slices.Sort(by)
	return strings.Join(by, "\n")
}

// orders gives the handler's operations in all orders in which a map might have them done: sends and spawns to
// different receivers may change places.
func orders(ops []toy.Op) [][]toy.Op {
	all, met := [][]toy.Op{ops}, map[string]bool{fmt.Sprint(ops): true}
	for n := 0; n < len(all); n++ {
		for i := 1; i < len(ops); i++ {
			next := slices.Clone(all[n])
			next[i-1], next[i] = next[i], next[i-1]
			if key := fmt.Sprint(next); free(next[i-1], next[i]) && !met[key] {
				met[key] = true
				all = append(all, next)
			}
		}
	}
	return all
}

func free(a, b toy.Op) bool {
	sends := func(op toy.Op) bool { return op.Kind == toy.Send || op.Kind == toy.Kill || op.Kind == toy.Spawn }
	known := (a.Kind == toy.Spawn) == (b.Kind == toy.Spawn) // else one of them is to a new actor, and the other is not
	return sends(a) && sends(b) && (!known || a.To != b.To)
}

// variants gives the program with the handlers of one kind in all orders, the program itself first; nil if there are
// too many.
func variants(p *toy.Program, kind int) []*toy.Program {
	all := []*toy.Program{p}
	for m, h := range p.Kinds[kind] {
		var next []*toy.Program
		for _, v := range all {
			for _, ops := range orders(h.Ops) {
				c := *v
				c.Kinds = slices.Clone(v.Kinds)
				c.Kinds[kind] = slices.Clone(v.Kinds[kind])
				c.Kinds[kind][m].Ops = ops
				next = append(next, &c)
			}
		}
		if all = next; len(all) > 24 {
			return nil
		}
	}
	return all
}

// Where the order of no actor's sends counts, no other order has further outcomes, by brute force; and executions of
// one of each class tell the same as all.
func TestOrderOfSends(t *testing.T) {
	for _, model := range []trace.Model{trace.Mailbox, trace.Causal} {
		for _, timers := range toy.TimerModes {
			c := explore.Conditions{Model: model, Timers: timers}
			tried, differ, counted := 0, 0, 0
			for seed := range uint64(toy.Scale(t, 600)) {
				p := toy.Random(seed, toy.Features{Spawn: true, Stop: seed%3 == 0, Calls: seed%2 == 0, Constraints: seed%5 == 0, Timers: seed%4 == 0, Choices: seed%7 == 0, Senders: true, Dense: true})
				for kind := range p.Kinds {
					d, n, ok := tryOrders(t, p, kind, c)
					if !ok {
						continue
					}
					if d && !n {
						t.Fatalf("%v %v seed %d kind %d: the order is said not to count, and it does:\n%v", model, timers, seed, kind, p)
					}
					tried++
					differ += count(d)
					counted += count(n)
				}
			}
			if differ == 0 || counted == tried {
				t.Errorf("%v %v: these programs say little", model, timers)
			}
			t.Logf("%v %v: %d programs with several orders; the order decides in %d, and is said to count in %d", model, timers, tried, differ, counted)
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tryOrders reports whether another order of the sends of actors of a kind has outcomes that the usual one has not, and
// whether it is said to count.
func tryOrders(t *testing.T, p *toy.Program, kind int, c explore.Conditions) (differ, counts, ok bool) {
	t.Helper()
	all := variants(p, kind)
	if len(all) < 2 {
		return false, false, false
	}
	const limit = 400
	usual := show(t, p, dpor.NewOptimal(nil), c, limit)
	if !usual.complete {
		return false, false, false
	}
	if every := show(t, p, search.NewNaive(), c, limit); every.complete && !maps.Equal(every.counts, usual.counts) {
		t.Fatalf("%v %v: executions of one of each class say that the order counts for %v, all that it does for %v:\n%v", c.Model, c.Timers, usual.counts, every.counts, p)
	}
	for _, v := range all[1:] {
		other := show(t, v, dpor.NewOptimal(nil), c, limit)
		if !other.complete {
			return false, false, false
		}
		for outcome := range other.outcomes {
			differ = differ || !usual.outcomes[outcome]
		}
	}
	return differ, usual.counts[fmt.Sprintf("toy.K%d", kind)], true
}
