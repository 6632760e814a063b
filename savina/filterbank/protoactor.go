package filterbank

import "github.com/asynkron/protoactor-go/actor"

type next = Next[*actor.PID]

// Program is the program on protoactor-go.
type Program struct {
	config   Config
	system   *actor.ActorSystem
	producer *actor.PID
	source   *actor.PID
	sink     *sink
}

// New starts the actors from the sink to the producer.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, sink: &sink{}}
	adder := p.spawn(&combine{next: p.spawn(p.sink)})
	integrator := p.spawn(&integrator{rows: rows{channels: config.Channels}, next: adder})
	var banks []*actor.PID
	for channel := range config.Channels {
		tagger := p.spawn(&tagger{channel: channel, next: integrator})
		second := p.spawn(&fir{response: config.response(channel, 1), next: tagger})
		after := p.spawn(&delay{line: config.line(), next: second})
		sample := p.spawn(&sample{rate: config.rate(), next: after})
		first := p.spawn(&fir{response: config.response(channel, 0), next: sample})
		before := p.spawn(&delay{line: config.line(), next: first})
		banks = append(banks, p.spawn(&bank{next: before}))
	}
	branches := p.spawn(&branches{banks: banks})
	p.producer = p.spawn(&producer{n: config.Signal})
	p.source = p.spawn(&source{producer: p.producer, next: branches})
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the producer begin.
func (p *Program) Start() { p.system.Root.Send(p.producer, next{p.source}) }

// Check judges the end.
func (p *Program) Check() error { return p.config.Check(p.sink.got, p.sink.stopped) }

// producer counts the values.
type producer struct{ n, sent int }

// Receive implements actor.Actor.
func (p *producer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case next:
		if p.sent == p.n {
			ctx.Send(msg.Source, Exit{})
			ctx.Stop(ctx.Self())
			return
		}
		ctx.Send(msg.Source, Boot{})
		p.sent++
	}
}

// source sends the values.
type source struct {
	producer, next *actor.PID
	i              int
}

// Receive implements actor.Actor.
func (s *source) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Boot:
		ctx.Send(s.next, Value{float64(s.i)})
		s.i++
		ctx.Send(s.producer, next{ctx.Self()})
	case Exit:
		ctx.Send(s.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// branches sends values to all channels.
type branches struct{ banks []*actor.PID }

// Receive implements actor.Actor.
func (b *branches) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		for _, bank := range b.banks {
			ctx.Send(bank, msg)
		}
	case Exit:
		for _, bank := range b.banks {
			ctx.Send(bank, msg)
		}
		ctx.Stop(ctx.Self())
	}
}

// bank is where a channel begins.
type bank struct{ next *actor.PID }

// Receive implements actor.Actor.
func (b *bank) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		ctx.Send(b.next, msg)
	case Exit:
		ctx.Send(b.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// delay passes a value on when some others have come.
type delay struct {
	line
	next *actor.PID
}

// Receive implements actor.Actor.
func (d *delay) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		ctx.Send(d.next, Value{d.pass(msg.V)})
	case Exit:
		ctx.Send(d.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// fir passes sums of products on.
type fir struct {
	response
	next *actor.PID
}

// Receive implements actor.Actor.
func (f *fir) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		if sum, ok := f.pass(msg.V); ok {
			ctx.Send(f.next, Value{sum})
		}
	case Exit:
		ctx.Send(f.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// sample passes one of some values on, and 0 for others.
type sample struct {
	rate
	next *actor.PID
}

// Receive implements actor.Actor.
func (s *sample) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		ctx.Send(s.next, Value{s.pass(msg.V)})
	case Exit:
		ctx.Send(s.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// tagger is where a channel ends.
type tagger struct {
	channel int
	next    *actor.PID
}

// Receive implements actor.Actor.
func (t *tagger) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		ctx.Send(t.next, Tagged{t.channel, msg.V})
	case Exit:
		ctx.Send(t.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// integrator waits for all channels.
type integrator struct {
	rows
	next  *actor.PID
	ended int // channels
}

// Receive implements actor.Actor.
func (i *integrator) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Tagged:
		if row := i.add(msg); row != nil {
			ctx.Send(i.next, Collection{row})
		}
	case Exit:
		i.ended++
		if i.ended == i.channels {
			ctx.Send(i.next, msg)
			ctx.Stop(ctx.Self())
		}
	}
}

// combine adds the channels.
type combine struct{ next *actor.PID }

// Receive implements actor.Actor.
func (c *combine) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Collection:
		ctx.Send(c.next, Value{sum(msg.Values)})
	case Exit:
		ctx.Send(c.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// sink takes what comes out.
type sink struct {
	got     []float64
	stopped bool
}

// Receive implements actor.Actor.
func (s *sink) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		s.got = append(s.got, msg.V)
	case Exit:
		s.stopped = true
		ctx.Stop(ctx.Self())
	}
}
