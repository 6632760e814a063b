package threadring

import native "github.com/rehearse-go/rehearse/actor"

type (
	nativeData = Data[native.Ref]
	nativeWire = Wire[native.Ref]
)

// NativeRing is the program on native actors.
type NativeRing struct {
	config Config
	nodes  []native.Ref
	wirer  native.Ref // if config.Wired
	actors []*nativeNode
}

// NewNative spawns the actors of a ring.
func NewNative(ctx *native.Context, config Config) (*NativeRing, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	r := &NativeRing{config: config}
	for range config.Actors {
		n := &nativeNode{config: config}
		r.actors = append(r.actors, n)
		r.nodes = append(r.nodes, ctx.Spawn(n))
	}
	if config.Wired {
		r.wirer = ctx.Spawn(nativeWirer{})
	}
	return r, nil
}

// Start tells every actor its successor, and sends the ping to the first.
func (r *NativeRing) Start(ctx *native.Context) {
	told := r.nodes
	if r.config.Wired {
		ctx.Send(r.wirer, nativeWire{r.nodes})
		told = told[:1]
	}
	for i, n := range told {
		ctx.Send(n, nativeData{r.nodes[(i+1)%len(r.nodes)]})
	}
	ctx.Send(r.nodes[0], Ping{r.config.Hops})
}

// Check judges the end.
func (r *NativeRing) Check() error {
	var seen []Seen
	for _, n := range r.actors {
		seen = append(seen, n.seen)
	}
	return r.config.Check(seen)
}

// nativeWirer tells the actors of the ring their successors, but for the first.
type nativeWirer struct{}

// Receive implements native.Behavior.
func (nativeWirer) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeWire:
		for i := 1; i < len(msg.Nodes); i++ {
			ctx.Send(msg.Nodes[i], nativeData{msg.Nodes[(i+1)%len(msg.Nodes)]})
		}
	default:
		ctx.Unhandled()
	}
}

// nativeNode is an actor of the ring.
type nativeNode struct {
	config Config
	next   native.Ref
	early  []Ping // that came before the successor was known
	seen   Seen
}

// Receive implements native.Behavior.
func (n *nativeNode) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeData:
		n.next = msg.Next
		for _, ping := range n.early {
			n.pass(ctx, ping)
		}
		n.early = nil
	case Ping:
		if n.config.Repaired && n.next == (native.Ref{}) {
			n.early = append(n.early, msg)
			return
		}
		n.pass(ctx, msg)
	case Exit:
		if msg.Left > 0 {
			ctx.Send(n.next, Exit{msg.Left - 1})
		}
		n.seen.Stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (n *nativeNode) pass(ctx *native.Context, ping Ping) {
	if n.next == (native.Ref{}) {
		panic("the ping came before the successor was known")
	}
	n.seen.Pings++
	if ping.Left > 0 {
		ctx.Send(n.next, ping.passed(n.config.Endless))
		return
	}
	ctx.Send(n.next, Exit{n.config.Actors})
}
