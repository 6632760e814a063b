package subjects

import (
	"fmt"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// sortNumbers are what java.util.Random(9999).nextInt(1000) yields: the input of the pipelined sorts.
var sortNumbers = []int{98, 163, 979, 92, 233, 92, 987, 266}

// Pipesort is pipesort of [Basset11]: the feeder pushes n numbers, one after the other, into a pipeline that grows as
// needed. Each stage keeps the smaller of two and passes on the larger.
func Pipesort(n int) *actor.System {
	checkSize("Pipesort", n)
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var left actor.Ref
		t.SetUp(func() { left = ctx.Spawn(&feeder{}) })
		ctx.Send(left, feed{n})
	})
}

func checkSize(program string, n int) {
	if n < 1 || n > len(sortNumbers) {
		panic(fmt.Sprintf("subjects: %s(%d): want 1 to %d", program, n, len(sortNumbers)))
	}
}

type (
	feed struct{ left int }
	push struct{ value int }
)

type feeder struct {
	first actor.Ref
	next  int
}

func (f *feeder) Receive(ctx *actor.Context, msg any) {
	left := msg.(feed).left
	if left == 0 {
		return
	}
	if f.first == (actor.Ref{}) {
		f.first = ctx.Spawn(&stage{})
	}
	ctx.Send(f.first, push{sortNumbers[f.next]})
	f.next++
	ctx.Send(ctx.Self(), feed{left - 1})
}

type stage struct {
	next  actor.Ref
	value int
	full  bool
}

func (s *stage) Receive(ctx *actor.Context, msg any) {
	v := msg.(push).value
	if !s.full {
		s.value, s.full = v, true
		return
	}
	if s.next == (actor.Ref{}) {
		s.next = ctx.Spawn(&stage{})
	}
	larger := max(s.value, v)
	s.value = min(s.value, v)
	ctx.Send(s.next, push{larger})
}
