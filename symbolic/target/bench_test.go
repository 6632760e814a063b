package target_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// measure reports what searches cost: seconds, nodes, and questions to the solver.
func (b *bench) measure(t *testing.B, s *system.Start, goal *target.Target, c target.Config) {
	var counts target.Counts
	for t.Loop() {
		a, err := b.engine.Reach(t.Context(), s, goal, c)
		if err != nil {
			t.Fatal(err)
		}
		counts = a.Counts
	}
	t.ReportMetric(float64(counts.Nodes), "nodes")
	t.ReportMetric(float64(counts.Queries), "queries")
}

// The bank where it is reached, and where nothing leads there: with parts of the search turned off, to see what they
// are worth.
func BenchmarkBank(t *testing.B) {
	b, s, _ := opened(t, "../../examples/bank", "TestBank")
	goal := b.panics("Server", "Withdraw")
	for _, c := range []struct {
		name   string
		config target.Config
	}{
		{"bag", target.Config{Model: trace.Bag, Usual: true}},
		{"fifo", target.Config{Model: trace.FIFO, Usual: true}},
		{"fifo of 6", target.Config{Model: trace.FIFO, Usual: true, Steps: 6}},
		{"fifo of 6 without constants", target.Config{Model: trace.FIFO, Usual: true, Steps: 6, Without: target.Parts{Constants: true}}},
		{"fifo of 6 without seen nodes", target.Config{Model: trace.FIFO, Usual: true, Steps: 6, Without: target.Parts{Seen: true}}},
	} {
		t.Run(c.name, func(t *testing.B) { b.measure(t, s, goal, c.config) })
	}
}

func BenchmarkOverdraft(t *testing.B) {
	b, s, _ := opened(t, "../../examples/overdraft", "TestOverdraft")
	below := &target.Target{Fn: b.receive("account"), Message: b.named("Withdraw")}
	below.After = []*term.Term{b.store.SLess(b.store.Var("a.balance", term.Word64), b.store.Int(term.Word64, 0))}
	b.measure(t, s, below, target.Config{Model: trace.FIFO, Usual: true, Numbers: &target.Range{Least: 1, Most: 1000}})
}

func BenchmarkPingPong1000(t *testing.B) {
	b, s, _ := opened(t, "../../subjects/tap", "TestPingPong1000")
	b.measure(t, s, b.calls("ping", "ponged", "Stop"), target.Config{Model: trace.FIFO, Usual: true, Steps: 2001})
}
