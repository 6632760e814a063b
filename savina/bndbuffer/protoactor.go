package bndbuffer

import "github.com/asynkron/protoactor-go/actor"

type (
	data      = Data[*actor.PID]
	available = Available[*actor.PID]
)

// Program is the program on protoactor-go.
type Program struct {
	config    Config
	system    *actor.ActorSystem
	start     *actor.PID
	manager   *manager
	consumers []*consumer
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, manager: &manager{limit: config.limit()}}
	p.start = p.spawn(p.manager)
	for i := range config.Producers {
		producer := &producer{manager: p.start, id: i, config: config}
		p.manager.producers = append(p.manager.producers, p.spawn(producer))
	}
	for range config.Consumers {
		consumer := &consumer{manager: p.start}
		p.consumers = append(p.consumers, consumer)
		p.manager.consumers = append(p.manager.consumers, p.spawn(consumer))
	}
	p.manager.idleConsumers = append(p.manager.idleConsumers, p.manager.consumers...)
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the manager ask for items.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error {
	var consumed [][]int
	for _, c := range p.consumers {
		consumed = append(consumed, c.consumed)
	}
	return p.config.Check(consumed, p.manager.waiting)
}

// manager has the buffer.
type manager struct {
	limit                int
	producers, consumers []*actor.PID
	pending              []data
	idleProducers        []*actor.PID
	idleConsumers        []*actor.PID
	ended                int // producers
	waiting              int // items, at most
}

// Receive implements actor.Actor.
func (m *manager) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Start:
		for _, p := range m.producers {
			ctx.Send(p, Produce{})
		}
	case data:
		m.take(ctx, msg)
	case available:
		m.give(ctx, msg.Consumer)
	case ProducerExit:
		m.ended++
		m.tryEnd(ctx)
	}
}

// take hands an item to an idle consumer, or keeps it. It parks the producer if that is too much.
func (m *manager) take(ctx actor.Context, item data) {
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
func (m *manager) give(ctx actor.Context, consumer *actor.PID) {
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

func (m *manager) tryEnd(ctx actor.Context) {
	if m.ended < len(m.producers) || len(m.idleConsumers) < len(m.consumers) {
		return
	}
	for _, c := range m.consumers {
		ctx.Send(c, ConsumerExit{})
	}
	ctx.Stop(ctx.Self())
}

// producer makes its items.
type producer struct {
	manager  *actor.PID
	id, made int
	config   Config
}

// Receive implements actor.Actor.
func (p *producer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Produce:
		if p.made == p.config.Items {
			ctx.Send(p.manager, ProducerExit{})
			ctx.Stop(ctx.Self())
			return
		}
		ctx.Send(p.manager, data{p.config.item(p.id, p.made), ctx.Self()})
		p.made++
	}
}

// consumer uses items.
type consumer struct {
	manager  *actor.PID
	consumed []int
}

// Receive implements actor.Actor.
func (c *consumer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case data:
		c.consumed = append(c.consumed, msg.Item)
		ctx.Send(c.manager, available{ctx.Self()})
	case ConsumerExit:
		ctx.Stop(ctx.Self())
	}
}
