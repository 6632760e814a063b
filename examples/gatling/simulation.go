package gatling

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Simulation.
type Config struct {
	Actions []string // names
	Log     *Log     // takes the results; nil: a new one
	Proxies int      // that a Flush passes between the terminator and the writer
	Fixed   bool     // actions wait until the writer has their results
}

// Log is the external storage. The simulation's actors alone write it; read it when they are at rest.
type Log struct {
	Results []string
	Closed  bool
}

// Simulation runs the actors of one load scenario.
type Simulation struct {
	system  *actor.ActorSystem
	actions []*actor.PID
}

// New prepares a simulation in the given actor system.
func New(system *actor.ActorSystem, cfg Config) (*Simulation, error) {
	if cfg.Log == nil {
		cfg.Log = &Log{}
	}
	s := &Simulation{system: system}
	w, err := s.spawn("writer", func() actor.Actor { return &writer{log: cfg.Log, page: &page{}} })
	if err != nil {
		return nil, err
	}
	flushed := w
	for range cfg.Proxies {
		next := flushed
		flushed = system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &proxy{next} }))
	}
	t, err := s.spawn("terminator", func() actor.Actor {
		return &terminator{running: len(cfg.Actions), writer: flushed, log: cfg.Log}
	})
	if err != nil {
		return nil, err
	}
	for _, name := range cfg.Actions {
		a, err := s.spawn(name, func() actor.Actor { return cfg.action(action{name, w, t}) })
		if err != nil {
			return nil, err
		}
		s.actions = append(s.actions, a)
	}
	return s, nil
}

func (cfg Config) action(a action) actor.Actor {
	if cfg.Fixed {
		return &confirmedAction{a}
	}
	return &a
}

func (s *Simulation) spawn(name string, producer actor.Producer) (*actor.PID, error) {
	pid, err := s.system.Root.SpawnNamed(actor.PropsFromProducer(producer), name)
	if err != nil {
		return nil, fmt.Errorf("simulation: start %s: %w", name, err)
	}
	return pid, nil
}

// Run lets every action execute once.
func (s *Simulation) Run() {
	for _, a := range s.actions {
		s.system.Root.Send(a, Execute{})
	}
}
