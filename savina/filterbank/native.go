package filterbank

import native "github.com/rehearse-go/rehearse/actor"

type nativeNext = Next[native.Ref]

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config   Config
	producer native.Ref
	source   native.Ref
	sink     *nativeSink
}

// NewNative spawns the actors from the sink to the producer.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, sink: &nativeSink{}}
	adder := ctx.Spawn(&nativeCombine{next: ctx.Spawn(p.sink)})
	integrator := ctx.Spawn(&nativeIntegrator{rows: rows{channels: config.Channels}, next: adder})
	var banks []native.Ref
	for channel := range config.Channels {
		tagger := ctx.Spawn(&nativeTagger{channel: channel, next: integrator})
		second := ctx.Spawn(&nativeFIR{response: config.response(channel, 1), next: tagger})
		after := ctx.Spawn(&nativeDelay{line: config.line(), next: second})
		sample := ctx.Spawn(&nativeSample{rate: config.rate(), next: after})
		first := ctx.Spawn(&nativeFIR{response: config.response(channel, 0), next: sample})
		before := ctx.Spawn(&nativeDelay{line: config.line(), next: first})
		banks = append(banks, ctx.Spawn(&nativeBank{next: before}))
	}
	branches := ctx.Spawn(&nativeBranches{banks: banks})
	p.producer = ctx.Spawn(&nativeProducer{n: config.Signal})
	p.source = ctx.Spawn(&nativeSource{producer: p.producer, next: branches})
	return p, nil
}

// Start has the producer begin.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.producer, nativeNext{p.source}) }

// Check judges the end.
func (p *NativeProgram) Check() error { return p.config.Check(p.sink.got, p.sink.stopped) }

// nativeProducer counts the values.
type nativeProducer struct{ n, sent int }

// Receive implements native.Behavior.
func (p *nativeProducer) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeNext:
		if p.sent == p.n {
			ctx.Send(msg.Source, Exit{})
			ctx.Stop()
			return
		}
		ctx.Send(msg.Source, Boot{})
		p.sent++
	default:
		ctx.Unhandled()
	}
}

// nativeSource sends the values.
type nativeSource struct {
	producer, next native.Ref
	i              int
}

// Receive implements native.Behavior.
func (s *nativeSource) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Boot:
		ctx.Send(s.next, Value{float64(s.i)})
		s.i++
		ctx.Send(s.producer, nativeNext{ctx.Self()})
	case Exit:
		ctx.Send(s.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeBranches sends values to all channels.
type nativeBranches struct{ banks []native.Ref }

// Receive implements native.Behavior.
func (b *nativeBranches) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		for _, bank := range b.banks {
			ctx.Send(bank, msg)
		}
	case Exit:
		for _, bank := range b.banks {
			ctx.Send(bank, msg)
		}
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeBank is where a channel begins.
type nativeBank struct{ next native.Ref }

// Receive implements native.Behavior.
func (b *nativeBank) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		ctx.Send(b.next, msg)
	case Exit:
		ctx.Send(b.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeDelay passes a value on when some others have come.
type nativeDelay struct {
	line
	next native.Ref
}

// Receive implements native.Behavior.
func (d *nativeDelay) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		ctx.Send(d.next, Value{d.pass(msg.V)})
	case Exit:
		ctx.Send(d.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeFIR passes sums of products on.
type nativeFIR struct {
	response
	next native.Ref
}

// Receive implements native.Behavior.
func (f *nativeFIR) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		if sum, ok := f.pass(msg.V); ok {
			ctx.Send(f.next, Value{sum})
		}
	case Exit:
		ctx.Send(f.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeSample passes one of some values on, and 0 for others.
type nativeSample struct {
	rate
	next native.Ref
}

// Receive implements native.Behavior.
func (s *nativeSample) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		ctx.Send(s.next, Value{s.pass(msg.V)})
	case Exit:
		ctx.Send(s.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeTagger is where a channel ends.
type nativeTagger struct {
	channel int
	next    native.Ref
}

// Receive implements native.Behavior.
func (t *nativeTagger) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		ctx.Send(t.next, Tagged{t.channel, msg.V})
	case Exit:
		ctx.Send(t.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeIntegrator waits for all channels.
type nativeIntegrator struct {
	rows
	next  native.Ref
	ended int // channels
}

// Receive implements native.Behavior.
func (i *nativeIntegrator) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Tagged:
		if row := i.add(msg); row != nil {
			ctx.Send(i.next, Collection{row})
		}
	case Exit:
		i.ended++
		if i.ended == i.channels {
			ctx.Send(i.next, msg)
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

// nativeCombine adds the channels.
type nativeCombine struct{ next native.Ref }

// Receive implements native.Behavior.
func (c *nativeCombine) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Collection:
		ctx.Send(c.next, Value{sum(msg.Values)})
	case Exit:
		ctx.Send(c.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeSink takes what comes out.
type nativeSink struct {
	got     []float64
	stopped bool
}

// Receive implements native.Behavior.
func (s *nativeSink) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		s.got = append(s.got, msg.V)
	case Exit:
		s.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
