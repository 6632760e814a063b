package wild

import (
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// directives are what a supervisor may decide.
var directives = []actor.Directive{actor.RestartDirective, actor.ResumeDirective, actor.StopDirective, actor.EscalateDirective}

// props are those of the actor of a seat.
func (w *world) props(s *seat) *actor.Props {
	p := actor.PropsFromProducer(func() actor.Actor {
		player := newPlayer(s)
		if w.program.kinds[s.kind].strategy == "own" {
			return &judge{player}
		}
		return player
	})
	w.supervise(p, &w.program.kinds[s.kind])
	w.surround(p, s)
	return p
}

// supervise gives the strategy of a kind.
func (w *world) supervise(p *actor.Props, k *kind) {
	decide := func(reason any) actor.Directive {
		d := 0
		if reason == "bang" {
			d = 1
		}
		return directives[k.decides[d]]
	}
	switch k.strategy {
	case "one":
		p.Configure(actor.WithSupervisor(actor.NewOneForOneStrategy(k.retries, 10*time.Second, decide)))
	case "all":
		p.Configure(actor.WithSupervisor(actor.NewAllForOneStrategy(k.retries, 10*time.Second, decide)))
	case "restarting":
		p.Configure(actor.WithSupervisor(actor.NewRestartingStrategy()))
	case "backoff":
		p.Configure(actor.WithSupervisor(actor.NewExponentialBackoffStrategy(10*time.Second, time.Second)))
	}
}

// judge is a player that is its own strategy.
type judge struct{ *player }

// HandleFailure is actor.SupervisorStrategy.
func (j *judge) HandleFailure(_ *actor.ActorSystem, s actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, reason, _ any) {
	j.note("judges %s: %v", child.Id, reason)
	switch j.world.program.kinds[j.kind].decides[0] {
	case 0:
		s.RestartChildren(child)
	case 1:
		s.ResumeChildren(child)
	default:
		s.StopChildren(child)
	}
}

// surround puts middleware and the like around an actor.
func (w *world) surround(p *actor.Props, s *seat) {
	for _, what := range strings.Fields(w.program.kinds[s.kind].around) {
		switch what {
		case "receiver": // drops some letters
			p.Configure(actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc {
				return func(ctx actor.ReceiverContext, e *actor.MessageEnvelope) {
					if l, is := e.Message.(letter); is && strings.HasSuffix(l.name, ".2") {
						w.note(s, "drops "+l.name)
						return
					}
					next(ctx, e)
				}
			}))
		case "sender": // counts
			sent := 0
			p.Configure(actor.WithSenderMiddleware(func(next actor.SenderFunc) actor.SenderFunc {
				return func(ctx actor.SenderContext, to *actor.PID, e *actor.MessageEnvelope) {
					if sent++; sent%2 == 0 {
						w.note(s, "out")
					}
					next(ctx, to, e)
				}
			}))
		case "spawn":
			p.Configure(actor.WithSpawnMiddleware(func(next actor.SpawnFunc) actor.SpawnFunc {
				return func(system *actor.ActorSystem, id string, props *actor.Props, parent actor.SpawnerContext) (*actor.PID, error) {
					w.note(s, "creates "+id)
					return next(system, id, props, parent)
				}
			}))
		case "decorator": // sends what is requested, and the other way round
			p.Configure(actor.WithContextDecorator(func(next actor.ContextDecoratorFunc) actor.ContextDecoratorFunc {
				return func(ctx actor.Context) actor.Context { return &decorated{next(ctx)} }
			}))
		case "counting":
			w.mu.Lock()
			c := &counting{path: s.path}
			w.counting = append(w.counting, c)
			w.mu.Unlock()
			p.Configure(actor.WithMailbox(actor.Unbounded(c)))
		case "mailbox":
			p.Configure(actor.WithMailbox(actor.Unbounded()))
		case "init":
			p.Configure(actor.WithOnInit(func(ctx actor.Context) { w.note(s, "init") }))
		}
	}
}

// decorated is a context that asks who is sent something.
type decorated struct{ actor.Context }

// Send is actor.Context.
func (d *decorated) Send(to *actor.PID, m any) {
	if l, is := m.(letter); is && l.typ == 1 {
		d.Context.Request(to, m)
		return
	}
	d.Context.Send(to, m)
}

// counting is mailbox middleware that counts what it is told.
type counting struct {
	path                    string
	posted, received, empty int
	trail                   int // the order of what it was told
}

func (c *counting) told(n int) { c.trail = (c.trail*5 + n) % 1_000_003 }

// MailboxStarted is actor.MailboxMiddleware.
func (c *counting) MailboxStarted() {}

// MessagePosted is actor.MailboxMiddleware.
func (c *counting) MessagePosted(any) { c.posted++; c.told(1) }

// MessageReceived is actor.MailboxMiddleware.
func (c *counting) MessageReceived(any) { c.received++; c.told(2) }

// MailboxEmpty is actor.MailboxMiddleware.
func (c *counting) MailboxEmpty() { c.empty++; c.told(3) }
