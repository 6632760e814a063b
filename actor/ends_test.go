package actor_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// exploringEnds are options that have what Go chooses in final checks explored.
func exploringEnds(c *check.Checker, seed uint64) explore.Options {
	return explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: 9, Choices: seed}, Ends: true, Check: c,
		Repeat: func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) }}
}

// All that final checks draw is explored, behind each execution, whatever the seed gives them at first.
func TestEndsAreExplored(t *testing.T) {
	f := numberedDraws(t)
	draw := func(n uint32) int { return int(f.Draw(chance.Select, n)) }
	two := func(_ *explore.T, c *actor.Context) {
		a := c.Spawn(actor.Func(func(*actor.Context, any) { draw(2) }))
		c.Send(a, 1)
		c.Send(a, 2)
	}
	tree := func() {
		for n := draw(3); n > 0; n-- {
			draw(2)
		}
	}
	atEnd := func(fs ...func()) func(*explore.T, *actor.Context) {
		return func(t *explore.T, c *actor.Context) {
			for _, f := range fs {
				t.AtEnd(f)
			}
			two(t, c)
		}
	}
	final := func(f func()) *check.Checker {
		return &check.Checker{Final: func(check.State) error { f(); return nil }}
	}
	const orders = 2 * 2 * 2
	for name, tt := range map[string]struct {
		program func(*explore.T, *actor.Context)
		check   *check.Checker
		want    int
	}{
		"none":      {two, &check.Checker{}, orders},
		"one":       {atEnd(func() { draw(3) }), &check.Checker{}, 3 * orders},
		"tree":      {atEnd(tree), &check.Checker{}, 7 * orders},
		"functions": {atEnd(tree, func() {}, func() { draw(3) }), &check.Checker{}, 21 * orders},
		"final":     {two, final(tree), 7 * orders},
		"both":      {atEnd(func() { draw(3) }), final(tree), 21 * orders},
		"one value": {atEnd(func() { draw(1) }), &check.Checker{}, orders},
	} {
		for _, again := range []bool{false, true} {
			for _, seed := range []uint64{0, 7} {
				seen := map[string]int{}
				o := exploringEnds(tt.check, seed)
				o.Rerun, o.After = again, func(_ *explore.Counters, tr *trace.Trace) {
					seen[fmt.Sprint(choicesIn(tr), tr.Forces())]++
				}
				out, err := explore.Run(actor.New(tt.program), search.NewNaive(), o)
				if err != nil || !out.Complete || out.Executions != tt.want || len(seen) != tt.want {
					t.Errorf("%s, again %t, seed %d: want %d executions, %d differ: %+v, %v", name, again, seed, tt.want,
						len(seen), out, err)
				}
			}
		}
	}
}

// drawTree is a random program of draws: of how many values each is, and what follows each value.
type drawTree struct {
	n    uint32
	next []*drawTree
}

func randomDraws(r *rand.Rand, depth int) *drawTree {
	if depth == 0 || r.IntN(4) == 0 {
		return nil
	}
	d := &drawTree{n: uint32(1 + r.IntN(3))}
	for range d.n {
		d.next = append(d.next, randomDraws(r, depth-1))
	}
	return d
}

// leaves counts the ways through the tree.
func (d *drawTree) leaves() int {
	if d == nil {
		return 1
	}
	sum := 0
	for _, n := range d.next {
		sum += n.leaves()
	}
	return sum
}

// walk draws, and gives the way.
func (d *drawTree) walk(draw func(uint32) int) (way string) {
	for d != nil {
		v := draw(d.n)
		way, d = fmt.Sprint(way, v), d.next[v]
	}
	return way
}

// On random programs each way through the draws of final checks is taken once, whatever the seed.
func TestEndsOfRandomChecks(t *testing.T) {
	f := numberedDraws(t)
	draw := func(n uint32) int { return int(f.Draw(chance.Map, n)) }
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		first, second := randomDraws(r, 4), randomDraws(r, 3)
		ways := map[string]int{}
		program := func(t *explore.T, _ *actor.Context) {
			way := ""
			t.AtEnd(func() { way = first.walk(draw) })
			t.AtEnd(func() { ways[way+" "+second.walk(draw)]++ })
		}
		out, err := explore.Run(actor.New(program), search.NewNaive(), exploringEnds(&check.Checker{}, seed%3))
		want := first.leaves() * second.leaves()
		if err != nil || !out.Complete || out.Executions != want || len(ways) != want {
			t.Fatalf("seed %d: want %d ways, were %d: %+v, %v", seed, want, len(ways), out, err)
		}
	}
}

