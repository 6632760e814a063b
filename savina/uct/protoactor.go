package uct

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"
)

type (
	shouldGenerate = ShouldGenerate[*actor.PID]
	terminate      = Terminate[*actor.PID]
)

// Tree is the program on protoactor-go.
type Tree struct {
	config Config
	system *actor.ActorSystem
	root   *root
	start  *actor.PID
}

// New starts the root.
func New(system *actor.ActorSystem, config Config) (*Tree, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	t := &Tree{config: config, system: system, root: &root{growth: config.growth()}}
	t.start = t.spawn(t.root)
	return t, nil
}

func (t *Tree) spawn(a actor.Actor) *actor.PID {
	return t.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the root begin.
func (t *Tree) Start() { t.system.Root.Send(t.start, GenerateTree{}) }

// Check judges the end.
func (t *Tree) Check() error {
	seen := Seen{Size: t.root.size, Created: 1, Root: t.root.stopped}
	if t.root.stopped {
		seen.Stopped++
	}
	nodes := t.root.nodes
	for len(nodes) > 0 {
		n := nodes[0]
		nodes = append(nodes[1:len(nodes):len(nodes)], n.nodes...)
		seen.Created++
		if n.stopped {
			seen.Stopped++
		}
	}
	return t.config.Check(seen)
}

// family is the children of the root or of a node.
type family struct {
	children []*actor.PID
	nodes    []*node // the same, for whoever judges the end
	grants   []bool  // which of them may have children
}

// create spawns the children, and has each of them ask for its own.
func (f *family) create(ctx actor.Context, n int, like node) {
	f.grants = make([]bool, n)
	for i := range n {
		child := like
		child.id, child.place = like.id+i, i
		f.nodes = append(f.nodes, &child)
		f.children = append(f.children, spawn(ctx, &child))
	}
	f.tell(ctx, TryGenerate{})
}

func (f *family) tell(ctx actor.Context, msg any) {
	for _, c := range f.children {
		ctx.Send(c, msg)
	}
}

// root decides who may have children.
type root struct {
	growth
	family
	granted []*actor.PID
	stopped bool
}

// Receive implements actor.Actor.
func (r *root) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case GenerateTree:
		id, self := r.grow(0), ctx.Self()
		r.create(ctx, r.config.Children, node{config: r.config, root: self, parent: self, id: id, height: 1})
	case shouldGenerate:
		r.decide(ctx, msg)
	case UpdateGrant:
		r.grants[msg.Child] = true
	case PrintInfo:
		r.tell(ctx, msg)
	}
}

func (r *root) decide(ctx actor.Context, q shouldGenerate) {
	r.decided++
	if r.full() {
		r.tell(ctx, Traverse{})
		r.end(ctx)
		return
	}
	if r.heads() {
		r.grant(ctx, q)
	}
	if r.config.Repaired && r.asked() {
		r.end(ctx)
	}
}

func (r *root) grant(ctx actor.Context, q shouldGenerate) {
	r.granted = append(r.granted, q.Sender)
	id := r.grow(q.Height)
	if r.heads() {
		ctx.Send(q.Sender, UrgentGenerate{id % r.config.Children, id, r.config.Cost})
	} else {
		ctx.Send(q.Sender, Generate{id, r.config.Cost})
	}
}

func (r *root) end(ctx actor.Context) {
	r.tell(ctx, terminate{r.granted})
	r.stopped = true
	ctx.Stop(ctx.Self())
}

// node is a node below the root.
type node struct {
	config Config
	family
	root, parent      *actor.PID
	id, place, height int // place among the children of the parent
	urgent            int // child, from 1
	traversed, shown  int
	end               *terminate // that waits until the node has grown
	stopped           bool
}

// Receive implements actor.Actor.
func (n *node) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case TryGenerate:
		ctx.Send(n.root, shouldGenerate{ctx.Self(), n.height})
	case Generate:
		n.grow(ctx, msg.ID)
	case UrgentGenerate:
		n.urgent = msg.Urgent + 1
		n.grow(ctx, msg.ID)
	case UpdateGrant:
		n.grants[msg.Child] = true
	case Traverse:
		n.traversed++
		n.tell(ctx, msg)
	case terminate:
		n.terminate(ctx, msg)
	default:
		n.others(ctx, msg)
	}
}

// others handles what nobody sends.
func (n *node) others(ctx actor.Context, msg any) {
	switch msg := ctx.Message().(type) {
	case UrgentTraverse:
		if n.urgent > 0 {
			ctx.Send(n.children[n.urgent-1], msg)
		}
	case PrintInfo:
		n.shown++
		n.tell(ctx, msg)
	case GetID:
		n.shown++
	}
}

func (n *node) grow(ctx actor.Context, id int) {
	ctx.Send(n.parent, UpdateGrant{n.place})
	n.create(ctx, n.config.Children,
		node{config: n.config, root: n.root, parent: ctx.Self(), id: id, height: n.height + 1})
	if n.end != nil {
		n.terminate(ctx, *n.end)
	}
}

// terminate ends the node. In the repaired version it grows first, if it may.
func (n *node) terminate(ctx actor.Context, msg terminate) {
	if n.config.Repaired && n.children == nil && slices.ContainsFunc(msg.Granted, ctx.Self().Equal) {
		n.end = &msg
		return
	}
	n.tell(ctx, msg)
	n.stopped = true
	ctx.Stop(ctx.Self())
}

// spawn starts an actor that is no child of the one that starts it, with which it would be stopped.
func spawn(ctx actor.Context, a actor.Actor) *actor.PID {
	return ctx.ActorSystem().Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}
