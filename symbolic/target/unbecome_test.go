package target_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// desk is a program whose actor puts another behaviour on its own, and goes back to it. Its first behaviour keeps what
// it has counted.
const desk = `package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type zzDesk struct{ n int }

func (d *zzDesk) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case int:
		d.n += 2
	case bool:
		d.n++
		ctx.Become(&zzShut{since: d.n})
	case string:
		if msg == "odd" && d.n == 3 {
			ctx.T().Errorf("opened again after one more")
		}
	}
}

type zzShut struct{ since int }

func (s *zzShut) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case int:
		s.since = 7
	case bool:
		ctx.Unbecome()
	case string:
		if s.since == 3 {
			ctx.T().Logf("shut after one more")
		}
		if s.since == 2 {
			ctx.T().Helper()
		}
	}
}

func ZZ() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		d := ctx.Spawn(&zzDesk{})
		ctx.Send(d, 1)
		ctx.Send(d, true)
		ctx.Send(d, "odd")
	})
}
`

// TestUnbecome: an actor that takes a behaviour off its stack holds what it held when that was put there.
func TestUnbecome(t *testing.T) {
	b, s := written(t, "../../subjects/tap", desk)
	without := target.Parts{Judge: true}
	b.check(s, b.calls("zzDesk", "", "Errorf"), []golden{{target.Config{Model: trace.Bag, Steps: 5, Without: without}, target.Found, 4, 48, 80}})
	b.check(s, b.calls("zzShut", "", "Logf"), []golden{{target.Config{Model: trace.Bag, Steps: 5, Without: without}, target.Found, 3, 17, 27}})
	b.check(s, b.calls("zzShut", "", "Helper"), []golden{{target.Config{Model: trace.Bag, Steps: 3, Without: without}, target.Infeasible, 0, 20, 33},
		{target.Config{Model: trace.Bag, Steps: 4, Without: without}, target.Found, 4, 51, 85}})
}
