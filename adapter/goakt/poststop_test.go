package goakt_test

import (
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// lastly is what an actor does in its PostStop.
type lastly func(b *actor.PID)

// stopping has one actor stop another one, or two at the same time.
func stopping(before lastly, both bool) func(t *explore.T, j *journal) {
	return func(t *explore.T, j *journal) {
		s := start()
		var first, second *actor.PID
		t.SetUp(func() {
			b := spawn(s, "b", doubler)
			x, _ := s.Spawn(background, "x", &acts{receive: sink("x", j), stop: func() {
				before(b)
				j.Note("stopped")
			}})
			stop := func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					j.Note("%s %v", c.Self().Name(), x.Shutdown(background))
				}
			}
			first, second = spawn(s, "first", stop), spawn(s, "second", stop)
		})
		tell(first, tick{})
		if both {
			tell(second, tick{})
		}
	}
}

// A PostStop may wait: time passes, and others go on. Who stops the same actor meanwhile waits for its end. One that
// waits for ever is a deadlock.
func TestPostStopWaits(t *testing.T) {
	blocks := []trace.ViolationKind{trace.Deadlock}
	for name, c := range map[string]struct {
		before lastly
		finds  []trace.ViolationKind
	}{
		"sleeps": {func(*actor.PID) { time.Sleep(time.Second) }, nil},
		"asks": {func(b *actor.PID) {
			if r, err := actor.Ask(background, b, ask{1}, time.Second); err != nil || r != (told{2}) {
				panic(err)
			}
		}, nil},
		"tells":  {func(b *actor.PID) { _ = actor.Tell(background, b, ask{1}) }, nil},
		"blocks": {func(*actor.PID) { select {} }, blocks},
	} {
		for _, model := range []trace.Model{trace.FIFO, trace.Mailbox} {
			one := feature{Name: name + "/" + model.String(), Finds: c.finds, Want: []string{"stopped, first <nil>"},
				Program: stopping(c.before, false), Trial: trial{Strategy: "optimal", Model: model}}
			two := one
			two.Name, two.Program = one.Name+"/two", stopping(c.before, true)
			two.Want = []string{"stopped, first <nil>, second <nil>", "stopped, second <nil>, first <nil>"}
			if c.finds != nil {
				one.Want, two.Want = nil, nil
			}
			runAll(t, []feature{one, two})
			if c.finds == nil && model == trace.FIFO {
				two.Agree(t, goakt.System, model, "")
			}
		}
	}
}
