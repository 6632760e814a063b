package chance_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
	"github.com/rehearse-go/rehearse/trace"
)

// part runs a part of one step, over and over until nothing in it is new, and picks the given values.
func part(x *chance.Explorer, explored bool, run func(), picks ...int) (asked []string, runs int) {
	for {
		var tr trace.Trace
		tr.AddDriver()
		e := tr.Begin(trace.StartStep(0))
		x.Open(&tr)
		asked = nil
		for steps := x.Next(&tr, e); explored && steps != nil; steps = x.Next(&tr, e) {
			pick := 0
			if n := len(asked); n < len(picks) {
				pick = picks[n]
			}
			asked = append(asked, fmt.Sprintf("%d of %d", pick, len(steps)))
			e = tr.Begin(steps[pick])
			x.Take(steps[pick])
		}
		x.Run(trace.ID{Hi: 1, Lo: 1})
		run()
		runs++
		if !x.Close(&tr, explored) {
			return asked, runs
		}
	}
}

// A part that draws something new is run again, once for all that it draws after the same values; then each of its
// draws is asked for.
func TestDrawsAreAsked(t *testing.T) {
	f := new(chancetest.Fake)
	defer chance.SetSource(f)()
	drawn := ""
	run := func() {
		drawn = ""
		for n := f.Draw(chance.Map, 3); n > 0; n-- {
			drawn += fmt.Sprint(f.Draw(chance.Select, 2))
		}
	}
	var x chance.Explorer
	x.Reset(&explore.Conditions{Draws: 10}, 0)
	for _, tt := range []struct {
		picks []int
		asked string
		runs  int
		drawn string
	}{
		{nil, "0 of 3", 2, ""},
		{[]int{2}, "2 of 3, 0 of 2, 0 of 2", 2, "00"},
		{[]int{2, 1}, "2 of 3, 1 of 2, 0 of 2", 2, "10"},
		{[]int{2, 1, 1}, "2 of 3, 1 of 2, 1 of 2", 1, "11"},
		{[]int{1, 1}, "1 of 3, 1 of 2", 2, "1"},
	} {
		asked, runs := part(&x, true, run, tt.picks...)
		if got := strings.Join(asked, ", "); got != tt.asked || runs != tt.runs || drawn != tt.drawn {
			t.Errorf("%v: asked for %s in %d runs that drew %q, want %s, %d, %q", tt.picks, got, runs, drawn,
				tt.asked, tt.runs, tt.drawn)
		}
	}
	if x.Unexplored() != "" || x.Leaves() || x.Contradiction() != "" {
		t.Errorf("not explored: %q, contradiction %q", x.Unexplored(), x.Contradiction())
	}
}

// What nobody is asked for is named.
func TestDrawsThatAreNotAsked(t *testing.T) {
	for name, tt := range map[string]struct {
		most     int
		explored bool
		run      func(f *chancetest.Fake)
		want     string
		asked    int
	}{
		"beyond the bound": {2, true, func(f *chancetest.Fake) {
			f.Draw(chance.Map, 2)
			f.Draw(chance.Map,
				2)
			f.Draw(chance.Select, 2)
		}, "select at an unknown place", 2},
		"in set-up": {2, false, func(f *chancetest.Fake) { f.Draw(chance.Map, 2) }, "map at an unknown place", 0},
		"too wide": {2, true, func(f *chancetest.Fake) { f.Draw(chance.Map, chance.Widest+1); f.Draw(chance.Select, 2) },
			"map at an unknown place, select at an unknown place", 0},
		"off":             {0, true, func(f *chancetest.Fake) { f.Draw(chance.Map, 2) }, "map at an unknown place", 0},
		"without numbers": {2, true, func(f *chancetest.Fake) { f.Number(); f.Draw(chance.Map, 2) }, "random numbers", 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := new(chancetest.Fake)
			defer chance.SetSource(f)()
			var x chance.Explorer
			x.Reset(&explore.Conditions{Draws: tt.most, Preemptions: 1}, 0)
			asked, _ := part(&x, tt.explored, func() { tt.run(f) })
			if x.Unexplored() != tt.want || len(asked) != tt.asked || !x.Leaves() {
				t.Errorf("not explored: %q, want %q; asked for %v", x.Unexplored(), tt.want, asked)
			}
			x.Prepare()
			if x.Leaves() {
				t.Errorf("another exploration begins with %q", x.Unexplored())
			}
		})
	}
}

// A part that draws otherwise after the same values is not ours to explore.
func TestDrawsThatContradict(t *testing.T) {
	for name, second := range map[string]func(f *chancetest.Fake){
		"fewer values": func(f *chancetest.Fake) { f.Draw(chance.Map, 2) },
		"another kind": func(f *chancetest.Fake) { f.Draw(chance.Select, 3) },
		"nothing":      func(*chancetest.Fake) {},
	} {
		t.Run(name, func(t *testing.T) {
			f := new(chancetest.Fake)
			defer chance.SetSource(f)()
			var x chance.Explorer
			x.Reset(&explore.Conditions{Draws: 5}, 0)
			runs := 0
			part(&x, true, func() {
				if runs++; runs == 1 {
					f.Draw(chance.Map, 3)
				} else {
					second(f)
				}
			}, 0)
			if !strings.HasPrefix(x.Contradiction(), "map at an unknown place") {
				t.Errorf("contradiction: %q", x.Contradiction())
			}
		})
	}
}

