package chameneos

import native "github.com/rehearse-go/rehearse/actor"

type (
	nativeMeet   = Meet[native.Ref]
	nativeChange = Change[native.Ref]
	nativeCount  = Count[native.Ref]
	nativeExit   = Exit[native.Ref]
)

// NativePark is the program on native actors.
type NativePark struct {
	config    Config
	mall      *nativeMall
	creatures []*nativeCreature
	refs      []native.Ref
}

// NewNative spawns the mall and the creatures.
func NewNative(ctx *native.Context, config Config) (*NativePark, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativePark{config: config, mall: &nativeMall{left: config.Meetings, creatures: config.Creatures}}
	mall := ctx.Spawn(p.mall)
	for i := range config.Creatures {
		c := &nativeCreature{mall: mall, colour: Colour(i % 3), noNewMeeting: config.NoNewMeeting}
		p.creatures = append(p.creatures, c)
		p.refs = append(p.refs, ctx.Spawn(c))
	}
	return p, nil
}

// Start has the creatures look for meetings.
func (p *NativePark) Start(ctx *native.Context) {
	for _, r := range p.refs {
		ctx.Send(r, Start{})
	}
}

// Check judges the end.
func (p *NativePark) Check() error {
	s := Seen{Sum: p.mall.sum, MallStopped: p.mall.stopped}
	for _, c := range p.creatures {
		if c.colour == Faded {
			s.Faded++
		}
	}
	return p.config.Check(s)
}

// nativeMall brings creatures together.
type nativeMall struct {
	left      int        // meetings
	waiting   native.Ref // nobody if none waits
	creatures int
	faded     int
	sum       int
	stopped   bool
}

// Receive implements native.Behavior.
func (m *nativeMall) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeMeet:
		m.meet(ctx, msg)
	case nativeCount:
		m.faded++
		m.sum += msg.N
		if m.faded == m.creatures {
			m.stopped = true
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

func (m *nativeMall) meet(ctx *native.Context, msg nativeMeet) {
	switch {
	case m.left == 0:
		ctx.Send(msg.Sender, nativeExit{ctx.Self()})
	case m.waiting == native.Ref{}:
		m.waiting = msg.Sender
	default:
		m.left--
		ctx.Send(m.waiting, msg)
		m.waiting = native.Ref{}
	}
}

// nativeCreature meets others.
type nativeCreature struct {
	mall         native.Ref
	colour       Colour
	meetings     int
	noNewMeeting bool
}

// Receive implements native.Behavior.
func (c *nativeCreature) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Start:
		ctx.Send(c.mall, nativeMeet{c.colour, ctx.Self()})
	case nativeMeet:
		c.colour = complement(c.colour, msg.Colour)
		c.meetings++
		ctx.Send(msg.Sender, nativeChange{c.colour, ctx.Self()})
		ctx.Send(c.mall, nativeMeet{c.colour, ctx.Self()})
	case nativeChange:
		c.colour = msg.Colour
		c.meetings++
		if !c.noNewMeeting {
			ctx.Send(c.mall, nativeMeet{c.colour, ctx.Self()})
		}
	case nativeExit:
		c.colour = Faded
		ctx.Send(msg.Sender, nativeCount{c.meetings, ctx.Self()})
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
