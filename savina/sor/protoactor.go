package sor

import "github.com/asynkron/protoactor-go/actor"

type (
	border = Border[*actor.PID]
	start  = Start[*actor.PID]
)

// Program is the program on protoactor-go.
type Program struct {
	config Config
	system *actor.ActorSystem
	runner *runner
	start  *actor.PID
}

// New starts the runner.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, runner: &runner{half: half{config: config}}}
	p.start = p.spawn(p.runner)
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the runner begin.
func (p *Program) Start() { p.system.Root.Send(p.start, Boot{}) }

// Check judges the end.
func (p *Program) Check() error { return p.config.Check(p.runner.half) }

// runner has the left half of the points.
type runner struct {
	half
	points []*actor.PID // by place, with those that they touch
}

// Receive implements actor.Actor.
func (r *runner) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Boot:
		r.boot(ctx)
	case border:
		r.points = append(r.points, msg.Points...)
		begin(ctx, r.config, r.points, r.config.columns(0, r.config.part()))
	case Result:
		if r.add(msg, r.config.Side*r.config.Side) {
			r.stopped = true
			ctx.Stop(ctx.Self())
		}
	}
}

func (r *runner) boot(ctx actor.Context) {
	own := r.config.columns(0, r.config.part())
	r.points = points(ctx, r.config, own)
	p := &peer{half: half{config: r.config}, runner: ctx.Self(), points: make([]*actor.PID, len(own))}
	last := len(own) - r.config.Side // where the column next to the peer begins
	copy(p.points[last:], r.points[last:])
	ctx.Send(spawn(ctx, p), Boot{})
}

// peer has the right half.
type peer struct {
	half
	runner *actor.PID
	points []*actor.PID // by place, with those that they touch
}

// Receive implements actor.Actor.
func (p *peer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Boot:
		p.boot(ctx)
	case Result:
		if p.add(msg, p.config.Side*(p.config.Side-p.config.part())) {
			ctx.Send(p.runner, p.sum)
			p.stopped = true
			ctx.Stop(ctx.Self())
		}
	}
}

func (p *peer) boot(ctx actor.Context) {
	own := p.config.columns(p.config.part(), p.config.Side)
	spawned := points(ctx, p.config, own)
	p.points = append(p.points, spawned...)
	ctx.Send(p.runner, border{spawned[:p.config.Side]})
	begin(ctx, p.config, p.points, own)
}

// points spawns points whose results go to who spawns them.
func points(ctx actor.Context, c Config, places []place) []*actor.PID {
	var points []*actor.PID
	for _, at := range places {
		points = append(points, spawn(ctx, &point{cell: c.cell(at.x, at.y), drops: c.Drops, owner: ctx.Self()}))
	}
	return points
}

// begin tells points to start.
func begin(ctx actor.Context, c Config, points []*actor.PID, places []place) {
	for _, at := range places {
		start := start{Steps: c.Steps}
		for _, n := range c.touching(at) {
			start.Neighbours = append(start.Neighbours, points[c.index(n)])
		}
		ctx.Send(points[c.index(at)], start)
	}
}

// point is one of the grid.
type point struct {
	cell
	drops      bool
	owner      *actor.PID
	started    bool
	steps      int
	neighbours []*actor.PID
	early      []Value // that came before the start
}

// Receive implements actor.Actor.
func (p *point) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case start:
		p.start(ctx, msg)
	case Value:
		p.take(ctx, msg)
	}
}

func (p *point) start(ctx actor.Context, msg start) {
	p.started, p.steps, p.neighbours = true, msg.Steps, msg.Neighbours
	if first(p.x, p.y) {
		p.tell(ctx)
		p.step++
	}
	for _, v := range p.early {
		ctx.Send(ctx.Self(), v)
	}
	p.early = nil
}

func (p *point) take(ctx actor.Context, v Value) {
	if !p.started {
		if !p.drops {
			p.early = append(p.early, v)
		}
		return
	}
	if p.step < p.steps && p.hear(v.V, len(p.neighbours)) {
		p.tell(ctx)
	}
	if p.step == p.steps {
		ctx.Send(p.owner, p.result())
		ctx.Stop(ctx.Self())
	}
}

func (p *point) tell(ctx actor.Context) {
	for _, n := range p.neighbours {
		ctx.Send(n, Value{p.value})
	}
}

// spawn starts an actor that is no child of the one that starts it, with which it would be stopped.
func spawn(ctx actor.Context, a actor.Actor) *actor.PID {
	return ctx.ActorSystem().Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}
