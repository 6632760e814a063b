package apsp

import "github.com/asynkron/protoactor-go/actor"

type neighbours = Neighbours[*actor.PID]

// Program is the program on protoactor-go.
type Program struct {
	config Config
	system *actor.ActorSystem
	blocks []*block
	refs   []*actor.PID
}

// New starts the blocks.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system}
	for id := range config.blocks() {
		b := &block{part: config.part(id)}
		p.blocks = append(p.blocks, b)
		p.refs = append(p.refs, p.spawn(b))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start tells every block its neighbours, and then has each of them begin.
func (p *Program) Start() {
	for id, r := range p.refs {
		var list []*actor.PID
		for _, n := range p.config.neighbours(id) {
			list = append(list, p.refs[n])
		}
		p.system.Root.Send(r, neighbours{list})
	}
	for _, r := range p.refs {
		p.system.Root.Send(r, Initial{})
	}
}

// Check judges the end.
func (p *Program) Check() error {
	var blocks []part
	for _, b := range p.blocks {
		blocks = append(blocks, b.part)
	}
	return p.config.Check(blocks)
}

// block is a part of the matrix.
type block struct {
	part
	neighbours []*actor.PID
	known      bool     // the neighbours are
	told       bool     // to begin
	early      []Result // that are held back
}

// Receive implements actor.Actor.
func (b *block) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case neighbours:
		b.meet(ctx, msg)
	case Initial:
		b.begin(ctx)
	case Result:
		b.take(ctx, msg)
	}
}

func (b *block) meet(ctx actor.Context, msg neighbours) {
	b.neighbours, b.known = msg.List, true
	if b.config.Repaired && b.told {
		b.begin(ctx)
	}
}

// begin sends the own block. In the repaired version it waits for the neighbours, and results wait for it.
func (b *block) begin(ctx actor.Context) {
	b.told = true
	if b.config.Repaired && !b.known {
		return
	}
	b.tell(ctx, b.result())
	b.takeEarly(ctx)
}

func (b *block) take(ctx actor.Context, r Result) {
	switch {
	case b.stopped: // by one that was held back
		return
	case b.config.Repaired && (!b.known || !b.told || r.Round != b.round):
		b.early = append(b.early, r)
		return
	case !b.known:
		panic("apsp: a result came before the neighbours")
	case b.config.Checked && r.Round != b.round:
		return
	}
	if !b.store(r) {
		return
	}
	b.tell(ctx, b.improve())
	if b.done() {
		b.stopped = true
		ctx.Stop(ctx.Self())
		return
	}
	b.takeEarly(ctx)
}

// takeEarly looks again at what was held back, in the repaired version.
func (b *block) takeEarly(ctx actor.Context) {
	early := b.early
	b.early = nil
	for _, r := range early {
		b.take(ctx, r)
	}
}

func (b *block) tell(ctx actor.Context, r Result) {
	for _, n := range b.neighbours {
		ctx.Send(n, r)
	}
}
