package goakt_test

import (
	"context"
	"testing"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

type hop struct{ left int }
type meet struct{ next *actor.PID }

type relay struct{ next *actor.PID }

func (r *relay) PreStart(*actor.Context) error { return nil }
func (r *relay) PostStop(*actor.Context) error { return nil }
func (r *relay) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case meet:
		r.next = m.next
	case hop:
		if m.left > 1 {
			c.Tell(r.next, hop{m.left - 1})
		}
	}
}

func relays(t *explore.T) {
	ctx := context.Background()
	var ring [3]*actor.PID
	s, err := goakt.NewActorSystem("ring")
	if err != nil {
		panic(err)
	}
	t.SetUp(func() {
		for i := range ring {
			ring[i], err = s.Spawn(ctx, string(rune('a'+i)), &relay{})
			if err != nil {
				panic(err)
			}
		}
		for i := range ring {
			actor.Tell(ctx, ring[i], meet{ring[(i+1)%len(ring)]})
		}
	})
	for i := range ring {
		actor.Tell(ctx, ring[i], hop{4})
	}
}

func TestFirst(t *testing.T) {
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox}}
	var first *trace.Trace
	once := o
	once.Budget.Executions = 1
	once.After = func(_ *explore.Counters, tr *trace.Trace) { first = tr.Clone() }
	sys := goakt.System(relays)
	out, err := explore.Run(sys, sample.NewRandom(7), once)
	if err != nil {
		t.Fatal(err)
	}
	for i := range first.Events {
		t.Log(first.StepName(first.Events[i].Step), first.Events[i].Touched)
	}
	t.Logf("%+v", out)
	for i := range 100 {
		r := replay.NewRepeat(first)
		if _, err := explore.Run(sys, r, o); err != nil {
			t.Fatal(err)
		}
		if d := r.Divergence(); d != nil {
			t.Fatalf("repetition %d: %s", i, d.Text)
		}
	}
}

// BenchmarkRing reports the rate of executions of three actors and 12 deliveries, by random walks.
func BenchmarkRing(b *testing.B) {
	b.Run("own", func(b *testing.B) {
		b.ReportAllocs()
		if _, err := explore.Run(goakt.System(relays), sample.NewRandom(1), explore.Options{
			Conditions: explore.Conditions{Model: trace.Mailbox}, Budget: explore.Budget{Executions: b.N}}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
	})
}
