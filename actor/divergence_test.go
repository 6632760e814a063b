package actor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// repeated executes 20 random schedules, each a second time to look for divergence.
func repeated(t *testing.T, p program, c explore.Conditions) happenings {
	t.Helper()
	return exploredBy(t, actor.New(p), sample.NewRandom(1),
		explore.Options{Conditions: c, Budget: explore.Budget{Executions: 20},
			Again:  func(int) bool { return true },
			Redraw: true,
			Repeat: func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) }})
}

// decider has an actor that sends hello, ping or pong depending on decide.
func decider(decide func() int) program {
	return func(_ *explore.T, ctx *actor.Context) {
		sink := ctx.SpawnNamed("sink", actor.Func(func(*actor.Context, any) {}))
		a := ctx.SpawnNamed("A", actor.Func(func(ctx *actor.Context, _ any) {
			if decide()%2 == 0 {
				ctx.Send(sink, hello{})
			} else {
				ctx.Send(sink, pong{})
			}
		}))
		for range 4 {
			ctx.Send(a, ping{})
		}
	}
}

func TestDivergence(t *testing.T) {
	leaked := 0
	for name, decide := range map[string]func() int{
		"the wall clock": func() int { return int(time.Now().UnixNano() / 100 % 7) },
		"state that outlives an execution": func() int {
			leaked++
			return leaked / 4
		},
		"goroutines whose order decides": func() int {
			c := make(chan int, 2)
			for n := range 2 {
				go func() {
					time.Sleep(time.Duration(time.Now().UnixNano()%50) * time.Microsecond)
					c <- n
				}()
			}
			return <-c
		},
	} {
		for _, c := range []explore.Conditions{bag, mailbox} {
			h := repeated(t, decider(decide), c)
			if len(h.texts) == 0 {
				t.Errorf("%s under %v is accepted silently", name, c.Model)
				continue
			}
			if !strings.HasPrefix(h.violations[0], "divergence") || !strings.Contains(h.texts[0], "to A") {
				t.Errorf("%s under %v: found %q, want the step of A that differs", name, c.Model, h.texts[0])
			}
			if h.out.Complete {
				t.Errorf("%s under %v: the result claims to be complete", name, c.Model)
			}
		}
	}
}

// TestMapOrderOfSends: sending to a map's values in another order is no divergence. Under mailbox the order of sends is
// an order of steps: it is repeated by name, and reported. Under causal it decides what comes before what, and is
// reported too.
func TestMapOrderOfSends(t *testing.T) {
	p := func(_ *explore.T, ctx *actor.Context) {
		receivers := map[int]actor.Ref{}
		for n := range 6 {
			receivers[n] = ctx.Spawn(actor.Func(logger))
		}
		a := ctx.SpawnNamed("A", actor.Func(func(ctx *actor.Context, _ any) {
			for n, r := range receivers {
				ctx.Send(r, hello{n})
			}
		}))
		ctx.Send(a, ping{})
	}
	for _, c := range every {
		h := repeated(t, p, c)
		if len(h.violations) > 0 {
			t.Errorf("%v: found %q", c.Model, h.texts)
		}
		if got, want := h.out.Uncontrolled, c.Model == trace.Mailbox || c.Model == trace.Causal; (got != "") != want ||
			want && !strings.HasPrefix(got, "A sen") {
			t.Errorf("%v: uncontrolled order %q, want one: %v", c.Model, got, want)
		}
	}
}

// TestRepeatedIdentity: what the repetition of every schedule compares agrees for programs that use all there is.
func TestRepeatedIdentity(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		s := ctx.Spawn(&stasher{replies: true})
		w := ctx.Spawn(&waiter{})
		ctx.Send(w, ping{})
		ctx.Send(w, hello{ctx.Choose(3)})
		ctx.After(time.Second, tick{})
		f := ctx.Ask(s, hello{1})
		ctx.Send(s, ping{})
		ctx.CallTimeout(s, hello{2}, time.Second)
		ctx.Send(w, hello{ctx.Choose(3)})
		ctx.Await(f)
		ctx.Watch(w)
		ctx.StopActor(w)
		ctx.Receive(func(msg any) bool { _, ok := msg.(actor.Terminated); return ok })
	}
	for _, c := range every {
		for _, c := range []explore.Conditions{c, async(c)} {
			h := repeated(t, p, c)
			if len(h.violations) > 0 || h.out.Rechecked != 20 {
				t.Errorf("%v %v: %d repeated, found %q", c.Model, c.Timers, h.out.Rechecked, h.texts)
			}
		}
	}
}
