package freerun

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// explored is the program under control; what its executions end in is also noted in ends.
func explored(p *program, model trace.Model, ends map[string]logs) *agree.Program {
	var end logs
	return &agree.Program{
		System: protoactor.System(func(t *explore.T) {
			c := newCast(p)
			s := protoactor.NewActorSystem()
			t.SetUp(func() { c.set(s) })
			t.AtEnd(func() {
				end = c.world.end()
				ends[end.String()] = end
			})
			c.start(s)
		}),
		Conditions: explore.Conditions{Model: model, Horizon: time.Minute, MaxSteps: 1000, Blocked: 10 * time.Second},
		State:      func() string { return end.String() },
		Before:     func() { end = nil },
		Limit:      2000,
	}
}

// counts are what comparisons came to.
type counts struct{ programs, orders, seen, steered, never, large, named int }

func (c *counts) add(o counts) {
	c.programs += o.programs
	c.orders += o.orders
	c.seen += o.seen
	c.steered += o.steered
	c.never += o.never
	c.large += o.large
	c.named += o.named
}

func (c counts) String() string {
	return fmt.Sprintf("%4d programs, %6d orders explored, %6d seen in free runs, %5d more with gates, %4d never; %d too large, %d whose result names what is not explored",
		c.programs, c.orders, c.seen, c.steered, c.never, c.large, c.named)
}

// orders are those that the mailbox model allows; nil: they are too many. Strategies must agree on them. named: the
// result says that others are not explored.
func orders(t *testing.T, p *program) (all map[string]logs, named bool) {
	t.Helper()
	all = map[string]logs{}
	optimal, err := explored(p, trace.Mailbox, all).Show("optimal")
	if err == nil && !optimal.Exhausted {
		return nil, false
	}
	naive, errs := explored(p, trace.Mailbox, all).Show("naive")
	switch {
	case err != nil || errs != nil:
		t.Errorf("%v, %v\n%s", err, errs, p)
	case naive.Exhausted && !slices.Equal(naive.Ends(), optimal.Ends()):
		t.Errorf("optimal comes to %q, naive to %q\n%s", optimal.Ends(), naive.Ends(), p)
	}
	return all, optimal != nil && optimal.PassedOver != ""
}

// strange gives an order that free runs come to and that is none of all, "" if there is none, and the orders that they
// come to.
func strange(t *testing.T, p *program, all map[string]logs, runs int) (string, map[string]bool) {
	seen := map[string]bool{}
	for range runs {
		end := free(t, p).String()
		if _, ok := all[end]; !ok {
			return end, seen
		}
		seen[end] = true
	}
	return "", seen
}

// compare runs a program on the plain framework and explores it: each order that is seen must have been explored. Each
// order that was explored and not seen is tried with gates. Programs with one order, and those too large, are passed
// over.
func compare(t *testing.T, p *program, runs int) (c counts) {
	t.Helper()
	all, named := orders(t, p)
	switch {
	case len(all) == 0:
		return counts{large: 1}
	case named:
		return counts{named: 1}
	case len(all) == 1:
		return c
	}
	other, seen := strange(t, p, all, runs)
	if other != "" {
		small := p.shrink(func(p *program) bool {
			all, named := orders(t, p)
			end, _ := strange(t, p, all, min(runs, 1000))
			return all != nil && !named && end != ""
		})
		t.Errorf("plain protoactor-go comes to what no exploration does, of %d orders:\n  %s\n%ssmaller: %s", len(all), other, p, small)
	}
	c = counts{programs: 1, orders: len(all)}
	for end, to := range all {
		switch {
		case seen[end]:
			c.seen++
		case steer(t, p, to, 1000):
			c.steered++
		default:
			if c.never++; c.never == 1 {
				t.Logf("never seen: %s\n%s", end, p)
			}
		}
	}
	return c
}

// scale is the variable REHEARSE_TOY, 0 if it is not set.
func scale(t *testing.T) int { return number(t, "REHEARSE_TOY") }

// number reads a variable, 0 if it is not set.
func number(t *testing.T, name string) int {
	s := os.Getenv(name)
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What plain protoactor-go does is among what the mailbox model explores, and nearly all that is explored is seen: in
// free runs, or where gates make goroutines slow: of half of the programs, with REHEARSE_TOY=1 of all. With a greater n
// there are n times as many, and 10,000 runs of each; REHEARSE_TOY=21 compares 504. REHEARSE_TOY_FROM=n begins at seed
// n.
func TestPlainIsExplored(t *testing.T) { plainIsExplored(t, features, 0, 24) }

// The same of programs in which most is about actors that stop, and about continuations.
func TestPlainEndsAreExplored(t *testing.T) { plainIsExplored(t, ends, 0, 12) }

// The same of programs whose actors have answers handed on: an answer may come before its future is piped, which
// counts in some of the first of these.
func TestPlainPipesAreExplored(t *testing.T) { plainIsExplored(t, pipes, 18, 8) }

func plainIsExplored(t *testing.T, features []feature, from uint64, programs int) {
	runs := 300
	switch n := scale(t); {
	case testing.Short():
		programs /= 4
	case n == 0:
		programs /= 2
	case n > 1:
		programs, runs = programs*n, 10_000
	}
	var total counts
	table := map[string]counts{}
	seed := cmp.Or(uint64(number(t, "REHEARSE_TOY_FROM")), from)
	for ; total.programs < programs; seed++ {
		p := draw(seed, features)
		c := compare(t, p, runs)
		total.add(c)
		row := table[p.feature]
		row.add(c)
		table[p.feature] = row
	}
	for _, f := range features {
		t.Logf("%-9s %s", f.name, table[f.name])
	}
	t.Logf("%-9s %s; the next seed is %d", "total", total, seed)
	// What gates reach is luck: a few that they miss tell nothing of the model.
	if 20*total.never > total.orders {
		t.Errorf("plain protoactor-go reaches too few of the orders that are explored: %s", total)
	}
}
