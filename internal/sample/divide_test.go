package sample_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// divisible are the strategies that draw and can be divided.
var divisible = map[string]func(seed uint64) (explore.Strategy, error){
	"random":     func(seed uint64) (explore.Strategy, error) { return sample.NewRandom(seed), nil },
	"delays/100": func(seed uint64) (explore.Strategy, error) { return sample.NewDelays(100, seed), nil },
	"pos":        func(seed uint64) (explore.Strategy, error) { return sample.NewPOS(seed, causal.Accesses{}), nil },
	"pct/3/first": func(seed uint64) (explore.Strategy, error) {
		return sample.ParsePCT("first", seed)
	},
	"surw/first":     func(seed uint64) (explore.Strategy, error) { return sample.ParseSURW("first", seed) },
	"surw/all/first": func(seed uint64) (explore.Strategy, error) { return sample.ParseSURW("all/first", seed) },
	"delay/2/random/first": func(seed uint64) (explore.Strategy, error) {
		return search.ParseDelay("2/random/first", seed)
	},
}

// division is a sample that is divided: the open items, and what is told to them.
type division struct {
	make  func() explore.Numbered
	sys   explore.System
	c     explore.Conditions
	limit int
	rnd   *rand.Rand
	most  int // items at a time
	each  int // executions of an item at most; 0: no bound

	open  []explore.Item
	told  []byte
	paths []string
}

func (d *division) fresh() explore.Numbered {
	s := d.make()
	s.Limit(d.limit)
	return s
}

// run executes items, any one next, until all that are open are beyond the limit.
func (d *division) run(t *testing.T) {
	t.Helper()
	judge := d.fresh()
	for {
		within := slices.DeleteFunc(slices.Clone(d.open), judge.Beyond)
		if len(within) == 0 {
			return
		}
		item := within[d.rnd.IntN(len(within))]
		d.open = slices.DeleteFunc(d.open, func(o explore.Item) bool { return slices.Equal(o.Rest, item.Rest) })
		d.execute(t, item)
	}
}

// execute executes an item until it is put down.
func (d *division) execute(t *testing.T, item explore.Item) {
	t.Helper()
	s := d.fresh()
	sharer, _ := s.(explore.Sharer)
	if sharer != nil {
		if err := sharer.Tell(d.told); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Take(item); err != nil {
		t.Fatal(err)
	}
	n, each := 0, d.each
	if d.rnd.IntN(7) == 0 {
		each = -1 // it is put down before it begins
	}
	out, err := explore.Run(d.sys, s, explore.Options{Conditions: d.c,
		Stop:  func() bool { n++; return each != 0 && n > each },
		After: func(_ *explore.Counters, tr *trace.Trace) { d.paths = append(d.paths, stepsOf(tr)) }})
	if err != nil || out.Complete || out.PassedOver != "" {
		t.Fatalf("%s: %+v, %v", s.Name(), out, err)
	}
	d.open = append(d.open, s.Split(d.most)...)
	if s.Start() || s.Complete() {
		t.Fatal("something is left after everything was given away")
	}
	if sharer == nil {
		return
	}
	if learned := sharer.Learned(); learned != nil {
		if d.told, err = sharer.Merge(d.told, learned); err != nil {
			t.Fatal(err)
		}
	}
}

func stepsOf(tr *trace.Trace) string {
	var b []byte
	for e := range tr.Events {
		id := tr.Events[e].Step.ID
		b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, id.Hi), id.Lo)
	}
	return string(b)
}

// undivided gives the first n executions of one process.
func undivided(t *testing.T, s explore.Strategy, sys explore.System, c explore.Conditions, n int) (paths []string) {
	t.Helper()
	if _, err := explore.Run(sys, s, explore.Options{Conditions: c, Budget: explore.Budget{Executions: n},
		After: func(_ *explore.Counters, tr *trace.Trace) { paths = append(paths, stepsOf(tr)) }}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	return paths
}

// TestDivided: however a sample is divided, and in whatever order its items are executed, the executions are those of
// one process, and a budget has exactly so many. One that is gone on with, with a larger budget, makes those that are
// missing.
func TestDivided(t *testing.T) {
	const budget, more = 23, 60
	for name, parse := range divisible {
		t.Run(strings.ReplaceAll(name, "/", "-"), func(t *testing.T) {
			for seed := range uint64(toy.Scale(t, 20)) {
				p := toy.Random(seed, toy.Full)
				c := explore.Conditions{Model: toy.Models[seed%5], Timers: trace.Async,
					Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Drop, trace.Crash)}}
				fresh := func() explore.Numbered {
					s, err := parse(seed)
					if err != nil || s.Name() != name {
						t.Fatalf("%v, %v", s, err)
					}
					return s.(explore.Numbered)
				}
				for i, how := range []struct{ each, most int }{{1, 256}, {1, 1}, {2, 3}, {7, 16}, {0, 2}} {
					d := &division{make: fresh, sys: toy.NewSystem(p), c: c, rnd: rand.New(rand.NewPCG(seed, uint64(i))),
						most: how.most, each: how.each, open: []explore.Item{{}}}
					for _, d.limit = range []int{budget, more} {
						d.run(t)
						slices.Sort(d.paths)
						want := undivided(t, fresh(), toy.NewSystem(p), c, d.limit)
						if !slices.Equal(d.paths, want) {
							t.Fatalf("program %d, %+v, limit %d: %d executions, which are not the %d of one process", seed,
								how, d.limit, len(d.paths), len(want))
						}
					}
				}
			}
		})
	}
}

