package bitonicsort

import native "github.com/rehearse-go/rehearse/actor"

// NativeNetwork is the program on native actors.
type NativeNetwork struct {
	config    Config
	validator *nativeValidator
	source    native.Ref
}

// NewNative spawns the actors from the validator to the source.
func NewNative(ctx *native.Context, config Config) (*NativeNetwork, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	s := &NativeNetwork{config: config, validator: &nativeValidator{}}
	next := ctx.Spawn(&nativeAdapter{next: ctx.Spawn(s.validator)})
	for run := config.Numbers; run > 1; run /= 2 {
		steps := config.merge(run)
		for i := len(steps) - 1; i >= 0; i-- {
			next = s.step(ctx, steps[i], next)
		}
		next = ctx.Spawn(&nativeStage{first: next})
	}
	kernel := ctx.Spawn(&nativeStage{first: next})
	s.source = ctx.Spawn(&nativeSource{values: config.values(), next: kernel})
	return s, nil
}

// step spawns one column of the network, and returns where numbers enter it.
func (s *NativeNetwork) step(ctx *native.Context, t step, next native.Ref) native.Ref {
	end := ctx.Spawn(&nativeJoiner{join: newJoin(len(t.up), t.length), next: next})
	var parts []native.Ref
	for i, up := range t.up {
		if t.length == 2 {
			parts = append(parts, ctx.Spawn(&nativeComparer{pair: pair{up: up}, index: i, next: end}))
		} else {
			parts = append(parts, s.partition(ctx, i, t.length, up, end))
		}
	}
	begin := ctx.Spawn(&nativeSplitter{turns: turns{of: len(parts), length: t.length}, parts: parts})
	return ctx.Spawn(&nativeStage{first: begin})
}

// partition spawns a part that compares each number of the first half of a run with one of the second.
func (s *NativeNetwork) partition(ctx *native.Context, index, length int, up bool, next native.Ref) native.Ref {
	out := ctx.Spawn(&nativeIndexer{index: index, next: next})
	end := ctx.Spawn(&nativeJoiner{join: newJoin(length/2, 1), next: out})
	var parts []native.Ref
	for i := range length / 2 {
		parts = append(parts, ctx.Spawn(&nativeComparer{pair: pair{up: up}, index: i, next: end}))
	}
	begin := ctx.Spawn(&nativeSplitter{turns: turns{of: len(parts), length: 1}, parts: parts})
	return ctx.Spawn(&nativeStage{first: begin})
}

// Start has the source send its numbers.
func (s *NativeNetwork) Start(ctx *native.Context) { ctx.Send(s.source, Start{}) }

// Check judges the end.
func (s *NativeNetwork) Check() error { return s.config.Check(s.validator.got, s.validator.stopped) }

// nativeSource sends the numbers.
type nativeSource struct {
	values []int64
	next   native.Ref
}

// Receive implements native.Behavior.
func (s *nativeSource) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Start:
		for _, v := range s.values {
			ctx.Send(s.next, Value{v})
		}
		ctx.Send(s.next, Exit{})
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeStage is the kernel, a merge stage, a step of it or a partition. It has numbers enter its first actor.
type nativeStage struct{ first native.Ref }

// Receive implements native.Behavior.
func (s *nativeStage) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		ctx.Send(s.first, msg)
	case Exit:
		ctx.Send(s.first, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeSplitter gives runs to its parts in turn.
type nativeSplitter struct {
	turns
	parts []native.Ref
}

// Receive implements native.Behavior.
func (s *nativeSplitter) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		ctx.Send(s.parts[s.index], msg)
		s.advance()
	case Exit:
		for _, n := range s.parts {
			ctx.Send(n, msg)
		}
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeComparer gives two numbers in order.
type nativeComparer struct {
	pair
	index int
	next  native.Ref
}

// Receive implements native.Behavior.
func (c *nativeComparer) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		for _, v := range c.take(msg.V) {
			ctx.Send(c.next, Data{c.index, v})
		}
	case Exit:
		ctx.Send(c.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeJoiner takes runs from several senders in turn.
type nativeJoiner struct {
	join
	next native.Ref
}

// Receive implements native.Behavior.
func (j *nativeJoiner) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Data:
		for _, v := range j.take(msg) {
			ctx.Send(j.next, Value{v})
		}
	case Exit:
		j.ended++
		if j.ended == j.of {
			ctx.Send(j.next, msg)
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

// nativeIndexer makes data for a joiner of the values of a part.
type nativeIndexer struct {
	index int
	next  native.Ref
}

// Receive implements native.Behavior.
func (i *nativeIndexer) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		ctx.Send(i.next, Data{i.index, msg.V})
	case Exit:
		ctx.Send(i.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeAdapter makes values of data. Here it only gets values.
type nativeAdapter struct{ next native.Ref }

// Receive implements native.Behavior.
func (a *nativeAdapter) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Data:
		ctx.Send(a.next, Value{msg.V})
	case Value:
		ctx.Send(a.next, msg)
	case Exit:
		ctx.Send(a.next, msg)
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeValidator takes what arrives.
type nativeValidator struct {
	got     []int64
	stopped bool
}

// Receive implements native.Behavior.
func (v *nativeValidator) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		v.got = append(v.got, msg.V)
	case Exit:
		v.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