// last is an actor with a state.
type last struct{ got any }

func (l *last) Receive(_ *actor.Context, msg any) { l.got = msg }

// A strategy that samples before it searches is complete all the same.
func TestEndsOfStrategies(t *testing.T) {
	f := numberedDraws(t)
	sys := actor.New(func(t *explore.T, c *actor.Context) {
		t.AtEnd(func() { f.Draw(chance.Map, 3) })
		a := c.Spawn(&last{})
		c.Send(a, 1)
		c.Send(a, "2")
	})
	for _, strategy := range []string{"auto", "source", "optimal", "reverse", "stateful", "cover", "random"} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Budget: "300x"}, sys)
		samples := strategy == "cover" || strategy == "random"
		if err != nil || r.Complete == samples || !samples && r.OneSeed != "" || !samples && r.Executions < 6 {
			t.Errorf("%s: %v, %s", strategy, err, r)
		}
	}
}

// What is not explored is named: beyond the bound, without time, where nobody is to explore it.
func TestEndsThatAreLeft(t *testing.T) {
	f := numberedDraws(t)
	program := func(t *explore.T, _ *actor.Context) {
		t.AtEnd(func() { f.Draw(chance.Map, 2); f.Draw(chance.Select, 2) })
	}
	for name, tt := range map[string]struct {
		change func(*explore.Options)
		want   string
	}{
		"bound": {func(o *explore.Options) { o.Conditions.Draws = 1 }, "select at an unknown place in a final check"},
		"sample": {func(o *explore.Options) { o.Conditions.Draws = 0 },
			"map at an unknown place in a final check, select at an unknown place in a final check"},
		"budget": {func(o *explore.Options) { o.Budget.Executions = 3 },
			"map at an unknown place in a final check, select at an unknown place in a final check"},
		"not wanted": {func(o *explore.Options) { o.Ends = false },
			"map at an unknown place in a final check, select at an unknown place in a final check"},
		"all": {func(*explore.Options) {}, ""},
	} {
		o := exploringEnds(&check.Checker{}, 0)
		tt.change(&o)
		out, err := explore.Run(actor.New(program), search.NewNaive(), o)
		if err != nil || out.OneSeed != tt.want || out.Complete != (tt.want == "") ||
			out.ForOneSeed == out.Complete || !out.Exhausted {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}

// A final check that draws otherwise after the same steps and draws makes a choice that is not ours.
func TestEndsThatChange(t *testing.T) {
	f := numberedDraws(t)
	n := uint32(1)
	program := func(t *explore.T, _ *actor.Context) {
		t.AtEnd(func() {
			if n++; n < 4 {
				f.Draw(chance.Map, n)
			}
			f.Draw(chance.Select, 2)
		})
	}
	out, err := explore.Run(actor.New(program), search.NewNaive(), exploringEnds(&check.Checker{}, 0))
	if err != nil || out.Complete || out.Uncontrolled == "" {
		t.Errorf("%+v, %v", out, err)
	}
}

// A violation of a final check that takes values other than the default is found, minimised to these, and its schedule
// violates the same each time. One that takes none forces none.
func TestFindingOfEnds(t *testing.T) {
	f := numberedDraws(t)
	draw := func(n uint32) int { return int(f.Draw(chance.Map, n)) }
	for _, tt := range []struct {
		fails func(a, b, c int) bool
		want  string
	}{
		{func(a, b, c int) bool { return a > 0 && c == 2 }, "[1 0 2]"},
		{func(a, b, c int) bool { return b == 1 }, "[0 1 0]"},
		{func(a, b, c int) bool { return true }, "[]"},
	} {
		for _, strategy := range []string{"naive", "source", "optimal", "reverse", "auto", "random", "pos"} {
			sys := actor.New(func(t *explore.T, c *actor.Context) {
				t.AtEnd(func() {
					if a, b, c := draw(3), draw(2), draw(4); tt.fails(a, b, c) {
						t.Error("the wrong entry came first")
					}
				})
				c.Send(c.Spawn(actor.Func(func(*actor.Context, any) {})), 1)
			})
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Budget: "200x"}, sys)
			if err != nil || len(r.Findings) != 1 || r.Diverged {
				t.Errorf("%s, %s: error %v, %s, findings %v", tt.want, strategy, err, r, r.Findings)
				continue
			}
			h := r.Findings[0].Schedule.Header
			var ends []int
			var values []uint32
			for _, e := range h.Ends {
				ends, values = append(ends, e.Value), append(values, uint32(e.Value))
			}
			if got := fmt.Sprint(ends); got != tt.want {
				t.Errorf("%s: the schedule forces %s in final checks, want %s", strategy, got, tt.want)
			}
			found := 0
			o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: h.Draws, Preemptions: h.Preemptions,
				Choices: h.Choices, EndDraws: values},
				Check: &check.Checker{}, Found: func(explore.Found) bool { found++; return true }}
			for range 100 {
				if _, err := explore.Run(sys, replay.New(r.Findings[0].Schedule.Steps), o); err != nil {
					t.Fatal(err)
				}
			}
			if found != 100 {
				t.Errorf("%s, %s: found by %d replays of 100", tt.want, strategy, found)
			}
		}
	}
}

