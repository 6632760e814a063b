package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// PSort is PSort of [ASTS]: k tasks of one actor push n values in all into a pipeline, and let others in after each. A
// last step finds that nothing is left.
func PSort(n, k int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var left actor.Ref
		t.SetUp(func() {
			m := ctx.Spawn(&psortMid{})
			left = ctx.Spawn(&psortLeft{m})
		})
		for i := range k {
			ctx.Send(left, psortFeed{n / k, 5 - 4*i})
		}
	})
}

type psortFeed struct{ left, value int }

type psortLeft struct{ mid actor.Ref }

func (l *psortLeft) Receive(ctx *actor.Context, msg any) {
	f := msg.(psortFeed)
	if f.left == 0 {
		return
	}
	ctx.Send(l.mid, push{f.value})
	ctx.Send(ctx.Self(), psortFeed{f.left - 1, f.value + 3})
}

type psortMid struct {
	next  actor.Ref
	value int
	full  bool
}

func (m *psortMid) Receive(ctx *actor.Context, msg any) {
	v := msg.(push).value
	if !m.full {
		m.value, m.full = v, true
		return
	}
	if m.next == (actor.Ref{}) {
		m.next = ctx.Spawn(&psortMid{})
	}
	ctx.Send(m.next, push{max(v, m.value)})
	m.value = min(v, m.value)
}

var psortCalls = trace.Calls{
	calls("psortLeft", "psortFeed", trace.MaySend{Actor: "psortMid", Message: "push", Depth: 1},
		trace.MaySend{Actor: "psortLeft", Message: "psortFeed", Depth: 1}),
	calls("psortMid", "push", trace.MaySend{Actor: "psortMid", Message: "push", Depth: 1}),
}

var psortEffects = trace.Effects{
	{Actor: "psortLeft", Message: "psortFeed", Reads: []string{"mid"}, Sends: true},
}
