package pingpong

import "github.com/asynkron/protoactor-go/actor"

type (
	sendPing = SendPing[*actor.PID]
	sendPong = SendPong[*actor.PID]
)

// Game is the program on protoactor-go.
type Game struct {
	config Config
	system *actor.ActorSystem
	ping   *ping
	pong   *pong
	first  *actor.PID
}

// New starts the two actors.
func New(system *actor.ActorSystem, config Config) (*Game, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	g := &Game{config: config, system: system, pong: &pong{twice: config.Twice}}
	second := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return g.pong }))
	g.ping = &ping{left: config.Pings, pong: second}
	g.first = system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return g.ping }))
	return g, nil
}

// Start begins the game.
func (g *Game) Start() { g.system.Root.Send(g.first, Start{}) }

// Check judges the end.
func (g *Game) Check() error {
	return g.config.Check(Seen{g.pong.count, g.ping.stopped, g.pong.stopped})
}

// ping sends the pings.
type ping struct {
	left    int
	pong    *actor.PID
	stopped bool
}

// Receive implements actor.Actor.
func (p *ping) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Start, Ping:
		ctx.Send(p.pong, sendPing{ctx.Self()})
		p.left--
	case sendPong:
		if p.left > 0 {
			ctx.Send(ctx.Self(), Ping{})
			return
		}
		ctx.Send(p.pong, Stop{})
		p.stopped = true
		ctx.Stop(ctx.Self())
	}
}

// pong answers.
type pong struct {
	count   int
	twice   bool
	stopped bool
}

// Receive implements actor.Actor.
func (p *pong) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case sendPing:
		ctx.Send(msg.Sender, sendPong{ctx.Self()})
		if p.twice {
			ctx.Send(msg.Sender, sendPong{ctx.Self()})
		}
		p.count++
	case Stop:
		p.stopped = true
		ctx.Stop(ctx.Self())
	}
}
