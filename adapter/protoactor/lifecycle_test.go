package protoactor_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// mortal notes what it is told and how it ends.
func mortal(name string, j *journal) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case told:
			j.note("%s %d", name, m.n)
		case *actor.Stopping:
			j.note("%s stopping", name)
		case *actor.Stopped:
			j.note("%s stopped", name)
		}
	}
}

// watcher watches whom when it is ticked and notes its end.
func watcher(whom **actor.PID, j *journal) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case tick:
			ctx.Watch(*whom)
		case quit:
			ctx.Unwatch(*whom)
		case *actor.Terminated:
			j.note("terminated %s (%d)", m.Who.Id, m.Why)
		}
	}
}

// stopping is a program that starts a mortal "m" and then does to it what it likes.
func stopping(do func(s *actor.ActorSystem, m *actor.PID, j *journal)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var m *actor.PID
		s := world(t, func(s *actor.ActorSystem) { m = start(s, "m", mortal("m", j)) })
		do(s, m, j)
	}
}

// moody is an actor that changes its behaviour: plain, loud and, on top of either, brief.
type moody struct {
	actor.Behavior
	j *journal
}

func newMoody(j *journal) actor.Producer {
	return func() actor.Actor {
		m := &moody{j: j}
		m.Become(m.plain)
		return m
	}
}

func (m *moody) plain(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case told:
		m.j.note("plain %d", msg.n)
	case tick:
		m.Become(m.loud)
	case ask:
		m.BecomeStacked(m.brief)
	}
}

func (m *moody) loud(ctx actor.Context) {
	if msg, ok := ctx.Message().(told); ok {
		m.j.note("LOUD %d", msg.n)
	}
}

func (m *moody) brief(ctx actor.Context) {
	if msg, ok := ctx.Message().(told); ok {
		m.j.note("brief %d", msg.n)
		m.UnbecomeStacked()
	}
}

// stasher stashes what it is told until it is restarted.
type stasher struct {
	j        *journal
	restarts *int
}

func (a *stasher) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Restarting:
		*a.restarts++
		a.j.note("restarting")
	case told:
		if *a.restarts == 0 {
			ctx.Stash()
			return
		}
		a.j.note("%d", m.n)
	case boom:
		panic("boom")
	}
}

