package fib

import native "github.com/rehearse-go/rehearse/actor"

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
	t := &NativeTree{config: config, first: &nativeNode{}}
	t.ref = ctx.Spawn(t.first)
	return t, nil
}

// Start asks the first actor for the number.
func (t *NativeTree) Start(ctx *native.Context) { ctx.Send(t.ref, Request{t.config.N}) }

// Check judges the end.
func (t *NativeTree) Check() error { return t.config.Check(t.first.result, t.first.stopped) }

// nativeNode is one call.
type nativeNode struct {
	parent  native.Ref // nobody: it is the first
	got     int
	sum     int64
	result  int64
	stopped bool
}

// Receive implements native.Behavior.
func (n *nativeNode) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Request:
		if msg.K <= 2 {
			n.answer(ctx, 1)
			return
		}
		n.ask(ctx, msg.K-1)
		n.ask(ctx, msg.K-2)
	case Response:
		n.got++
		n.sum += msg.V
		if n.got == 2 {
			n.answer(ctx, n.sum)
		}
	default:
		ctx.Unhandled()
	}
}

// ask has an actor of its own compute number k.
func (n *nativeNode) ask(ctx *native.Context, k int) {
	ctx.Send(ctx.Spawn(&nativeNode{parent: ctx.Self()}), Request{k})
}

func (n *nativeNode) answer(ctx *native.Context, v int64) {
	if n.parent == (native.Ref{}) {
		n.result = v
	} else {
		ctx.Send(n.parent, Response{v})
	}
	n.stopped = true
	ctx.Stop()
}
