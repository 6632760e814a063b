package target_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// golden is what a search comes to: its counts are deterministic.
type golden struct {
	config  target.Config
	verdict target.Verdict
	steps   int // of the way
	nodes   int
	queries int
}

func (b *bench) check(s *system.Start, t *target.Target, list []golden) {
	b.t.Helper()
	for _, want := range list {
		a, err := b.engine.Reach(context.Background(), s, t, want.config)
		if err != nil {
			b.t.Fatal(err)
		}
		got := golden{want.config, a.Verdict, 0, a.Counts.Nodes, a.Counts.Queries}
		if a.Way != nil {
			got.steps = len(a.Way.Plan.Steps)
			b.within(a.Way, want.config.Numbers)
		}
		if a.Counts.Runs > 0 {
			b.t.Errorf("%v: the search forward had to decide", want.config.Model)
		}
		if !reflect.DeepEqual(got, want) {
			b.t.Errorf("%v, %d steps: %v after %d nodes and %d queries, by %d steps; want %v after %d and %d, by %d; %v", want.config.Model, want.config.Steps,
				got.verdict, got.nodes, got.queries, got.steps, want.verdict, want.nodes, want.queries, want.steps, a.Reasons)
		}
	}
}

// within fails if a way has messages from outside with other numbers than those of a range.
func (b *bench) within(w *system.Way, r *target.Range) {
	b.t.Helper()
	for _, m := range w.Outside {
		for _, part := range m.Flat {
			if v := w.Model.Eval(part.Term); v.Sort == term.Word64 {
				b.t.Logf("%s = %v", part.Name, v)
				if r != nil && (v.Int() < r.Least || v.Int() > r.Most) {
					b.t.Errorf("%s is %v, outside of %v", part.Name, v, *r)
				}
			}
		}
	}
}

// TestBank: figure 1 of [TAP18]. The server is overdrawn if the withdrawal overtakes the deposit. Where the client's
// messages keep their order it is not, by as many handlers as were tried.
func TestBank(t *testing.T) {
	b, s, _ := opened(t, "../../examples/bank", "TestBank")
	b.check(s, b.panics("Server", "Withdraw"), []golden{
		{target.Config{Usual: true, Model: trace.Bag}, target.Found, 3, 5, 11},
		{target.Config{Usual: true, Model: trace.FIFO}, target.Infeasible, 0, 305, 398},
		{target.Config{Usual: true, Model: trace.Causal, Steps: 6}, target.Infeasible, 0, 81, 134},
		{target.Config{Usual: true, Model: trace.Mailbox, Steps: 6}, target.Infeasible, 0, 81, 134},
		{target.Config{Usual: true, Model: trace.MailboxSerial, Steps: 6}, target.Infeasible, 0, 81, 134},
	})
}

// TestBankFixed: the server that orders messages calls the other one's method, which no actor has here. Both starts
// together say that no driver of the bank leads there.
func TestBankFixed(t *testing.T) {
	b, s, _ := opened(t, "../../examples/bank", "TestBankFixed")
	overdrawn := &target.Target{Goal: system.Goal{Panic: true, Pos: b.panicsAt("Server")}}
	b.check(s, overdrawn, []golden{{target.Config{Usual: true, Model: trace.FIFO, Steps: 6}, target.Infeasible, 0, 81, 134}})
}

// TestThreadRing: figure 12 of [TAP18]. The token goes round before the last node has got its successor. Where it
// cannot overtake that message, it needs a driver that does not send it.
func TestThreadRing(t *testing.T) {
	b, p := loadedBench(t, "../../subjects")
	early := b.calls("ringNode", "token", "Errorf")
	s := b.startOf(p, "TestBitaSmall", func(s *system.Start) bool { return len(s.Actors) == 4 && s.Actors[0].Fn == early.Fn })
	b.check(s, early, []golden{
		{target.Config{Model: trace.Bag, Own: true}, target.Found, 4, 5, 6},
		{target.Config{Model: trace.FIFO, Own: true}, target.Found, 4, 5, 6},
		{target.Config{Model: trace.Causal, Own: true}, target.Infeasible, 0, 15, 13},
		{target.Config{Model: trace.Mailbox, Own: true}, target.Infeasible, 0, 15, 13},
		{target.Config{Model: trace.MailboxSerial, Own: true}, target.Infeasible, 0, 15, 13},
		{target.Config{Model: trace.MailboxSerial, Usual: true}, target.Found, 4, 14, 12},
	})
}

// TestCoordinatedRing: the ring of the examples, whose coordinator tells all nodes their successors before it sends the
// token, whatever comes from outside.
func TestCoordinatedRing(t *testing.T) {
	b, s, _ := opened(t, "../../examples/threadring", "TestThreadRing")
	early := &target.Target{Goal: system.Goal{Panic: true, Pos: b.call("node", "pass", "Send")}, Fn: b.receive("node")}
	b.check(s, early, []golden{
		{target.Config{Model: trace.Bag, Usual: true}, target.Found, 2, 6, 7},
		{target.Config{Model: trace.FIFO, Usual: true}, target.Found, 4, 19, 22},
		{target.Config{Model: trace.Causal, Usual: true}, target.Infeasible, 0, 151, 145},
		{target.Config{Model: trace.Mailbox, Usual: true}, target.Infeasible, 0, 152, 145},
		{target.Config{Model: trace.MailboxSerial, Usual: true}, target.Infeasible, 0, 152, 145},
		{target.Config{Model: trace.Mailbox, Own: true}, target.Infeasible, 0, 78, 60},
	})
}
