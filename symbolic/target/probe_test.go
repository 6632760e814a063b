package target_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// Probes find what few messages lead to before anything is known of handlers, and change no verdict. What they reach is
// found out once for all targets.
func TestProbes(t *testing.T) {
	b, s, _ := opened(t, "../../examples/bank", "TestBank")
	verdicts := map[target.Verdict]int{}
	before := 0 // the search looked at anything
	for _, block := range b.receive("Server").Blocks {
		goal := &target.Target{Goal: system.Goal{Block: block}}
		c := target.Config{Usual: true, Model: trace.FIFO, Steps: 4}
		without, err := b.engine.Reach(t.Context(), s, goal, c)
		if err != nil {
			t.Fatal(err)
		}
		c.Probes = target.Probes
		a, err := b.engine.Reach(t.Context(), s, goal, c)
		if err != nil || a.Verdict != without.Verdict {
			t.Errorf("%v: with probes %v (error %v), without them %v", block, a.Verdict, err, without.Verdict)
		}
		verdicts[a.Verdict]++
		if a.Verdict == target.Found && a.Counts.Nodes == 0 {
			before++
		}
	}
	if before == 0 || before != verdicts[target.Found] || verdicts[target.Infeasible] == 0 {
		t.Errorf("%d found by probes, of %v: the server is reached by one message, and one block of it by none under fifo", before, verdicts)
	}
}

// probed is an actor that asks for many types.
const probed = `package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type zzA struct{}
type zzB struct{}
type zzC struct{}
type zzD struct{}

type zzAll struct{ a, b, c, d int }

func (z *zzAll) Receive(_ *actor.Context, msg any) {
	switch msg.(type) {
	case zzA:
		z.a++
	case zzB:
		z.b++
	case zzC:
		z.c++
	case zzD:
		if z.d++; z.d == 2 {
			panic("two")
		}
	}
}

func ZZ() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&zzAll{}), zzA{}) })
}
`

// TestProbesAll: probes try each message that a receptionist asks for, and each pair.
func TestProbesAll(t *testing.T) {
	b, s := written(t, "../../subjects", probed)
	for _, block := range b.receive("zzAll").Blocks {
		c := target.Config{Model: trace.FIFO, Steps: 4, Probes: 2}
		a, err := b.engine.Reach(t.Context(), s, &target.Target{Goal: system.Goal{Block: block}}, c)
		if err != nil || a.Verdict != target.Found || a.Counts.Nodes > 0 {
			t.Errorf("%v: %v after %d nodes, %v", block, a.Verdict, a.Counts.Nodes, err)
		}
	}
}
