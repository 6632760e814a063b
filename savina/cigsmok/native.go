package cigsmok

import native "github.com/rehearse-go/rehearse/actor"

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config  Config
	start   native.Ref
	arbiter *nativeArbiter
	smokers []*nativeSmoker
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, arbiter: &nativeArbiter{chosen: config.chosen()}}
	p.start = ctx.Spawn(p.arbiter)
	for range config.Smokers {
		s := &nativeSmoker{arbiter: p.start, twice: config.Twice}
		p.smokers = append(p.smokers, s)
		p.arbiter.smokers = append(p.arbiter.smokers, ctx.Spawn(s))
	}
	return p, nil
}

// Start has the arbiter choose the first smoker.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error {
	var smoked []int
	for _, s := range p.smokers {
		smoked = append(smoked, s.smoked)
	}
	return p.config.Check(p.arbiter.rounds, smoked)
}

// nativeArbiter chooses who smokes.
type nativeArbiter struct {
	chosen  []int
	smokers []native.Ref
	rounds  int
}

// Receive implements native.Behavior.
func (a *nativeArbiter) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Start:
		a.choose(ctx)
	case Started:
		a.rounds++
		if a.rounds < len(a.chosen) {
			a.choose(ctx)
			return
		}
		for _, s := range a.smokers {
			ctx.Send(s, Exit{})
		}
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (a *nativeArbiter) choose(ctx *native.Context) {
	ctx.Send(a.smokers[a.chosen[a.rounds]], StartSmoking{a.rounds})
}

// nativeSmoker smokes when it is told to.
type nativeSmoker struct {
	arbiter native.Ref
	smoked  int
	twice   bool
}

// Receive implements native.Behavior.
func (s *nativeSmoker) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case StartSmoking:
		ctx.Send(s.arbiter, Started{})
		if s.twice {
			ctx.Send(s.arbiter, Started{})
		}
		s.smoked++
	case Exit:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
