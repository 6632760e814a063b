package actor_test

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/actor"
)

// This file has what actors of the programs do that strategies are compared on.

// player is an actor of one of the features' programs. It holds no function and notes what happens to it, so that its
// steps can be taken back, and what it accepts can be told later.
type player struct {
	name  string
	role  func(*player, *actor.Context, any)
	peers []actor.Ref
	lines []string
	n     int
	timer actor.TimerID
}

func (p *player) note(format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf(format, args...))
}

func (p *player) Receive(ctx *actor.Context, msg any) { p.role(p, ctx, msg) }

// choosy is a player that takes the numbers in their order.
type choosy struct{ player }

func (c *choosy) Accepts(msg any) bool {
	h, ok := msg.(hello)
	return !ok || h.N == c.n+1
}

// born is a player that sends when it is created.
type born struct{ player }

func (b *born) Start(ctx *actor.Context) { ctx.Send(b.peers[0], hello{7}) }

func listens(p *player, ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case actor.Terminated:
		p.note("terminated")
	default:
		p.n++
		p.note("%v", msg)
	}
}

func replies(p *player, ctx *actor.Context, msg any) {
	p.n++
	p.note("%v", msg)
	ctx.Reply(hello{10 * p.n})
}

// spreads sends to its peers, one message each.
func spreads(p *player, ctx *actor.Context, msg any) {
	for i, to := range p.peers {
		ctx.Send(to, hello{i + 1})
	}
}

func calls(p *player, ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); !ok {
		p.note("%v", msg)
		return
	}
	v, err := ctx.Call(p.peers[0], hello{1})
	p.note("%v %v", v, err)
}

func callsInVain(p *player, ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); !ok {
		p.note("%v", msg)
		return
	}
	v, err := ctx.CallTimeout(p.peers[0], hello{1}, time.Second)
	p.note("%v %v", v, err)
	ctx.Send(p.peers[1], hello{p.n})
}

func asks(p *player, ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); !ok {
		p.note("%v", msg)
		return
	}
	f := ctx.Ask(p.peers[0], hello{1})
	for _, to := range p.peers[1:] {
		ctx.Send(to, handed{f})
	}
	p.note("asked %v", f.Ready())
	v, err := ctx.Await(f)
	p.note("%v %v", v, err)
}

func awaits(p *player, ctx *actor.Context, msg any) {
	h, ok := msg.(handed)
	if !ok {
		p.note("%v", msg)
		return
	}
	p.note("ready %v", h.f.Ready())
	v, err := ctx.Await(h.f)
	p.note("%v %v", v, err)
}

func waitsForTwo(p *player, ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); !ok {
		p.n++
		p.note("%v", msg)
		return
	}
	ctx.AwaitUntil(func() bool { return p.n >= 2 })
	p.note("done %d", p.n)
}

func receivesTwo(p *player, ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); !ok {
		p.note("%v", msg)
		return
	}
	v := ctx.Receive(func(msg any) bool { return msg == hello{2} })
	p.note("got %v", v)
}

func stashes(p *player, ctx *actor.Context, msg any) {
	switch msg.(type) {
	case ping:
		p.n = 1
		ctx.UnstashAll()
	case hello:
		if p.n == 0 {
			ctx.Stash()
			return
		}
	}
	p.note("%v", msg)
}

func becomes(p *player, ctx *actor.Context, msg any) {
	p.note("plain %v", msg)
	if _, ok := msg.(ping); ok {
		ctx.Become(&louder{p})
	}
}

// louder is what a player may become.
type louder struct{ p *player }

func (l *louder) Receive(ctx *actor.Context, msg any) {
	l.p.note("LOUD %v", msg)
	ctx.Unbecome()
}

func stops(p *player, ctx *actor.Context, msg any) {
	switch msg.(type) {
	case ping:
		ctx.StopActor(p.peers[0])
	case halt:
		ctx.Stop()
	}
	p.note("%v", msg)
}

func watches(p *player, ctx *actor.Context, msg any) {
	p.note("%v", msg)
	if _, ok := msg.(ping); ok {
		ctx.Watch(p.peers[0])
	}
}

