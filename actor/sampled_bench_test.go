package actor_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
	"github.com/rehearse-go/rehearse/trace"
)

// Executions that a random walk begins for each that it makes, where 4 handlers draw 8 times each: asked for each draw,
// an execution begins anew for each part that draws something new; sampled, none does.
func BenchmarkSampledDraws(b *testing.B) {
	f := new(chancetest.Fake)
	defer chance.SetSource(f)()
	for name, sampled := range map[string]bool{"asked": false, "sampled": true} {
		b.Run(name, func(b *testing.B) {
			begun := 0
			sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
				begun++
				for range 4 {
					ctx.Send(ctx.Spawn(actor.Func(func(*actor.Context, any) {
						for range 8 {
							f.Draw(chance.Map, 3)
						}
					})), ping{})
				}
			})
			out, err := explore.Run(sys, sample.NewRandom(1), explore.Options{Budget: explore.Budget{Executions: b.N},
				Conditions: explore.Conditions{Model: trace.Bag, Draws: explore.AllDraws, Preemptions: -1, Sampled: sampled}})
			if err != nil || out.Executions != b.N {
				b.Fatal(out, err)
			}
			b.ReportMetric(float64(begun)/float64(b.N), "begun/execution")
		})
	}
}
