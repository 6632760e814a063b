package big

import "github.com/asynkron/protoactor-go/actor"

type neighbours = Neighbours[*actor.PID]

// Big is the program on protoactor-go.
type Big struct {
	config Config
	system *actor.ActorSystem
	sink   *sink
	actors []*node
	to     *actor.PID // the sink
	pids   []*actor.PID
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Big, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	b := &Big{config: config, system: system, sink: &sink{want: config.Actors, waits: config.Sink}}
	b.to = b.spawn(b.sink)
	for i := range config.Actors {
		n := &node{config: config, id: i, sink: b.to, expected: -1}
		b.actors = append(b.actors, n)
		b.pids = append(b.pids, b.spawn(n))
	}
	return b, nil
}

func (b *Big) spawn(a actor.Actor) *actor.PID {
	return b.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start tells everybody the actors, and then has each of them begin.
func (b *Big) Start() {
	b.system.Root.Send(b.to, neighbours{b.pids})
	for _, p := range b.pids {
		b.system.Root.Send(p, neighbours{b.pids})
	}
	for _, p := range b.pids {
		b.system.Root.Send(p, Pong{-1})
	}
}

// Check judges the end.
func (b *Big) Check() error {
	var seen []Seen
	for _, n := range b.actors {
		seen = append(seen, n.seen)
	}
	return b.config.Check(seen, b.sink.stopped)
}

// node pings others.
type node struct {
	config     Config
	id         int
	sink       *actor.PID
	neighbours []*actor.PID
	pings      int
	expected   int
	early      []any // that came before the neighbours were known
	seen       Seen
}

// Receive implements actor.Actor.
func (n *node) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case neighbours:
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
		ctx.Stop(ctx.Self())
	}
}

func (n *node) meet(ctx actor.Context, msg neighbours) {
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
func (n *node) holds(msg any) bool {
	if !n.config.Actor || n.neighbours != nil {
		return false
	}
	n.early = append(n.early, msg)
	return true
}

func (n *node) answer(ctx actor.Context, ping Ping) {
	ctx.Send(n.neighbours[ping.ID], Pong{n.id})
}

func (n *node) pong(ctx actor.Context, pong Pong) {
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

// sink counts those that are done.
type sink struct {
	want       int
	waits      bool
	neighbours []*actor.PID
	done       int
	stopped    bool
}

// Receive implements actor.Actor.
func (s *sink) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case neighbours:
		s.neighbours = msg.List
		if s.waits && s.done == s.want {
			s.end(ctx)
		}
	case Exit:
		s.done++
		if s.done == s.want && (!s.waits || s.neighbours != nil) {
			s.end(ctx)
		}
	}
}

func (s *sink) end(ctx actor.Context) {
	for _, n := range s.neighbours {
		ctx.Send(n, Exit{})
	}
	s.stopped = true
	ctx.Stop(ctx.Self())
}
