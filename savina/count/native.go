package count

import native "github.com/rehearse-go/rehearse/actor"

type nativeRetrieve = Retrieve[native.Ref]

// NativeCount is the program on native actors.
type NativeCount struct {
	config   Config
	producer *nativeProducer
	counter  *nativeCounter
	begin    []native.Ref
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeCount, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeCount{config: config, counter: &nativeCounter{}}
	counter := ctx.Spawn(p.counter)
	p.producer = &nativeProducer{counter: counter, n: config.Increments}
	p.begin = append(p.begin, ctx.Spawn(p.producer))
	if config.Second {
		p.begin = append(p.begin, ctx.Spawn(&nativeIntruder{counter: counter}))
	}
	return p, nil
}

// Start has the producer begin.
func (p *NativeCount) Start(ctx *native.Context) {
	for _, who := range p.begin {
		ctx.Send(who, Increment{})
	}
}

// Check judges the end.
func (p *NativeCount) Check() error {
	return p.config.Check(Seen{p.producer.result, p.producer.stopped, p.counter.stopped})
}

// nativeProducer increments, and asks for the number.
type nativeProducer struct {
	counter native.Ref
	n       int
	result  int
	stopped bool
}

// Receive implements native.Behavior.
func (p *nativeProducer) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Increment:
		for range p.n {
			ctx.Send(p.counter, Increment{})
		}
		ctx.Send(p.counter, nativeRetrieve{ctx.Self()})
	case Result:
		p.result = msg.N
		p.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeCounter counts.
type nativeCounter struct {
	count   int
	stopped bool
}

// Receive implements native.Behavior.
func (c *nativeCounter) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Increment:
		c.count++
	case nativeRetrieve:
		ctx.Send(msg.Sender, Result{c.count})
		c.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeIntruder increments too.
type nativeIntruder struct{ counter native.Ref }

// Receive implements native.Behavior.
func (i *nativeIntruder) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Increment:
		ctx.Send(i.counter, Increment{})
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
