package sieve

import "github.com/asynkron/protoactor-go/actor"

type first = First[*actor.PID]

// Sieve is the program on protoactor-go.
type Sieve struct {
	config   Config
	system   *actor.ActorSystem
	producer *producer
	result   *result
	from     *actor.PID // the producer
	first    *actor.PID // filter
}

// New starts the producer, the first filter and the result.
func New(system *actor.ActorSystem, config Config) (*Sieve, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	s := &Sieve{config: config, system: system, producer: &producer{limit: config.Limit}, result: &result{}}
	result := s.spawn(s.result)
	s.first = s.spawn(&filter{id: 1, room: config.Room, primes: []int{2}, result: result})
	s.from = s.spawn(s.producer)
	return s, nil
}

func (s *Sieve) spawn(a actor.Actor) *actor.PID {
	return s.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start tells the producer the first filter.
func (s *Sieve) Start() { s.system.Root.Send(s.from, first{s.first}) }

// Check judges the end.
func (s *Sieve) Check() error {
	return s.config.Check(Seen{s.result.totals, s.producer.stopped})
}

// producer sends the odd numbers.
type producer struct {
	limit   int
	stopped bool
}

// Receive implements actor.Actor.
func (p *producer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case first:
		for k := 3; k < p.limit; k += 2 {
			ctx.Send(msg.Filter, Number{k})
		}
		ctx.Send(msg.Filter, Exit{})
		p.stopped = true
		ctx.Stop(ctx.Self())
	}
}

// filter knows some primes.
type filter struct {
	id     int // from 1
	room   int
	primes []int
	next   *actor.PID // nil: it is the last
	result *actor.PID
}

// Receive implements actor.Actor.
func (f *filter) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Number:
		f.number(ctx, msg)
	case Exit:
		if f.next != nil {
			ctx.Send(f.next, msg)
		} else {
			ctx.Send(f.result, Total{(f.id-1)*f.room + len(f.primes)})
		}
		ctx.Stop(ctx.Self())
	}
}

func (f *filter) number(ctx actor.Context, msg Number) {
	switch {
	case divided(msg.K, f.primes):
	case f.next != nil:
		ctx.Send(f.next, msg)
	case len(f.primes) < f.room:
		f.primes = append(f.primes, msg.K)
	default:
		f.next = f.spawn(ctx, msg.K)
	}
}

// spawn creates the next filter. It is no child of this one, with which it would be stopped.
func (f *filter) spawn(ctx actor.Context, prime int) *actor.PID {
	next := &filter{id: f.id + 1, room: f.room, primes: []int{prime}, result: f.result}
	return ctx.ActorSystem().Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return next }))
}

// result takes the total.
type result struct{ totals []int }

// Receive implements actor.Actor.
func (r *result) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Total:
		r.totals = append(r.totals, msg.N)
		ctx.Stop(ctx.Self())
	}
}
