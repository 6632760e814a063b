package chameneos

import "github.com/asynkron/protoactor-go/actor"

type (
	meet   = Meet[*actor.PID]
	change = Change[*actor.PID]
	count  = Count[*actor.PID]
	exit   = Exit[*actor.PID]
)

// Park is the program on protoactor-go.
type Park struct {
	config    Config
	system    *actor.ActorSystem
	mall      *mall
	creatures []*creature
	pids      []*actor.PID
}

// New starts the mall and the creatures.
func New(system *actor.ActorSystem, config Config) (*Park, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Park{config: config, system: system, mall: &mall{left: config.Meetings, creatures: config.Creatures}}
	to := p.spawn(p.mall)
	for i := range config.Creatures {
		c := &creature{mall: to, colour: Colour(i % 3), noNewMeeting: config.NoNewMeeting}
		p.creatures = append(p.creatures, c)
		p.pids = append(p.pids, p.spawn(c))
	}
	return p, nil
}

func (p *Park) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the creatures look for meetings.
func (p *Park) Start() {
	for _, pid := range p.pids {
		p.system.Root.Send(pid, Start{})
	}
}

// Check judges the end.
func (p *Park) Check() error {
	s := Seen{Sum: p.mall.sum, MallStopped: p.mall.stopped}
	for _, c := range p.creatures {
		if c.colour == Faded {
			s.Faded++
		}
	}
	return p.config.Check(s)
}

// mall brings creatures together.
type mall struct {
	left      int        // meetings
	waiting   *actor.PID // nil if none waits
	creatures int
	faded     int
	sum       int
	stopped   bool
}

// Receive implements actor.Actor.
func (m *mall) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case meet:
		m.meet(ctx, msg)
	case count:
		m.faded++
		m.sum += msg.N
		if m.faded == m.creatures {
			m.stopped = true
			ctx.Stop(ctx.Self())
		}
	}
}

func (m *mall) meet(ctx actor.Context, msg meet) {
	switch {
	case m.left == 0:
		ctx.Send(msg.Sender, exit{ctx.Self()})
	case m.waiting == nil:
		m.waiting = msg.Sender
	default:
		m.left--
		ctx.Send(m.waiting, msg)
		m.waiting = nil
	}
}

// creature meets others.
type creature struct {
	mall         *actor.PID
	colour       Colour
	meetings     int
	noNewMeeting bool
}

// Receive implements actor.Actor.
func (c *creature) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Start:
		ctx.Send(c.mall, meet{c.colour, ctx.Self()})
	case meet:
		c.colour = complement(c.colour, msg.Colour)
		c.meetings++
		ctx.Send(msg.Sender, change{c.colour, ctx.Self()})
		ctx.Send(c.mall, meet{c.colour, ctx.Self()})
	case change:
		c.colour = msg.Colour
		c.meetings++
		if !c.noNewMeeting {
			ctx.Send(c.mall, meet{c.colour, ctx.Self()})
		}
	case exit:
		c.colour = Faded
		ctx.Send(msg.Sender, count{c.meetings, ctx.Self()})
		ctx.Stop(ctx.Self())
	}
}
