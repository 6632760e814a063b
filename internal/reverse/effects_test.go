package reverse

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// heeding are the models under which declared effects mean something.
var heeding = []trace.Model{trace.Bag, trace.FIFO, trace.Causal}

// Where handlers declare what they read and write, reverse search executes every class exactly once too, or says that
// it does not answer for the program, which it never does where no actor stops another one.
func TestReverseWithEffects(t *testing.T) {
	all := toy.Full
	all.Effects = true
	unstopped := all
	unstopped.Stop = false
	for _, tt := range []struct {
		name     string
		features toy.Features
		programs int
		doubts   float64 // at most this part
	}{
		{"messages alone", toy.Features{Effects: true, Senders: true, Fails: true}, 80, 0},
		{"no stops", unstopped, 60, 0},
		{"all features", all, 60, 0.25},
	} {
		for _, model := range heeding {
			t.Run(tt.name+" "+model.String(), func(t *testing.T) {
				cases, _, err := toy.Cases(toy.CompareOptions{Models: []trace.Model{model}, Timers: toy.TimerModes[:1], Features: tt.features,
					Programs: tt.programs, Limit: 1000})
				if err != nil {
					t.Fatal(err)
				}
				sure := toy.AnsweredFor(t, cases, New)
				if doubted := len(cases) - len(sure); float64(doubted) > tt.doubts*float64(len(cases)) {
					t.Errorf("%d of %d programs are not answered for", doubted, len(cases))
				}
				toy.Check(t, "reverse", sure, newSearch, toy.Exact)
			})
		}
	}
}

// Seeds that were executed wrongly. Each says what was wrong.
func TestReverseEffectsRegressions(t *testing.T) {
	alone := toy.Features{Effects: true, Senders: true, Fails: true}
	for _, r := range []struct {
		seed     uint64
		features toy.Features
		model    trace.Model
		why      string
	}{
		{145, alone, trace.Causal, "two steps that only causal delivery orders were read in the other order"},
		{70, alone, trace.FIFO, "a message that is held back was believed to come first, since its key was less"},
	} {
		cases := []toy.Case{toy.NewCase(r.why, toy.Random(r.seed, r.features), explore.Conditions{Model: r.model}, 20000)}
		if cases[0].Want.Over || len(cases[0].Conditions.Effects) == 0 {
			t.Errorf("seed %d is too large, or declares nothing", r.seed)
		}
		if _, err := toy.CompareOn(cases, newSearch, toy.Exact); err != nil {
			t.Error(err)
		}
	}
}

type divided interface {
	explore.Strategy
	explore.Divisible
}

// divisible is reverse search within a bound, or (-1) without.
func divisible(t *testing.T, bound int) divided {
	if bound < 0 {
		return New()
	}
	return bounded(t, strconv.Itoa(bound))
}

// inParts gives the classes that a search executes which is divided after every execution, and the number of its parts.
func inParts(t *testing.T, sys explore.System, c explore.Conditions, bound int) (got map[string]int, parts int) {
	got = map[string]int{}
	for open := []explore.Item{{}}; len(open) > 0; parts++ {
		s := divisible(t, bound)
		if err := s.Take(open[0]); err != nil {
			t.Fatal(err)
		}
		open = open[1:]
		run(t, sys, s, c, func(tr *trace.Trace) {
			got[toy.ClassKey(c.Model, tr)]++
			open = append(open, s.Split(1<<30)...)
		})
	}
	return got, parts
}

// A search that is divided after every execution executes every class once all the same, and within a bound those of so
// many deviations.
func TestDividedWithEffects(t *testing.T) {
	parts, cut := 0, 0
	for _, model := range heeding {
		for seed := range uint64(30) {
			p := toy.Random(seed, toy.Features{Effects: true, Senders: true, Fails: true})
			sys, c := toy.NewSystem(p), explore.Conditions{Model: model, Effects: p.Effects()}
			at, r := levels(t, sys, c)
			if !r.done || len(at) > 150 {
				continue // too large
			}
			for bound := -1; bound <= 2; bound++ {
				want := map[string]int{}
				for key, level := range at {
					if bound < 0 || level <= bound {
						want[key] = 1
					}
				}
				got, n := inParts(t, sys, c, bound)
				if !maps.Equal(got, want) {
					t.Fatalf("seed %d, %v: %d classes within %d deviations, want %d", seed, model, len(got), bound, len(want))
				}
				if parts += n; len(want) < len(at) {
					cut++
				}
			}
		}
	}
	if parts < 500 || cut < 30 {
		t.Errorf("%d parts, %d bounds that left something out: the comparison says little", parts, cut)
	}
}

