package system

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// early does something when it is created: it makes others as long as it has any, sends to nobody, and the last panics.
type early struct {
	left int
	list []int
}

func (e *early) Start(ctx *actor.Context) {
	began()
	if e.left > 0 {
		ctx.Spawn(&early{left: e.left - 1})
		return
	}
	ctx.Send(actor.Ref{}, "lost")
	e.list[0]++
}

func (e *early) Receive(*actor.Context, any) { began() }

func began() {}

// hookOfDriver creates an actor with a start hook, behind a call of what such a hook calls, too.
func hookOfDriver() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		e := ctx.Spawn(&early{left: 1})
		ctx.Send(e, "message")
		sentBehind()
	})
}

func sentBehind() {}

// TestStartHookOfDriver: what start hooks of the driver's actors do is reached without a message. What the driver
// itself does is not: a test for it has other messages.
func TestStartHookOfDriver(t *testing.T) {
	p := program(t, ".", ".")
	s := startOf(t, p, "hookOfDriver")
	if len(s.Actors) != 2 || len(s.Panics) != 1 || len(s.Lost) != 1 {
		t.Fatalf("%d actors, panics at %v, lost at %v: want 2, and one of each", len(s.Actors), s.Panics, s.Lost)
	}
	for _, goal := range []Goal{{Block: function(t, p, "began").Blocks[0]}, {Panic: true, Pos: s.Panics[0]}, {Dead: true, Pos: s.Lost[0]}} {
		for _, model := range models {
			if w, err := p.Follow(t.Context(), s, Plan{Model: model}, goal, Config{}); err != nil || len(w.Outside) != 0 {
				t.Errorf("%v, %+v: %v", model, goal, err)
			}
		}
	}
	w, err := p.Follow(t.Context(), s, Plan{Model: trace.Bag}, Goal{Block: function(t, p, "sentBehind").Blocks[0]}, Config{})
	if err == nil {
		t.Errorf("the driver's own code is reached: %+v", w)
	}
	found := p.Search(t.Context(), s, nil, trace.FIFO, Bounds{Outside: 1, Steps: 1})
	if !found.Blocks[function(t, p, "began").Blocks[0]] || found.Blocks[function(t, p, "sentBehind").Blocks[0]] {
		t.Errorf("a search forward has reached %v", found.Blocks)
	}
}
