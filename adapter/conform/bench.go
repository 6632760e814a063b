package conform

import (
	"testing"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// Bench reports the rates at which three actors with 12 deliveries between them are executed, by random walks under the
// mailbox model, in both modes. Rates in processor time are those that other processes do not spoil.
func Bench(b *testing.B, f Framework) {
	for name, mode := range map[string]adapter.Mode{"TakeOver": adapter.TakeOver, "Wait": adapter.Wait} {
		b.Run(name, func(b *testing.B) {
			sys := f.System(func(t *explore.T, s Stage) { relays(t, s, nil) })
			sys.Mode = mode
			b.ReportAllocs()
			before := gotest.ProcessorTime()
			out, err := explore.Run(sys, sample.NewRandom(1), explore.Options{
				Conditions: explore.Conditions{Model: trace.Mailbox}, Budget: explore.Budget{Executions: b.N}})
			if err != nil {
				b.Fatal(err)
			}
			if out.Deliveries != 12*b.N {
				b.Fatalf("%d deliveries in %d executions, want 12 each", out.Deliveries, b.N)
			}
			if used := (gotest.ProcessorTime() - before).Seconds(); used > 0 {
				b.ReportMetric(float64(out.Executions)/used, "executions/cpu-s")
			}
			seconds := b.Elapsed().Seconds()
			b.ReportMetric(float64(out.Executions)/seconds, "executions/s")
			b.ReportMetric(float64(out.Deliveries)/seconds, "deliveries/s")
		})
	}
}

// Million executes the ring of Bench a million times, to see that memory does not grow: run it with -benchtime 1x.
func Million(b *testing.B, f Framework) {
	sys := f.System(func(t *explore.T, s Stage) { relays(t, s, nil) })
	for b.Loop() {
		var first, last uint64
		after := func(c *explore.Counters, _ *trace.Trace) {
			switch c.Executions {
			case 10_000:
				first = features.LiveHeap()
			case 1_000_000:
				last = features.LiveHeap()
			}
		}
		if _, err := explore.Run(sys, sample.NewRandom(1), explore.Options{After: after,
			Conditions: explore.Conditions{Model: trace.Mailbox}, Budget: explore.Budget{Executions: 1_000_000}}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(first), "live-B@10k")
		b.ReportMetric(float64(last), "live-B@1M")
		if last > first+first/2+1<<20 {
			b.Fatalf("the live heap grew from %d to %d bytes", first, last)
		}
	}
}
