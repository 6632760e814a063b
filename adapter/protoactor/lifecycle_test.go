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
			j.Note("%s %d", name, m.n)
		case *actor.Stopping:
			j.Note("%s stopping", name)
		case *actor.Stopped:
			j.Note("%s stopped", name)
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
			j.Note("terminated %s (%d)", m.Who.Id, m.Why)
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
		m.j.Note("plain %d", msg.n)
	case tick:
		m.Become(m.loud)
	case ask:
		m.BecomeStacked(m.brief)
	}
}

func (m *moody) loud(ctx actor.Context) {
	if msg, ok := ctx.Message().(told); ok {
		m.j.Note("LOUD %d", msg.n)
	}
}

func (m *moody) brief(ctx actor.Context) {
	if msg, ok := ctx.Message().(told); ok {
		m.j.Note("brief %d", msg.n)
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
		a.j.Note("restarting")
	case told:
		if *a.restarts == 0 {
			ctx.Stash()
			return
		}
		a.j.Note("%d", m.n)
	case boom:
		panic("boom")
	}
}

var lifecycle = []feature{
	{Name: "Spawn", Program: func(t *explore.T, j *journal) {
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
	}, Want: []string{"1"}, Check: func(t *testing.T, tr *trace.Trace) {
		last := tr.Actors[len(tr.Actors)-1]
		if last.Name != "child" || tr.ActorName(last.Parent) != "parent" {
			t.Errorf("the last actor is %s of %s, want child of parent", last.Name, tr.ActorName(last.Parent))
		}
		handles("child", "parent:Started parent:told")(t, tr)
	}},

	{Name: "SpawnDeep", Program: func(t *explore.T, j *journal) {
		var nest actor.ReceiveFunc
		nest = func(ctx actor.Context) {
			if m, ok := ctx.Message().(told); ok {
				if j.Note("%d", m.n); m.n < 4 {
					ctx.Send(ctx.Spawn(actor.PropsFromFunc(nest)), told{m.n + 1})
				}
			}
		}
		var top *actor.PID
		s := world(t, func(s *actor.ActorSystem) { top = start(s, "top", nest) })
		s.Root.Send(top, told{1})
	}, Want: []string{"1, 2, 3, 4"}},

	// Stop overtakes the message that was sent before it, Poison waits for it.
	{Name: "Stop", Program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.Send(m, told{1})
		s.Root.Stop(m)
	}), Want: []string{"m 1, m stopping, m stopped", "m stopping, m stopped"}, Trial: trial{Checker: off(trace.OrphanDead)}},

	{Name: "Poison", Program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.Send(m, told{1})
		s.Root.Poison(m)
	}), Want: []string{"m 1, m stopping, m stopped"}},

	{Name: "StopFuture", Program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.Send(m, told{1})
		r, err := s.Root.StopFuture(m).Result()
		j.Note("%T %v", r, err)
	}), Want: []string{"m 1, m stopping, m stopped, *actor.Terminated <nil>", "m stopping, m stopped, *actor.Terminated <nil>"}},

	{Name: "PoisonFuture", Program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.Send(m, told{1})
		j.Note("%v", s.Root.PoisonFuture(m).Wait())
	}), Want: []string{"m 1, m stopping, m stopped, <nil>"}},

	{Name: "StopFutureInHandler", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			m := start(s, "m", mortal("m", j))
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					j.Note("%v", ctx.StopFuture(m).Wait())
				}
			})
		})
		s.Root.Send(a, tick{})
	}, Want: []string{"m stopping, m stopped, <nil>"}, Check: handles("a", "Driver:tick m:Terminated")},

	{Name: "SendToStopped", Program: stopping(func(s *actor.ActorSystem, m *actor.PID, j *journal) {
		s.Root.StopFuture(m).Wait()
		s.Root.Send(m, told{1})
	}), Trial: trial{Checker: off(trace.DeadLetter)}, Check: lost("Driver:told")},

	{Name: "StopChildren", Program: func(t *explore.T, j *journal) {
		var parent *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			parent = start(s, "parent", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case *actor.Started:
					ctx.SpawnNamed(actor.PropsFromFunc(mortal("x", j)), "x")
					ctx.SpawnNamed(actor.PropsFromFunc(mortal("y", j)), "y")
				case *actor.Stopped:
					j.Note("parent stopped")
				}
			})
		})
		s.Root.Stop(parent)
	}, Want: []string{
		"x stopping, x stopped, y stopping, y stopped, parent stopped",
		"y stopping, y stopped, x stopping, x stopped, parent stopped"}},

	{Name: "Watch", Program: func(t *explore.T, j *journal) {
		var m, w *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			m = start(s, "m", mortal("m", j))
			w = start(s, "w", watcher(&m, j))
		})
		s.Root.Send(w, tick{})
		s.Root.Stop(m)
	}, Want: []string{
		"m stopping, m stopped, terminated m (0)",   // watched in time
		"m stopping, m stopped, terminated m (2)"}}, // not found any more

	{Name: "WatchStopped", Program: func(t *explore.T, j *journal) {
		var m, w *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			m = start(s, "m", mortal("m", j))
			w = start(s, "w", watcher(&m, j))
		})
		s.Root.StopFuture(m).Wait()
		s.Root.Send(w, tick{})
	}, Want: []string{"m stopping, m stopped, terminated m (2)"}},

	{Name: "Unwatch", Program: func(t *explore.T, j *journal) {
		var m, w *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			m = start(s, "m", mortal("m", j))
			w = start(s, "w", watcher(&m, j))
			s.Root.Send(w, tick{})
		})
		s.Root.Send(w, quit{})
		s.Root.Stop(m)
	}, Want: []string{"m stopping, m stopped", "m stopping, m stopped, terminated m (0)"}},

	{Name: "Become", Program: func(t *explore.T, j *journal) {
		var m *actor.PID
		s := world(t, func(s *actor.ActorSystem) { m = s.Root.Spawn(actor.PropsFromProducer(newMoody(j))) })
		for _, msg := range []any{told{1}, tick{}, told{2}} {
			s.Root.Send(m, msg)
		}
	}, Want: []string{"plain 1, LOUD 2"}},

	{Name: "BecomeStacked", Program: func(t *explore.T, j *journal) {
		var m *actor.PID
		s := world(t, func(s *actor.ActorSystem) { m = s.Root.Spawn(actor.PropsFromProducer(newMoody(j))) })
		for _, msg := range []any{told{1}, ask{}, told{2}, told{3}} {
			s.Root.Send(m, msg)
		}
	}, Want: []string{"plain 1, brief 2, plain 3"}},

	// What was stashed comes back when the actor restarts, the last first.
	{Name: "Stash", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		restarts := 0
		s := world(t, func(s *actor.ActorSystem) {
			a = s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &stasher{j, &restarts} }))
		})
		for _, msg := range []any{told{1}, told{2}, boom{}, told{3}} {
			s.Root.Send(a, msg)
		}
	}, Want: []string{"restarting, 2, 1, 3"}, Trial: trial{Checker: off(trace.Panic)}},

	{Name: "Guardian", Program: func(t *explore.T, j *journal) {
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
	}, Want: []string{"a 1, a stopping, a stopped"}, Trial: trial{Checker: off(trace.Panic)}},
}

func TestLifecycle(t *testing.T) { runAll(t, lifecycle) }