// TestNotDivided: a strategy that learns from all executions says so, and which one can be divided.
func TestNotDivided(t *testing.T) {
	surw, _ := sample.ParseSURW("all", 1)
	delay, _ := search.ParseDelay("3/random", 1)
	for _, s := range []explore.Strategy{sample.NewPCT(5, 1), surw, delay} {
		if why := explore.ReportOf(s).Undivided; !strings.Contains(why, "; "+s.Name()+"/first learns from") {
			t.Errorf("%s: %q", s.Name(), why)
		}
	}
}

// Where nothing is told of the first execution, the result says so.
func TestNothingTold(t *testing.T) {
	for name, make := range divisible {
		if !strings.HasSuffix(name, "/first") {
			continue
		}
		st, err := make(1)
		s := st.(explore.Numbered)
		if err == nil {
			err = s.Take(explore.Item{Rest: []byte{0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 5}})
		}
		if err != nil {
			t.Fatal(err)
		}
		out, err := explore.Run(toy.NewSystem(toy.Random(1, toy.Full)), s, explore.Options{})
		why := "nothing was learned of the first execution"
		if err != nil || out.Executions != 2 || !strings.Contains(out.PassedOver, why) ||
			s.(explore.Sharer).Learned() != nil {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}

// TestFirstTellsAll: where all executions have as many steps, what the first one shows is what all show. So the option
// changes nothing.
func TestFirstTellsAll(t *testing.T) {
	for name, make := range divisible {
		if !strings.HasSuffix(name, "/first") {
			continue
		}
		compared, steps := 0, 0
		for seed := uint64(0); compared < 10; seed++ {
			sys := toy.NewSystem(toy.Random(seed, toy.Features{Spawn: true, Senders: true}))
			st, err := make(seed)
			if err != nil {
				t.Fatal(err)
			}
			c := explore.Conditions{Model: trace.Bag}
			got := undivided(t, st, sys, c, 40)
			if len(slices.Compact(slices.Clone(got))) < 10 ||
				slices.ContainsFunc(got, func(s string) bool { return len(s) != len(got[0]) }) {
				continue
			}
			compared++
			steps += len(got[0]) / 16
			if want := undivided(t, learning(t, name, seed), sys, c, 40); !slices.Equal(got, want) {
				t.Errorf("%s, program %d: other executions than without the option", name, seed)
			}
		}
		if steps < 60 {
			t.Errorf("%s: %d steps in 10 programs", name, steps)
		}
	}
}

// learning is the strategy without the option.
func learning(t *testing.T, name string, seed uint64) explore.Strategy {
	t.Helper()
	var s explore.Strategy
	var err error
	switch base, words, _ := strings.Cut(strings.TrimSuffix(name, "/first"), "/"); base {
	case "pct":
		s, err = sample.ParsePCT(words, seed)
	case "surw":
		s, err = sample.ParseSURW(words, seed)
	default:
		s, err = search.ParseDelay(words, seed)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is told is refused where it is none of the strategy.
func TestToldIsChecked(t *testing.T) {
	surw, _ := sample.ParseSURW("first", 1)
	pct, _ := sample.ParsePCT("first", 1)
	for _, b := range [][]byte{{}, {0x80}, {0x80, 0}, {1, 1}, []byte("something"), {255, 255, 255, 255, 255, 255, 1}} {
		for _, s := range []explore.Sharer{surw, pct} {
			if s.Tell(b) == nil {
				t.Errorf("%s was told %x", s.Name(), b)
			}
			if _, err := s.Merge(nil, b); err == nil {
				t.Errorf("%s merges %x", s.Name(), b)
			}
		}
	}
}
