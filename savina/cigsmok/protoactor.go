package cigsmok

import "github.com/asynkron/protoactor-go/actor"

// Program is the program on protoactor-go.
type Program struct {
	config  Config
	system  *actor.ActorSystem
	start   *actor.PID
	arbiter *arbiter
	smokers []*smoker
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, arbiter: &arbiter{chosen: config.chosen()}}
	p.start = p.spawn(p.arbiter)
	for range config.Smokers {
		s := &smoker{arbiter: p.start, twice: config.Twice}
		p.smokers = append(p.smokers, s)
		p.arbiter.smokers = append(p.arbiter.smokers, p.spawn(s))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the arbiter choose the first smoker.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error {
	var smoked []int
	for _, s := range p.smokers {
		smoked = append(smoked, s.smoked)
	}
	return p.config.Check(p.arbiter.rounds, smoked)
}

// arbiter chooses who smokes.
type arbiter struct {
	chosen  []int
	smokers []*actor.PID
	rounds  int
}

// Receive implements actor.Actor.
func (a *arbiter) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
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
		ctx.Stop(ctx.Self())
	}
}

func (a *arbiter) choose(ctx actor.Context) {
	ctx.Send(a.smokers[a.chosen[a.rounds]], StartSmoking{a.rounds})
}

// smoker smokes when it is told to.
type smoker struct {
	arbiter *actor.PID
	smoked  int
	twice   bool
}

// Receive implements actor.Actor.
func (s *smoker) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case StartSmoking:
		ctx.Send(s.arbiter, Started{})
		if s.twice {
			ctx.Send(s.arbiter, Started{})
		}
		s.smoked++
	case Exit:
		ctx.Stop(ctx.Self())
	}
}
