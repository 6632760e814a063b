package bndbuffer

import native "github.com/rehearse-go/rehearse/actor"

type (
	nativeData      = Data[native.Ref]
	nativeAvailable = Available[native.Ref]
)

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config    Config
	start     native.Ref
	manager   *nativeManager
	consumers []*nativeConsumer
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, manager: &nativeManager{limit: config.limit()}}
	p.start = ctx.Spawn(p.manager)
	for i := range config.Producers {
		producer := &nativeProducer{manager: p.start, id: i, config: config}
		p.manager.producers = append(p.manager.producers, ctx.Spawn(producer))
	}
	for range config.Consumers {
		consumer := &nativeConsumer{manager: p.start}
		p.consumers = append(p.consumers, consumer)
		p.manager.consumers = append(p.manager.consumers, ctx.Spawn(consumer))
	}
	p.manager.idleConsumers = append(p.manager.idleConsumers, p.manager.consumers...)
	return p, nil
}

// Start has the manager ask for items.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error {
	var consumed [][]int
	for _, c := range p.consumers {
		consumed = append(consumed, c.consumed)
	}
	return p.config.Check(consumed, p.manager.waiting)
}

// nativeManager has the buffer.
type nativeManager struct {
	limit                int
	producers, consumers []native.Ref
	pending              []nativeData
	idleProducers        []native.Ref
	idleConsumers        []native.Ref
	ended                int // producers
	waiting              int // items, at most
}

// Receive implements native.Behavior.
func (m *nativeManager) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Start:
		for _, p := range m.producers {
			ctx.Send(p, Produce{})
		}
	case nativeData:
		m.take(ctx, msg)
	case nativeAvailable:
		m.give(ctx, msg.Consumer)
	case ProducerExit:
		m.ended++
		m.tryEnd(ctx)
	default:
		ctx.Unhandled()
	}
}

// take hands an item to an idle consumer, or keeps it. It parks the producer if that is too much.
func (m *nativeManager) take(ctx *native.Context, item nativeData) {
	if len(m.idleConsumers) > 0 {
		ctx.Send(m.idleConsumers[0], item)
		m.idleConsumers = m.idleConsumers[1:]
	} else {
		m.pending = append(m.pending, item)
		m.waiting = max(m.waiting, len(m.pending))
	}
	if len(m.pending) >= m.limit {
		m.idleProducers = append(m.idleProducers, item.Producer)
		return
	}
	ctx.Send(item.Producer, Produce{})
}

// give hands the oldest item to a consumer, and wakes a producer.
func (m *nativeManager) give(ctx *native.Context, consumer native.Ref) {
	if len(m.pending) == 0 {
		m.idleConsumers = append(m.idleConsumers, consumer)
		m.tryEnd(ctx)
		return
	}
	ctx.Send(consumer, m.pending[0])
	m.pending = m.pending[1:]
	if len(m.idleProducers) > 0 {
		ctx.Send(m.idleProducers[0], Produce{})
		m.idleProducers = m.idleProducers[1:]
	}
}

func (m *nativeManager) tryEnd(ctx *native.Context) {
	if m.ended < len(m.producers) || len(m.idleConsumers) < len(m.consumers) {
		return
	}
	for _, c := range m.consumers {
		ctx.Send(c, ConsumerExit{})
	}
	ctx.Stop()
}

// nativeProducer makes its items.
type nativeProducer struct {
	manager  native.Ref
	id, made int
	config   Config
}

// Receive implements native.Behavior.
func (p *nativeProducer) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Produce:
		if p.made == p.config.Items {
			ctx.Send(p.manager, ProducerExit{})
			ctx.Stop()
			return
		}
		ctx.Send(p.manager, nativeData{p.config.item(p.id, p.made), ctx.Self()})
		p.made++
	default:
		ctx.Unhandled()
	}
}

// nativeConsumer uses items.
type nativeConsumer struct {
	manager  native.Ref
	consumed []int
}

// Receive implements native.Behavior.
func (c *nativeConsumer) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeData:
		c.consumed = append(c.consumed, msg.Item)
		ctx.Send(c.manager, nativeAvailable{ctx.Self()})
	case ConsumerExit:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
