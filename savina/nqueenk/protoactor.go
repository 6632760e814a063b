package nqueenk

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
	p := &Program{config: config, system: system, master: &master{tally: tally{config: config}}}
	p.start = p.spawn(p.master)
	for range config.Workers {
		p.master.workers = append(p.master.workers, p.spawn(&worker{config: config, master: p.start}))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the master hand out the empty board.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error {
	return p.config.Check(p.master.found, p.master.stopped)
}

// master hands out boards.
type master struct {
	tally
	workers []*actor.PID
	next    int // worker
}

// Receive implements actor.Actor.
func (m *master) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Start:
		m.work(ctx, Work{})
	case Work:
		m.work(ctx, msg)
	case Result:
		if m.find() {
			m.stop(ctx)
		}
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

// work hands a board to the next worker.
func (m *master) work(ctx actor.Context, w Work) {
	if !m.give() {
		return
	}
	ctx.Send(m.workers[m.next], w)
	m.next = (m.next + 1) % len(m.workers)
}

// stop tells the workers to end.
func (m *master) stop(ctx actor.Context) {
	m.ending = true
	for _, w := range m.workers {
		ctx.Send(w, Stop{})
	}
}

// worker fills boards.
type worker struct {
	config Config
	master *actor.PID
}

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Work:
		w.fill(ctx, msg.Board)
	case Stop:
		ctx.Send(w.master, Stop{})
		ctx.Stop(ctx.Self())
	}
}

func (w *worker) fill(ctx actor.Context, b Board) {
	boards, solutions := w.config.fill(b)
	for _, s := range solutions {
		ctx.Send(w.master, Result{s})
	}
	for _, b := range boards {
		ctx.Send(w.master, Work{b})
	}
	ctx.Send(w.master, Done{len(boards), len(solutions)})
}
