package actor_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// busybody does something at random with each message: what depends on who it is and what it has seen.
type busybody struct {
	all  *[]actor.Ref
	r    *rand.Rand
	left int
}

type errand struct{ N int }

func (b *busybody) Receive(ctx *actor.Context, msg any) {
	if _, asked := msg.(ping); asked {
		ctx.Reply(hello{1})
		return
	}
	if b.left--; b.left < 0 {
		return
	}
	other := (*b.all)[b.r.IntN(len(*b.all))]
	switch b.r.IntN(8) {
	case 0:
		ctx.Stop()
	case 1:
		*b.all = append(*b.all, ctx.Spawn(&busybody{all: b.all, r: rand.New(rand.NewPCG(b.r.Uint64(), 1)), left: 2}))
	case 2:
		ctx.After(time.Duration(b.r.IntN(3))*time.Second, errand{b.left})
	case 3:
		ctx.CallTimeout(other, ping{}, time.Second)
	default:
		ctx.Send(other, errand{b.left})
		ctx.Send((*b.all)[0], errand{b.left})
	}
}

// crowded is a program in which very many actors have something to do.
func crowded(seed uint64) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		all := &[]actor.Ref{}
		for i := range uint64(2 * explore.Wide) {
			*all = append(*all, ctx.Spawn(&busybody{all: all, r: rand.New(rand.NewPCG(seed, i)), left: 4}))
		}
		for _, a := range *all {
			ctx.Send(a, errand{})
		}
	})
}

// listed is the default order by lists.
type listed struct{ explore.Strategy }

// counted is a strategy that says how often it was given a long list.
type counted struct {
	explore.Picker
	lists *int
}

func (c counted) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if len(enabled) >= explore.Wide {
		*c.lists++
	}
	return c.Picker.Choose(tr, enabled)
}

// TestOffer: the default order, and the repetition of an execution, are the same whether steps are listed or not. Where
// very many are possible they are listed once.
func TestOffer(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
			for seed := range uint64(2) {
				t.Run(fmt.Sprint(model, timers, seed), func(t *testing.T) {
					compareOffer(t, crowded(seed), explore.Conditions{Model: model, Timers: timers, Horizon: time.Minute})
				})
			}
		}
	}
}

func compareOffer(t *testing.T, sys *actor.System, c explore.Conditions) {
	lists := 0
	record := func(s explore.Strategy) *trace.Trace {
		var tr *trace.Trace
		o := explore.Options{Conditions: c, Budget: explore.Budget{Executions: 1},
			After: func(_ *explore.Counters, got *trace.Trace) { tr = got.Clone() }}
		if _, err := explore.Run(sys, s, o); err != nil {
			t.Fatal(err)
		}
		return tr
	}
	want := record(listed{&sample.DefaultOrder{}})
	got := record(counted{&sample.DefaultOrder{}, &lists})
	again := replay.NewRepeat(want)
	record(counted{again, &lists})
	if d := again.Divergence(); d != nil {
		t.Fatal(d.Text)
	}
	if len(got.Events) != len(want.Events) || len(want.Events) < 4*explore.Wide {
		t.Fatalf("%d events, by lists %d", len(got.Events), len(want.Events))
	}
	for e := range want.Events {
		if d := trace.SameEffects(want, got, e); d != "" {
			t.Fatalf("event %d differs: %s", e, d)
		}
	}
	if lists > 2 {
		t.Errorf("%d lists, one an execution is enough", lists)
	}
}