// A preemption beyond the bound is not asked for, which is said: it takes away "complete".
func TestPreemptionsBeyondTheBound(t *testing.T) {
	f := new(chancetest.Fake)
	defer chance.SetSource(f)()
	var x chance.Explorer
	x.Reset(&explore.Conditions{Draws: 9, Preemptions: 1}, 0)
	run := func() {
		for range 3 {
			f.Draw(chance.Point, 2)
		}
	}
	if asked, _ := part(&x, true, run); len(asked) != 3 || x.Leaves() {
		t.Errorf("asked for %v, not explored %q", asked, x.Unexplored())
	}
	if asked, _ := part(&x, true, run, 0, 1); len(asked) != 2 ||
		x.Unexplored() != "goroutines that are preempted more than 1 times" {
		t.Errorf("asked for %v, not explored %q", asked, x.Unexplored())
	}
}

// What follows the seed is the same behind a script as without one: a schedule that forces some of the draws leaves the
// others as they were.
func TestSeedBehindTheScript(t *testing.T) {
	f := new(chancetest.Fake)
	defer chance.SetSource(f)()
	values := func(script ...uint32) (v [12]uint32) {
		chance.Begin(5, 6, script, true, -1)
		for i := range v {
			v[i] = f.Draw(chance.Map, 7)
		}
		return v
	}
	free := values()
	if got := values(free[:4]...); got != free {
		t.Errorf("values %v behind four of %v", got, free)
	}
	other := free
	other[1] = (free[1] + 1) % 7
	if got := values(other[:2]...); got != other {
		t.Errorf("values %v, want %v", got, other)
	}
}

// What is known belongs to a seed: under another one a part may draw from other values, and is asked for nothing that
// it does not draw.
func TestDrawsOfAnotherSeed(t *testing.T) {
	f := new(chancetest.Fake)
	defer chance.SetSource(f)()
	var x chance.Explorer
	for seed := range uint64(20) {
		for range 2 {
			x.Reset(&explore.Conditions{Draws: 9, Preemptions: -1, Choices: seed + 1}, 0)
			part(&x, true, func() {
				for range f.Number() % 3 {
					f.Draw(chance.Map, 2+uint32(f.Number()%3))
				}
			})
			if x.Contradiction() != "" {
				t.Fatalf("seed %d: %s", seed, x.Contradiction())
			}
		}
	}
}

// A place of the standard library alone is named by its function: its lines say nothing.
func TestPlaceOfTheLibrary(t *testing.T) {
	for _, tt := range []struct {
		function any
		kind     chance.Kind
		want     string
	}{
		{os.WriteFile, chance.Point, "point at os.WriteFile"},
		{(*sync.WaitGroup).Wait, chance.Point, "point at sync.(*WaitGroup).Wait"},
		{testing.Short, chance.Goroutine, "goroutine of the test"},
		{synctest.Wait, chance.Goroutine, "goroutine of the test"},
		{TestPlaceOfTheLibrary, chance.Map, "map at explorer_test.go:"},
	} {
		d := chance.Draw{Kind: tt.kind, N: 2}
		d.Site[0] = reflect.ValueOf(tt.function).Pointer() + 1
		if got := chance.Place(&d); !strings.HasPrefix(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// What comes before a part is known by its events. Those of the execution so far are not compared again for each part
// that draws, be it that some were taken back.
func TestEventsAreComparedOnce(t *testing.T) {
	f := new(chancetest.Fake)
	defer chance.SetSource(f)()
	var x chance.Explorer
	var tr trace.Trace
	tr.AddDriver()
	const n = 1000
	keys := map[trace.ID]bool{}
	for execution := range 2 {
		tr.Events = tr.Events[:0]
		x.Reset(&explore.Conditions{Draws: 10}, 0)
		for e := range n {
			tr.Begin(trace.StartStep(0))
			tr.Events[e].Step.ID = trace.ID{Hi: 1, Lo: uint64(e)}
			if e == n/2 {
				tr.Events = tr.Events[:e-1] // two are taken back, and others follow
				x.Back(e - 1)
				for k := e - 1; k <= e; k++ {
					tr.Begin(trace.StartStep(0))
					tr.Events[k].Step.ID = trace.ID{Hi: 2, Lo: uint64(k + execution)}
				}
			}
			x.Open(&tr)
			keys[x.Key(&tr)] = true
		}
	}
	if x.Looked() > 2*n {
		t.Errorf("%d events were compared in two executions of %d", x.Looked(), n)
	}
	if want := n + n/2; len(keys) != want {
		t.Errorf("%d keys, want %d: those up to the change once, and the others twice", len(keys), want)
	}
}
