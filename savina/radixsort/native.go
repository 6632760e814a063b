package radixsort

import native "github.com/rehearse-go/rehearse/actor"

type nativeData = Data[native.Ref]

// NativePipeline is the program on native actors.
type NativePipeline struct {
	config    Config
	source    *nativeSource
	sorters   []*nativeSorter // the last first
	validator *nativeValidator
	from      native.Ref // the source
	first     native.Ref // sorter
}

// NewNative spawns the actors from the end of the pipeline to its beginning.
func NewNative(ctx *native.Context, config Config) (*NativePipeline, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativePipeline{config: config, source: &nativeSource{values: config.values()}}
	p.validator = &nativeValidator{n: config.Numbers}
	p.first = ctx.Spawn(p.validator)
	for bit := config.Limit / 2; bit > 0; bit /= 2 {
		s := &nativeSorter{n: config.Numbers, bit: bit, next: p.first}
		p.sorters = append(p.sorters, s)
		p.first = ctx.Spawn(s)
	}
	p.from = ctx.Spawn(p.source)
	return p, nil
}

// Start tells the source the first sorter.
func (p *NativePipeline) Start(ctx *native.Context) { ctx.Send(p.from, nativeData{p.first}) }

// Check judges the end.
func (p *NativePipeline) Check() error {
	stopped := []bool{p.source.stopped, p.validator.stopped}
	for _, s := range p.sorters {
		stopped = append(stopped, s.stopped)
	}
	return p.config.Check(p.validator.got, stopped)
}

// nativeSource sends the numbers.
type nativeSource struct {
	values  []int64
	stopped bool
}

// Receive implements native.Behavior.
func (s *nativeSource) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeData:
		for _, v := range s.values {
			ctx.Send(msg.Next, Value{v})
		}
		s.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeSorter sorts by one bit.
type nativeSorter struct {
	n       int
	bit     int64
	next    native.Ref
	count   int
	kept    []int64
	stopped bool
}

// Receive implements native.Behavior.
func (s *nativeSorter) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
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
	default:
		ctx.Unhandled()
	}
}

func (s *nativeSorter) end(ctx *native.Context) {
	for _, v := range s.kept {
		ctx.Send(s.next, Value{v})
	}
	s.stopped = true
	ctx.Stop()
}

// nativeValidator takes what arrives.
type nativeValidator struct {
	n       int
	got     []int64
	stopped bool
}

// Receive implements native.Behavior.
func (v *nativeValidator) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Value:
		v.got = append(v.got, msg.V)
		if len(v.got) == v.n {
			v.stopped = true
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}
