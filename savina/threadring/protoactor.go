package threadring

import "github.com/asynkron/protoactor-go/actor"

type data = Data[*actor.PID]

// Ring is the program on protoactor-go.
type Ring struct {
	config Config
	system *actor.ActorSystem
	nodes  []*actor.PID
	actors []*node
}

// New starts the actors of a ring.
func New(system *actor.ActorSystem, config Config) (*Ring, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	r := &Ring{config: config, system: system}
	for range config.Actors {
		n := &node{repaired: config.Repaired, last: config.Actors}
		r.actors = append(r.actors, n)
		r.nodes = append(r.nodes, system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return n })))
	}
	return r, nil
}

// Start tells every actor its successor, and sends the ping to the first.
func (r *Ring) Start() {
	for i, n := range r.nodes {
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

// node is an actor of the ring.
type node struct {
	last     int // exits that the first of them starts
	next     *actor.PID
	repaired bool
	early    []Ping // that came before the successor was known
	seen     Seen
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
		if n.repaired && n.next == nil {
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
		ctx.Send(n.next, Ping{ping.Left - 1})
		return
	}
	ctx.Send(n.next, Exit{n.last})
}
