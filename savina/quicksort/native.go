package quicksort

import (
	"slices"

	native "github.com/rehearse-go/rehearse/actor"
)

// NativeTree is the program on native actors.
type NativeTree struct {
	config Config
	first  *nativeNode
	ref    native.Ref
}

// NewNative spawns the first actor.
func NewNative(ctx *native.Context, config Config) (*NativeTree, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	t := &NativeTree{config: config, first: &nativeNode{threshold: config.Threshold}}
	t.ref = ctx.Spawn(t.first)
	return t, nil
}

// Start gives the first actor the list.
func (t *NativeTree) Start(ctx *native.Context) { ctx.Send(t.ref, Sort{t.config.values()}) }

// Check judges the end.
func (t *NativeTree) Check() error { return t.config.Check(t.first.result, t.first.stopped) }

// nativeNode sorts one list.
type nativeNode struct {
	parent    native.Ref // nobody: it is the first
	side      Side
	threshold int
	result    []int
	parts     int // that it has, of 3
	stopped   bool
}

// Receive implements native.Behavior.
func (n *nativeNode) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Sort:
		n.sort(ctx, msg.List)
	case Result:
		n.result = joined(n.result, msg)
		n.parts++
		if n.parts == 3 {
			n.answer(ctx)
		}
	default:
		ctx.Unhandled()
	}
}

func (n *nativeNode) sort(ctx *native.Context, list []int) {
	if len(list) < n.threshold {
		n.result = slices.Sorted(slices.Values(list))
		n.answer(ctx)
		return
	}
	smaller, equal, larger := parts(list)
	n.result, n.parts = equal, 1
	n.ask(ctx, Left, smaller)
	n.ask(ctx, Right, larger)
}

// ask has an actor of its own sort a part.
func (n *nativeNode) ask(ctx *native.Context, side Side, part []int) {
	child := ctx.Spawn(&nativeNode{parent: ctx.Self(), side: side, threshold: n.threshold})
	ctx.Send(child, Sort{part})
}

func (n *nativeNode) answer(ctx *native.Context) {
	if n.parent != (native.Ref{}) {
		ctx.Send(n.parent, Result{n.result, n.side})
	}
	n.stopped = true
	ctx.Stop()
}
