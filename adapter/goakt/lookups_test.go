package goakt_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
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
	show := func(strategy string) []string {
		shown, err := (&agree.Program{System: goakt.System(looking(way, begins, &j)),
			Conditions: explore.Conditions{Model: model}, State: j.String, Before: j.Reset}).Show(strategy)
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		return shown.Ends()
	}
	all, few := show("naive"), show("optimal")
	if len(all) != 2 || !slices.Equal(all, few) {
		t.Errorf("%s under %s, it begins: %v: the naive search comes to %q, an optimal one to %q", way, model, begins, all,
			few)
	}
}
