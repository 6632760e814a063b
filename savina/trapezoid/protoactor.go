package trapezoid

import "github.com/asynkron/protoactor-go/actor"

// Integral is the program on protoactor-go.
type Integral struct {
	config  Config
	system  *actor.ActorSystem
	master  *master
	workers []*worker
	to      *actor.PID // the master
}

// New starts the master and its workers.
func New(system *actor.ActorSystem, config Config) (*Integral, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Integral{config: config, system: system, master: &master{}}
	p.to = p.spawn(p.master)
	for i := range config.Workers {
		w := &worker{id: i, master: p.to}
		p.workers = append(p.workers, w)
		p.master.workers = append(p.master.workers, p.spawn(w))
	}
	return p, nil
}

func (p *Integral) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start gives the master the interval.
func (p *Integral) Start() {
	c := p.config
	p.system.Root.Send(p.to, Work{c.Left, c.Right, (c.Right - c.Left) / float64(c.Pieces)})
}

// Check judges the end.
func (p *Integral) Check() error {
	s := Seen{Area: p.master.area, MasterStopped: p.master.stopped}
	for _, w := range p.workers {
		if w.stopped {
			s.WorkersStopped++
		}
	}
	return p.config.Check(s)
}

// master adds the areas.
type master struct {
	workers []*actor.PID
	got     int
	area    float64
	stopped bool
}

// Receive implements actor.Actor.
func (m *master) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Work:
		for i, w := range m.workers {
			ctx.Send(w, msg.part(i, len(m.workers)))
		}
	case Result:
		m.area += msg.Area
		m.got++
		if m.got == len(m.workers) {
			m.stopped = true
			ctx.Stop(ctx.Self())
		}
	}
}

// worker computes one area.
type worker struct {
	id      int
	master  *actor.PID
	stopped bool
}

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Work:
		ctx.Send(w.master, Result{msg.area(), w.id})
		w.stopped = true
		ctx.Stop(ctx.Self())
	}
}
