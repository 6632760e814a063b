package sample_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// node is a message of a small program: its label, the number of the actor that gets it, and what that one sends when
// it does.
type node struct {
	label string
	to    int
	sends []node
}

// chain is a row of messages, each sent by the one before, to the actors with these numbers.
func chain(labels string, to ...int) node {
	n := node{label: labels[:1], to: to[0]}
	if len(to) > 1 {
		n.sends = []node{chain(labels[1:], to[1:]...)}
	}
	return n
}

// relay does what its messages say and writes down their labels.
type relay struct {
	refs  *[]actor.Ref
	order *[]byte
}

func (r *relay) Receive(ctx *actor.Context, msg any) {
	n := msg.(node)
	*r.order = append(*r.order, n.label...)
	r.send(ctx, n.sends)
}

func (r *relay) send(ctx *actor.Context, nodes []node) {
	for _, n := range nodes {
		ctx.Send((*r.refs)[n.to], n)
	}
}

// forest is the program with so many actors; it writes down the order.
func forest(order *[]byte, actors int, roots []node) *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		*order = (*order)[:0]
		refs := make([]actor.Ref, actors)
		r := &relay{&refs, order}
		for i := range refs {
			refs[i] = ctx.Spawn(&relay{&refs, order})
		}
		r.send(ctx, roots)
	})
}

// wide measures executions of a program with 1,010 actors.
func wide(b *testing.B, s explore.Strategy, model trace.Model, roots []node) {
	var order []byte
	sys := forest(&order, 1010, roots)
	b.ResetTimer()
	out, err := explore.Run(sys, s,
		explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: b.N}})
	if err != nil || len(order) != 10_000 {
		b.Fatal(err, out, len(order))
	}
}

// orders executes a program, whose test sends the roots, and counts the orders in which the labels were delivered; of
// the first execution, from which some strategies learn, only that it happened.
func orders(t *testing.T, s explore.Strategy, model trace.Model, runs int, roots ...node) map[string]int {
	t.Helper()
	var order []byte
	sys := forest(&order, 8, roots)
	counts := map[string]int{}
	executions := 0
	_, err := explore.Run(sys, s,
		explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: runs + 1},
			After: func(*explore.Counters, *trace.Trace) {
				if executions++; executions > 1 {
					counts[string(order)]++
				}
			}})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// only counts the orders of some of the labels.
func only(counts map[string]int, labels string) map[string]int {
	some := map[string]int{}
	for order, n := range counts {
		some[strings.Map(func(r rune) rune {
			if strings.ContainsRune(labels, r) {
				return r
			}
			return -1
		}, order)] += n
	}
	return some
}

// share is how many of the orders hold.
func share(counts map[string]int, holds func(order string) bool) float64 {
	some, all := 0, 0
	for order, n := range counts {
		if all += n; holds(order) {
			some += n
		}
	}
	return float64(some) / float64(all)
}

// ends reports whether an order ends like this.
func ends(with string) func(string) bool {
	return func(order string) bool { return strings.HasSuffix(order, with) }
}

// near fails if a frequency among runs is not that of an event with this probability: it is more than 4.5 standard
// deviations off, which happens to one seed in 100,000.
func near(t *testing.T, what string, got, want float64, runs int) {
	t.Helper()
	if deviation := math.Sqrt(want * (1 - want) / float64(runs)); math.Abs(got-want) > 4.5*deviation+1e-9 {
		t.Errorf("%s: %.4f of %d executions, want %.4f +- %.4f", what, got, runs, want, deviation)
	}
}

// distributed fails if the orders are not as likely as they are to be.
func distributed(t *testing.T, counts map[string]int, want map[string]float64) {
	t.Helper()
	runs, all := 0, map[string]bool{}
	for order, n := range counts {
		runs += n
		all[order] = true
	}
	for order := range want {
		all[order] = true
	}
	names := make([]string, 0, len(all))
	for order := range all {
		names = append(names, order)
	}
	slices.Sort(names)
	for _, order := range names {
		near(t, order, float64(counts[order])/float64(runs), want[order], runs)
	}
}

// equally gives each order the same probability.
func equally(orders ...string) map[string]float64 {
	want := map[string]float64{}
	for _, order := range orders {
		want[order] = 1 / float64(len(orders))
	}
	return want
}
