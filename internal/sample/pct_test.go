package sample_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// permutations calls f for all orders of the numbers below n.
func permutations(n int, f func(p []int)) {
	var extend func(p []int)
	extend = func(p []int) {
		if len(p) == n {
			f(p)
		}
		for i := range n {
			if !slices.Contains(p, i) {
				extend(append(slices.Clone(p), i))
			}
		}
	}
	extend(nil)
}

// tuples calls f for all rows of d numbers below k.
func tuples(d, k int, f func(places []int)) {
	places := make([]int, d)
	for {
		f(places)
		i := 0
		for ; i < d && places[i] == k-1; i++ {
			places[i] = 0
		}
		if i == d {
			return
		}
		places[i]++
	}
}

// pctTwin gives the probability of each order of rows of messages, by going through all priorities of the rows and all
// places.
func pctTwin(depth int, rows []string) map[string]float64 {
	k := len(strings.Join(rows, ""))
	all, counts := 0, map[string]int{}
	permutations(len(rows), func(p []int) {
		tuples(depth-1, k, func(places []int) {
			all++
			counts[pctOrder(p, places, rows)]++
		})
	})
	want := map[string]float64{}
	for order, n := range counts {
		want[order] = float64(n) / float64(all)
	}
	return want
}

func pctOrder(permutation, places []int, rows []string) string {
	left, priority := slices.Clone(rows), make([]int, len(rows))
	for i, row := range permutation {
		priority[row] = len(places) + i
	}
	highest := func() int {
		best := -1
		for i := range left {
			if left[i] != "" && (best < 0 || priority[i] > priority[best]) {
				best = i
			}
		}
		return best
	}
	order := ""
	for highest() >= 0 {
		for i, place := range places {
			if place == len(order) {
				priority[highest()] = i
			}
		}
		h := highest()
		order += left[h][:1]
		left[h] = left[h][1:]
	}
	return order
}

// TestPCT compares with the twin. The first case is one where the bound is met exactly: y comes between b and c only if
// the row is above y, 1/n, and falls before c, 1/k.
func TestPCT(t *testing.T) {
	if p := pctTwin(2, []string{"abcd", "y"})["abycd"]; p != 1./(2*5) {
		t.Errorf("the twin has y between b and c with %v, want 1/(n*k) = 1/10", p)
	}
	for _, tt := range []struct {
		depth int
		rows  []string
	}{{2, []string{"abcd", "y"}}, {1, []string{"ab", "xy", "z"}}, {2, []string{"ab", "xy", "z"}},
		{3, []string{"abc", "xy"}}, {3, []string{"ab", "x", "y"}}} {
		var roots []node
		for i, row := range tt.rows {
			roots = append(roots, chain(row, []int{i, 3, i, 3}[:len(row)]...))
		}
		t.Run(strings.Join(tt.rows, " "), func(t *testing.T) {
			distributed(t, orders(t, sample.NewPCT(tt.depth, 1), trace.Bag, 20_000, roots...), pctTwin(tt.depth, tt.rows))
		})
	}
}

// TestPCTBound is the theorem: in a forest of k messages, n of which have no effects, every pair of messages comes
// last, in this order and with nothing after either but what it leads to, in 1/(n*k) of the executions at least with
// depth 2; and every message in 1/n with depth 1.
func TestPCTBound(t *testing.T) {
	const runs, n, k = 20_000, 3, 6
	roots := []node{{"a", 0, []node{{"b", 1, []node{{label: "c", to: 0}}}, {label: "d", to: 2}}}, chain("xy", 3, 0)}
	below := map[byte]string{'a': "abcd", 'b': "bc", 'c': "c", 'd': "d", 'x': "xy", 'y': "y"}
	inside := func(rest, allowed string) bool { return strings.Trim(rest, allowed) == "" }
	once := orders(t, sample.NewPCT(1, 1), trace.Bag, runs, roots...)
	twice := orders(t, sample.NewPCT(2, 1), trace.Bag, runs, roots...)
	for one := range below {
		late := func(order string) bool { return inside(order[strings.IndexByte(order, one):], below[one]) }
		if p := share(once, late); p < 1./n-0.015 {
			t.Errorf("depth 1: %c comes last in %.4f, want 1/%d", one, p, n)
		}
		for two := range below {
			if one == two || strings.IndexByte(below[two], one) >= 0 {
				continue
			}
			p := share(twice, func(order string) bool {
				i, j := strings.IndexByte(order, one), strings.IndexByte(order, two)
				return i < j && inside(order[i:], below[one]+below[two]) && inside(order[j:], below[two])
			})
			if p < 1./(n*k)-0.007 { // four standard deviations
				t.Errorf("depth 2: %c and then %c come last in %.4f, want 1/%d", one, two, p, n*k)
			}
		}
	}
}

// TestPCTActors: with mailboxes the threads are the actors. p, q and the test that releases them are three; x enters
// the mailbox of the hub after y if p is below q and q's release comes first or p below the test too: among six orders
// of priorities, those with p the lowest.
func TestPCTActors(t *testing.T) {
	const runs, hub = 20_000, 7
	for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial} {
		counts := orders(t, sample.NewPCT(1, 1), model, runs,
			node{label: "p", to: 0, sends: []node{{label: "x", to: hub}}},
			node{label: "q", to: 1, sends: []node{{label: "y", to: hub}}})
		want := 1. / 3
		if model == trace.MailboxSerial {
			want = 1. / 2 // what the test sends is there at once
		}
		near(t, model.String(), share(only(counts, "xy"), ends("x")), want, runs)
	}
}
