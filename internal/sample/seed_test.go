package sample_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// samplers are all strategies that draw.
var samplers = []func(seed uint64) explore.Strategy{
	func(seed uint64) explore.Strategy { return sample.NewRandom(seed) },
	func(seed uint64) explore.Strategy { return sample.NewDelays(100, seed) },
	func(seed uint64) explore.Strategy { return sample.NewPCT(3, seed) },
	func(seed uint64) explore.Strategy { return sample.NewPOS(seed, causal.Accesses{}) },
	func(seed uint64) explore.Strategy { return sample.NewSURW(false, seed) },
	func(seed uint64) explore.Strategy { return sample.NewSURW(true, seed) },
}

// otherwise lists the enabled steps in other orders before it asks.
type otherwise struct {
	explore.Strategy
	n int
}

// Bind is passed on: what is embedded is only a Strategy.
func (o *otherwise) Bind(e explore.Env) error { return explore.BindTo(o.Strategy, e) }

func (o *otherwise) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if enabled[0].Kind.Chooses() {
		return o.Strategy.Choose(tr, enabled) // nothing comes first
	}
	o.n++
	other := slices.Clone(enabled)
	at := o.n % len(other)
	other = append(other[at:], other[:at]...)
	if o.n%2 == 0 {
		slices.Reverse(other)
	}
	c := o.Strategy.Choose(tr, other)
	c.Index = trace.Find(enabled, other[c.Index].ID)
	return c
}

// walked gives the steps of five executions.
func walked(t *testing.T, s explore.Strategy, p *toy.Program, c explore.Conditions) string {
	t.Helper()
	text := ""
	out, err := explore.Run(toy.NewSystem(p), s, explore.Options{Conditions: c, Budget: explore.Budget{Executions: 5},
		After: func(_ *explore.Counters, tr *trace.Trace) {
			for e := range tr.Events {
				text += tr.Events[e].Step.ID.String() + "\n"
			}
			text += "\n"
		}})
	if err != nil || out.Executions != 5 || out.Blocked != 0 || out.Complete {
		t.Fatalf("%s: %+v, %v", s.Name(), out, err)
	}
	return text
}

// TestSeeds: whatever a program does, under all models, both timer modes and with faults, the executions are those of
// the seed, whoever lists the steps in which order; another seed gives others.
func TestSeeds(t *testing.T) {
	for _, make := range samplers {
		t.Run(make(1).Name(), func(t *testing.T) {
			differ := 0
			for _, model := range toy.Models {
				for _, timers := range toy.TimerModes {
					for _, faults := range []string{"", "drop,crash:2"} {
						c := explore.Conditions{Model: model, Timers: timers, Horizon: time.Hour}
						var err error
						if c.Faults, err = trace.ParseFaults(faults); err != nil {
							t.Fatal(err)
						}
						for seed := range uint64(15) {
							p := toy.Random(seed, toy.Full)
							first := walked(t, make(seed), p, c)
							if walked(t, make(seed), p, c) != first || walked(t, &otherwise{Strategy: make(seed)}, p, c) != first {
								t.Fatalf("under %s, timers %s, faults %q the executions of program %d differ", model, timers, faults, seed)
							}
							if walked(t, make(seed+1), p, c) != first {
								differ++
							}
						}
					}
				}
			}
			if differ < 100 { // of 300; the other programs have few orders
				t.Errorf("another seed gives other executions of %d programs only", differ)
			}
		})
	}
}

// BenchmarkSampling executes a program of 10,000 deliveries with up to 1,000 pending ones.
func BenchmarkSampling(b *testing.B) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Mailbox} {
		for _, make := range samplers {
			s := make(1)
			b.Run(fmt.Sprintf("%s/%s", model, s.Name()), func(b *testing.B) {
				roots := []node{}
				for i := range 1000 {
					roots = append(roots, chain("abcdefghij", i, i+1, i+2, i+3, i+4, i+5, i+6, i+7, i+8, i+9))
				}
				wide(b, s, model, roots)
			})
		}
	}
}
