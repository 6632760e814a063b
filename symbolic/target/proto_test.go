package target_test

import (
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// TestOverdraft: both payments are checked before either is booked. One payment does it alone if it may be any integer:
// then the difference wraps around.
func TestOverdraft(t *testing.T) {
	b, s, _ := opened(t, "../../examples/overdraft", "TestOverdraft")
	below := &target.Target{Fn: b.receive("account"), Message: b.named("Withdraw")}
	below.After = []*term.Term{b.store.SLess(b.store.Var("a.balance", term.Word64), b.store.Int(term.Word64, 0))}
	amounts := &target.Range{Least: 1, Most: 1000}
	b.check(s, below, []golden{
		{target.Config{Model: trace.Bag, Usual: true}, target.Found, 4, 12, 8},
		{target.Config{Model: trace.Mailbox, Usual: true}, target.Found, 4, 12, 8},
		{target.Config{Model: trace.FIFO, Usual: true, Numbers: amounts}, target.Found, 8, 66, 56},
		{target.Config{Model: trace.Mailbox, Usual: true, Numbers: amounts}, target.Found, 8, 66, 56},
		{target.Config{Model: trace.MailboxSerial, Usual: true, Numbers: amounts}, target.Found, 8, 66, 56},
		{target.Config{Model: trace.FIFO, Usual: true, Numbers: amounts, Steps: 7}, target.Infeasible, 0, 53, 48},
		{target.Config{Model: trace.FIFO, Usual: true, Numbers: &target.Range{Least: -9223372036854775717, Most: -9223372036854775717}}, target.Found, 4, 12, 8},
	})
}

// TestPingPong: figure 11 of [TAP18], with pongs that nobody from outside sends; and the state half way there.
func TestPingPong(t *testing.T) {
	for entry, pongs := range map[string]int{"TestPingPong100": 100, "TestPingPong1000": 1000} {
		b, s, _ := opened(t, "../../subjects/tap", entry)
		b.check(s, b.calls("ping", "ponged", "Stop"), []golden{
			{target.Config{Model: trace.FIFO, Usual: true, Steps: 2*pongs + 1}, target.Found, 2*pongs + 1, 0, 0},
		})
		half := &target.Target{Fn: b.receive("ping"), Message: b.named("ponged")}
		half.After = []*term.Term{b.store.Equal(b.store.Var("p.left", term.Word64), b.store.Int(term.Word64, int64(pongs/2)))}
		b.check(s, half, []golden{{target.Config{Model: trace.FIFO, Usual: true, Steps: 2*pongs + 1}, target.Found, pongs + 1, 0, 1}})
	}
}

// TestIds: two workers of one class with different ids, which [TAP18] section 7.2 says feedback is for.
func TestIds(t *testing.T) {
	b, s, _ := opened(t, "../../subjects/tap", "TestIds")
	b.check(s, b.calls("registry", "known", "Errorf"), []golden{
		{target.Config{Model: trace.Bag, Usual: true}, target.Found, 6, 21, 14},
		{target.Config{Model: trace.FIFO, Usual: true}, target.Found, 6, 18, 13},
		{target.Config{Model: trace.Mailbox, Usual: true}, target.Found, 6, 18, 13},
	})
}

// TestOverdraftAtEnd: the check at the end of the test looks at a slice of any length that the account has written. The
// search goes back from what writes it.
func TestOverdraftAtEnd(t *testing.T) {
	b, s, _ := opened(t, "../../examples/overdraft", "TestOverdraft")
	var low *target.Target
	for _, fn := range b.loaded.Functions() {
		if fn.Parent() == nil || fn.Pkg == nil || fn.Pkg.Pkg.Name() != "overdraft_test" {
			continue
		}
		for _, block := range fn.Blocks {
			if callOf(block, "Errorf") != nil {
				low = &target.Target{Goal: system.Goal{Block: block, AtEnd: true}}
			}
		}
	}
	amounts := &target.Range{Least: 1, Most: 1000}
	b.check(s, low, []golden{
		{target.Config{Model: trace.Mailbox, Usual: true}, target.Found, 4, 12, 8},
		{target.Config{Model: trace.Mailbox, Usual: true, Numbers: amounts}, target.Found, 8, 98, 49},
		{target.Config{Model: trace.FIFO, Usual: true, Numbers: amounts}, target.Found, 8, 98, 49},
	})
}

// plainStart gives the start of a function of the program plain.
func plainStart(t *testing.T, entry string) (*bench, *system.Start) {
	t.Helper()
	loaded, store, solver := read(t, "../tasks/prototest", "./programs/plain")
	p := system.New(loaded, store, solver)
	b := &bench{t, loaded, store, target.New(loaded, p.Summaries(), store, p)}
	for _, pkg := range loaded.Packages {
		if pkg.SSA.Func(entry) == nil {
			continue
		}
		for _, d := range p.DriversOf(pkg.SSA.Func(entry)) {
			s, err := p.Start(t.Context(), d, system.Config{})
			if err != nil {
				t.Fatal(err)
			}
			return b, s
		}
	}
	t.Fatalf("there is no driver %s", entry)
	return nil, nil
}

// TestServing: a driver that sends nothing itself, and hands references on, is one of whose actors anybody may send to.
func TestServing(t *testing.T) {
	_, s := plainStart(t, "serving")
	if len(s.Receptionists) != 1 || len(s.Shapes) != 1 || s.Shapes[0].Sent {
		t.Errorf("the start is %+v", s)
	}
}

// TestPatient: what a main does behind a wait for a key does not happen. So its actor gets no message for some time.
func TestPatient(t *testing.T) {
	b, s := plainStart(t, "patient")
	for _, pkg := range b.loaded.Packages {
		if bored := pkg.SSA.Func("bored"); bored != nil {
			a, err := b.engine.Reach(t.Context(), s, &target.Target{Goal: system.Goal{Block: bored.Blocks[0]}}, target.Config{})
			if err != nil || a.Verdict != target.Found {
				t.Errorf("%+v, %v", a, err)
			}
		}
	}
}

// fostered has an actor make another one, as a child or by the root context, and tell it to stop.
const fostered = `package overdraft

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

type zzMake struct{ Root bool }

type zzEnds struct{}

func (e *zzEnds) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(zzMake); ok {
		ctx.Stop(ctx.Self())
	}
}

type zzMaker struct{ byRoot bool }

func (m *zzMaker) Receive(ctx actor.Context) {
	props := actor.PropsFromProducer(func() actor.Actor { return &zzEnds{} })
	switch msg := ctx.Message().(type) {
	case zzMake:
		m.byRoot = msg.Root
		if msg.Root {
			ctx.Send(ctx.ActorSystem().Root.Spawn(props), zzMake{})
		} else {
			ctx.Send(ctx.Spawn(props), zzMake{})
		}
	case *actor.Terminated:
		if m.byRoot {
			panic("of no child")
		}
		m.ended(ctx)
	}
}

func (m *zzMaker) ended(actor.Context) { panic("of a child") }

func ZZ() rehearse.System {
	return protoactor.System(func(*rehearse.T) {
		system := protoactor.NewActorSystem()
		maker := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &zzMaker{} }))
		system.Root.Send(maker, zzMake{})
	})
}
`

// TestFostered: who makes an actor by the root context is not its parent, and is not told when it stops.
func TestFostered(t *testing.T) {
	b, s := written(t, "../../examples/overdraft", fostered)
	for name, want := range map[string]target.Verdict{"Receive": target.Infeasible, "ended": target.Found} {
		maker := b.named("zzMaker").(*types.Named)
		fn := b.loaded.SSA.LookupMethod(types.NewPointer(maker), maker.Obj().Pkg(), name)
		i := slices.IndexFunc(fn.Blocks, func(k *ssa.BasicBlock) bool {
			_, ok := k.Instrs[len(k.Instrs)-1].(*ssa.Panic)
			return ok
		})
		c := target.Config{Model: trace.FIFO, Usual: true, Outside: 1, Steps: 6}
		a, err := b.engine.Reach(t.Context(), s, &target.Target{Goal: system.Goal{Block: fn.Blocks[i]}}, c)
		if err != nil || a.Verdict != want {
			t.Errorf("%s: %v, %v: %s %v", name, a.Verdict, err, a.Why, a.Reasons)
		}
	}
}
