package wild

import (
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/eventstream"
	"github.com/asynkron/protoactor-go/router"
	"github.com/asynkron/protoactor-go/scheduler"
)

// letter is the message of all programs. Its name says how it came about: "0.2" is sent by the third deed of whoever
// handles "0", the test's first.
type letter struct {
	name      string
	typ, hops int
	asked     bool       // a future waits for an answer
	to        *actor.PID // for whom it is; who else gets it only answers. nil: whoever gets it
	ref       *actor.PID // an actor that the receiver gets to know, or nil
	counts    *int       // how often a repeated timer has sent it; the second time it is ended
	cancel    *scheduler.CancelFunc
}

// Hash is router.Hasher.
func (l letter) Hash() string { return fmt.Sprint(l.typ) }

type (
	// quiet is a letter that leaves the receive timeout alone.
	quiet struct{ letter }
	// auto is a letter that the framework answers.
	auto struct{ letter }
	// batch is several letters.
	batch []any
	// event is a letter that is published.
	event struct{ letter }
	// obituary is a line that a listener tells an actor.
	obituary string
)

// NotInfluenceReceiveTimeout is actor.NotInfluenceReceiveTimeout.
func (quiet) NotInfluenceReceiveTimeout() {}

// GetAutoResponse is actor.AutoRespond.
func (a auto) GetAutoResponse(actor.Context) any { return letter{name: a.name + "auto", typ: a.typ} }

// GetMessages is actor.MessageBatch.
func (b batch) GetMessages() []any { return b }

// seat is what stays of an actor when it is restarted.
type seat struct {
	world   *world
	path    string
	kind    int
	hops    int
	known   []*actor.PID // what an instance begins with
	now     *player      // the last instance
	log     []string
	born    int
	watched int
	fell    bool // has panicked outside of a letter
	stashed bool
	waits   int // receive timeouts that were set
}

// player is one instance of an actor.
type player struct {
	*seat
	behavior actor.Behavior
	mode     int
	known    []*actor.PID
	futures  []named
	subs     []*eventstream.Subscription
	cancels  []scheduler.CancelFunc
	asked    bool // a future waits for the answer to what is handled,
	answered bool // and has it
}

// named is a future with the name of what it asked.
type named struct {
	name   string
	future promise
}

// newPlayer makes an instance.
func newPlayer(s *seat) *player {
	p := &player{seat: s}
	p.known, s.now = slices.Clone(s.known), p
	p.behavior = actor.NewBehavior()
	p.behavior.Become(p.plain)
	return p
}

// Receive is actor.Actor.
func (p *player) Receive(ctx actor.Context) {
	if p.path == "" { // of a pool
		p.seat = p.world.pooled(ctx.Self())
		p.known = slices.Clone(p.seat.known)
	}
	p.behavior.Receive(ctx)
}

func (p *player) plain(ctx actor.Context) { p.mode = 0; p.handle(ctx) }
func (p *player) other(ctx actor.Context) { p.mode = 1; p.handle(ctx) }

func (p *player) note(format string, args ...any) { p.world.note(p.seat, fmt.Sprintf(format, args...)) }

func (p *player) handle(ctx actor.Context) {
	s := &scene{ctx, ctx, p}
	p.asked, p.answered = false, false
	switch m := ctx.Message().(type) {
	case *actor.Started:
		s.react(onStart, "start")
	case *actor.Stopping:
		s.react(onStopping, "stopping")
		p.world.pause() // before others do not find it any more
	case *actor.Stopped:
		s.react(onStopped, "stopped")
	case *actor.Restarting:
		s.react(onRestarting, "restarting")
	case *actor.Terminated:
		s.react(onGone, "gone:"+m.Who.Id)
	case *actor.ReceiveTimeout:
		s.react(onTimeout, "timeout")
	case letter:
		s.receive(m)
	case quiet:
		s.receive(m.letter)
	case auto:
		s.receive(m.letter)
	case batch:
		p.note("batch")
	case obituary:
		p.note("%s", m)
	case *router.Routees:
		p.note("%s", routees(m))
	case *actor.DeadLetterResponse:
		p.note("%s is gone", m.Target.GetId())
	case error:
		p.note("dead")
	}
}

// scene is what a player acts on: the context of a handler, or the test's.
type scene struct {
	context
	handler actor.Context // nil: the test
	*player
}

// context is what the contexts of handlers and of the test have in common.
type context interface {
	actor.SenderContext
	SpawnNamed(*actor.Props, string) (*actor.PID, error)
	Stop(*actor.PID)
	Poison(*actor.PID)
}

// receive handles a letter.
func (s *scene) receive(l letter) {
	s.note("%s", l.name)
	s.asked = l.asked
	if l.counts != nil {
		if *l.counts++; *l.counts == 2 {
			(*l.cancel)()
		}
	}
	if l.ref != nil && len(s.player.known) < 6 {
		s.player.known = append(s.player.known, l.ref)
	}
	if l.to != nil && !l.to.Equal(s.handler.Self()) && !s.world.isRouter(l.to) {
		l.hops = 0
	}
	s.play(l.name, s.table(l.typ), l.hops)
}

// table is what the player does on something.
func (p *player) table(event int) []deed {
	return p.world.program.kinds[p.kind].handlers[p.mode][event]
}

// react handles what is no letter.
func (s *scene) react(event int, name string) {
	s.note("%s", name)
	s.play(s.path+name, s.table(event), s.seat.hops)
}

// play does what a handler does. With no hops left only letters are answered.
func (s *scene) play(name string, deeds []deed, hops int) {
	for i, d := range deeds {
		if s.world.isOver() {
			return
		}
		if hops > 0 || d.what == "respond" {
			s.world.pause()
			s.do(d, letter{name: fmt.Sprintf("%s.%d", name, i), typ: d.typ, hops: max(0, hops-1)})
		}
	}
}