// The same with draws of the runtime: package overlay builds this with it; in plain go test there is nothing to see.
func TestDrawsOfOverlaidChecks(t *testing.T) {
	if !chance.Numbered() {
		return
	}
	entries, ready := map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true}, make(chan int, 1)
	first := func() int {
		for k := range entries {
			return k
		}
		return 0
	}
	either := func() int {
		ready <- 1
		select {
		case <-ready:
			return 1
		case ready <- 2: // it is full
			return 2
		}
	}
	program := func(end, clean func(*explore.T)) func(*explore.T, *actor.Context) {
		return func(t *explore.T, c *actor.Context) {
			t.AtEnd(func() { end(t) })
			t.Cleanup(func() { clean(t) })
			c.Send(c.Spawn(actor.Func(func(*actor.Context, any) {})), 1)
		}
	}
	none := func(*explore.T) {}
	holds := func() []rehearse.Invariant {
		return []rehearse.Invariant{{Name: "i", Holds: func(rehearse.State) error { first(); return nil }}}
	}
	for name, tt := range map[string]struct {
		program    func(*explore.T, *actor.Context)
		invariants []rehearse.Invariant
		executions int
		oneSeed    bool
		found      string
	}{
		"no influence": {program(func(*explore.T) { first() }, none), nil, 5, false, ""},
		"no choice":    {program(func(*explore.T) { either() }, none), nil, 1, false, ""},
		"wrong": {program(func(t *explore.T) {
			if first() == 3 {
				t.Error("3 came first")
			}
		}, none), nil, 5, false, "the map's order at ends_test.go"},
		"wrong twice": {program(func(t *explore.T) {
			if first() == 3 && first() == 4 {
				t.Error("3 came first, and then 4")
			}
		}, none), nil, 9, false, "the map's order at ends_test.go"},
		"invariant": {program(none, none), holds(), 1, true, ""},
		"clean-up":  {program(none, func(*explore.T) { first() }), nil, 1, true, ""},
	} {
		for _, strategy := range []string{"naive", "optimal"} {
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Invariants: tt.invariants}, actor.New(tt.program))
			told := r.OneSeed == "" && r.Complete
			if tt.oneSeed {
				told = strings.HasPrefix(r.OneSeed, "map at ends_test.go:") && !r.Complete
			}
			if len(tt.invariants) > 0 && strategy != "naive" {
				told = r.PassedOver != "" && !r.Complete
			}
			if err != nil || r.Diverged || !told || r.Executions != tt.executions || (len(r.Findings) == 1) != (tt.found != "") {
				t.Errorf("%s, %s: %v, %s, findings %v", name, strategy, err, r, r.Findings)
				continue
			}
			if tt.found != "" && !strings.Contains(r.Findings[0].Note, tt.found) {
				t.Errorf("%s, %s: %s", name, strategy, r.Findings[0].Note)
			}
		}
	}
}
