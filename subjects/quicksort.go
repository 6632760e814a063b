package subjects

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// quicksortInputs are the inputs by size, as java.util.Random(19+n).nextInt(100) yields them.
var quicksortInputs = map[int][]int{
	3: {2, 60, 12},
	4: {27, 48, 83, 47},
	5: {55, 40, 76, 24, 10},
	6: {81, 28, 47, 38, 97, 98},
}

// Quicksort is quicksort of [Basset11] on the input of size n, 3 to 6.
func Quicksort(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var root actor.Ref
		t.SetUp(func() { root = ctx.Spawn(&sorter{}) })
		ctx.Send(root, bootN{n})
	})
}

// QuicksortBoot is the same on another input, as table 3.2 has it for ActorFoundry.
func QuicksortBoot(input ...int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var root actor.Ref
		t.SetUp(func() { root = ctx.Spawn(&sorter{}) })
		ctx.Send(root, bootWith{slices.Clone(input)})
	})
}

// QuicksortOf is the Scala version of table 3.2: the driver sends the sorter its task directly, and sorters end when
// they have reported.
func QuicksortOf(input ...int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var root actor.Ref
		t.SetUp(func() { root = ctx.Spawn(&sorter{ends: true}) })
		ctx.Send(root, sort{values: slices.Clone(input)})
	})
}

type (
	sort struct {
		caller actor.Ref // nobody at the top
		values []int
	}
	done     struct{ values []int }
	bootWith struct{ values []int }
)

type sorter struct {
	ends   bool // when it has reported
	caller actor.Ref
	first  []int
	seen   bool
	result []int
}

func (s *sorter) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case bootN:
		input, ok := quicksortInputs[msg.n]
		if !ok {
			panic(fmt.Sprintf("subjects: Quicksort(%d): want 3 to 6", msg.n))
		}
		ctx.Send(ctx.Spawn(&sorter{}), sort{values: slices.Clone(input)})
	case bootWith:
		ctx.Send(ctx.Spawn(&sorter{}), sort{values: msg.values})
	case sort:
		s.caller = msg.caller
		s.split(ctx, msg.values)
	case done:
		if !s.seen {
			s.first, s.seen = msg.values, true
			return
		}
		lower, upper := s.first, msg.values
		if lower[0] > upper[0] {
			lower, upper = upper, lower
		}
		s.finish(ctx, slices.Concat(lower, upper))
	}
}

// split hands the two sides of the pivot to children. The values equal to it stand in for an empty side, else they join
// the shorter one.
func (s *sorter) split(ctx *actor.Context, a []int) {
	var less, equal, greater []int
	for _, v := range a {
		switch {
		case v < a[0]:
			less = append(less, v)
		case v > a[0]:
			greater = append(greater, v)
		default:
			equal = append(equal, v)
		}
	}
	switch {
	case len(less) == 0 && len(greater) == 0:
		s.finish(ctx, a)
		return
	case len(less) == 0:
		less = equal
	case len(greater) == 0:
		greater = equal
	case len(less) < len(greater):
		less = append(less, equal...)
	default:
		greater = append(greater, equal...)
	}
	left, right := ctx.Spawn(&sorter{ends: s.ends}), ctx.Spawn(&sorter{ends: s.ends})
	ctx.Send(left, sort{ctx.Self(), less})
	ctx.Send(right, sort{ctx.Self(), greater})
}

func (s *sorter) finish(ctx *actor.Context, values []int) {
	s.result = values
	if s.caller == (actor.Ref{}) {
		return
	}
	ctx.Send(s.caller, done{values})
	if s.ends {
		*s = sorter{} // nothing holds on to what it knew
		ctx.Stop()
	}
}