var lifecycle = []feature{
	{name: "Spawn", program: func(t *explore.T, j *journal) {
		var parent *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			parent = start(s, "parent", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					child, err := ctx.SpawnNamed(actor.PropsFromFunc(sink(j)), "child")
					if err != nil {
						panic(err)
					}
					ctx.Send(child, m)
				}
			})
		})
		s.Root.Send(parent, told{1})
	}, want: []string{"1"}, check: func(t *testing.T, tr *trace.Trace) {
		last := tr.Actors[len(tr.Actors)-1]
		if last.Name != "child" || tr.ActorName(last.Parent) != "parent" {
			t.Errorf("the last actor is %s of %s, want child of parent", last.Name, tr.ActorName(last.Parent))
		}
		handles("child", "parent:Started parent:told")(t, tr)
	}},

	{name: "SpawnDeep", program: func(t *explore.T, j *journal) {
		var nest actor.ReceiveFunc
		nest = func(ctx actor.Context) {
			if m, ok := ctx.Message().(told); ok {
				if j.note("%d", m.n); m.n < 4 {
					ctx.Send(ctx.Spawn(actor.PropsFromFunc(nest)), told{m.n + 1})
				}
			}
		}
		var top *actor.PID
		s := world(t, func(s *actor.ActorSystem) { top = start(s, "top", nest) })
		s.Root.Send(top, told{1})
	}, want: []string{"1, 2, 3, 4"}},

	// Stop overtakes the message that was sent before it, Poison waits for it.
	{name: "Stop", program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.Send(m, told{1})
		s.Root.Stop(m)
	}), want: []string{"m 1, m stopping, m stopped", "m stopping, m stopped"}, trial: trial{checker: off(trace.OrphanDead)}},

	{name: "Poison", program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.Send(m, told{1})
		s.Root.Poison(m)
	}), want: []string{"m 1, m stopping, m stopped"}},

	{name: "StopFuture", program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.Send(m, told{1})
		r, err := s.Root.StopFuture(m).Result()
		j.note("%T %v", r, err)
	}), want: []string{"m 1, m stopping, m stopped, *actor.Terminated <nil>", "m stopping, m stopped, *actor.Terminated <nil>"}},

	{name: "PoisonFuture", program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.Send(m, told{1})
		j.note("%v", s.Root.PoisonFuture(m).Wait())
	}), want: []string{"m 1, m stopping, m stopped, <nil>"}},

	{name: "StopFutureInHandler", program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			m := start(s, "m", mortal("m", j))
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					j.note("%v", ctx.StopFuture(m).Wait())
				}
			})
		})
		s.Root.Send(a, tick{})
	}, want: []string{"m stopping, m stopped, <nil>"}, check: handles("a", "Driver:tick m:Terminated")},

	{name: "SendToStopped", program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.StopFuture(m).Wait()
		s.Root.Send(m, told{1})
	}), trial: trial{checker: off(trace.DeadLetter)}, check: lost("Driver:told")},

	{name: "StopChildren", program: func(t *explore.T, j *journal) {
		var parent *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			parent = start(s, "parent", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case *actor.Started:
					ctx.SpawnNamed(actor.PropsFromFunc(mortal("x", j)), "x")
					ctx.SpawnNamed(actor.PropsFromFunc(mortal("y", j)), "y")
				case *actor.Stopped:
					j.note("parent stopped")
				}
			})
		})
		s.Root.Stop(parent)
	}, want: []string{
		"x stopping, x stopped, y stopping, y stopped, parent stopped",
		"y stopping, y stopped, x stopping, x stopped, parent stopped"}},

	{name: "Watch", program: func(t *explore.T, j *journal) {
		var m, w *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			m = start(s, "m", mortal("m", j))
			w = start(s, "w", watcher(&m, j))
		})
		s.Root.Send(w, tick{})
		s.Root.Stop(m)
	}, want: []string{
		"m stopping, m stopped, terminated m (0)",   // watched in time
		"m stopping, m stopped, terminated m (2)"}}, // not found any more

	{name: "WatchStopped", program: func(t *explore.T, j *journal) {
		var m, w *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			m = start(s, "m", mortal("m", j))
			w = start(s, "w", watcher(&m, j))
		})
		s.Root.StopFuture(m).Wait()
		s.Root.Send(w, tick{})
	}, want: []string{"m stopping, m stopped, terminated m (2)"}},

	{name: "Unwatch", program: func(t *explore.T, j *journal) {
		var m, w *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			m = start(s, "m", mortal("m", j))
			w = start(s, "w", watcher(&m, j))
			s.Root.Send(w, tick{})
		})
		s.Root.Send(w, quit{})
		s.Root.Stop(m)
	}, want: []string{"m stopping, m stopped", "m stopping, m stopped, terminated m (0)"}},

	{name: "Become", program: func(t *explore.T, j *journal) {
		var m *actor.PID
		s := world(t, func(s *actor.ActorSystem) { m = s.Root.Spawn(actor.PropsFromProducer(newMoody(j))) })
		for _, msg := range []any{told{1}, tick{}, told{2}} {
			s.Root.Send(m, msg)
		}
	}, want: []string{"plain 1, LOUD 2"}},

	{name: "BecomeStacked", program: func(t *explore.T, j *journal) {
		var m *actor.PID
		s := world(t, func(s *actor.ActorSystem) { m = s.Root.Spawn(actor.PropsFromProducer(newMoody(j))) })
		for _, msg := range []any{told{1}, ask{}, told{2}, told{3}} {
			s.Root.Send(m, msg)
		}
	}, want: []string{"plain 1, brief 2, plain 3"}},

	// What was stashed comes back when the actor restarts, the last first.
	{name: "Stash", program: func(t *explore.T, j *journal) {
		var a *actor.PID
		restarts := 0
		s := world(t, func(s *actor.ActorSystem) {
			a = s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &stasher{j, &restarts} }))
		})
		for _, msg := range []any{told{1}, told{2}, boom{}, told{3}} {
			s.Root.Send(a, msg)
		}
	}, want: []string{"restarting, 2, 1, 3"}, trial: trial{checker: off(trace.Panic)}},

	{name: "Guardian", program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			stop := actor.NewOneForOneStrategy(1, 0, func(any) actor.Directive { return actor.StopDirective })
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(boom); ok {
					panic("boom")
				}
				mortal("a", j)(ctx)
			}, actor.WithGuardian(stop))
		})
		s.Root.Send(a, told{1})
		s.Root.Send(a, boom{})
	}, want: []string{"a 1, a stopping, a stopped"}, trial: trial{checker: off(trace.Panic)}},
}

func TestLifecycle(t *testing.T) { runAll(t, lifecycle) }
