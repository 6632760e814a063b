package procreg

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Node.
type Config struct {
	Name    string // that all workers register under
	Workers int
	View    *View // nil: a new one
	Fixed   bool  // the registry tells all clients
}

// View is who has the name, as registry and client see it. They alone write it; read it when the node is at rest.
type View struct{ Registered, Known *actor.PID }

// Node runs a registry, its workers and a client.
type Node struct {
	system   *actor.ActorSystem
	registry *actor.PID
	users    []*actor.PID
}

// Start starts a node in the given actor system.
func Start(system *actor.ActorSystem, cfg Config) (*Node, error) {
	if cfg.View == nil {
		cfg.View = &View{}
	}
	n := &Node{system: system}
	var err error
	n.registry, err = n.spawn("registry", func() actor.Actor { return &registry{entries: map[string]*entry{}, view: cfg.View, tells: cfg.Fixed} })
	if err != nil {
		return nil, err
	}
	for i := range cfg.Workers {
		if err := n.user(fmt.Sprint("worker", i+1), &worker{cfg.Name, n.registry}); err != nil {
			return nil, err
		}
	}
	return n, n.user("client", &client{cfg.Name, n.registry, cfg.View})
}

func (n *Node) user(name string, a actor.Actor) error {
	pid, err := n.spawn(name, func() actor.Actor { return a })
	n.users = append(n.users, pid)
	return err
}

func (n *Node) spawn(name string, producer actor.Producer) (*actor.PID, error) {
	pid, err := n.system.Root.SpawnNamed(actor.PropsFromProducer(producer), name)
	if err != nil {
		return nil, fmt.Errorf("procreg: start %s: %w", name, err)
	}
	return pid, nil
}

// Begin has the workers register, and the client look them up.
func (n *Node) Begin() {
	for _, u := range n.users {
		n.system.Root.Send(u, Begin{})
	}
}
