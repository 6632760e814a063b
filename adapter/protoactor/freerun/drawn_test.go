package freerun

import (
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// script is what decided an execution on the plain framework: the values of all draws, and where it came to.
type script struct {
	values []uint32
	end    logs
}

// drawn executes the program once on the plain framework, with its own mailboxes and goroutines. Which goroutine goes
// on, and where one is preempted, follows these values, and behind them a seed. Before each deed another goroutine may
// go on; with yields also where a mailbox has found no system message, and before it looks for a user message. There
// the framework reads memory by functions of sync/atomic, which are no points of the overlay.
func drawn(t *testing.T, p *program, values []uint32, seed uint64, yields bool) (s script) {
	c := newCast(p)
	if yields {
		c.options = func(path string) []actor.PropsOption {
			return (&door{gates: &gates{yields: true}, path: path, late: func() bool { return true }}).options()
		}
	}
	s.end = c.run(t, func(test func()) {
		c.world.pause = func(_ deed, name string) {
			for range yieldsBefore(seed, name) {
				runtime.Gosched()
			}
		}
		chance.Begin(seed, 1, values, true, -1)
		go test()
		synctest.Wait()
		for _, d := range chance.End() {
			s.values = append(s.values, d.Value)
		}
	})
	return s
}

// yieldsBefore is how often others may go on before a deed, of which a seed makes some slow: without that the test,
// which could always go on, would hardly ever do so last.
func yieldsBefore(seed uint64, name string) int {
	if rand.New(rand.NewPCG(seed, hash(name))).IntN(6) == 0 {
		return 40
	}
	return 1
}

// drawnCounts are what a comparison under drawn choices came to: the orders that were explored; of these what stock
// mailboxes came to, more of them with yields, with gates, and never; and how many executions with draws that took.
type drawnCounts struct{ programs, named, orders, seen, yields, steered, never, runs int }

// drawnRuns look for orders under draws.
type drawnRuns struct {
	p       *program
	all     map[string]logs
	missing []string // sorted
	yields  bool
	rand    *rand.Rand
	seen    map[string]bool
	scripts []script // one for each order that was seen
}

// look executes the program until no order is missing, at least and at most so often. It gives how often, and what no
// exploration does, "" if there is nothing.
func (d *drawnRuns) look(t *testing.T, least, most int) (runs int, strange string) {
	for ; runs < least || runs < most && len(d.missing) > 0; runs++ {
		s := drawn(t, d.p, d.beginning(), uint64(runs), d.yields)
		end := s.end.String()
		if _, ok := d.all[end]; !ok {
			return runs, end
		}
		if !d.seen[end] {
			d.seen[end] = true
			d.scripts = append(d.scripts, s)
		}
		if i, ok := slices.BinarySearch(d.missing, end); ok {
			d.missing = slices.Delete(d.missing, i, i+1)
		}
	}
	return runs, ""
}

// beginning gives the draws with which an execution begins, none or some of one before: mostly of that which came
// nearest to an order that is missing. Orders that few sequences of draws lead to are found so.
func (d *drawnRuns) beginning() []uint32 {
	if len(d.scripts) == 0 || d.rand.IntN(4) == 0 {
		return nil
	}
	from := d.scripts[d.rand.IntN(len(d.scripts))]
	if len(d.missing) > 0 && d.rand.IntN(3) > 0 {
		to := d.all[d.missing[d.rand.IntN(len(d.missing))]]
		from = slices.MaxFunc(d.scripts, func(a, b script) int { return a.end.common(to) - b.end.common(to) })
	}
	return from.values[:d.rand.IntN(len(from.values)+1)]
}

// compareDrawn executes a program until each order that was explored is seen, at least and at most so often. Orders
// that are not seen so are tried with yields, and then with gates.
func compareDrawn(t *testing.T, p *program, all map[string]logs, least, most int, c *drawnCounts) {
	t.Helper()
	missing := slices.Sorted(maps.Keys(all))
	var found [2]int
	for i, yields := range []bool{false, true} {
		d := &drawnRuns{p: p, all: all, missing: missing, yields: yields, seen: map[string]bool{}}
		d.rand = rand.New(rand.NewPCG(p.seed, uint64(i)))
		runs, strange := d.look(t, least, most)
		if strange != "" {
			t.Errorf("plain protoactor-go comes to what no exploration does, of %d orders:\n  %s\n%s", len(all), strange, p)
			return
		}
		c.runs += runs
		found[i], missing = len(missing)-len(d.missing), d.missing
	}
	c.programs++
	c.orders += len(all)
	c.seen += found[0]
	c.yields += found[1]
	if len(all) > found[0] {
		t.Logf("seed %d, %s: of %d orders %d are seen, %d more with yields", p.seed, p.feature, len(all), found[0], found[1])
	}
	for _, end := range missing {
		if steer(t, p, all[end], 1000) {
			c.steered++
			continue
		}
		c.never++
		t.Errorf("never: %s\n%s", end, p)
	}
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
// more, none fewer. What draws do not reach has two reasons. Some orders take a pause between the two queues of a
// mailbox, which is no point of the overlay: the yields are there. Others take so many draws that few executions have
// them: there are the gates. An order that nothing leads to fails the test.
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
			compareDrawn(t, p, all, 300, 3000, &total)
		}
	}
	t.Logf("%+v; the next seed is %d", total, seed)
}
