package freerun

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// context is what the contexts of handlers and of the test have in common.
type context interface {
	actor.SenderContext
	SpawnNamed(*actor.Props, string) (*actor.PID, error)
	Stop(*actor.PID)
	Poison(*actor.PID)
}

// promise is what futures have in each version of the framework.
type promise interface {
	PID() *actor.PID
	PipeTo(...*actor.PID)
	Result() (any, error)
}

// as gives a future as what ReenterAfter takes.
func as[F any](_ func(F, func(any, error)), f promise) F { return f.(F) }

// cast is the actors of one execution on protoactor-go.
type cast struct {
	world   *world
	options func(path string) []actor.PropsOption // of an actor; may be nil
	mu      sync.Mutex
	futures []promise
}

// role is a stage of protoactor-go.
type role struct {
	cast *cast
	context
	handler actor.Context // nil: the test
}

func (r *role) self() any {
	if r.handler == nil {
		return nil
	}
	return r.handler.Self()
}

func (r *role) sender() any {
	if r.handler == nil || r.handler.Sender() == nil {
		return nil
	}
	return r.handler.Sender()
}

func (r *role) send(to any, l letter)    { r.Send(to.(*actor.PID), l) }
func (r *role) request(to any, l letter) { r.Request(to.(*actor.PID), l) }
func (r *role) respond(l letter)         { r.handler.Respond(l) }
func (r *role) stop(who any)             { r.Stop(who.(*actor.PID)) }
func (r *role) poison(who any)           { r.Poison(who.(*actor.PID)) }
func (r *role) watch(who any)            { r.handler.Watch(who.(*actor.PID)) }
func (r *role) unwatch(who any)          { r.handler.Unwatch(who.(*actor.PID)) }
func (r *role) pipe(f, to any)           { f.(promise).PipeTo(to.(*actor.PID)) }

// forward leaves out what the framework does not forward.
func (r *role) forward(to any) {
	if _, ok := r.handler.Message().(letter); ok {
		r.handler.Forward(to.(*actor.PID))
	}
}

func (r *role) ask(to any, l letter) any {
	f := r.RequestFuture(to.(*actor.PID), l, -1)
	r.cast.mu.Lock()
	defer r.cast.mu.Unlock()
	r.cast.futures = append(r.cast.futures, f)
	return f
}

func (r *role) await(future any) string { return outcome(future.(promise).Result()) }

func (r *role) reenter(future any, then func(string)) {
	r.handler.ReenterAfter(as(r.handler.ReenterAfter, future.(promise)), func(v any, err error) { then(outcome(v, err)) })
}

// outcome names what a future came to.
func outcome(v any, err error) string {
	if err != nil {
		return "dead"
	}
	return v.(letter).name
}

func (r *role) spawn(p *player, name string) any {
	pid, err := r.SpawnNamed(r.cast.props(p), name)
	if err != nil {
		panic(err)
	}
	return pid
}

func (c *cast) props(p *player) *actor.Props {
	var options []actor.PropsOption
	if c.options != nil {
		options = c.options(p.path)
	}
	return actor.PropsFromProducer(func() actor.Actor { return &member{c, p} }, options...)
}

// member is an actor of protoactor-go.
type member struct {
	cast   *cast
	player *player
}

// Receive implements actor.Actor.
func (m *member) Receive(ctx actor.Context) {
	defer m.player.guard()
	s := &role{m.cast, ctx, ctx}
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		m.player.react(s, onStart, "")
	case letter:
		m.player.receive(s, msg)
	case *actor.Stopping:
		m.player.react(s, onStopping, "stopping")
		m.cast.world.pause(deed{what: goOn}, m.player.path) // before others do not find it any more
	case *actor.Stopped:
		m.player.react(s, onStopped, "stopped")
	case *actor.Terminated:
		m.player.react(s, onGone, "gone:"+msg.Who.Id)
	case error:
		m.player.note("dead")
	}
}

// set sets the program up.
func (c *cast) set(s *actor.ActorSystem) {
	var refs []any
	root := &role{cast: c, context: s.Root}
	for i, kind := range c.world.program.roots {
		name := string(rune('A' + i))
		p := c.world.player(name, kind, 1, nil)
		p.root = true
		refs = append(refs, root.spawn(p, name))
	}
	c.world.introduce(refs)
}

// start does what the test does.
func (c *cast) start(s *actor.ActorSystem) {
	w := c.world
	w.test(&role{cast: c, context: s.Root}, w.players[0].known)
}

// newCast makes the actors of one execution.
func newCast(p *program) *cast {
	return &cast{world: &world{program: p, pause: func(deed, string) {}}}
}

// run executes the program once on the plain framework, in a bubble, which tells when all is quiet, and gives what its
// actors received. play gets the test's part, which may wait for ever, and begins what happens.
func (c *cast) run(t *testing.T, play func(test func())) (end logs) {
	synctest.Test(t, func(*testing.T) {
		s := protoactor.NewActorSystem()
		c.set(s)
		synctest.Wait()
		play(func() { c.start(s) })
		synctest.Wait()
		end = c.world.end()
		c.letGo(s)
	})
	return end
}

// letGo ends all waiting, so that the bubble can end: that of handlers, and that of the framework's throttle of its
// log.
func (c *cast) letGo(s *actor.ActorSystem) {
	for given := 0; ; {
		c.mu.Lock()
		futures := c.futures[given:]
		given = len(c.futures)
		c.mu.Unlock()
		if len(futures) == 0 {
			time.Sleep(s.Config.DeadLetterThrottleInterval + time.Second)
			return
		}
		for _, f := range futures {
			s.Root.Send(f.PID(), &actor.DeadLetterResponse{})
		}
		synctest.Wait()
	}
}

// free executes the program on the plain framework; its goroutines yield before each deed.
func free(t *testing.T, p *program) logs {
	c := newCast(p)
	return c.run(t, func(test func()) {
		c.world.pause = func(deed, string) { Yield() }
		go test()
	})
}
