package freerun

import (
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// script is what decided an execution on the plain framework: the values of all draws, and where it came to.
type script struct {
	values []uint32
	end    logs
}

// drawn executes the program once on the plain framework, with its own mailboxes and goroutines. Which goroutine goes
// on, and where one is preempted, follows these values, and behind them a seed. Before each deed another goroutine may
// go on.
func drawn(t *testing.T, p *program, values []uint32, seed uint64) (s script) {
	c := newCast(p)
	s.end = c.run(t, func(test func()) {
		c.world.pause = func(deed, string) { runtime.Gosched() }
		chance.Begin(seed, 1, values, true, -1)
		go test()
		synctest.Wait()
		for _, d := range chance.End() {
			s.values = append(s.values, d.Value)
		}
	})
	return s
}

// drawnCounts are what a comparison under drawn choices came to.
type drawnCounts struct{ programs, named, orders, seen, steered, never, runs int }

// compareDrawn executes a program until each order that was explored is seen, at least and at most so often. Orders
// that are not seen so are tried with gates.
func compareDrawn(t *testing.T, p *program, all map[string]logs, least, most int, c *drawnCounts) {
	t.Helper()
	r := rand.New(rand.NewPCG(p.seed, 0))
	missing := slices.Sorted(maps.Keys(all))
	var scripts []script // one for each order that was seen
	run := 0
	for ; run < least || run < most && len(missing) > 0; run++ {
		s := drawn(t, p, beginning(r, scripts, missing, all), uint64(run))
		end := s.end.String()
		if _, ok := all[end]; !ok {
			t.Errorf("plain protoactor-go comes to what no exploration does, of %d orders:\n  %s\n%s", len(all), end, p)
			return
		}
		if i, ok := slices.BinarySearch(missing, end); ok {
			scripts, missing = append(scripts, s), slices.Delete(missing, i, i+1)
		}
	}
	c.programs++
	c.runs += run
	c.orders += len(all)
	c.seen += len(scripts)
	for _, end := range missing {
		if steer(t, p, all[end], 1000) {
			c.steered++
			continue
		}
		c.never++
		t.Logf("never: %s\n%s", end, p)
	}
}

// beginning gives the draws with which an execution begins, none or some of one before: mostly of that which came
// nearest to an order that is missing. Orders that few sequences of draws lead to are found so.
func beginning(r *rand.Rand, scripts []script, missing []string, all map[string]logs) []uint32 {
	if len(scripts) == 0 || r.IntN(4) == 0 {
		return nil
	}
	from := scripts[r.IntN(len(scripts))]
	if len(missing) > 0 && r.IntN(3) > 0 {
		to := all[missing[r.IntN(len(missing))]]
		from = slices.MaxFunc(scripts, func(a, b script) int { return a.end.common(to) - b.end.common(to) })
	}
	return from.values[:r.IntN(len(from.values)+1)]
}

// common gives how long the logs agree, of all actors together.
func (l logs) common(o logs) (n int) {
	for path, log := range l {
		for i, entry := range o[path] {
			if i >= len(log) || log[i] != entry {
				break
			}
			n++
		}
	}
	return n
}

// The orders to which the stock mailboxes come under seeds are those that are explored under the mailbox model: none
// more, none fewer.
func TestDrawnOrders(t *testing.T) {
	if !chance.Numbered() {
		return
	}
	defer chance.Alone()()
	programs := 8
	if n := scale(t); n > 0 {
		programs = 200 * n
	}
	var total drawnCounts
	seed := uint64(number(t, "REHEARSE_TOY_FROM"))
	for ; total.programs < programs && !t.Failed(); seed++ {
		p := draw(seed, features)
		switch all, named := orders(t, p); {
		case named:
			total.named++
		case len(all) > 1:
			compareDrawn(t, p, all, 300, 100_000, &total)
		}
	}
	t.Logf("%+v; the next seed is %d", total, seed)
}
