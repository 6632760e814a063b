package uct

import (
	"slices"

	native "github.com/rehearse-go/rehearse/actor"
)

type (
	nativeShouldGenerate = ShouldGenerate[native.Ref]
	nativeTerminate      = Terminate[native.Ref]
)

// NativeTree is the program on native actors.
type NativeTree struct {
	config Config
	root   *nativeRoot
	start  native.Ref
}

// NewNative spawns the root.
func NewNative(ctx *native.Context, config Config) (*NativeTree, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	t := &NativeTree{config: config, root: &nativeRoot{growth: config.growth()}}
	t.start = ctx.Spawn(t.root)
	return t, nil
}

// Start has the root begin.
func (t *NativeTree) Start(ctx *native.Context) { ctx.Send(t.start, GenerateTree{}) }

// Check judges the end.
func (t *NativeTree) Check() error {
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

// nativeFamily is the children of the root or of a node.
type nativeFamily struct {
	children []native.Ref
	nodes    []*nativeNode // the same, for whoever judges the end
	grants   []bool        // which of them may have children
}

// create spawns the children, and has each of them ask for its own.
func (f *nativeFamily) create(ctx *native.Context, n int, like nativeNode) {
	f.grants = make([]bool, n)
	for i := range n {
		child := like
		child.id, child.place = like.id+i, i
		f.nodes = append(f.nodes, &child)
		f.children = append(f.children, ctx.Spawn(&child))
	}
	f.tell(ctx, TryGenerate{})
}

func (f *nativeFamily) tell(ctx *native.Context, msg any) {
	for _, c := range f.children {
		ctx.Send(c, msg)
	}
}

// nativeRoot decides who may have children.
type nativeRoot struct {
	growth
	nativeFamily
	granted []native.Ref
	stopped bool
}

// Receive implements native.Behavior.
func (r *nativeRoot) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case GenerateTree:
		id, self := r.grow(0), ctx.Self()
		r.create(ctx, r.config.Children, nativeNode{config: r.config, root: self, parent: self, id: id, height: 1})
	case nativeShouldGenerate:
		r.decide(ctx, msg)
	case UpdateGrant:
		r.grants[msg.Child] = true
	case PrintInfo:
		r.tell(ctx, msg)
	default:
		ctx.Unhandled()
	}
}

func (r *nativeRoot) decide(ctx *native.Context, q nativeShouldGenerate) {
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

func (r *nativeRoot) grant(ctx *native.Context, q nativeShouldGenerate) {
	r.granted = append(r.granted, q.Sender)
	id := r.grow(q.Height)
	if r.heads() {
		ctx.Send(q.Sender, UrgentGenerate{id % r.config.Children, id, r.config.Cost})
	} else {
		ctx.Send(q.Sender, Generate{id, r.config.Cost})
	}
}

func (r *nativeRoot) end(ctx *native.Context) {
	r.tell(ctx, nativeTerminate{r.granted})
	r.stopped = true
	ctx.Stop()
}

// nativeNode is a node below the root.
type nativeNode struct {
	config Config
	nativeFamily
	root, parent      native.Ref
	id, place, height int // place among the children of the parent
	urgent            int // child, from 1
	traversed, shown  int
	end               *nativeTerminate // that waits until the node has grown
	stopped           bool
}

// Receive implements native.Behavior.
func (n *nativeNode) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case TryGenerate:
		ctx.Send(n.root, nativeShouldGenerate{ctx.Self(), n.height})
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
	case nativeTerminate:
		n.terminate(ctx, msg)
	default:
		n.others(ctx, msg)
	}
}

// others handles what nobody sends.
func (n *nativeNode) others(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case UrgentTraverse:
		if n.urgent > 0 {
			ctx.Send(n.children[n.urgent-1], msg)
		}
	case PrintInfo:
		n.shown++
		n.tell(ctx, msg)
	case GetID:
		n.shown++
	default:
		ctx.Unhandled()
	}
}

func (n *nativeNode) grow(ctx *native.Context, id int) {
	ctx.Send(n.parent, UpdateGrant{n.place})
	n.create(ctx, n.config.Children,
		nativeNode{config: n.config, root: n.root, parent: ctx.Self(), id: id, height: n.height + 1})
	if n.end != nil {
		n.terminate(ctx, *n.end)
	}
}

// terminate ends the node. In the repaired version it grows first, if it may.
func (n *nativeNode) terminate(ctx *native.Context, msg nativeTerminate) {
	if n.config.Repaired && n.children == nil && slices.Contains(msg.Granted, ctx.Self()) {
		n.end = &msg
		return
	}
	n.tell(ctx, msg)
	n.stopped = true
	ctx.Stop()
}