// desk is a program in which one actor has many declared steps: messages of which any may follow any, from several
// senders.
func desk(seed uint64) *toy.Program {
	const types, relays = 6, 3
	r := rand.New(rand.NewPCG(seed, 2))
	handler := func(m int) toy.Handler {
		h := toy.Handler{Register: r.IntN(2), Peek: r.IntN(2) == 0, Declared: r.IntN(12) > 0, Mul: 1 + r.IntN(3), Add: m, Refuse: -1, Fail: -1}
		if !h.Peek && r.IntN(2) == 0 {
			h.Look = []int{1, 2}[h.Register] // at the other of the two
		}
		return h
	}
	p := &toy.Program{Kinds: make([]toy.Behaviour, 1+relays), Actors: []int{0, 1, 2, 3}}
	for m := range types {
		p.Kinds[0] = append(p.Kinds[0], handler(m))
		for k := range relays {
			h := toy.Handler{Mul: 1, Refuse: -1, Fail: -1}
			for next := m + 1; next < types && len(h.Ops) < 2; next += 1 + r.IntN(3) {
				h.Ops = append(h.Ops, toy.Op{Kind: toy.Send, Message: next, When: -1})
			}
			p.Kinds[1+k] = append(p.Kinds[1+k], h)
		}
	}
	for range 4 + r.IntN(3) {
		p.Driver = append(p.Driver, toy.Op{Kind: toy.Send, To: max(0, r.IntN(7)-3), Message: r.IntN(types), When: -1})
	}
	return p
}

// Many steps of one actor that depend on each other here and there.
func TestReverseAtOneDesk(t *testing.T) {
	for _, model := range heeding {
		var cases []toy.Case
		for seed := uint64(0); len(cases) < 40; seed++ {
			k := toy.NewCase(fmt.Sprint("desk ", seed), desk(seed), explore.Conditions{Model: model}, 400)
			if !k.Want.Over && k.Want.Executions > 20 {
				cases = append(cases, k)
			}
		}
		toy.Check(t, "reverse", cases, newSearch, toy.Exact)
	}
}

// One that writes may come after any set of those that read: as many classes as sets, which are not kept all at once.
func TestReverseKeepsFewChildren(t *testing.T) {
	const readers = 8
	reads, writes := toy.Handler{Peek: true, Declared: true, Mul: 1, Refuse: -1, Fail: -1}, toy.Handler{Declared: true, Mul: 1, Refuse: -1, Fail: -1}
	relays := toy.Handler{Mul: 1, Refuse: -1, Fail: -1, Ops: []toy.Op{{Kind: toy.Send, Message: 1, When: -1}}}
	p := &toy.Program{Kinds: []toy.Behaviour{{reads, writes}, {relays, writes}}, Actors: []int{0, 1}}
	p.Driver = []toy.Op{{Kind: toy.Send, To: 1, When: -1}} // the one that writes has two causes, and comes last
	for range readers {
		p.Driver = append(p.Driver, toy.Op{Kind: toy.Send, When: -1})
	}
	r, most := New(), 0
	out := run(t, toy.NewSystem(p), r, explore.Conditions{Model: trace.Bag, Effects: p.Effects()}, func(*trace.Trace) {
		kept := 0
		for _, rec := range r.levels {
			kept += len(rec.children)
			for _, s := range rec.spreads {
				kept += len(s.open)
			}
		}
		most = max(most, kept)
	})
	if out.Executions != 1<<readers || !out.Complete || most > 1<<readers/4 {
		t.Errorf("%d executions, complete %t, with up to %d children at hand; want %d with few", out.Executions, out.Complete, most, 1<<readers)
	}
}
