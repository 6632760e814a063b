package threadring

import "github.com/asynkron/protoactor-go/actor"

type (
	data = Data[*actor.PID]
	wire = Wire[*actor.PID]
)

// Ring is the program on protoactor-go.
type Ring struct {
	config Config
	system *actor.ActorSystem
	nodes  []*actor.PID
	wirer  *actor.PID // if config.Wired
	actors []*node
}

// New starts the actors of a ring.
func New(system *actor.ActorSystem, config Config) (*Ring, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	r := &Ring{config: config, system: system}
	for range config.Actors {
		n := &node{config: config}
		r.actors = append(r.actors, n)
		r.nodes = append(r.nodes, system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return n })))
	}
	if config.Wired {
		r.wirer = system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return wirer{} }))
	}
	return r, nil
}

// Start tells every actor its successor, and sends the ping to the first.
func (r *Ring) Start() {
	told := r.nodes
	if r.config.Wired {
		r.system.Root.Send(r.wirer, wire{r.nodes})
		told = told[:1]
	}
	for i, n := range told {
		r.system.Root.Send(n, data{r.nodes[(i+1)%len(r.nodes)]})
	}
	r.system.Root.Send(r.nodes[0], Ping{r.config.Hops})
}

// Check judges the end.
func (r *Ring) Check() error {
	var seen []Seen
	for _, n := range r.actors {
		seen = append(seen, n.seen)
	}
	return r.config.Check(seen)
}

// wirer tells the actors of the ring their successors, but for the first.
type wirer struct{}

// Receive implements actor.Actor.
func (wirer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case wire:
		for i := 1; i < len(msg.Nodes); i++ {
			ctx.Send(msg.Nodes[i], data{msg.Nodes[(i+1)%len(msg.Nodes)]})
		}
	}
}

// node is an actor of the ring.
type node struct {
	config Config
	next   *actor.PID
	early  []Ping // that came before the successor was known
	seen   Seen
}

// Receive implements actor.Actor.
func (n *node) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case data:
		n.next = msg.Next
		for _, ping := range n.early {
			n.pass(ctx, ping)
		}
		n.early = nil
	case Ping:
		if n.config.Repaired && n.next == nil {
			n.early = append(n.early, msg)
			return
		}
		n.pass(ctx, msg)
	case Exit:
		if msg.Left > 0 {
			ctx.Send(n.next, Exit{msg.Left - 1})
		}
		n.seen.Stopped = true
		ctx.Stop(ctx.Self())
	}
}

func (n *node) pass(ctx actor.Context, ping Ping) {
	n.seen.Pings++
	if ping.Left > 0 {
		ctx.Send(n.next, ping.passed(n.config.Endless))
		return
	}
	ctx.Send(n.next, Exit{n.config.Actors})
}
