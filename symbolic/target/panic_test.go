package target_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// fuse is a program whose actor panics behind what it sends, and handles nothing any more.
const fuse = `package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type zzFuse struct {
	lamp actor.Ref
	list []int
}

func (f *zzFuse) Receive(ctx *actor.Context, msg any) {
	switch n := msg.(type) {
	case int:
		ctx.Send(f.lamp, n)
		if n > 2 {
			panic("blown")
		}
	}
}

type zzLamp struct{ last, times int }

func (l *zzLamp) Receive(ctx *actor.Context, msg any) {
	switch n := msg.(type) {
	case int:
		if l.times++; n == 3 && l.times == 2 {
			ctx.T().Logf("once more before it is blown")
		}
		if n > 2 && l.last > 2 {
			ctx.T().Helper()
		}
		l.last = n
	}
}

func ZZ() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.Spawn(&zzFuse{lamp: ctx.Spawn(&zzLamp{})}), 1)
	})
}
`

// TestBehindPanic: what a native actor has sent before it panics is handled, and the actor handles nothing more.
func TestBehindPanic(t *testing.T) {
	b, s := written(t, "../../subjects/tap", fuse)
	without := target.Parts{Judge: true}
	b.check(s, b.calls("zzLamp", "", "Logf"), []golden{{target.Config{Model: trace.FIFO, Steps: 4, Without: without}, target.Found, 4, 38, 49}})
	b.check(s, b.calls("zzLamp", "", "Helper"), []golden{{target.Config{Model: trace.FIFO, Steps: 6, Without: without}, target.Infeasible, 0, 144, 157}})
}

// TestImpossible: what the source excludes is not searched for.
func TestImpossible(t *testing.T) {
	b, s := written(t, "../../subjects/tap", fuse)
	goal := b.calls("zzLamp", "", "Logf")
	goal.Impossible = "nobody comes there"
	b.check(s, goal, []golden{{target.Config{Model: trace.FIFO, Steps: 4}, target.Infeasible, 0, 0, 0}})
}
