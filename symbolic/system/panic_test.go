package system

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// fragile panics at some messages, and answers others.
type fragile struct{ list []int }

func (f *fragile) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case int:
		ctx.Send(ctx.Self(), "before")
		ctx.Reply(f.list[m])
	case string:
		ctx.Reply(m)
	}
}

// hasty panics in its start hook.
type hasty struct{ fragile }

func (h *hasty) Start(ctx *actor.Context) {
	ctx.Send(ctx.Self(), "hasty")
	h.list[0]++
}

// twinPanics has a call and a future of actors that panic before they answer, and an actor that panics while it is
// created.
func twinPanics() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		f := ctx.SpawnNamed("f", &fragile{list: []int{7}})
		g := ctx.SpawnNamed("g", &fragile{})
		asker := ctx.SpawnNamed("asker", actor.Func(func(ctx *actor.Context, msg any) {
			if msg != "go" {
				return
			}
			told := ctx.Ask(g, 2)
			if _, err := ctx.Call(f, 1); err != nil {
				ctx.Send(ctx.Self(), err)
			}
			if _, err := ctx.Await(told); err != nil {
				failed(ctx)
			}
			ctx.Send(ctx.Spawn(&hasty{}), "lost")
		}))
		ctx.Send(asker, "go")
	})
}

func failed(ctx *actor.Context) { ctx.Send(ctx.Self(), "failed") }

// A panic of a native actor stops it and fails the calls to it, and the others go on.
func TestBehindPanic(t *testing.T) {
	p := program(t, ".", ".")
	s := startOf(t, p, "twinPanics")
	for _, model := range models {
		w, f := foundIn(t, p, s, Goal{Block: function(t, p, "failed").Blocks[0]}, model, Bounds{Steps: 4, Sent: true})
		if w == nil || !f.Complete() {
			t.Errorf("%v: no way to what an actor does when another has panicked: complete %v, %v, %d panics", model, f.Complete(), f.Cuts, len(f.Panics))
		}
	}
}

// A way to a panic counts it once, and those before it: in its start hook an actor panics when two others have.
func TestPanicsOfWay(t *testing.T) {
	p := program(t, ".", ".")
	s, within := startOf(t, p, "twinPanics"), Bounds{Steps: 4, Sent: true}
	var counts []int
	for pos := range p.Search(t.Context(), s, nil, trace.FIFO, within).Panics {
		w, _ := foundIn(t, p, s, Goal{Panic: true, Pos: pos}, trace.FIFO, within)
		if w == nil {
			t.Fatalf("%s: no way", p.place(pos))
		}
		counts = append(counts, w.Panics)
	}
	if slices.Sort(counts); !slices.Equal(counts, []int{1, 3}) {
		t.Errorf("%d panics on the ways, want 1 and 3", counts)
	}
}
