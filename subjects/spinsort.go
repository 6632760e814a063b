package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Spinsort is spinsort of [Basset11] (the Scala version): n stages, the i-th of which takes n-i+1 numbers, keeps the smallest
// and passes on the others. The numbers are sent by a start hook and pending when the exploration starts.
func Spinsort(n int) *actor.System {
	checkSize("Spinsort", n)
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var first actor.Ref
		t.SetUp(func() {
			for i := n; i >= 1; i-- {
				first = ctx.Spawn(&middle{next: first, more: n - i})
			}
		})
		ctx.Spawn(&spinLeft{first: first, n: n})
	})
}

type number struct{ value int }

type spinLeft struct {
	first actor.Ref
	n     int
}

func (l *spinLeft) Start(ctx *actor.Context) {
	for _, v := range sortNumbers[:l.n] {
		ctx.Send(l.first, number{v})
	}
}

func (l *spinLeft) Receive(*actor.Context, any) {}

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
