package threadring

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Ring.
type Config struct {
	Nodes int
	Trip  *Trip // takes what happens to the token; nil: a new one
	Fixed bool  // nodes keep a token that comes too early
}

// Trip counts the visits of the token. The nodes alone write it; read it when the ring is at rest.
type Trip struct{ Visits int }

// Ring runs the nodes and their coordinator.
type Ring struct {
	system      *actor.ActorSystem
	coordinator *actor.PID
}

// New starts a ring that is not wired yet.
func New(system *actor.ActorSystem, cfg Config) (*Ring, error) {
	if cfg.Nodes < 1 {
		return nil, fmt.Errorf("ring of %d nodes: want at least 1", cfg.Nodes)
	}
	if cfg.Trip == nil {
		cfg.Trip = &Trip{}
	}
	r := &Ring{system: system}
	c := &coordinator{}
	for i := range cfg.Nodes {
		//rehearse:allow shared the trip is what tests look at when the token is at rest, and only who has the token counts
		pid, err := r.spawn(fmt.Sprintf("node-%d", i+1), cfg.node)
		if err != nil {
			return nil, err
		}
		c.nodes = append(c.nodes, pid)
	}
	var err error
	r.coordinator, err = r.spawn("coordinator", func() actor.Actor { return c })
	return r, err
}

func (cfg Config) node() actor.Actor {
	n := node{trip: cfg.Trip}
	if cfg.Fixed {
		return &patientNode{node: n}
	}
	return &n
}

func (r *Ring) spawn(name string, producer actor.Producer) (*actor.PID, error) {
	pid, err := r.system.Root.SpawnNamed(actor.PropsFromProducer(producer), name)
	if err != nil {
		return nil, fmt.Errorf("ring: start %s: %w", name, err)
	}
	return pid, nil
}

// Start wires the ring and lets the token make so many hops.
func (r *Ring) Start(hops int) { r.system.Root.Send(r.coordinator, Start{hops}) }

// coordinator wires the ring.
type coordinator struct{ nodes []*actor.PID }

// Receive implements actor.Actor.
func (c *coordinator) Receive(ctx actor.Context) {
	msg, ok := ctx.Message().(Start)
	if !ok {
		return
	}
	for i, n := range c.nodes {
		ctx.Send(n, Next{c.nodes[(i+1)%len(c.nodes)]})
	}
	ctx.Send(c.nodes[0], Token(msg))
}
