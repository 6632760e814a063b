package quicksort

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"
)

// Tree is the program on protoactor-go.
type Tree struct {
	config Config
	system *actor.ActorSystem
	first  *node
	pid    *actor.PID
}

// New starts the first actor.
func New(system *actor.ActorSystem, config Config) (*Tree, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	t := &Tree{config: config, system: system, first: &node{threshold: config.Threshold}}
	t.pid = system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return t.first }))
	return t, nil
}

// Start gives the first actor the list.
func (t *Tree) Start() { t.system.Root.Send(t.pid, Sort{t.config.values()}) }

// Check judges the end.
func (t *Tree) Check() error { return t.config.Check(t.first.result, t.first.stopped) }

// node sorts one list.
type node struct {
	parent    *actor.PID // nil: it is the first
	side      Side
	threshold int
	result    []int
	parts     int // that it has, of 3
	stopped   bool
}

// Receive implements actor.Actor.
func (n *node) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Sort:
		n.sort(ctx, msg.List)
	case Result:
		n.result = joined(n.result, msg)
		n.parts++
		if n.parts == 3 {
			n.answer(ctx)
		}
	}
}

func (n *node) sort(ctx actor.Context, list []int) {
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

// ask has an actor of its own sort a part. It is no child of the framework, whose end would be a message to its parent.
func (n *node) ask(ctx actor.Context, side Side, part []int) {
	child := &node{parent: ctx.Self(), side: side, threshold: n.threshold}
	pid := ctx.ActorSystem().Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return child }))
	ctx.Send(pid, Sort{part})
}

func (n *node) answer(ctx actor.Context) {
	if n.parent != nil {
		ctx.Send(n.parent, Result{n.result, n.side})
	}
	n.stopped = true
	ctx.Stop(ctx.Self())
}
