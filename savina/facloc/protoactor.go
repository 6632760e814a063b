package facloc

import "github.com/asynkron/protoactor-go/actor"

type customer = Customer[*actor.PID]

// Program is the program on protoactor-go.
type Program struct {
	config Config
	system *actor.ActorSystem
	root   *quadrant
	start  *actor.PID // the producer
}

// New starts the root and the producer.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, root: &quadrant{area: config.root()}}
	p.start = spawn(system, &producer{config: config, root: spawn(system, p.root)})
	return p, nil
}

// spawn starts an actor. Quadrants are no children of the framework, whose end would be a message to their parent.
func spawn(system *actor.ActorSystem, a actor.Actor) *actor.PID {
	return system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the producer send customers.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error { return p.config.Check(p.root.had, p.root.stopped) }

// producer sends customers.
type producer struct {
	config Config
	root   *actor.PID
	made   int
}

// Receive implements actor.Actor.
func (p *producer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Start, Next:
		p.produce(ctx)
	}
}

func (p *producer) produce(ctx actor.Context) {
	if p.made == p.config.Customers {
		ctx.Send(p.root, RequestExit{})
		ctx.Stop(ctx.Self())
		return
	}
	ctx.Send(p.root, customer{ctx.Self(), p.config.point(p.made)})
	p.made++
}

// quadrant keeps the customers of its box, or has children that do.
type quadrant struct {
	area
	parent   *actor.PID   // nil: it is the root
	children []*actor.PID // none: it is a leaf
}

// Receive implements actor.Actor.
func (q *quadrant) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case customer:
		q.take(ctx, msg)
	case Facility:
		q.learn(ctx, msg)
	case RequestExit:
		q.exit(ctx)
	case ConfirmExit:
		if q.confirm(msg) {
			q.end(ctx)
		}
	}
}

func (q *quadrant) take(ctx actor.Context, customer customer) {
	if q.children != nil {
		ctx.Send(q.children[q.box.childOf(customer.Point)], customer)
	} else if q.add(customer.Point); q.cost > q.config.Threshold {
		q.split(ctx)
	}
	if q.parent == nil {
		ctx.Send(customer.Producer, Next{})
	}
}

// split opens a facility, and hands the customers to four children.
func (q *quadrant) split(ctx actor.Context) {
	if q.parent != nil {
		ctx.Send(q.parent, Facility{q.position, q.box.centre(), true})
	}
	for _, child := range q.divide() {
		q.children = append(q.children, spawn(ctx.ActorSystem(), &quadrant{area: child, parent: ctx.Self()}))
	}
}

// learn passes a facility of a child up, and to the child that is not next to it; others down.
func (q *quadrant) learn(ctx actor.Context, f Facility) {
	q.facilities = append(q.facilities, f.Point)
	if !f.FromChild {
		for _, c := range q.children {
			ctx.Send(c, f)
		}
		return
	}
	if q.parent != nil {
		ctx.Send(q.parent, Facility{q.position, f.Point, true})
	}
	ctx.Send(q.children[f.Position.opposite()], Facility{Nowhere, f.Point, false})
}

func (q *quadrant) exit(ctx actor.Context) {
	if q.children == nil {
		q.had.Customers = len(q.customers)
		q.end(ctx)
		return
	}
	for _, c := range q.children {
		ctx.Send(c, RequestExit{})
	}
}

func (q *quadrant) end(ctx actor.Context) {
	if q.parent != nil {
		ctx.Send(q.parent, q.had)
	}
	q.stopped = true
	ctx.Stop(ctx.Self())
}
