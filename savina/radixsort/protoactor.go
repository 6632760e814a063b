package radixsort

import "github.com/asynkron/protoactor-go/actor"

type data = Data[*actor.PID]

// Pipeline is the program on protoactor-go.
type Pipeline struct {
	config    Config
	system    *actor.ActorSystem
	source    *source
	sorters   []*sorter // the last first
	validator *validator
	from      *actor.PID // the source
	first     *actor.PID // sorter
}

// New starts the actors from the end of the pipeline to its beginning.
func New(system *actor.ActorSystem, config Config) (*Pipeline, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Pipeline{config: config, system: system, source: &source{values: config.values()}}
	p.validator = &validator{n: config.Numbers}
	p.first = p.spawn(p.validator)
	for bit := config.Limit / 2; bit > 0; bit /= 2 {
		s := &sorter{n: config.Numbers, bit: bit, next: p.first}
		p.sorters = append(p.sorters, s)
		p.first = p.spawn(s)
	}
	p.from = p.spawn(p.source)
	return p, nil
}

func (p *Pipeline) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start tells the source the first sorter.
func (p *Pipeline) Start() { p.system.Root.Send(p.from, data{p.first}) }

// Check judges the end.
func (p *Pipeline) Check() error {
	stopped := []bool{p.source.stopped, p.validator.stopped}
	for _, s := range p.sorters {
		stopped = append(stopped, s.stopped)
	}
	return p.config.Check(p.validator.got, stopped)
}

// source sends the numbers.
type source struct {
	values  []int64
	stopped bool
}

// Receive implements actor.Actor.
func (s *source) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case data:
		for _, v := range s.values {
			ctx.Send(msg.Next, Value{v})
		}
		s.stopped = true
		ctx.Stop(ctx.Self())
	}
}

// sorter sorts by one bit.
type sorter struct {
	n       int
	bit     int64
	next    *actor.PID
	count   int
	kept    []int64
	stopped bool
}

// Receive implements actor.Actor.
func (s *sorter) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		s.count++
		if msg.V&s.bit == 0 {
			ctx.Send(s.next, msg)
		} else {
			s.kept = append(s.kept, msg.V)
		}
		if s.count == s.n {
			s.end(ctx)
		}
	}
}

func (s *sorter) end(ctx actor.Context) {
	for _, v := range s.kept {
		ctx.Send(s.next, Value{v})
	}
	s.stopped = true
	ctx.Stop(ctx.Self())
}

// validator takes what arrives.
type validator struct {
	n       int
	got     []int64
	stopped bool
}

// Receive implements actor.Actor.
func (v *validator) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		v.got = append(v.got, msg.V)
		if len(v.got) == v.n {
			v.stopped = true
			ctx.Stop(ctx.Self())
		}
	}
}
