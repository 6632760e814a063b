package barber

import native "github.com/rehearse-go/rehearse/actor"

type (
	nativeEnter    = Enter[native.Ref]
	nativeReturned = Returned[native.Ref]
)

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config Config
	start  native.Ref
	room   *nativeRoom
	barber *nativeBarber
}

// NewNative spawns the actors but for the customers.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, barber: &nativeBarber{doneFirst: config.DoneFirst}}
	p.room = &nativeRoom{seats: config.Seats, repaired: config.Repaired, asleep: true, barber: ctx.Spawn(p.barber)}
	p.start = ctx.Spawn(&nativeFactory{haircuts: config.Haircuts, room: ctx.Spawn(p.room)})
	return p, nil
}

// Start has the factory send its customers.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error { return p.config.Check(p.room.seated, p.barber.served) }

// nativeFactory sends customers to the room.
type nativeFactory struct {
	haircuts, done int
	room           native.Ref
}

// Receive implements native.Behavior.
func (f *nativeFactory) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Start:
		for id := range f.haircuts {
			c := &nativeCustomer{id: id, factory: ctx.Self()}
			ctx.Send(f.room, nativeEnter{ctx.Spawn(c), id, f.room})
		}
	case nativeReturned:
		ctx.Send(f.room, nativeEnter{msg.Customer, msg.ID, f.room})
	case Done:
		f.done++
		if f.done == f.haircuts {
			ctx.Send(f.room, Exit{})
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

// nativeRoom has the customers who wait.
type nativeRoom struct {
	seats    int
	barber   native.Ref
	waiting  []nativeEnter
	asleep   bool // the barber
	seated   []int
	repaired bool
	ending   bool // repaired: when the barber asks for the next
}

// Receive implements native.Behavior.
func (r *nativeRoom) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeEnter:
		r.enter(ctx, msg)
	case Next:
		r.next(ctx)
	case Exit:
		if r.repaired && !r.asleep {
			r.ending = true
			return
		}
		r.end(ctx)
	default:
		ctx.Unhandled()
	}
}

func (r *nativeRoom) enter(ctx *native.Context, customer nativeEnter) {
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

func (r *nativeRoom) next(ctx *native.Context) {
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

func (r *nativeRoom) end(ctx *native.Context) {
	ctx.Send(r.barber, Exit{})
	ctx.Stop()
}

// nativeBarber serves one customer after the other.
type nativeBarber struct {
	served    []int
	doneFirst bool
}

// Receive implements native.Behavior.
func (b *nativeBarber) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeEnter:
		b.serve(ctx, msg)
	case Wait:
	case Exit:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (b *nativeBarber) serve(ctx *native.Context, enter nativeEnter) {
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

// nativeCustomer waits to be served.
type nativeCustomer struct {
	id      int
	factory native.Ref
}

// Receive implements native.Behavior.
func (c *nativeCustomer) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Full:
		ctx.Send(c.factory, nativeReturned{ctx.Self(), c.id})
	case Wait, Start:
	case Done:
		ctx.Send(c.factory, Done{})
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
