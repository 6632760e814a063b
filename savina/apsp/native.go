package apsp

import native "github.com/rehearse-go/rehearse/actor"

type nativeNeighbours = Neighbours[native.Ref]

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config Config
	blocks []*nativeBlock
	refs   []native.Ref
}

// NewNative spawns the blocks.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config}
	for id := range config.blocks() {
		b := &nativeBlock{part: config.part(id)}
		p.blocks = append(p.blocks, b)
		p.refs = append(p.refs, ctx.Spawn(b))
	}
	return p, nil
}

// Start tells every block its neighbours, and then has each of them begin.
func (p *NativeProgram) Start(ctx *native.Context) {
	for id, r := range p.refs {
		var list []native.Ref
		for _, n := range p.config.neighbours(id) {
			list = append(list, p.refs[n])
		}
		ctx.Send(r, nativeNeighbours{list})
	}
	for _, r := range p.refs {
		ctx.Send(r, Initial{})
	}
}

// Check judges the end.
func (p *NativeProgram) Check() error {
	var blocks []part
	for _, b := range p.blocks {
		blocks = append(blocks, b.part)
	}
	return p.config.Check(blocks)
}

// nativeBlock is a part of the matrix.
type nativeBlock struct {
	part
	neighbours []native.Ref
	known      bool     // the neighbours are
	told       bool     // to begin
	early      []Result // that are held back
}

// Receive implements native.Behavior.
func (b *nativeBlock) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeNeighbours:
		b.meet(ctx, msg)
	case Initial:
		b.begin(ctx)
	case Result:
		b.take(ctx, msg)
	default:
		ctx.Unhandled()
	}
}

func (b *nativeBlock) meet(ctx *native.Context, msg nativeNeighbours) {
	b.neighbours, b.known = msg.List, true
	if b.config.Repaired && b.told {
		b.begin(ctx)
	}
}

// begin sends the own block. In the repaired version it waits for the neighbours, and results wait for it.
func (b *nativeBlock) begin(ctx *native.Context) {
	b.told = true
	if b.config.Repaired && !b.known {
		return
	}
	b.tell(ctx, b.result())
	b.takeEarly(ctx)
}

func (b *nativeBlock) take(ctx *native.Context, r Result) {
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
		ctx.Stop()
		return
	}
	b.takeEarly(ctx)
}

// takeEarly looks again at what was held back, in the repaired version.
func (b *nativeBlock) takeEarly(ctx *native.Context) {
	early := b.early
	b.early = nil
	for _, r := range early {
		b.take(ctx, r)
	}
}

func (b *nativeBlock) tell(ctx *native.Context, r Result) {
	for _, n := range b.neighbours {
		ctx.Send(n, r)
	}
}
