package fib

import "github.com/asynkron/protoactor-go/actor"

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
	t := &Tree{config: config, system: system, first: &node{}}
	t.pid = system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return t.first }))
	return t, nil
}

// Start asks the first actor for the number.
func (t *Tree) Start() { t.system.Root.Send(t.pid, Request{t.config.N}) }

// Check judges the end.
func (t *Tree) Check() error { return t.config.Check(t.first.result, t.first.stopped) }

// node is one call.
type node struct {
	parent  *actor.PID // nil: it is the first
	got     int
	sum     int64
	result  int64
	stopped bool
}

// Receive implements actor.Actor.
func (n *node) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
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
	}
}

// ask has an actor of its own compute number k. It is no child of the framework: its end would be a message to its
// parent, whose order counts too. Number 4 would have 5,952 classes under fifo in place of 4.
func (n *node) ask(ctx actor.Context, k int) {
	parent := ctx.Self()
	child := ctx.ActorSystem().Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &node{parent: parent} }))
	ctx.Send(child, Request{k})
}

func (n *node) answer(ctx actor.Context, v int64) {
	if n.parent == nil {
		n.result = v
	} else {
		ctx.Send(n.parent, Response{v})
	}
	n.stopped = true
	ctx.Stop(ctx.Self())
}
