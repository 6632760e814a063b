package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Spinsort is spinsort of [Basset11] (the Scala version): n stages, the i-th of which takes n-i+1 numbers, keeps the
// smallest and passes on the others. The numbers are sent by a start hook and pending when the exploration starts.
func Spinsort(n int) *actor.System {
	checkSize("Spinsort", n)
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var first actor.Ref
		t.SetUp(func() { first = middles(ctx, n) })
		ctx.Spawn(&spinLeft{spinBoot{first: first, n: n}})
	})
}

// SpinsortBoot is the ActorFoundry version, which sends the numbers on a message of the driver.
func SpinsortBoot(n int) *actor.System {
	checkSize("SpinsortBoot", n)
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var left actor.Ref
		t.SetUp(func() { left = ctx.Spawn(&spinBoot{first: middles(ctx, n), n: n}) })
		ctx.Send(left, boot{})
	})
}

// middles creates n stages from last to first and gives the first.
func middles(ctx *actor.Context, n int) actor.Ref {
	var first actor.Ref
	for i := n; i >= 1; i-- {
		first = ctx.Spawn(&middle{next: first, more: n - i})
	}
	return first
}

type number struct{ value int }

// spinBoot sends the numbers when it is told to, spinLeft when it is created.
type spinBoot struct {
	first actor.Ref
	n     int
}

func (l *spinBoot) Receive(ctx *actor.Context, _ any) {
	for _, v := range sortNumbers[:l.n] {
		ctx.Send(l.first, number{v})
	}
}

type spinLeft struct{ spinBoot }

func (l *spinLeft) Start(ctx *actor.Context) { l.spinBoot.Receive(ctx, boot{}) }

type middle struct {
	next  actor.Ref
	more  int // numbers that it takes after the first
	value int
	full  bool
}

func (s *middle) Receive(ctx *actor.Context, msg any) {
	v := msg.(number).value
	switch {
	case !s.full:
		s.value, s.full = v, true
	case s.more > 0:
		s.more--
		larger := max(s.value, v)
		s.value = min(s.value, v)
		ctx.Send(s.next, number{larger})
	}
}
