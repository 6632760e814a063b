package logmap

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
	p := &Program{config: config, system: system, master: &master{terms: config.Terms}}
	p.start = p.spawn(p.master)
	for i := range config.Series {
		computer := p.spawn(&computer{rate: rate(i)})
		p.master.computers = append(p.master.computers, computer)
		s := &series{computer: computer, master: p.start, x: first(i)}
		p.master.workers = append(p.master.workers, p.spawn(worker(config.Variant, s)))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// worker is the worker of a series.
func worker(v Variant, s *series) actor.Actor {
	switch v {
	case Become:
		w := &becomer{series: s}
		w.Become(w.idle)
		return w
	case ManualStash:
		return &stasher{series: s}
	}
	return &awaiter{s}
}

// Start has the master start the series.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error { return p.config.Check(p.master.sum) }

// master asks for the terms, and adds them up.
type master struct {
	terms              int
	computers, workers []*actor.PID
	asked, got, sum    int
}

// Receive implements actor.Actor.
func (m *master) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Start:
		m.ask(ctx)
	case Result:
		m.sum += msg.X
		m.got++
		if m.got == m.asked {
			m.end(ctx)
		}
	}
}

func (m *master) ask(ctx actor.Context) {
	for range m.terms {
		for _, w := range m.workers {
			ctx.Send(w, Next{})
		}
	}
	for _, w := range m.workers {
		ctx.Send(w, Get{})
		m.asked++
	}
}

func (m *master) end(ctx actor.Context) {
	for _, c := range m.computers {
		ctx.Send(c, Stop{})
	}
	for _, w := range m.workers {
		ctx.Send(w, Stop{})
	}
	ctx.Stop(ctx.Self())
}

// computer makes terms.
type computer struct{ rate int }

// Receive implements actor.Actor.
func (c *computer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Compute:
		ctx.Respond(Result{next(c.rate, msg.X)})
	case Stop:
		ctx.Stop(ctx.Self())
	}
}

// series is what a worker has in all variants.
type series struct {
	computer, master *actor.PID
	x                int
}

// awaiter blocks until the computer has answered.
type awaiter struct{ *series }

// Receive implements actor.Actor.
func (w *awaiter) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Next:
		w.next(ctx)
	case Get:
		ctx.Send(w.master, Result{w.x})
	case Stop:
		ctx.Stop(ctx.Self())
	}
}

func (w *awaiter) next(ctx actor.Context) {
	answer, err := ctx.RequestFuture(w.computer, Compute{w.x}, -1).Result()
	if err != nil {
		panic(err)
	}
	w.x = answer.(Result).X
}

// becomer has a behaviour for waiting. The framework has no stash for it: what comes meanwhile is handled as soon as
// the worker does not wait any more, before it takes another message.
type becomer struct {
	*series
	actor.Behavior
	waits bool
	stash []any
}

func (w *becomer) idle(ctx actor.Context) { w.handle(ctx, ctx.Message()) }

func (w *becomer) handle(ctx actor.Context, msg any) {
	switch msg.(type) {
	case Next:
		ctx.Request(w.computer, Compute{w.x})
		w.Become(w.waiting)
		w.waits = true
	case Get:
		ctx.Send(w.master, Result{w.x})
	case Stop:
		ctx.Stop(ctx.Self())
	}
}

func (w *becomer) waiting(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Result:
		w.x, w.waits = msg.X, false
		w.Become(w.idle)
		w.unstash(ctx)
	case Next, Get, Stop:
		w.stash = append(w.stash, msg)
	}
}

func (w *becomer) unstash(ctx actor.Context) {
	for !w.waits && len(w.stash) > 0 {
		msg := w.stash[0]
		w.stash = w.stash[1:]
		w.handle(ctx, msg)
	}
}

// stasher keeps messages in a list while it waits.
type stasher struct {
	*series
	waiting bool
	stash   []any
}

// Receive implements actor.Actor.
func (w *stasher) Receive(ctx actor.Context) {
	if w.waiting {
		w.wait(ctx.Message())
	} else {
		w.handle(ctx)
	}
	if !w.waiting && len(w.stash) > 0 {
		ctx.Send(ctx.Self(), w.stash[0])
		w.stash = w.stash[1:]
	}
}

func (w *stasher) wait(msg any) {
	switch msg := msg.(type) {
	case Result:
		w.x, w.waiting = msg.X, false
	case Next, Get, Stop:
		w.stash = append(w.stash, msg)
	}
}

func (w *stasher) handle(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Next:
		ctx.Request(w.computer, Compute{w.x})
		w.waiting = true
	case Get:
		if len(w.stash) > 0 {
			w.stash = append(w.stash, msg)
			return
		}
		ctx.Send(w.master, Result{w.x})
	case Stop:
		ctx.Stop(ctx.Self())
	}
}
