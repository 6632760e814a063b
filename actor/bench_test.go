package actor_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

func BenchmarkNaivePi4(b *testing.B) {
	benchmark(b, subjects.Pi(4), explore.Options{Budget: explore.Budget{Executions: 60480}}, trace.Bag,
		func() explore.Strategy { return search.NewNaive() })
}

// fib(7) has more executions than anybody has time for: the rates are those of its first ones.
func BenchmarkNaiveFib7(b *testing.B) {
	benchmark(b, subjects.Fib(7), explore.Options{Budget: explore.Budget{Executions: 1_000_000}}, trace.Bag,
		func() explore.Strategy { return search.NewNaive() })
}

func BenchmarkNaiveServer(b *testing.B) {
	benchmark(b, subjects.Server(false), explore.Options{}, trace.Bag,
		func() explore.Strategy { return search.NewNaive() })
}

func BenchmarkRandomPi4(b *testing.B) {
	benchmark(b, subjects.Pi(4), explore.Options{Budget: explore.Budget{Executions: 10000}}, trace.Bag,
		func() explore.Strategy { return sample.NewRandom(1) })
}

func BenchmarkRandomPi4Mailbox(b *testing.B) {
	benchmark(b, subjects.Pi(4), explore.Options{Budget: explore.Budget{Executions: 10000}}, trace.Mailbox,
		func() explore.Strategy { return sample.NewRandom(1) })
}

func BenchmarkRandomPi4Checked(b *testing.B) {
	benchmark(b, subjects.Pi(4), explore.Options{Budget: explore.Budget{Executions: 10000}, Check: &check.Checker{}},
		trace.Bag, func() explore.Strategy { return sample.NewRandom(1) })
}

// BenchmarkMillion is the long run: B/op is per million executions and has to stay that of one exploration.
func BenchmarkMillion(b *testing.B) {
	benchmark(b, subjects.Pi(2), explore.Options{Budget: explore.Budget{Executions: 1_000_000}}, trace.Bag,
		func() explore.Strategy { return sample.NewRandom(1) })
}

// benchmark reports rates in time and in processor time, which other processes do not spoil; deliveries are all that
// were made, repeated ones included.
func benchmark(b *testing.B, sys explore.System, o explore.Options, model trace.Model, s func() explore.Strategy) {
	b.ReportAllocs()
	o.Conditions.Model = model
	executions, deliveries := 0, 0
	before := gotest.ProcessorTime()
	for b.Loop() {
		out, err := explore.Run(sys, s(), o)
		if err != nil {
			b.Fatal(err)
		}
		executions += out.Executions
		deliveries += out.Deliveries + out.Replayed
	}
	used := (gotest.ProcessorTime() - before).Seconds()
	b.ReportMetric(float64(executions)/used, "executions/cpu-s")
	b.ReportMetric(float64(deliveries)/used, "deliveries/cpu-s")
	b.ReportMetric(float64(executions)/b.Elapsed().Seconds(), "executions/s")
	b.ReportMetric(float64(deliveries)/b.Elapsed().Seconds(), "deliveries/s")
	b.ReportMetric(float64(deliveries)/float64(executions), "deliveries/execution")
}

// BenchmarkNaivePhilosophers explores handlers that wait: they are run again where steps before and after their waits
// are taken back.
func BenchmarkNaivePhilosophers(b *testing.B) {
	benchmark(b, subjects.Philosophers(3), explore.Options{Budget: explore.Budget{Executions: 50_000}}, trace.Bag,
		func() explore.Strategy { return search.NewNaive() })
}

// BenchmarkNaiveCallers has several handlers between two calls at nearly every point.
func BenchmarkNaiveCallers(b *testing.B) {
	benchmark(b, callers(4, 3), explore.Options{Budget: explore.Budget{Executions: 50_000}}, trace.Bag,
		func() explore.Strategy { return search.NewNaive() })
}

// BenchmarkNaiveLoop is the worst case: one handler that waits a thousand times.
func BenchmarkNaiveLoop(b *testing.B) {
	benchmark(b, callers(2, 500), explore.Options{Budget: explore.Budget{Executions: 2000}}, trace.Bag,
		func() explore.Strategy { return search.NewNaive() })
}

// callers is a program whose handlers wait: n actors that call a server each so many times in a loop.
func callers(n, times int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var refs []actor.Ref
		t.SetUp(func() {
			s := ctx.Spawn(&replier{})
			for range n {
				refs = append(refs, ctx.Spawn(&caller{to: s, times: times}))
			}
		})
		for _, r := range refs {
			ctx.Send(r, ping{})
		}
	})
}

type caller struct {
	to         actor.Ref
	times, sum int
}

func (c *caller) Receive(ctx *actor.Context, _ any) {
	for range c.times {
		v, _ := ctx.Call(c.to, ping{})
		c.sum = c.sum*3 + v.(hello).N
	}
}
