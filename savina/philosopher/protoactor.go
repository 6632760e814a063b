package philosopher

import "github.com/asynkron/protoactor-go/actor"

type hungry = Hungry[*actor.PID]

// Program is the program on protoactor-go.
type Program struct {
	config       Config
	system       *actor.ActorSystem
	arbitrator   *arbitrator
	philosophers []*philosopher
	seats        []*actor.PID
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system}
	p.arbitrator = &arbitrator{table: newTable(config), repaired: config.Repaired}
	arbitrator := p.spawn(p.arbitrator)
	for id := range config.Philosophers {
		philosopher := &philosopher{id: id, most: config.Rounds, arbitrator: arbitrator}
		p.philosophers = append(p.philosophers, philosopher)
		p.seats = append(p.seats, p.spawn(philosopher))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start makes all philosophers hungry.
func (p *Program) Start() {
	for _, seat := range p.seats {
		p.system.Root.Send(seat, Start{})
	}
}

// Check judges the end.
func (p *Program) Check() error {
	var rounds []int
	for _, philosopher := range p.philosophers {
		rounds = append(rounds, philosopher.rounds)
	}
	return p.config.Check(p.arbitrator.table, rounds)
}

// arbitrator has the forks.
type arbitrator struct {
	table    Table
	repaired bool
	waiting  []hungry
}

// Receive implements actor.Actor.
func (a *arbitrator) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case hungry:
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
	}
}

func (a *arbitrator) serve(ctx actor.Context, hungry hungry) {
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

func (a *arbitrator) tryEnd(ctx actor.Context) {
	if a.table.left(a.repaired) {
		ctx.Stop(ctx.Self())
	}
}

// philosopher is hungry until it has eaten all rounds.
type philosopher struct {
	id, most   int
	arbitrator *actor.PID
	rounds     int
}

// Receive implements actor.Actor.
func (p *philosopher) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Start, Denied:
		ctx.Send(p.arbitrator, hungry{ctx.Self(), p.id})
	case Eat:
		p.rounds++
		ctx.Send(p.arbitrator, Done{p.id})
		if p.rounds < p.most {
			ctx.Send(ctx.Self(), Start{})
			return
		}
		ctx.Send(p.arbitrator, Exit{})
		ctx.Stop(ctx.Self())
	}
}
