package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// Whole explorations, with what they executed: deliveries are handler runs that were needed, replayed ones had been run
// before.
func BenchmarkExploration(b *testing.B) {
	for _, p := range []struct {
		name    string
		sys     func() explore.System
		classes int
	}{
		{"fib7", func() explore.System { return subjects.Fib(7) }, 4096},
		{"shortpathB", func() explore.System { return subjects.ShortpathB() }, 296},
	} {
		for _, s := range []func() explore.Strategy{
			func() explore.Strategy { return reverse.New() },
			func() explore.Strategy { return NewSource(nil) },
			func() explore.Strategy { return NewOptimal(nil) },
		} {
			b.Run(p.name+"/"+s().Name(), func(b *testing.B) { explored(b, p.sys(), s, p.classes) })
		}
	}
}

func explored(b *testing.B, sys explore.System, s func() explore.Strategy, classes int) {
	var sum explore.Counters
	for b.Loop() {
		out, err := explore.Run(sys, s(), explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
		if err != nil || !out.Complete || out.Classes != classes {
			b.Fatal(out, err)
		}
		sum.Executions += out.Executions
		sum.Deliveries += out.Deliveries
		sum.Replayed += out.Replayed
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(sum.Executions)/seconds, "executions/s")
	b.ReportMetric(float64(sum.Deliveries+sum.Replayed)/seconds, "deliveries/s")
	b.ReportMetric(0, "ns/op")
}

// Two long executions: 1,000 actions that send to two actors each, some 3,000 deliveries, with a race at nearly every
// one.
func BenchmarkLongExecutions(b *testing.B) {
	for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
		b.Run(model.String(), func(b *testing.B) {
			for b.Loop() {
				out, err := explore.Run(subjects.Gatling(1000), NewOptimal(nil),
					explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: 2}})
				if err != nil || out.Executions != 2 {
					b.Fatal(out, err)
				}
			}
		})
	}
}
