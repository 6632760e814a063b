package bitonicsort

import "github.com/asynkron/protoactor-go/actor"

// Network is the program on protoactor-go.
type Network struct {
	config    Config
	system    *actor.ActorSystem
	validator *validator
	source    *actor.PID
}

// New starts the actors from the validator to the source.
func New(system *actor.ActorSystem, config Config) (*Network, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	s := &Network{config: config, system: system, validator: &validator{}}
	next := s.spawn(&adapter{next: s.spawn(s.validator)})
	for run := config.Numbers; run > 1; run /= 2 {
		steps := config.merge(run)
		for i := len(steps) - 1; i >= 0; i-- {
			next = s.step(steps[i], next)
		}
		next = s.spawn(&stage{first: next})
	}
	kernel := s.spawn(&stage{first: next})
	s.source = s.spawn(&source{values: config.values(), next: kernel})
	return s, nil
}

func (s *Network) spawn(a actor.Actor) *actor.PID {
	return s.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// step spawns one column of the network, and returns where numbers enter it.
func (s *Network) step(t step, next *actor.PID) *actor.PID {
	end := s.spawn(&joiner{join: newJoin(len(t.up), t.length), next: next})
	var parts []*actor.PID
	for i, up := range t.up {
		if t.length == 2 {
			parts = append(parts, s.spawn(&comparer{pair: pair{up: up}, index: i, next: end}))
		} else {
			parts = append(parts, s.partition(i, t.length, up, end))
		}
	}
	begin := s.spawn(&splitter{turns: turns{of: len(parts), length: t.length}, parts: parts})
	return s.spawn(&stage{first: begin})
}

// partition spawns a part that compares each number of the first half of a run with one of the second.
func (s *Network) partition(index, length int, up bool, next *actor.PID) *actor.PID {
	out := s.spawn(&indexer{index: index, next: next})
	end := s.spawn(&joiner{join: newJoin(length/2, 1), next: out})
	var parts []*actor.PID
	for i := range length / 2 {
		parts = append(parts, s.spawn(&comparer{pair: pair{up: up}, index: i, next: end}))
	}
	begin := s.spawn(&splitter{turns: turns{of: len(parts), length: 1}, parts: parts})
	return s.spawn(&stage{first: begin})
}

// Start has the source send its numbers.
func (s *Network) Start() { s.system.Root.Send(s.source, Start{}) }

// Check judges the end.
func (s *Network) Check() error { return s.config.Check(s.validator.got, s.validator.stopped) }

// source sends the numbers.
type source struct {
	values []int64
	next   *actor.PID
}

// Receive implements actor.Actor.
func (s *source) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Start:
		for _, v := range s.values {
			ctx.Send(s.next, Value{v})
		}
		ctx.Send(s.next, Exit{})
		ctx.Stop(ctx.Self())
	}
}

// stage is the kernel, a merge stage, a step of it or a partition. It has numbers enter its first actor.
type stage struct{ first *actor.PID }

// Receive implements actor.Actor.
func (s *stage) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		ctx.Send(s.first, msg)
	case Exit:
		ctx.Send(s.first, msg)
		ctx.Stop(ctx.Self())
	}
}

// splitter gives runs to its parts in turn.
type splitter struct {
	turns
	parts []*actor.PID
}

// Receive implements actor.Actor.
func (s *splitter) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		ctx.Send(s.parts[s.index], msg)
		s.advance()
	case Exit:
		for _, n := range s.parts {
			ctx.Send(n, msg)
		}
		ctx.Stop(ctx.Self())
	}
}

// comparer gives two numbers in order.
type comparer struct {
	pair
	index int
	next  *actor.PID
}

// Receive implements actor.Actor.
func (c *comparer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		for _, v := range c.take(msg.V) {
			ctx.Send(c.next, Data{c.index, v})
		}
	case Exit:
		ctx.Send(c.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// joiner takes runs from several senders in turn.
type joiner struct {
	join
	next *actor.PID
}

// Receive implements actor.Actor.
func (j *joiner) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Data:
		for _, v := range j.take(msg) {
			ctx.Send(j.next, Value{v})
		}
	case Exit:
		j.ended++
		if j.ended == j.of {
			ctx.Send(j.next, msg)
			ctx.Stop(ctx.Self())
		}
	}
}

// indexer makes data for a joiner of the values of a part.
type indexer struct {
	index int
	next  *actor.PID
}

// Receive implements actor.Actor.
func (i *indexer) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		ctx.Send(i.next, Data{i.index, msg.V})
	case Exit:
		ctx.Send(i.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// adapter makes values of data. Here it only gets values.
type adapter struct{ next *actor.PID }

// Receive implements actor.Actor.
func (a *adapter) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Data:
		ctx.Send(a.next, Value{msg.V})
	case Value:
		ctx.Send(a.next, msg)
	case Exit:
		ctx.Send(a.next, msg)
		ctx.Stop(ctx.Self())
	}
}

// validator takes what arrives.
type validator struct {
	got     []int64
	stopped bool
}

// Receive implements actor.Actor.
func (v *validator) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Value:
		v.got = append(v.got, msg.V)
	case Exit:
		v.stopped = true
		ctx.Stop(ctx.Self())
	}
}
