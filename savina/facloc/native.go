package facloc

import native "github.com/rehearse-go/rehearse/actor"

type nativeCustomer = Customer[native.Ref]

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config Config
	root   *nativeQuadrant
	start  native.Ref // the producer
}

// NewNative spawns the root and the producer.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, root: &nativeQuadrant{area: config.root()}}
	p.start = ctx.Spawn(&nativeProducer{config: config, root: ctx.Spawn(p.root)})
	return p, nil
}

// Start has the producer send customers.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error { return p.config.Check(p.root.had, p.root.stopped) }

// nativeProducer sends customers.
type nativeProducer struct {
	config Config
	root   native.Ref
	made   int
}

// Receive implements native.Behavior.
func (p *nativeProducer) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Start, Next:
		p.produce(ctx)
	default:
		ctx.Unhandled()
	}
}

func (p *nativeProducer) produce(ctx *native.Context) {
	if p.made == p.config.Customers {
		ctx.Send(p.root, RequestExit{})
		ctx.Stop()
		return
	}
	ctx.Send(p.root, nativeCustomer{ctx.Self(), p.config.point(p.made)})
	p.made++
}

// nativeQuadrant keeps the customers of its box, or has children that do.
type nativeQuadrant struct {
	area
	parent   native.Ref   // nobody: it is the root
	children []native.Ref // none: it is a leaf
}

// Receive implements native.Behavior.
func (q *nativeQuadrant) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeCustomer:
		q.take(ctx, msg)
	case Facility:
		q.learn(ctx, msg)
	case RequestExit:
		q.exit(ctx)
	case ConfirmExit:
		if q.confirm(msg) {
			q.end(ctx)
		}
	default:
		ctx.Unhandled()
	}
}

func (q *nativeQuadrant) take(ctx *native.Context, customer nativeCustomer) {
	if q.children != nil {
		ctx.Send(q.children[q.box.childOf(customer.Point)], customer)
	} else if q.add(customer.Point); q.cost > q.config.Threshold {
		q.split(ctx)
	}
	if q.parent == (native.Ref{}) {
		ctx.Send(customer.Producer, Next{})
	}
}

// split opens a facility, and hands the customers to four children.
func (q *nativeQuadrant) split(ctx *native.Context) {
	if q.parent != (native.Ref{}) {
		ctx.Send(q.parent, Facility{q.position, q.box.centre(), true})
	}
	for _, child := range q.divide() {
		q.children = append(q.children, ctx.Spawn(&nativeQuadrant{area: child, parent: ctx.Self()}))
	}
}

// learn passes a facility of a child up, and to the child that is not next to it; others down.
func (q *nativeQuadrant) learn(ctx *native.Context, f Facility) {
	q.facilities = append(q.facilities, f.Point)
	if !f.FromChild {
		for _, c := range q.children {
			ctx.Send(c, f)
		}
		return
	}
	if q.parent != (native.Ref{}) {
		ctx.Send(q.parent, Facility{q.position, f.Point, true})
	}
	ctx.Send(q.children[f.Position.opposite()], Facility{Nowhere, f.Point, false})
}

func (q *nativeQuadrant) exit(ctx *native.Context) {
	if q.children == nil {
		q.had.Customers = len(q.customers)
		q.end(ctx)
		return
	}
	for _, c := range q.children {
		ctx.Send(c, RequestExit{})
	}
}

func (q *nativeQuadrant) end(ctx *native.Context) {
	if q.parent != (native.Ref{}) {
		ctx.Send(q.parent, q.had)
	}
	q.stopped = true
	ctx.Stop()
}
