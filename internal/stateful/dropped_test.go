package stateful_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/stateful"
	"github.com/rehearse-go/rehearse/trace"
)

// desk is worked at by its clerk, once.
type desk struct{ first *clerk }

func (d *desk) Receive(ctx *actor.Context, _ any) {
	if c := d.first; c != nil {
		d.first = nil
		ctx.Become(c)
	}
}

// clerk notes who came first, and leaves after two.
type clerk struct{ notes string }

func (c *clerk) Receive(ctx *actor.Context, msg any) {
	if c.notes += msg.(note).from; len(c.notes) == 2 {
		ctx.Unbecome()
	}
}

// leaving: what a behaviour holds from which the actor has gone back, and at which the test function looks.
func leaving(t *explore.T, ctx *actor.Context) {
	c := &clerk{}
	var d actor.Ref
	t.SetUp(func() {
		d = ctx.Spawn(&desk{first: c})
		ctx.Send(d, note{})
	})
	for _, from := range []string{"a", "b", "c"} {
		ctx.Send(ctx.Spawn(&relay{d}), note{from})
	}
	t.AtEnd(func() {
		was := map[string]func(*explore.T){"a": aWasFirst, "b": bWasFirst, "c": cWasFirst}
		was[c.notes[:1]](t)
	})
}

func aWasFirst(t *explore.T) { t.Error("a was first") }
func bWasFirst(t *explore.T) { t.Error("b was first") }
func cWasFirst(t *explore.T) { t.Error("c was first") }

// fickle goes back from a new behaviour at each message.
type fickle struct{ left int }

func (f *fickle) Receive(ctx *actor.Context, _ any) {
	ctx.Become(&clerk{})
	ctx.Unbecome()
	f.left = (f.left + 1) % 4
	ctx.Send(ctx.Self(), note{})
}

// An actor that goes back from new behaviours for ever has finitely many states, and the result says that they do not
// tell everything.
func TestManyDropped(t *testing.T) {
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&fickle{}), note{}) })
	out, err := explore.Run(sys, stateful.New(stateful.Options{}),
		explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, MaxSteps: 200})
	if err != nil || !strings.Contains(out.PassedOver, "Unbecome") || out.Complete {
		t.Errorf("%+v, %v: want the dropped behaviours named", out, err)
	}
}
