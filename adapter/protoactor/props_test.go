package protoactor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// two sends two messages to an actor with these props.
func two(options func(*journal) []actor.PropsOption) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var pid *actor.PID
		s := world(t, func(s *actor.ActorSystem) { pid = start(s, "sink", sink(j), options(j)...) })
		s.Root.Send(pid, told{1})
		s.Root.Send(pid, told{2})
	}
}

// mailboxed is two with a mailbox of the program's own, which is bypassed: nothing bounds it and nothing overtakes.
func mailboxed(p actor.MailboxProducer) func(*explore.T, *journal) {
	return two(func(*journal) []actor.PropsOption { return []actor.PropsOption{actor.WithMailbox(p)} })
}

// noted is a context that notes what is sent through it.
type noted struct {
	actor.Context
	j *journal
}

func (n *noted) Send(to *actor.PID, m any) {
	n.j.Note("decorated")
	n.Context.Send(to, m)
}

// noting are the middlewares, each of which notes the numbers that come by.
func noting(j *journal) []actor.PropsOption {
	note := func(where string, m any) {
		if v, ok := m.(told); ok {
			j.Note("%s %d", where, v.n)
		}
	}
	return []actor.PropsOption{
		actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc {
			return func(ctx actor.ReceiverContext, e *actor.MessageEnvelope) { note("in", e.Message); next(ctx, e) }
		}),
		actor.WithSenderMiddleware(func(next actor.SenderFunc) actor.SenderFunc {
			return func(ctx actor.SenderContext, to *actor.PID, e *actor.MessageEnvelope) {
				note("out", e.Message)
				next(ctx, to, e)
			}
		}),
		actor.WithSpawnMiddleware(func(next actor.SpawnFunc) actor.SpawnFunc {
			return func(s *actor.ActorSystem, id string, p *actor.Props, parent actor.SpawnerContext) (*actor.PID, error) {
				j.Note("spawn %s", id[strings.LastIndexByte(id, '/')+1:])
				return next(s, id, p, parent)
			}
		}),
	}
}

