package astar

import "github.com/asynkron/protoactor-go/actor"

// Program is the program on protoactor-go.
type Program struct {
	config Config
	system *actor.ActorSystem
	start  *actor.PID
	master *master
	grid   Grid
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, grid: config.grid()}
	owner := p.spawn(&owner{grid: p.grid})
	p.master = &master{tally: tally{config: config}, owner: owner}
	p.start = p.spawn(p.master)
	for range config.Workers {
		w := &worker{config: config, master: p.start, owner: owner}
		if config.Shared {
			w.grid = &p.grid
		}
		p.master.workers = append(p.master.workers, p.spawn(w))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the master begin at the origin.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error {
	return p.config.Check(p.grid, p.master.found, p.master.stopped)
}

// owner has the grid.
type owner struct{ grid Grid }

// Receive implements actor.Actor.
func (o *owner) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Claim:
		ctx.Respond(o.grid.claim(msg))
	case Stop:
		ctx.Stop(ctx.Self())
	}
}

// master hands out nodes.
type master struct {
	tally
	owner   *actor.PID
	workers []*actor.PID
	next    int // worker
}

// Receive implements actor.Actor.
func (m *master) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Start:
		m.work(ctx, Work{origin})
	case Work:
		m.work(ctx, msg)
	case Received:
		if m.finish(msg) {
			m.stop(ctx)
		}
	case Done:
		if m.find() {
			m.stop(ctx)
		}
	case Stop:
		m.end(ctx)
	}
}

// work hands a node to the next worker.
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

// end counts a worker that has ended, and ends with the last.
func (m *master) end(ctx actor.Context) {
	m.stopped++
	if m.stopped == len(m.workers) {
		ctx.Send(m.owner, Stop{})
		ctx.Stop(ctx.Self())
	}
}

// worker goes on from nodes.
type worker struct {
	config        Config
	master, owner *actor.PID
	grid          *Grid // shared with the others; nil: the owner is asked
}

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Work:
		w.work(ctx, msg)
	case Stop:
		ctx.Send(w.master, Stop{})
		ctx.Stop(ctx.Self())
	}
}

func (w *worker) work(ctx actor.Context, msg Work) {
	left, found := w.config.search(msg.Node, func(c Claim) bool { return w.claim(ctx, c) })
	if found {
		ctx.Send(w.master, Done{})
	}
	for _, n := range left {
		ctx.Send(w.master, Work{n})
	}
	ctx.Send(w.master, Received{len(left), found})
}

// claim waits for the owner's answer.
func (w *worker) claim(ctx actor.Context, c Claim) bool {
	if w.grid != nil {
		return w.grid.claim(c)
	}
	answer, err := ctx.RequestFuture(w.owner, c, -1).Result()
	if err != nil {
		panic(err)
	}
	return answer.(bool)
}
