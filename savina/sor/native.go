package sor

import native "github.com/rehearse-go/rehearse/actor"

type (
	nativeBorder = Border[native.Ref]
	nativeStart  = Start[native.Ref]
)

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config Config
	runner *nativeRunner
	start  native.Ref
}

// NewNative spawns the runner.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, runner: &nativeRunner{half: half{config: config}}}
	p.start = ctx.Spawn(p.runner)
	return p, nil
}

// Start has the runner begin.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Boot{}) }

// Check judges the end.
func (p *NativeProgram) Check() error { return p.config.Check(p.runner.half) }

// nativeRunner has the left half of the points.
type nativeRunner struct {
	half
	points []native.Ref // by place, with those that they touch
}

// Receive implements native.Behavior.
func (r *nativeRunner) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Boot:
		r.boot(ctx)
	case nativeBorder:
		r.points = append(r.points, msg.Points...)
		nativeBegin(ctx, r.config, r.points, r.config.columns(0, r.config.part()))
	case Result:
		if r.add(msg, r.config.Side*r.config.Side) {
			r.stopped = true
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

func (r *nativeRunner) boot(ctx *native.Context) {
	own := r.config.columns(0, r.config.part())
	r.points = nativePoints(ctx, r.config, own)
	p := &nativePeer{half: half{config: r.config}, runner: ctx.Self(), points: make([]native.Ref, len(own))}
	last := len(own) - r.config.Side // where the column next to the peer begins
	copy(p.points[last:], r.points[last:])
	ctx.Send(ctx.Spawn(p), Boot{})
}

// nativePeer has the right half.
type nativePeer struct {
	half
	runner native.Ref
	points []native.Ref // by place, with those that they touch
}

// Receive implements native.Behavior.
func (p *nativePeer) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Boot:
		p.boot(ctx)
	case Result:
		if p.add(msg, p.config.Side*(p.config.Side-p.config.part())) {
			ctx.Send(p.runner, p.sum)
			p.stopped = true
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

func (p *nativePeer) boot(ctx *native.Context) {
	own := p.config.columns(p.config.part(), p.config.Side)
	spawned := nativePoints(ctx, p.config, own)
	p.points = append(p.points, spawned...)
	ctx.Send(p.runner, nativeBorder{spawned[:p.config.Side]})
	nativeBegin(ctx, p.config, p.points, own)
}

// nativePoints spawns points whose results go to who spawns them.
func nativePoints(ctx *native.Context, c Config, places []place) []native.Ref {
	var points []native.Ref
	for _, at := range places {
		points = append(points, ctx.Spawn(&nativePoint{cell: c.cell(at.x, at.y), drops: c.Drops, owner: ctx.Self()}))
	}
	return points
}

// nativeBegin tells points to start.
func nativeBegin(ctx *native.Context, c Config, points []native.Ref, places []place) {
	for _, at := range places {
		start := nativeStart{Steps: c.Steps}
		for _, n := range c.touching(at) {
			start.Neighbours = append(start.Neighbours, points[c.index(n)])
		}
		ctx.Send(points[c.index(at)], start)
	}
}

// nativePoint is one of the grid.
type nativePoint struct {
	cell
	drops      bool
	owner      native.Ref
	started    bool
	steps      int
	neighbours []native.Ref
	early      []Value // that came before the start
}

// Receive implements native.Behavior.
func (p *nativePoint) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeStart:
		p.start(ctx, msg)
	case Value:
		p.take(ctx, msg)
	default:
		ctx.Unhandled()
	}
}

func (p *nativePoint) start(ctx *native.Context, msg nativeStart) {
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

func (p *nativePoint) take(ctx *native.Context, v Value) {
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
		ctx.Stop()
	}
}

func (p *nativePoint) tell(ctx *native.Context) {
	for _, n := range p.neighbours {
		ctx.Send(n, Value{p.value})
	}
}
