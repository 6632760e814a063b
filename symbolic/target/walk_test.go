package target_test

import (
	"context"
	"go/token"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// made gives the block of a function in which a value of a type becomes a message.
func (b *bench) made(in, typ string) *ssa.BasicBlock {
	b.t.Helper()
	for _, block := range b.receive(in).Blocks {
		for _, i := range block.Instrs {
			if box, ok := i.(*ssa.MakeInterface); ok && box.X.Type() == b.named(typ) {
				return block
			}
		}
	}
	b.t.Fatalf("%s makes no %s", in, typ)
	return nil
}

// TestWalks: a chain that is longer than the bounds is found by executing the driver as it is: here the meetings of
// three creatures, after which the first is sent home.
func TestWalks(t *testing.T) {
	b, s := written(t, "../../subjects", "package subjects\n\nimport \"github.com/rehearse-go/rehearse/actor\"\n\nfunc ZZ() *actor.System { return Chameneos(3) }\n")
	home := &target.Target{Goal: system.Goal{Block: b.made("broker", "halt")}}
	c := target.Config{Model: trace.Bag, Own: true, Steps: 4, Timeout: time.Hour}
	for _, walks := range []int{0, 1, 3} {
		c.Walks = walks
		a, err := b.engine.Reach(t.Context(), s, home, c)
		switch {
		case err != nil:
			t.Fatal(err)
		case walks == 0 && a.Verdict != target.Infeasible:
			t.Errorf("%v: %s", a.Verdict, a.Why)
		case walks > 0 && (a.Verdict != target.Found || !a.Way.Own || len(a.Way.Plan.Steps) < 10 || a.Bounds != ""):
			t.Errorf("%d walks: %v: %s", walks, a.Verdict, a.Why)
		}
	}
	nobody := &target.Target{Goal: system.Goal{Block: b.receive("registry").Blocks[0]}} // of another program
	c.Walks = 2
	if a, err := b.engine.Reach(t.Context(), s, nobody, c); err != nil || a.Verdict != target.Infeasible || a.Counts.Runs > 2 {
		t.Errorf("%v, %d executions: %v", a.Verdict, a.Counts.Runs, err)
	}
}

// relay passes a message on more often than the executions by chance handle messages that send many. Who does that is
// one of many actors, to which a message from outside leads.
const relay = `package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type zzBegin struct{ With actor.Ref }
type zzOn struct{}

type zzFirst struct{}

func (*zzFirst) Receive(ctx *actor.Context, msg any) {
	if msg, ok := msg.(zzBegin); ok {
		ctx.Send(msg.With, zzOn{})
	}
}

type zzRelay struct{ left int }

func (r *zzRelay) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(zzOn); !ok {
		return
	}
	if r.left--; r.left == 0 {
		panic("far")
	}
	if r.left > 0 {
		ctx.Send(ctx.Self(), zzOn{})
	}
}

func ZZ() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		first := ctx.Spawn(&zzFirst{})
		for range 14 {
			ctx.Spawn(&zzFirst{})
		}
		ctx.Send(first, zzBegin{ctx.Spawn(&zzRelay{60})})
	})
}
`

// TestLasting: some executions by chance follow what comes of one message from outside for long. A reference in it
// leads to an actor that has a case for what is sent there.
func TestLasting(t *testing.T) {
	b, s := written(t, "../../subjects", relay)
	far := b.panics("zzRelay", "zzOn")
	c := target.Config{Model: trace.FIFO, Steps: 4, Usual: true, Timeout: time.Hour, Wanders: target.Wanders}
	a, err := b.engine.Reach(t.Context(), s, far, c)
	if err != nil {
		t.Fatal(err)
	}
	if a.Verdict != target.Found || a.Way.Own || len(a.Way.Plan.Steps) < 60 || len(a.Way.Outside) != 1 {
		t.Errorf("%v: %s", a.Verdict, a.Why)
	}
}

// chances stands in for the executions by chance: those of the numbers in ways reach the target, with so many panics.
type chances struct {
	target.Follower
	ways  map[int]int
	tried int
}

func (c *chances) Wander(_ context.Context, s *system.Start, order int, goals []system.Goal, _ trace.Model,
	_ system.Bounds) *system.Found {
	c.tried = max(c.tried, order+1)
	panics, ok := c.ways[order]
	found := &system.Found{Ways: make([]*system.Way, len(goals)), Panics: map[token.Pos]bool{}}
	if ok && len(goals) > 0 {
		found.Ways[0] = &system.Way{Start: s, Panics: panics}
	}
	if ok {
		found.Panics[s.Driver.Pos] = true
	}
	return found
}

func (c *chances) Walk(ctx context.Context, s *system.Start, order int, goals []system.Goal, model trace.Model,
	b system.Bounds) *system.Found {
	return c.Wander(ctx, s, -1, goals, model, b)
}

// TestWandersPastPanics: of executions by chance that reach a panic, one is taken in which nothing else panics before,
// since most Checks end at the first. Where none of the usual number is such a one, more are tried.
func TestWandersPastPanics(t *testing.T) {
	b, s := written(t, "../../subjects", relay)
	for name, c := range map[string]struct {
		ways          map[int]int
		panics, tried int
	}{
		"a clean one behind another":   {map[int]int{3: 2, 20: 1}, 1, 21},
		"a clean one that is far away": {map[int]int{3: 2, 120: 3, 260: 1}, 1, 261},
		"none that is clean":           {map[int]int{3: 2, 20: 3}, 2, 4 * target.Wanders},
		"none":                         {nil, 0, target.Wanders - 10},
	} {
		by := &chances{ways: c.ways}
		engine := target.New(b.loaded, system.New(b.loaded, b.store, nil).Summaries(), b.store, by)
		worn := &target.Target{Goal: system.Goal{Panic: true, Pos: s.Driver.Pos}}
		within := target.Config{Model: trace.FIFO, Timeout: time.Hour, Wanders: target.Wanders}
		a, err := engine.Made(t.Context(), s, worn, within)
		if err != nil {
			t.Fatal(err)
		}
		if (a.Way != nil) != (c.panics > 0) || a.Way != nil && a.Way.Panics != c.panics || by.tried != c.tried {
			t.Errorf("%s: %d tried, want %d: %+v, want %d panics", name, by.tried, c.tried, a.Way, c.panics)
		}
	}
}
