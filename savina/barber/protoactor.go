package barber

import "github.com/asynkron/protoactor-go/actor"

type (
	enter    = Enter[*actor.PID]
	returned = Returned[*actor.PID]
)

// Program is the program on protoactor-go.
type Program struct {
	config Config
	system *actor.ActorSystem
	start  *actor.PID
	room   *room
	barber *barber
}

// New starts the actors but for the customers.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, barber: &barber{doneFirst: config.DoneFirst}}
	p.room = &room{seats: config.Seats, repaired: config.Repaired, asleep: true, barber: p.spawn(p.barber)}
	p.start = p.spawn(&factory{haircuts: config.Haircuts, room: p.spawn(p.room)})
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the factory send its customers.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error { return p.config.Check(p.room.seated, p.barber.served) }

// factory sends customers to the room.
type factory struct {
	haircuts, done int
	room           *actor.PID
}

// Receive implements actor.Actor.
func (f *factory) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Start:
		for id := range f.haircuts {
			c := &customer{id: id, factory: ctx.Self()}
			props := actor.PropsFromProducer(func() actor.Actor { return c })
			ctx.Send(f.room, enter{ctx.ActorSystem().Root.Spawn(props), id, f.room}) // no child: it outlives the factory
		}
	case returned:
		ctx.Send(f.room, enter{msg.Customer, msg.ID, f.room})
	case Done:
		f.done++
		if f.done == f.haircuts {
			ctx.Send(f.room, Exit{})
			ctx.Stop(ctx.Self())
		}
	}
}

// room has the customers who wait.
type room struct {
	seats    int
	barber   *actor.PID
	waiting  []enter
	asleep   bool // the barber
	seated   []int
	repaired bool
	ending   bool // repaired: when the barber asks for the next
}

// Receive implements actor.Actor.
func (r *room) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case enter:
		r.enter(ctx, msg)
	case Next:
		r.next(ctx)
	case Exit:
		if r.repaired && !r.asleep {
			r.ending = true
			return
		}
		r.end(ctx)
	}
}

func (r *room) enter(ctx actor.Context, customer enter) {
	if len(r.waiting) == r.seats {
		ctx.Send(customer.Customer, Full{})
		return
	}
	r.waiting = append(r.waiting, customer)
	r.seated = append(r.seated, customer.ID)
	if r.asleep {
		r.asleep = false
		ctx.Send(ctx.Self(), Next{})
		return
	}
	ctx.Send(customer.Customer, Wait{})
}

func (r *room) next(ctx actor.Context) {
	if len(r.waiting) > 0 {
		ctx.Send(r.barber, r.waiting[0])
		r.waiting = r.waiting[1:]
		return
	}
	if r.ending {
		r.end(ctx)
		return
	}
	ctx.Send(r.barber, Wait{})
	r.asleep = true
}

func (r *room) end(ctx actor.Context) {
	ctx.Send(r.barber, Exit{})
	ctx.Stop(ctx.Self())
}

// barber serves one customer after the other.
type barber struct {
	served    []int
	doneFirst bool
}

// Receive implements actor.Actor.
func (b *barber) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case enter:
		b.serve(ctx, msg)
	case Wait:
	case Exit:
		ctx.Stop(ctx.Self())
	}
}

func (b *barber) serve(ctx actor.Context, enter enter) {
	b.served = append(b.served, enter.ID)
	if b.doneFirst {
		ctx.Send(enter.Customer, Done{})
		ctx.Send(enter.Customer, Start{})
	} else {
		ctx.Send(enter.Customer, Start{})
		ctx.Send(enter.Customer, Done{})
	}
	ctx.Send(enter.Room, Next{})
}

// customer waits to be served.
type customer struct {
	id      int
	factory *actor.PID
}

// Receive implements actor.Actor.
func (c *customer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Full:
		ctx.Send(c.factory, returned{ctx.Self(), c.id})
	case Wait, Start:
	case Done:
		ctx.Send(c.factory, Done{})
		ctx.Stop(ctx.Self())
	}
}