var properties = []feature{
	{Name: "Bounded", Program: mailboxed(actor.Bounded(1)), Want: []string{"1, 2"}, Bypassed: "sink has a bounded mailbox, which was not run"},
	{Name: "BoundedDropping", Program: mailboxed(actor.BoundedDropping(1)), Want: []string{"1, 2"}, Bypassed: "a bounded mailbox that drops messages"},
	{Name: "Priority", Program: mailboxed(actor.UnboundedPriority()), Want: []string{"1, 2"}, Bypassed: "a priority mailbox"},
	{Name: "PriorityMpsc", Program: mailboxed(actor.UnboundedPriorityMpsc()), Want: []string{"1, 2"}, Bypassed: "a priority mailbox"},
	{Name: "OwnMailbox", Program: mailboxed(func() actor.Mailbox { return ownBox{} }), Want: []string{"1, 2"}, Bypassed: "a mailbox of its own (protoactor_test.ownBox)"},
	{Name: "Unbounded", Program: mailboxed(actor.Unbounded()), Want: []string{"1, 2"}},
	{Name: "Throughput", Program: two(func(*journal) []actor.PropsOption {
		return []actor.PropsOption{actor.WithDispatcher(actor.NewDefaultDispatcher(1))}
	}), Want: []string{"1, 2"}},
	{Name: "Lockfree", Program: mailboxed(actor.UnboundedLockfree()), Want: []string{"1, 2"}},

	{Name: "SynchronizedDispatcher", Program: two(func(*journal) []actor.PropsOption {
		return []actor.PropsOption{actor.WithDispatcher(actor.NewSynchronizedDispatcher(1))}
	}), Want: []string{"1, 2"}, Bypassed: "a synchronized dispatcher"},

	{Name: "OnInit", Program: two(func(j *journal) []actor.PropsOption {
		return []actor.PropsOption{actor.WithOnInit(func(actor.Context) { j.Note("init") })}
	}), Want: []string{"init, 1, 2"}},

	{Name: "Middleware", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					child, err := ctx.SpawnNamed(actor.PropsFromFunc(sink(j)), "child")
					if err != nil {
						panic(err)
					}
					ctx.Send(child, told{m.n + 1})
				}
			}, noting(j)...)
		})
		s.Root.Send(a, told{1})
	}, Want: []string{"in 1, spawn child, out 2, 2"}, Check: handles("child", "a:Started a:told")},

	{Name: "RootMiddleware", Program: func(t *explore.T, j *journal) {
		var pid *actor.PID
		s := world(t, func(s *actor.ActorSystem) { pid = start(s, "sink", sink(j)) })
		root := actor.NewRootContext(s, nil, func(next actor.SenderFunc) actor.SenderFunc {
			return func(ctx actor.SenderContext, to *actor.PID, e *actor.MessageEnvelope) {
				j.Note("out")
				next(ctx, to, e)
			}
		})
		root.Send(pid, told{1})
	}, Want: []string{"out, 1"}},

	{Name: "Decorator", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			to := start(s, "sink", sink(j))
			a = start(s, "a", passer(&to), actor.WithContextDecorator(func(next actor.ContextDecoratorFunc) actor.ContextDecoratorFunc {
				return func(ctx actor.Context) actor.Context { return &noted{next(ctx), j} }
			}))
		})
		s.Root.Send(a, told{1})
	}, Want: []string{"decorated, 1"}, Check: handles("sink", "a:told")},

	{Name: "NameTaken", Program: func(t *explore.T, j *journal) {
		s := world(t, func(s *actor.ActorSystem) { start(s, "a", sink(j)) })
		pid, err := s.Root.SpawnNamed(actor.PropsFromFunc(sink(j)), "a")
		j.Note("%s %v", pid.Id, err)
		s.Root.Send(pid, told{1})
	}, Want: []string{"a spawn: name exists, 1"}},

	// The type of an actor made from a function is the name that it was spawned under, else the function around it. In the
	// set-up, since the 720 orders in which six actors may start show nothing of it.
	{Name: "Names", Program: func(t *explore.T, j *journal) {
		world(t, func(s *actor.ActorSystem) {
			props := actor.PropsFromFunc(doubler)
			s.Root.SpawnNamed(props, "worker")
			s.Root.SpawnPrefix(props, "helper")
			s.Root.Spawn(props)
			s.Root.Spawn(actor.PropsFromFunc(passer(nil)))
			s.Root.Spawn(actor.PropsFromProducer(newMoody(j)))
			s.Root.SpawnNamed(actor.PropsFromProducer(newMoody(j)), "angry")
		})
	}, Check: func(t *testing.T, tr *trace.Trace) {
		var got []string
		for i := range tr.Actors {
			got = append(got, tr.ActorName(int32(i))+":"+tr.Actors[i].Type.Name)
		}
		want := []string{"Driver:Driver", "worker:worker", "helper:helper", "doubler:protoactor_test.doubler",
			"passer:protoactor_test.passer", "moody:protoactor_test.moody", "angry:protoactor_test.moody"}
		if !slices.Equal(got, want) {
			t.Errorf("the actors are %q, want %q", got, want)
		}
	}},

	{Name: "SameNames", Program: func(t *explore.T, j *journal) {
		s := world(t, func(*actor.ActorSystem) {})
		for range 2 {
			s.Root.SpawnPrefix(actor.PropsFromFunc(sink(j)), "helper")
		}
	}, Check: func(t *testing.T, tr *trace.Trace) {
		if a, b := tr.ActorName(1), tr.ActorName(2); a != "helper#1" || b != "helper#2" {
			t.Errorf("the actors are %s and %s", a, b)
		}
	}},

	// Who creates systems in handlers has their actors controlled as well.
	{Name: "SystemInHandler", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					inner := protoactor.NewActorSystem()
					inner.Root.Send(start(inner, "inner", sink(j)), m)
				}
			})
		})
		s.Root.Send(a, told{1})
	}, Want: []string{"1"}, Check: handles("inner", "a:Started a:told")},
}

func TestProps(t *testing.T) { runAll(t, properties) }
