package agree

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// watched is a system whose choices are compared with what the record says.
type watched struct {
	explore.System
	compare func(x explore.Execution, enabled []trace.Step)
}

func (w *watched) Execute(c explore.Conditions, d explore.Driver) error {
	return w.System.Execute(c, &watcher{Driver: d, watched: w})
}

// ChecksEffects is explore.EffectChecker: toys do.
func (*watched) ChecksEffects() {}

type watcher struct {
	explore.Driver
	watched *watched
	x       explore.Execution
}

func (w *watcher) Begin(x explore.Execution) *explore.T {
	w.x = x
	return w.Driver.Begin(x)
}

func (w *watcher) Choose(enabled []trace.Step) (explore.Choice, bool) {
	if !enabled[0].Kind.Chooses() {
		w.watched.compare(w.x, enabled)
	}
	return w.Driver.Choose(enabled)
}

// stepsOf names the steps that a pool gives: not those that timers and the clock take.
func stepsOf(steps []trace.Step) (names []string) {
	for _, s := range steps {
		if s.Kind != trace.Timer && s.Kind != trace.Advance {
			names = append(names, fmt.Sprint(s))
		}
	}
	slices.Sort(names)
	return names
}

// TestAtAgreesWithPool: at every choice of random executions the record has the same messages enabled as the pool
// that made it, whether the cursor came there step by step, from the beginning, from behind, or over events in
// another order that happens-before allows.
func TestAtAgreesWithPool(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		t.Run(model.String(), func(t *testing.T) {
			points, waiting, wrong := 0, 0, ""
			for _, p := range append(pinnedPrograms(model), wilder(model)...) {
				walks(t, p, func(x explore.Execution, at *delivery.At, enabled []trace.Step) {
					tr, want := x.Trace(), stepsOf(enabled)
					compare := func(how string) {
						if got := stepsOf(at.Enabled(nil, x.(delivery.Host))); !slices.Equal(got, want) {
							wrong = fmt.Sprintf("%s, %v: after %d events, %s\n%sthe record has enabled\n%q\nthe pool\n%q",
								p.name, p.Conditions, len(tr.Events), how, steps(tr), got, want)
						}
					}
					at.To(len(tr.Events))
					compare("in their order")
					points, waiting = points+1, waiting+len(want)
					switch {
					case points%5 == 0:
						reorder(p, tr, at, tr.Explored+points%(1+len(tr.Events)-tr.Explored))
						compare("in another order")
					case points%7 == 0:
						at.To(max(tr.Explored, len(tr.Events)-points%19))
					case points%31 == 0:
						at.Cut(0)
					}
				})
				if wrong != "" {
					t.Fatal(wrong)
				}
			}
			t.Logf("%d points with %d steps", points, waiting)
			if points < 2000 {
				t.Errorf("%d points: the programs show too little", points)
			}
		})
	}
}

// reorder moves the cursor over all events, those from the given one on in another order: the last first that may
// come next.
func reorder(p named, tr *trace.Trace, at *delivery.At, from int) {
	c := p.Conditions
	c.Effects = nil // else steps of one actor change places
	o := causal.For(c)
	o.Extend(tr, len(tr.Events))
	first, taken := int32(o.First()), make([]bool, o.Len())
	if from < len(tr.Events) {
		from = o.First() + int(o.Head(int32(from-o.First())))
	}
	at.To(from)
	for e := range taken[:from-o.First()] {
		taken[e] = true
	}
	ready := func(e int32) bool {
		free := !taken[e] && o.Head(e) == e
		o.Past(e).Each(0, func(before int32) bool {
			free = free && (taken[before] || o.Head(before) == e)
			return free
		})
		return free
	}
	for e := int32(len(taken)) - 1; e >= 0; e-- {
		if ready(e) {
			for k := e; int(k) < len(taken) && o.Head(k) == o.Head(e); k++ {
				at.Take(first + k)
				taken[k] = true
			}
			e = int32(len(taken))
		}
	}
}

// wilder are random native programs of the other species: they wait, set up, put aside, and cancel timers.
func wilder(model trace.Model) (all []named) {
	for i, sp := range []species{tame, feral, hasty, exotic} {
		for seed := range uint64(50) {
			p, line := sp.program(1000*uint64(i) + seed)
			p.Conditions.Model = model
			all = append(all, named{line, p})
		}
	}
	for seed := range uint64(120) {
		waits := toy.Features{Calls: true, Stop: true, Dense: true, Responds: true, Senders: true}
		p := toy.Random(seed, []toy.Features{toy.Full, waits}[seed%2])
		c := explore.Conditions{Model: model, Timers: trace.TimerMode(seed / 2 % 2)}
		if seed%3 == 0 {
			other := []trace.FaultKind{trace.Drop, trace.Crash, trace.Restart}[seed/3%3]
			c.Faults = trace.Faults{Max: 2, Kinds: trace.FaultKindsOf(trace.Duplicate, other)}
		}
		all = append(all, named{p.String(), Program{System: toy.NewSystem(p), Conditions: c}})
	}
	return all
}

// walks calls f at the choices of random executions of a program.
func walks(t *testing.T, p named, f func(x explore.Execution, at *delivery.At, enabled []trace.Step)) {
	t.Helper()
	var at delivery.At
	var of explore.Execution
	w := &watched{System: p.System, compare: func(x explore.Execution, enabled []trace.Step) {
		if of != x {
			at.Reset(p.Conditions.Model, p.Conditions.Timers, x.Trace())
		}
		of = x
		f(x, &at, enabled)
	}}
	for seed := range uint64(8) {
		of = nil
		o := explore.Options{Conditions: p.Conditions, Budget: explore.Budget{Executions: 1}}
		if _, err := explore.Run(w, sample.NewRandom(seed), o); err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
	}
}
