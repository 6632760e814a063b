package piprecision

import "github.com/asynkron/protoactor-go/actor"

// Program is the program on protoactor-go.
type Program struct {
	config  Config
	system  *actor.ActorSystem
	start   *actor.PID
	master  *master
	workers []*worker
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, master: &master{tally: tally{config: config}}}
	p.start = p.spawn(p.master)
	for i := range config.Workers {
		w := &worker{id: i, master: p.start}
		p.workers = append(p.workers, w)
		p.master.workers = append(p.master.workers, p.spawn(w))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the master ask for terms.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error {
	var terms [][]int
	for _, w := range p.workers {
		terms = append(terms, w.terms)
	}
	return p.config.Check(&p.master.sum, p.master.asked, terms, p.master.stopped)
}

// master adds terms.
type master struct {
	tally
	workers []*actor.PID
}

// Receive implements actor.Actor.
func (m *master) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Start:
		for i := range m.first() {
			ctx.Send(m.workers[i%len(m.workers)], m.ask())
		}
	case Result:
		m.take(ctx, msg)
	case Stop:
		m.stopped++
		if m.stopped == len(m.workers) {
			ctx.Stop(ctx.Self())
		}
	}
}

// take adds a term. It asks its worker for another, or ends all.
func (m *master) take(ctx actor.Context, r Result) {
	m.add(r)
	if !m.enough {
		ctx.Send(m.workers[r.ID], m.ask())
	}
	if m.got == m.asked {
		for _, w := range m.workers {
			ctx.Send(w, Stop{})
		}
	}
}

// worker computes terms.
type worker struct {
	id     int
	master *actor.PID
	terms  []int
}

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Work:
		w.terms = append(w.terms, msg.Term)
		ctx.Send(w.master, Result{msg.Value(), w.id})
	case Stop:
		ctx.Send(w.master, Stop{})
		ctx.Stop(ctx.Self())
	}
}
