// Package pi approximates the number by workers that each add up their share of the area under a curve, after the
// program pi of [Basset11].
package pi

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// Messages.
type (
	boot      struct{}
	intervals struct {
		replyTo *actor.PID
		n       int
	}
	sum  struct{ value float64 }
	halt struct{}
)

// Result takes what the master computes. The master alone writes it; read it when all is at rest.
type Result struct{ Pi float64 }

// Computation is a master with its workers.
type Computation struct {
	system *actor.ActorSystem
	master *actor.PID
}

// New engages so many workers.
func New(system *actor.ActorSystem, workers int, result *Result) (*Computation, error) {
	m := &master{result: result}
	for i := range workers {
		pid, err := spawn(system, fmt.Sprintf("worker-%d", i), &worker{id: i, of: workers})
		if err != nil {
			return nil, err
		}
		m.workers = append(m.workers, pid)
	}
	pid, err := spawn(system, "master", m)
	return &Computation{system, pid}, err
}

// Start has the master begin.
func (c *Computation) Start() { c.system.Root.Send(c.master, boot{}) }

func spawn(system *actor.ActorSystem, name string, a actor.Actor) (*actor.PID, error) {
	pid, err := system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return a }), name)
	if err != nil {
		return nil, fmt.Errorf("pi: start %s: %w", name, err)
	}
	return pid, nil
}

// master adds the sums, and when it has all of them it sends everybody home.
type master struct {
	workers []*actor.PID
	count   int
	sum     float64
	result  *Result
}

// Receive implements actor.Actor.
func (m *master) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case boot:
		for _, w := range m.workers {
			ctx.Send(w, intervals{ctx.Self(), 1000})
		}
	case sum:
		m.sum += msg.value
		if m.count++; m.count == len(m.workers) {
			m.result.Pi = m.sum
			for _, w := range m.workers {
				ctx.Send(w, halt{})
			}
			ctx.Stop(ctx.Self())
		}
	}
}

// worker has every of-th interval, from its own number on.
type worker struct{ id, of int }

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case intervals:
		h, s := 1/float64(msg.n), 0.0
		for i := w.id; i < msg.n; i += w.of {
			x := h * (float64(i) + 0.5)
			s += 4 / (1 + x*x)
		}
		ctx.Send(msg.replyTo, sum{h * s})
	case halt:
		ctx.Stop(ctx.Self())
	}
}
