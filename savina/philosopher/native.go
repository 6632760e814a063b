package philosopher

import native "github.com/rehearse-go/rehearse/actor"

type nativeHungry = Hungry[native.Ref]

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config       Config
	arbitrator   *nativeArbitrator
	philosophers []*nativePhilosopher
	seats        []native.Ref
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config}
	p.arbitrator = &nativeArbitrator{table: newTable(config), repaired: config.Repaired}
	arbitrator := ctx.Spawn(p.arbitrator)
	for id := range config.Philosophers {
		philosopher := &nativePhilosopher{id: id, most: config.Rounds, arbitrator: arbitrator}
		p.philosophers = append(p.philosophers, philosopher)
		p.seats = append(p.seats, ctx.Spawn(philosopher))
	}
	return p, nil
}

// Start makes all philosophers hungry.
func (p *NativeProgram) Start(ctx *native.Context) {
	for _, seat := range p.seats {
		ctx.Send(seat, Start{})
	}
}

// Check judges the end.
func (p *NativeProgram) Check() error {
	var rounds []int
	for _, philosopher := range p.philosophers {
		rounds = append(rounds, philosopher.rounds)
	}
	return p.config.Check(p.arbitrator.table, rounds)
}

// nativeArbitrator has the forks.
type nativeArbitrator struct {
	table    Table
	repaired bool
	waiting  []nativeHungry
}

// Receive implements native.Behavior.
func (a *nativeArbitrator) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeHungry:
		a.serve(ctx, msg)
	case Done:
		a.table.putBack(msg.ID)
		again := a.waiting
		a.waiting = nil
		for _, hungry := range again {
			a.serve(ctx, hungry)
		}
		a.tryEnd(ctx)
	case Exit:
		a.table.gone++
		a.tryEnd(ctx)
	default:
		ctx.Unhandled()
	}
}

func (a *nativeArbitrator) serve(ctx *native.Context, hungry nativeHungry) {
	if a.table.take(hungry.ID) {
		ctx.Send(hungry.Philosopher, Eat{})
		return
	}
	if a.repaired {
		a.waiting = append(a.waiting, hungry)
		return
	}
	ctx.Send(hungry.Philosopher, Denied{})
}

func (a *nativeArbitrator) tryEnd(ctx *native.Context) {
	if a.table.left(a.repaired) {
		ctx.Stop()
	}
}

// nativePhilosopher is hungry until it has eaten all rounds.
type nativePhilosopher struct {
	id, most   int
	arbitrator native.Ref
	rounds     int
}

// Receive implements native.Behavior.
func (p *nativePhilosopher) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Start, Denied:
		ctx.Send(p.arbitrator, nativeHungry{ctx.Self(), p.id})
	case Eat:
		p.rounds++
		ctx.Send(p.arbitrator, Done{p.id})
		if p.rounds < p.most {
			ctx.Send(ctx.Self(), Start{})
			return
		}
		ctx.Send(p.arbitrator, Exit{})
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
