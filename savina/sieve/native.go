package sieve

import native "github.com/rehearse-go/rehearse/actor"

type nativeFirst = First[native.Ref]

// NativeSieve is the program on native actors.
type NativeSieve struct {
	config   Config
	producer *nativeProducer
	result   *nativeResult
	from     native.Ref // the producer
	first    native.Ref // filter
}

// NewNative spawns the producer, the first filter and the result.
func NewNative(ctx *native.Context, config Config) (*NativeSieve, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	s := &NativeSieve{config: config, producer: &nativeProducer{limit: config.Limit}, result: &nativeResult{}}
	result := ctx.Spawn(s.result)
	s.first = ctx.Spawn(&nativeFilter{id: 1, room: config.Room, primes: []int{2}, result: result})
	s.from = ctx.Spawn(s.producer)
	return s, nil
}

// Start tells the producer the first filter.
func (s *NativeSieve) Start(ctx *native.Context) { ctx.Send(s.from, nativeFirst{s.first}) }

// Check judges the end.
func (s *NativeSieve) Check() error {
	return s.config.Check(Seen{s.result.totals, s.producer.stopped})
}

// nativeProducer sends the odd numbers.
type nativeProducer struct {
	limit   int
	stopped bool
}

// Receive implements native.Behavior.
func (p *nativeProducer) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeFirst:
		for k := 3; k < p.limit; k += 2 {
			ctx.Send(msg.Filter, Number{k})
		}
		ctx.Send(msg.Filter, Exit{})
		p.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeFilter knows some primes.
type nativeFilter struct {
	id     int // from 1
	room   int
	primes []int
	next   native.Ref // nobody: it is the last
	result native.Ref
}

// Receive implements native.Behavior.
func (f *nativeFilter) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Number:
		f.number(ctx, msg)
	case Exit:
		if f.next != (native.Ref{}) {
			ctx.Send(f.next, msg)
		} else {
			ctx.Send(f.result, Total{(f.id-1)*f.room + len(f.primes)})
		}
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (f *nativeFilter) number(ctx *native.Context, msg Number) {
	switch {
	case divided(msg.K, f.primes):
	case f.next != native.Ref{}:
		ctx.Send(f.next, msg)
	case len(f.primes) < f.room:
		f.primes = append(f.primes, msg.K)
	default:
		f.next = ctx.Spawn(&nativeFilter{id: f.id + 1, room: f.room, primes: []int{msg.K}, result: f.result})
	}
}

// nativeResult takes the total.
type nativeResult struct{ totals []int }

// Receive implements native.Behavior.
func (r *nativeResult) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Total:
		r.totals = append(r.totals, msg.N)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
