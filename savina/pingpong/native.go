package pingpong

import native "github.com/rehearse-go/rehearse/actor"

type (
	nativeSendPing = SendPing[native.Ref]
	nativeSendPong = SendPong[native.Ref]
)

// NativeGame is the program on native actors.
type NativeGame struct {
	config Config
	ping   *nativePing
	pong   *nativePong
	first  native.Ref
}

// NewNative spawns the two actors.
func NewNative(ctx *native.Context, config Config) (*NativeGame, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	g := &NativeGame{config: config, pong: &nativePong{twice: config.Twice}}
	g.ping = &nativePing{left: config.Pings, pong: ctx.Spawn(g.pong)}
	g.first = ctx.Spawn(g.ping)
	return g, nil
}

// Start begins the game.
func (g *NativeGame) Start(ctx *native.Context) { ctx.Send(g.first, Start{}) }

// Check judges the end.
func (g *NativeGame) Check() error {
	return g.config.Check(Seen{g.pong.count, g.ping.stopped, g.pong.stopped})
}

// nativePing sends the pings.
type nativePing struct {
	left    int
	pong    native.Ref
	stopped bool
}

// Receive implements native.Behavior.
func (p *nativePing) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Start, Ping:
		ctx.Send(p.pong, nativeSendPing{ctx.Self()})
		p.left--
	case nativeSendPong:
		if p.left > 0 {
			ctx.Send(ctx.Self(), Ping{})
			return
		}
		ctx.Send(p.pong, Stop{})
		p.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativePong answers.
type nativePong struct {
	count   int
	twice   bool
	stopped bool
}

// Receive implements native.Behavior.
func (p *nativePong) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeSendPing:
		ctx.Send(msg.Sender, nativeSendPong{ctx.Self()})
		if p.twice {
			ctx.Send(msg.Sender, nativeSendPong{ctx.Self()})
		}
		p.count++
	case Stop:
		p.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
