package goakt_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/supervisor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// ways to look up whether there is an actor x, which do nothing to it, or stop it.
var ways = map[string]func(*actor.ReceiveContext) bool{
	"ActorOf": func(c *actor.ReceiveContext) bool {
		_, err := c.ActorSystem().ActorOf(background, "x")
		return err == nil
	},
	"ActorExists": func(c *actor.ReceiveContext) bool {
		is, _ := c.ActorSystem().ActorExists(background, "x")
		return is
	},
	"Kill": func(c *actor.ReceiveContext) bool { return c.ActorSystem().Kill(background, "x") == nil },
	"Spawn": func(c *actor.ReceiveContext) bool {
		pid, _ := c.ActorSystem().Spawn(background, "x", &acts{receive: func(*actor.ReceiveContext) {}})
		_, is := pid.Actor().(*other)
		return is
	},
	"Child": func(c *actor.ReceiveContext) bool {
		boss, _ := c.ActorSystem().ActorOf(background, "boss")
		_, err := boss.Child("x")
		return err == nil
	},
	"Children": func(c *actor.ReceiveContext) bool {
		boss, _ := c.ActorSystem().ActorOf(background, "boss")
		return len(boss.Children()) > 0
	},
}

// places are where a looker may look beside its handler: in the same step behind the end or restart of another actor,
// and in hooks of another one that the step stops or restarts.
var places = map[string]func(c *actor.ReceiveContext, aide *actor.PID, looks *func()){
	"behind Shutdown": func(_ *actor.ReceiveContext, aide *actor.PID, looks *func()) {
		_ = aide.Shutdown(background)
		(*looks)()
	},
	"behind the end of one that is gone": func(_ *actor.ReceiveContext, aide *actor.PID, looks *func()) {
		_ = aide.Shutdown(background)
		_ = aide.Shutdown(background)
		(*looks)()
	},
	"before another end": func(_ *actor.ReceiveContext, aide *actor.PID, looks *func()) {
		_ = aide.Shutdown(background)
		(*looks)()
		_ = aide.Shutdown(background)
	},
	"behind Kill": func(c *actor.ReceiveContext, _ *actor.PID, looks *func()) {
		_ = c.ActorSystem().Kill(background, "aide")
		(*looks)()
	},
	"behind Restart": func(_ *actor.ReceiveContext, aide *actor.PID, looks *func()) {
		_ = aide.Shutdown(background)
		_ = aide.Restart(background) // one that runs is awaited until nothing else can happen
		(*looks)()
	},
}

// helper is an actor whose hooks look somebody up.
type helper struct {
	acts
	starts func()
}

func (h *helper) PreStart(*actor.Context) error {
	if h.starts != nil {
		h.starts()
	}
	return nil
}

// lookingIn has an actor look for another one in one of the places, or an aide in its hooks, which a third spawns.
func lookingIn(place string, j *journal) func(t *explore.T) {
	return func(t *explore.T) {
		s := start()
		on := false
		looks := func() {
			if on {
				_, err := s.ActorOf(background, "x")
				j.Note("%s %v", place, err == nil)
			}
		}
		var boss, looker, aide *actor.PID
		t.SetUp(func() {
			h := &helper{acts: acts{receive: func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(boom); ok {
					panic("boom")
				}
			}}}
			switch place {
			case "PostStop":
				h.stop = looks
			case "PreStart", "PreStart by supervision":
				h.starts = looks
			}
			var options []actor.SpawnOption
			if place == "PreStart by supervision" {
				options = append(options, actor.WithSupervisor(supervisor.NewSupervisor(
					supervisor.WithAnyErrorDirective(supervisor.RestartDirective))))
			}
			aide, _ = s.Spawn(background, "aide", h, options...)
			boss = spawn(s, "boss", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(told); ok {
					_, _ = s.Spawn(background, "x", &acts{receive: func(*actor.ReceiveContext) {}})
				}
			})
			looker = spawn(s, "looker", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(ask); !ok {
					return
				}
				switch place {
				case "PostStop":
					_ = aide.Shutdown(background)
				case "PreStart":
					_ = aide.Shutdown(background)
					_ = aide.Restart(background)
				default:
					places[place](c, aide, &looks)
				}
			})
			on = true
		})
		tell(boss, told{})
		if place == "PreStart by supervision" {
			tell(aide, boom{})
		} else {
			tell(looker, ask{})
		}
	}
}

// What is looked up behind an end or restart, and in hooks, is seen as well.
func TestLookupsInPlaces(t *testing.T) {
	all := append(slices.Sorted(maps.Keys(places)), "PostStop", "PreStart", "PreStart by supervision")
	for _, place := range all {
		var j journal
		comparing(t, place, goakt.System(lookingIn(place, &j)), trace.FIFO, &j)
	}
}

// other is the actor that is looked for.
type other struct{ acts }

