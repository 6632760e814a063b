package goakt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// asking has one actor ask whether another one runs, which stops itself, or is stopped by a third. looksFirst: in the
// order that is explored first it asks before that.
func asking(looksFirst, itself bool, j *journal) func(t *explore.T) {
	return func(t *explore.T) {
		s := start()
		var to, looker *actor.PID
		t.SetUp(func() {
			x := spawn(s, "x", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(told); ok {
					c.Shutdown()
				}
			})
			boss := spawn(s, "boss", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(told); ok {
					_ = x.Shutdown(background)
				}
			})
			looker = spawn(s, "looker", looksAt(x, j))
			if to = boss; itself {
				to = x
			}
		})
		if looksFirst {
			tell(looker, ask{})
		}
		tell(to, told{})
		if !looksFirst {
			tell(looker, ask{})
		}
	}
}

func looksAt(x *actor.PID, j *journal) func(*actor.ReceiveContext) {
	return func(c *actor.ReceiveContext) {
		if _, ok := c.Message().(ask); ok {
			j.Note("%v", x.IsRunning())
		}
	}
}

// A look whether an actor runs is in order with its end, although nothing shows that it was: the search that leaves
// nothing out comes to nothing else.
func TestLooksAtActors(t *testing.T) {
	for _, model := range []trace.Model{trace.FIFO, trace.Mailbox} {
		for _, looksFirst := range []bool{true, false} {
			for _, itself := range []bool{true, false} {
				var j journal
				what := fmt.Sprintf("under %s, it looks first: %v, x stops itself: %v", model, looksFirst, itself)
				comparing(t, what, goakt.System(asking(looksFirst, itself, &j)), model, &j)
			}
		}
	}
}

// Where an actor stops in some orders only, of which the first is none, a reduction says what it may have left out.
func TestEndsLate(t *testing.T) {
	program := func(t *explore.T) {
		s := start()
		var x, helper, looker *actor.PID
		t.SetUp(func() {
			ends := false
			x = spawn(s, "x", func(c *actor.ReceiveContext) {
				switch c.Message().(type) {
				case tick:
					ends = true
				case told:
					if ends {
						c.Shutdown()
					}
				}
			})
			helper = spawn(s, "helper", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					c.Tell(x, tick{})
				}
			})
			looker = spawn(s, "looker", looksAt(x, &journal{}))
		})
		tell(x, told{})
		tell(helper, tick{})
		tell(looker, ask{})
	}
	for strategy, says := range map[string]bool{"naive": false, "optimal": true} {
		shown, err := (&agree.Program{System: goakt.System(program), Conditions: explore.Conditions{Model: trace.FIFO}}).
			Show(strategy)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(shown.PassedOver, "which no earlier execution has shown") != says || shown.Complete == says {
			t.Errorf("%s: complete %v, left out %q", strategy, shown.Complete, shown.PassedOver)
		}
	}
}
