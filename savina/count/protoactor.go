package count

import "github.com/asynkron/protoactor-go/actor"

type retrieve = Retrieve[*actor.PID]

// Count is the program on protoactor-go.
type Count struct {
	config   Config
	system   *actor.ActorSystem
	producer *producer
	counter  *counter
	begin    []*actor.PID
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Count, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Count{config: config, system: system, counter: &counter{}}
	to := p.spawn(p.counter)
	p.producer = &producer{counter: to, n: config.Increments}
	p.begin = append(p.begin, p.spawn(p.producer))
	if config.Second {
		p.begin = append(p.begin, p.spawn(&intruder{counter: to}))
	}
	return p, nil
}

func (p *Count) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the producer begin.
func (p *Count) Start() {
	for _, who := range p.begin {
		p.system.Root.Send(who, Increment{})
	}
}

// Check judges the end.
func (p *Count) Check() error {
	return p.config.Check(Seen{p.producer.result, p.producer.stopped, p.counter.stopped})
}

// producer increments, and asks for the number.
type producer struct {
	counter *actor.PID
	n       int
	result  int
	stopped bool
}

// Receive implements actor.Actor.
func (p *producer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Increment:
		for range p.n {
			ctx.Send(p.counter, Increment{})
		}
		ctx.Send(p.counter, retrieve{ctx.Self()})
	case Result:
		p.result = msg.N
		p.stopped = true
		ctx.Stop(ctx.Self())
	}
}

// counter counts.
type counter struct {
	count   int
	stopped bool
}

// Receive implements actor.Actor.
func (c *counter) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Increment:
		c.count++
	case retrieve:
		ctx.Send(msg.Sender, Result{c.count})
		c.stopped = true
		ctx.Stop(ctx.Self())
	}
}

// intruder increments too.
type intruder struct{ counter *actor.PID }

// Receive implements actor.Actor.
func (i *intruder) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Increment:
		ctx.Send(i.counter, Increment{})
		ctx.Stop(ctx.Self())
	}
}
