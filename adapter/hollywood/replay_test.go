package hollywood_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/internal/tests/uncontrolled"
	"github.com/rehearse-go/rehearse/trace"
)

// office has all that is hard to repeat: requests that time out, restarts, children that are stopped with their parent,
// ticks, and somebody who listens to the event stream.
func office(t *explore.T, j *journal) {
	e := hollywood.NewEngine()
	var boss, clerk *actor.PID
	t.SetUp(func() {
		e.Subscribe(hears(e, j, "ear"))
		clerk = e.SpawnFunc(func(c *actor.Context) {
			switch m := c.Message().(type) {
			case ask:
				if m.n%2 == 1 {
					c.Respond(told{m.n})
				}
			case boom:
				panic("boom")
			case told:
				j.Note("clerk %d", m.n)
			}
		}, "clerk")
		boss = e.SpawnFunc(func(c *actor.Context) {
			switch m := c.Message().(type) {
			case actor.Started:
				for _, name := range []string{"x", "y", "z"} {
					c.SpawnChildFunc(func(c *actor.Context) {
						switch c.Message().(type) {
						case tick:
							c.Send(clerk, told{len(name)})
						case actor.Stopped:
							j.Note("%s stopped", name)
						}
					}, name)
				}
			case told:
				v, err := c.Request(clerk, ask{m.n}, time.Second).Result()
				j.Note("boss %v %v", v, err)
			case tick:
				for _, child := range c.Children() {
					_ = child
				}
				c.Send(clerk, m)
			}
		}, "boss")
	})
	repeat := e.SendRepeat(boss, tick{}, 300*time.Millisecond)
	t.Cleanup(repeat.Stop)
	e.Send(boss, told{1})
	e.Send(clerk, boom{})
	e.Send(boss, told{2})
	e.Poison(boss)
}

// Random schedules give the same trace and the same journal each time, in both modes and with both kinds of timers.
func TestRepetitions(t *testing.T) { features.Repetitions(t, hollywood.System, office) }

// No goroutine and no memory is left by executions of which some end with blocked handlers or ticks.
func TestNothingIsLeft(t *testing.T) {
	c := explore.Conditions{Model: trace.Mailbox, Horizon: 3 * time.Second}
	features.NothingLeft(t, hollywood.System, office, c, 400)
}

func stockControlled() *actor.Engine { return hollywood.Control(stockEngine(actor.NewEngineConfig())) }

// From the first timer of the program on, clocks tell other times in the same execution. That is no difference between
// executions, as one is that the program makes.
func TestClockInMessages(t *testing.T) {
	for _, random := range []bool{false, true} {
		var n atomic.Int64 // over all executions
		r, err := rehearse.Explore(rehearse.Config{}, hollywood.System(func(t *rehearse.T) {
			e := hollywood.NewEngine()
			var a *actor.PID
			t.SetUp(func() {
				b := e.SpawnFunc(doubler, "b")
				a = e.SpawnFunc(func(c *actor.Context) {
					if m, ok := c.Message().(told); ok {
						if random {
							m.n = int(n.Add(1))
						}
						c.Send(b, stamp{time.Now(), m.n})
					}
				}, "a")
			})
			e.Send(a, told{})
			e.Send(a, told{})
			t.AtEnd(func() { _, _ = e.Request(a, told{}, time.Second).Result() })
		}))
		if err != nil || (r.Varied != "") != random || r.Drawn != "" && !random {
			t.Errorf("random: %v: %v, %q and %q held something else", random, err, r.Varied, r.Drawn)
		}
	}
}

// stamp is a message with the time at which it was sent.
type stamp struct {
	at time.Time
	n  int
}

// TestWorkersSayAsMuch: a divided exploration says all that one process says of what it does not control.
func TestWorkersSayAsMuch(t *testing.T) {
	uncontrolled.CheckWorkers(t, func(always bool, does func()) rehearse.System {
		return hollywood.System(func(t *rehearse.T) {
			e := hollywood.NewEngine()
			var from [2]*actor.PID
			n := 0
			t.SetUp(func() {
				to := e.SpawnFunc(func(c *actor.Context) {
					if m, ok := c.Message().(told); ok {
						if n++; n == 1 && (always || m.n == 1) {
							does()
						}
					}
				}, "to")
				for i := range from {
					from[i] = e.SpawnFunc(func(c *actor.Context) {
						if m, ok := c.Message().(told); ok {
							c.Send(to, m)
						}
					}, fmt.Sprint("from", i))
				}
			})
			for i := range from {
				e.Send(from[i], told{i})
			}
		})
	})
}