// looking has one actor look for another one, which a third spawns, or which it stops.
func looking(way string, begins bool, j *journal) func(t *explore.T) {
	return func(t *explore.T) {
		s := start()
		create := func(c *actor.ReceiveContext) *actor.PID {
			o := &other{acts{receive: func(*actor.ReceiveContext) {}}}
			if way == "Child" || way == "Children" {
				return c.Spawn("x", o)
			}
			pid, _ := c.ActorSystem().Spawn(background, "x", o)
			return pid
		}
		var boss, looker, x *actor.PID
		t.SetUp(func() {
			boss = spawn(s, "boss", func(c *actor.ReceiveContext) {
				switch c.Message().(type) {
				case tick:
					x = create(c)
				case told:
					if begins {
						create(c)
					} else {
						_ = x.Shutdown(background)
					}
				}
			})
			looker = spawn(s, "looker", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(ask); ok {
					j.Note("%s %v", way, ways[way](c))
				}
			})
			if !begins {
				tell(boss, tick{})
			}
		})
		tell(boss, told{})
		tell(looker, ask{})
	}
}

// Strategies that leave out equivalent orders know that looking an actor up depends on whether it is there: the search
// that leaves nothing out comes to nothing else.
func TestLookups(t *testing.T) {
	for _, way := range slices.Sorted(maps.Keys(ways)) {
		for _, begins := range []bool{true, false} {
			if way == "Kill" && !begins {
				continue // both stop it
			}
			for _, model := range []trace.Model{trace.FIFO, trace.Mailbox} {
				compareLookups(t, way, begins, model)
			}
		}
	}
}

func compareLookups(t *testing.T, way string, begins bool, model trace.Model) {
	t.Helper()
	var j journal
	what := fmt.Sprintf("%s under %s, it begins: %v", way, model, begins)
	comparing(t, what, goakt.System(looking(way, begins, &j)), model, &j)
}

// comparing explores a program that comes to two ends with and without a reduction.
func comparing(t *testing.T, what string, sys explore.System, model trace.Model, j *journal) {
	t.Helper()
	show := func(strategy string) []string {
		shown, err := (&agree.Program{System: sys, Conditions: explore.Conditions{Model: model}, State: j.String,
			Before: j.Reset}).Show(strategy)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return shown.Ends()
	}
	all, few := show("naive"), show("optimal")
	if len(all) != 2 || !slices.Equal(all, few) {
		t.Errorf("%s: the naive search comes to %q, an optimal one to %q", what, all, few)
	}
}

// atOnce is a handler that sends to another actor first or last, and does something in between that the other one
// depends on.
func atOnce(begins, last bool) func(t *explore.T, j *journal) {
	return func(t *explore.T, j *journal) {
		s := start()
		looks := func(*actor.ReceiveContext) {
			_, err := s.ActorOf(background, "x")
			j.Note("%v", err == nil)
		}
		spawns := func(*actor.ReceiveContext) { spawn(s, "x", func(*actor.ReceiveContext) {}) }
		first, second := looks, spawns
		if begins {
			first, second = spawns, looks
		}
		var boss *actor.PID
		t.SetUp(func() {
			other := spawn(s, "other", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(ask); ok {
					second(c)
				}
			})
			boss = spawn(s, "boss", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(told); !ok {
					return
				}
				if last {
					first(c)
				}
				c.Tell(other, ask{})
				if !last {
					first(c)
				}
			})
		})
		tell(boss, told{})
	}
}

// What comes of a message may come before what its sender does next. Under mailbox that is not explored, and the result
// says so.
func TestLookupsBetween(t *testing.T) {
	runAll(t, []feature{
		{Name: "SendsThenSpawns", Program: atOnce(true, false), Want: []string{"true"}, Omitted: "does something at once"},
		{Name: "SpawnsThenSends", Program: atOnce(true, true), Want: []string{"true"}},
		{Name: "SendsThenLooks", Program: atOnce(false, false), Want: []string{"false"}, Omitted: "does something at once"},
		{Name: "LooksThenSends", Program: atOnce(false, true), Want: []string{"false"}},
	})
}

// A goroutine of a handler that looks up beside a spawn of that handler may see the tree half done: its lock keeps
// nobody out. The result says so, where it says no more of goroutines.
func TestLookupsBesideSpawns(t *testing.T) {
	for _, spawns := range []bool{true, false} {
		s := trial{Strategy: "optimal"}.Try(t, goakt.System, func(t *explore.T, j *journal) {
			s := start()
			var boss *actor.PID
			t.SetUp(func() {
				boss = spawn(s, "boss", func(c *actor.ReceiveContext) {
					if _, ok := c.Message().(told); !ok {
						return
					}
					done := make(chan bool, 1)
					go func() {
						is, _ := s.ActorExists(background, "x")
						done <- is
					}()
					if spawns {
						spawn(s, "x", func(*actor.ReceiveContext) {})
					}
					j.Note("%v", <-done)
				})
			})
			tell(boss, told{})
		}, nil)
		said := strings.Contains(s.PassedOver, "the framework's own lock does not keep those apart")
		if s.Err != nil || s.Complete && said || said != (chance.Numbered() && spawns) {
			t.Errorf("spawns: %v: %v, complete %v, left out %q, uncontrolled %q", spawns, s.Err, s.Complete, s.PassedOver,
				s.Uncontrolled)
		}
	}
}