func times(p *player, ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case ping:
		p.timer = ctx.After(time.Second, hello{9})
	case hello:
		if msg.N == 1 {
			p.note("cancels %v", p.timer != 0 && ctx.Cancel(p.timer))
			return
		}
		ctx.Send(p.peers[0], hello{9})
	}
	p.note("%v", msg)
}

func chooses(p *player, ctx *actor.Context, msg any) {
	v := ctx.Choose(2)
	p.note("chooses %d", v)
	if v == 1 {
		ctx.Send(p.peers[0], hello{ctx.Choose(2)})
	}
}

func spawns(p *player, ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); ok {
		b := &born{player{name: p.name + "'", role: listens, peers: p.peers}}
		ctx.Send(ctx.Spawn(b), ping{})
	}
	p.note("%v", msg)
}

// fails panics on a halt, and stops in the middle of what it is asked for on other messages.
func fails(p *player, ctx *actor.Context, msg any) {
	p.note("%v", msg)
	switch msg.(type) {
	case halt:
		panic(p.name + " fails")
	case hello:
		ctx.Stop()
	}
}

// failsLate may fail when what it sent before is on its way, so that what comes of that is a consequence in one
// execution and none in another.
func failsLate(p *player, ctx *actor.Context, msg any) {
	ctx.Send(p.peers[0], halt{})
	if ctx.Choose(2) == 0 {
		panic("too late")
	}
}

// answersThenFails answers, perhaps in vain, and fails later, which fails no call that it has answered.
func answersThenFails(p *player, ctx *actor.Context, msg any) {
	if _, ok := msg.(hello); ok {
		p.n++
		ctx.Reply(hello{1})
	} else if p.n > 0 {
		panic("it had answered")
	}
	p.note("%v", msg)
}

// storms has two actors born for each message, which send, and passes it on.
func storms(p *player, ctx *actor.Context, msg any) {
	for range 2 {
		ctx.Spawn(&born{player{name: p.name + "'", role: listens, peers: p.peers}})
	}
	p.note("%v", msg)
}

// kills stops its first peer in the middle of a call to it.
func kills(p *player, ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); !ok {
		p.note("%v", msg)
		return
	}
	f := ctx.Ask(p.peers[0], hello{1})
	ctx.StopActor(p.peers[0])
	v, err := ctx.Await(f)
	p.note("%v %v", v, err)
}

// asksItself may go on with its answer before or after it takes what it sent to itself meanwhile.
func asksItself(p *player, ctx *actor.Context, msg any) {
	p.note("%v", msg)
	switch msg {
	case ping{}:
		v, err := ctx.Await(ctx.Ask(ctx.Self(), hello{1}))
		p.note("%v %v", v, err)
		ctx.Send(ctx.Self(), hello{2})
		ctx.Send(ctx.Self(), hello{3}) // so that the suspended task has more than one step
	case hello{1}:
		ctx.Reply(hello{10})
		ctx.Send(ctx.Self(), halt{})
	}
}

// meet has its receiver watch who sent it.
type meet struct{ who actor.Ref }

func watchesCaller(p *player, ctx *actor.Context, msg any) {
	if m, ok := msg.(meet); ok {
		ctx.Watch(m.who)
	}
}

// callsWatcher waits for an answer that does not come, while it is watched.
func callsWatcher(p *player, ctx *actor.Context, msg any) {
	_, err := ctx.CallTimeout(p.peers[0], meet{ctx.Self()}, time.Second)
	p.note("%v", err)
}

// callsLate calls with a request that is released after another send, perhaps when its callee is gone.
func callsLate(p *player, ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); ok {
		ctx.Send(p.peers[1], hello{1})
		_, err := ctx.Call(p.peers[0], ping{})
		p.note("%v", err)
	}
}

// callBack is answered, and has its receiver call who.
type callBack struct{ who actor.Ref }

// callsBack sends before it calls, so that its call is under way when a step of its own releases the request.
func callsBack(p *player, ctx *actor.Context, msg any) {
	p.note("%T", msg)
	var v any
	var err error
	switch msg := msg.(type) {
	case ping:
		ctx.Reply(hello{1})
		v, err = ctx.CallTimeout(p.peers[0], callBack{ctx.Self()}, 2*time.Second)
	case callBack:
		ctx.Reply(hello{1})
		v, err = ctx.CallTimeout(msg.who, hello{2}, 2*time.Second)
	}
	p.note("%v %v", v, err)
}
