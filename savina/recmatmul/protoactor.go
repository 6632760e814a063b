package recmatmul

import "github.com/asynkron/protoactor-go/actor"

// Program is the program on protoactor-go.
type Program struct {
	config Config
	system *actor.ActorSystem
	start  *actor.PID
	master *master
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, master: &master{tally: config.tally()}}
	p.start = p.spawn(p.master)
	for range config.Workers {
		w := &worker{config: config, master: p.start, product: config.shared(p.master.product)}
		p.master.workers = append(p.master.workers, p.spawn(w))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the master hand out the whole product.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error { return p.config.Check(p.master.product, p.master.stopped) }

// master hands out products.
type master struct {
	tally
	workers []*actor.PID
}

// Receive implements actor.Actor.
func (m *master) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Start:
		m.work(ctx, Work{Size: m.config.Size})
	case Work:
		m.work(ctx, msg)
	case Done:
		if m.finish(msg) {
			m.stop(ctx)
		}
	case Stop:
		m.stopped++
		if m.stopped == len(m.workers) {
			ctx.Stop(ctx.Self())
		}
	}
}

func (m *master) work(ctx actor.Context, w Work) { ctx.Send(m.workers[m.route(w)], w) }

func (m *master) stop(ctx actor.Context) {
	for _, w := range m.workers {
		ctx.Send(w, Stop{})
	}
}

// worker multiplies blocks.
type worker struct {
	config  Config
	master  *actor.PID
	product Matrix // shared with the others; nil: the master adds
}

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Work:
		w.multiply(ctx, msg)
	case Stop:
		ctx.Send(w.master, Stop{})
		ctx.Stop(ctx.Self())
	}
}

func (w *worker) multiply(ctx actor.Context, msg Work) {
	parts := w.config.divide(msg)
	done := Done{C: msg.C, Works: len(parts)}
	switch {
	case parts != nil:
		for _, p := range parts {
			ctx.Send(w.master, p)
		}
	case w.config.Shared:
		w.product.add(msg.C, msg.product())
	default:
		done.Block = msg.product()
	}
	ctx.Send(w.master, done)
}
