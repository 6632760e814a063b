package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// SortTasks is QSort of [ASTS]: an actor a part of the list, which splits it by its first value, has two more sort the
// rest, and reports when both have.
func SortTasks(values ...int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var top actor.Ref
		t.SetUp(func() { top = ctx.Spawn(&sortTask{}) })
		ctx.Send(top, sortPart{values, 0})
	})
}

type (
	sortPart struct {
		values []int
		side   int // 0: less than what it was split by, 1: not less
	}
	sortedPart struct {
		values []int
		side   int
	}
)

type sortTask struct {
	parent actor.Ref // nobody at the top
	side   int
	pivot  int
	parts  [2][]int
	n      int
}

func (s *sortTask) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case sortPart:
		s.side = msg.side
		if len(msg.values) < 2 {
			s.report(ctx, msg.values)
			return
		}
		s.pivot = msg.values[0]
		for side, part := range s.split(msg.values[1:]) {
			ctx.Send(ctx.Spawn(&sortTask{parent: ctx.Self()}), sortPart{part, side})
		}
	case sortedPart:
		s.parts[msg.side] = msg.values
		if s.n++; s.n == 2 {
			s.report(ctx, append(append(append([]int(nil), s.parts[0]...), s.pivot), s.parts[1]...))
		}
	}
}

func (s *sortTask) split(values []int) (parts [2][]int) {
	for _, v := range values {
		side := 0
		if v >= s.pivot {
			side = 1
		}
		parts[side] = append(parts[side], v)
	}
	return parts
}

func (s *sortTask) report(ctx *actor.Context, values []int) {
	if s.parent != (actor.Ref{}) {
		ctx.Send(s.parent, sortedPart{values, s.side})
	}
}

var sortCalls = trace.Calls{
	calls("sortTask", "sortPart", trace.MaySend{Actor: "sortTask", Message: "sortedPart", Depth: 1},
		trace.MaySend{Actor: "sortTask", Message: "sortPart", Depth: 1}),
	calls("sortTask", "sortedPart", trace.MaySend{Actor: "sortTask", Message: "sortedPart", Depth: 2}),
}

var sortEffects = trace.Effects{
	{Actor: "sortTask", Message: "sortedPart", Reads: []string{"parent", "side", "pivot"},
		Writes: []string{"parts", "n"}, Sends: true},
}
