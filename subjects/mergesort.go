package subjects

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// mergesortInputs are the inputs by size, as java.util.Random(12).nextInt(n*n) yields them.
var mergesortInputs = map[int][]int{
	3: {3, 5, 7},
	4: {11, 0, 4, 3},
	5: {16, 12, 6, 8, 24},
	6: {30, 32, 16, 25, 28, 7},
	8: {46, 3, 17, 14, 30, 2, 60, 39},
}

// Mergesort is mergesort of [Basset11] (the ActorFoundry version) on the input of size n: 3 to 6, or 8.
func Mergesort(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var root actor.Ref
		t.SetUp(func() { root = ctx.Spawn(&merger{}) })
		ctx.Send(root, bootN{n})
	})
}

// MergesortDirect is the Scala version: the driver sends the topmost actor its task, and the others end when they have
// reported.
func MergesortDirect(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var root actor.Ref
		t.SetUp(func() { root = ctx.Spawn(&merger{ends: true}) })
		ctx.Send(root, sort{values: mergesortInput(n)})
	})
}

func mergesortInput(n int) []int {
	input, ok := mergesortInputs[n]
	if !ok {
		panic(fmt.Sprintf("subjects: Mergesort(%d): want 3 to 6, or 8", n))
	}
	return slices.Clone(input)
}

type merge struct{ values []int }

type merger struct {
	ends   bool // when it has reported
	caller actor.Ref
	first  []int
	seen   bool
	result []int
}

func (s *merger) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case bootN:
		ctx.Send(ctx.Self(), sort{values: mergesortInput(msg.n)})
	case sort:
		s.caller = msg.caller
		if len(msg.values) == 1 {
			s.finish(ctx, msg.values)
			return
		}
		half := len(msg.values) / 2
		left, right := ctx.Spawn(&merger{ends: s.ends}), ctx.Spawn(&merger{ends: s.ends})
		ctx.Send(left, sort{ctx.Self(), msg.values[:half]})
		ctx.Send(right, sort{ctx.Self(), msg.values[half:]})
	case merge:
		if !s.seen {
			s.first, s.seen = msg.values, true
			return
		}
		all := slices.Concat(s.first, msg.values)
		slices.Sort(all)
		s.finish(ctx, all)
	}
}

func (s *merger) finish(ctx *actor.Context, values []int) {
	s.result = values
	if s.caller == (actor.Ref{}) {
		return
	}
	ctx.Send(s.caller, merge{values})
	if s.ends {
		*s = merger{} // nothing holds on to what it knew
		ctx.Stop()
	}
}
