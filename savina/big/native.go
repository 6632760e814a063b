package big

import native "github.com/rehearse-go/rehearse/actor"

type nativeNeighbours = Neighbours[native.Ref]

// NativeBig is the program on native actors.
type NativeBig struct {
	config Config
	sink   *nativeSink
	actors []*nativeNode
	to     native.Ref // the sink
	refs   []native.Ref
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeBig, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	b := &NativeBig{config: config, sink: &nativeSink{want: config.Actors, waits: config.Sink}}
	b.to = ctx.Spawn(b.sink)
	for i := range config.Actors {
		n := &nativeNode{config: config, id: i, sink: b.to, expected: -1}
		b.actors = append(b.actors, n)
		b.refs = append(b.refs, ctx.Spawn(n))
	}
	return b, nil
}

// Start tells everybody the actors, and then has each of them begin.
func (b *NativeBig) Start(ctx *native.Context) {
	ctx.Send(b.to, nativeNeighbours{b.refs})
	for _, r := range b.refs {
		ctx.Send(r, nativeNeighbours{b.refs})
	}
	for _, r := range b.refs {
		ctx.Send(r, Pong{-1})
	}
}

// Check judges the end.
func (b *NativeBig) Check() error {
	var seen []Seen
	for _, n := range b.actors {
		seen = append(seen, n.seen)
	}
	return b.config.Check(seen, b.sink.stopped)
}

// nativeNode pings others.
type nativeNode struct {
	config     Config
	id         int
	sink       native.Ref
	neighbours []native.Ref
	pings      int
	expected   int
	early      []any // that came before the neighbours were known
	seen       Seen
}

// Receive implements native.Behavior.
func (n *nativeNode) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeNeighbours:
		n.meet(ctx, msg)
	case Ping:
		if n.holds(msg) {
			return
		}
		n.answer(ctx, msg)
	case Pong:
		if n.holds(msg) {
			return
		}
		n.pong(ctx, msg)
	case Exit:
		n.seen.Stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (n *nativeNode) meet(ctx *native.Context, msg nativeNeighbours) {
	n.neighbours = msg.List
	for _, early := range n.early {
		switch early := early.(type) {
		case Ping:
			n.answer(ctx, early)
		case Pong:
			n.pong(ctx, early)
		}
	}
	n.early = nil
}

// holds keeps a message that came too early, in the repaired version.
func (n *nativeNode) holds(msg any) bool {
	if !n.config.Actor || n.neighbours != nil {
		return false
	}
	n.early = append(n.early, msg)
	return true
}

func (n *nativeNode) answer(ctx *native.Context, ping Ping) {
	ctx.Send(n.neighbours[ping.ID], Pong{n.id})
}

func (n *nativeNode) pong(ctx *native.Context, pong Pong) {
	n.seen.Pongs++
	if pong.ID != n.expected {
		n.seen.Wrong++
	}
	if n.pings == n.config.Pings {
		ctx.Send(n.sink, Exit{})
		return
	}
	n.expected = n.config.target(n.id, n.pings)
	ctx.Send(n.neighbours[n.expected], Ping{n.id})
	n.pings++
}

// nativeSink counts those that are done.
type nativeSink struct {
	want       int
	waits      bool
	neighbours []native.Ref
	done       int
	stopped    bool
}

// Receive implements native.Behavior.
func (s *nativeSink) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeNeighbours:
		s.neighbours = msg.List
		if s.waits && s.done == s.want {
			s.end(ctx)
		}
	case Exit:
		s.done++
		if s.done == s.want && (!s.waits || s.neighbours != nil) {
			s.end(ctx)
		}
	default:
		ctx.Unhandled()
	}
}

func (s *nativeSink) end(ctx *native.Context) {
	for _, n := range s.neighbours {
		ctx.Send(n, Exit{})
	}
	s.stopped = true
	ctx.Stop()
}
