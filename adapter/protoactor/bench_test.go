package protoactor_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// hop is passed on until it is used up.
type hop struct{ left int }

// relay passes hops on to the next relay.
type relay struct{ next *actor.PID }

func (r *relay) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.PID:
		r.next = m
	case hop:
		if m.left > 1 {
			ctx.Send(r.next, hop{m.left - 1})
		}
	}
}

// relays is a ring of three actors around which three hops travel: 12 deliveries.
func relays(system func() *actor.ActorSystem) *adapter.System {
	return protoactor.System(func(t *explore.T) {
		var ring [3]*actor.PID
		sys := system()
		t.SetUp(func() {
			for i := range ring {
				ring[i] = sys.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &relay{} }))
			}
			for i := range ring {
				sys.Root.Send(ring[i], ring[(i+1)%len(ring)])
			}
		})
		for i := range ring {
			sys.Root.Send(ring[i], hop{4})
		}
	})
}

// benchmark reports rates of the exploration under the mailbox model by random walks, with counts.
func benchmark(b *testing.B, sys *adapter.System) {
	b.ReportAllocs()
	out, err := explore.Run(sys, sample.NewRandom(1), explore.Options{
		Conditions: explore.Conditions{Model: trace.Mailbox}, Budget: explore.Budget{Executions: b.N}})
	if err != nil {
		b.Fatal(err)
	}
	if out.Deliveries != 12*b.N {
		b.Fatalf("%d deliveries in %d executions, want 12 each", out.Deliveries, b.N)
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(out.Executions)/seconds, "executions/s")
	b.ReportMetric(float64(out.Deliveries)/seconds, "deliveries/s")
}

func BenchmarkTakeOver(b *testing.B) {
	benchmark(b, relays(func() *actor.ActorSystem { return protoactor.NewActorSystem() }))
}

func BenchmarkWait(b *testing.B) {
	sys := relays(func() *actor.ActorSystem { return protoactor.NewActorSystem() })
	sys.Mode = adapter.Wait
	benchmark(b, sys)
}

func BenchmarkStockSystem(b *testing.B) {
	benchmark(b, relays(func() *actor.ActorSystem {
		return actor.NewActorSystem(actor.WithLoggerFactory(protoactor.Silent))
	}))
}

// BenchmarkBubble is what an execution costs before anything happens in it.
func BenchmarkBubble(b *testing.B) {
	sys := protoactor.System(func(*explore.T) {})
	if _, err := explore.Run(sys, sample.NewRandom(1), explore.Options{
		Conditions: explore.Conditions{Model: trace.Mailbox, Blocked: time.Second}, Budget: explore.Budget{Executions: b.N}}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkMillion explores a million executions, to see that memory does not grow with them: run it with -benchtime
// 1x.
func BenchmarkMillion(b *testing.B) {
	sys := relays(func() *actor.ActorSystem { return protoactor.NewActorSystem() })
	for b.Loop() {
		var first, last uint64
		after := func(c *explore.Counters, _ *trace.Trace) {
			switch c.Executions {
			case 10_000:
				first = liveHeap()
			case 1_000_000:
				last = liveHeap()
			}
		}
		if _, err := explore.Run(sys, sample.NewRandom(1), explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox},
			Budget: explore.Budget{Executions: 1_000_000}, After: after}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(first), "live-B@10k")
		b.ReportMetric(float64(last), "live-B@1M")
		if last > first+first/2+1<<20 {
			b.Fatalf("the live heap grew from %d to %d bytes", first, last)
		}
	}
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
