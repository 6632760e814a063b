package system

import (
	"maps"
	"os"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// small are programs of which all executions are counted.
var small = []string{"twinBank", "twinRegistry", "twinServer", "twinBarber", "twinCheckErr", "twinGatling", "twinLostSub", "twinThreadRing", "twinProcReg", "twinMessenger", "twinFib", "twinTwoFlags"}

func TestTwinCounts(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	names, compared := small, 0
	if os.Getenv("REHEARSE_TOY") == "" {
		names = small[:len(small)/2]
	}
	for _, name := range names {
		s := startOf(t, p, name)
		for _, model := range models {
			out, err := explore.Run(real[name](), search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: model, Copy: true}, Budget: explore.Budget{Executions: 400}})
			if err != nil {
				t.Fatal(err)
			}
			if out.Reason == "budget" {
				continue
			}
			bounds := Bounds{Steps: 1000, Actors: 100, Runs: 1000, Sent: true, again: true}.defaults()
			found := p.everything(t, s, model, bounds)
			bounds.again = false
			if less := p.everything(t, s, model, bounds); !maps.Equal(less.Blocks, found.Blocks) || less.Runs > found.Runs {
				t.Errorf("%s, %v: %d blocks with states that are met before cut, %d without", name, model, len(less.Blocks), len(found.Blocks))
			}
			if found.Runs != out.Executions || len(found.Cuts) > 0 {
				t.Errorf("%s, %v: %d runs, cuts %v, want %d", name, model, found.Runs, found.Cuts, out.Executions)
			}
			compared++
		}
	}
	if compared < 3*len(names) {
		t.Errorf("%d programs and models were compared, want %d", compared, 3*len(names))
	}
}

// everything executes all orders of what a driver sends.
func (p *Program) everything(t *testing.T, s *Start, model trace.Model, b Bounds) *Found {
	found := newFound(0)
	p.searchTo(t.Context(), s, nil, model, b, b.Steps, found)
	return found
}

// foundIn searches, and follows what it finds.
func foundIn(t *testing.T, p *Program, s *Start, goal Goal, model trace.Model, b Bounds) (*Way, *Found) {
	t.Helper()
	f := p.Search(t.Context(), s, []Goal{goal}, model, b)
	if w := f.Ways[0]; w != nil {
		if _, err := p.Follow(t.Context(), s, w.Plan, goal, Config{}); err != nil {
			t.Errorf("%v: what was found is not followed: %v: %+v", model, err, w.Plan.Steps)
		}
	}
	return f.Ways[0], f
}

func TestSearchBank(t *testing.T) {
	p := program(t, "../../examples", "./...")
	s := startOf(t, p, "TestBank")
	for model, want := range map[trace.Model]int{trace.Bag: 3, trace.FIFO: 0, trace.Causal: 0, trace.Mailbox: 0, trace.MailboxSerial: 0} {
		w, f := foundIn(t, p, s, Goal{Panic: true}, model, Bounds{Outside: 2, Steps: 8})
		if want == 0 {
			if w != nil || len(f.Cuts) > 0 {
				t.Errorf("%v: %v, cuts %v, want nothing", model, w, f.Cuts)
			}
			continue
		}
		if w == nil || len(w.Plan.Steps) != want {
			t.Errorf("%v: %+v, cuts %v, want %d steps", model, w, f.Cuts, want)
		}
	}
}

func TestSearchOverdraft(t *testing.T) {
	p := program(t, "../../examples", "./...")
	s := startOf(t, p, "TestOverdraft")
	below := Goal{After: []*term.Term{p.store.SLess(p.store.Var("a.balance", term.Word64), p.store.Int(term.Word64, 0))}}
	for _, model := range []trace.Model{trace.FIFO, trace.Mailbox} {
		w, f := foundIn(t, p, s, below, model, Bounds{Outside: 2, Steps: 8})
		if w == nil || len(w.Plan.Steps) != 4 || w.values() != "branch msg.Amount=-9223372036854775708" {
			t.Errorf("%v: %+v: %d runs, cuts %v", model, w, f.Runs, f.Cuts)
		}
	}
}

// pair counts its messages.
type pair struct{ n int }

func (p *pair) Receive(_ *actor.Context, _ any) {
	if p.n++; p.n == 2 {
		second()
	}
}

func second() {}

func twinPair() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&pair{}), 1) })
}

// Two messages from outside to one actor are handled one after the other under every model, also where the second
// cannot pass the first.
func TestSearchPair(t *testing.T) {
	p := program(t, ".", ".")
	s := startOf(t, p, "twinPair")
	for _, model := range models {
		if w, f := foundIn(t, p, s, Goal{Block: function(t, p, "second").Blocks[0]}, model, Bounds{Outside: 2, Steps: 2}); w == nil {
			t.Errorf("%v: no way, complete %v", model, f.Complete())
		}
	}
}

// maker creates an actor at its first message, and is asked whether that is who a message tells of.
type maker struct{ made actor.Ref }

type tells struct{ who actor.Ref }

func (m *maker) Receive(ctx *actor.Context, msg any) {
	switch {
	case m.made == actor.Ref{}:
		m.made = ctx.Spawn(&pair{})
	case msg.(tells).who == m.made:
		stranger()
	case msg.(tells).who == ctx.Sender():
		sender()
	}
}

func stranger() {}
func sender()   {}

func twinMaker() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&maker{}), tells{}) })
}

// The driver sends before the others begin: it knows itself, and none of those whom handlers create.
func TestSearchStranger(t *testing.T) {
	p := program(t, ".", ".")
	s := startOf(t, p, "twinMaker")
	for _, model := range models {
		if w, f := foundIn(t, p, s, Goal{Block: function(t, p, "stranger").Blocks[0]}, model, Bounds{Outside: 2, Steps: 2}); w != nil || !f.Complete() {
			t.Errorf("%v: complete %v, a way: %+v", model, f.Complete(), w)
		}
		if w, _ := foundIn(t, p, s, Goal{Block: function(t, p, "sender").Blocks[0]}, model, Bounds{Outside: 2, Steps: 2}); w == nil {
			t.Errorf("%v: no way with a reference to the driver", model)
		}
	}
}
