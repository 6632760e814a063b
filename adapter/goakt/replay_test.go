package goakt_test

import (
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/supervisor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// office has all that is hard to repeat: calls that time out, restarts, children that are stopped with their parent,
// ticks, and results that are piped.
func office(t *explore.T, j *journal) {
	s := start()
	var boss, clerk *actor.PID
	t.SetUp(func() {
		clerk = spawn(s, "clerk", func(c *actor.ReceiveContext) {
			switch m := c.Message().(type) {
			case ask:
				if m.n%2 == 1 {
					c.Response(told{m.n})
				}
			case boom:
				panic("boom")
			case told:
				j.Note("clerk %d", m.n)
			}
		}, actor.WithSupervisor(supervisor.NewSupervisor(supervisor.WithAnyErrorDirective(supervisor.RestartDirective))))
		boss = spawn(s, "boss", func(c *actor.ReceiveContext) {
			switch m := c.Message().(type) {
			case *actor.PostStart:
				for _, name := range []string{"x", "y", "z"} {
					spawnsIn(c, name, j, func(c *actor.ReceiveContext) {
						if _, ok := c.Message().(tick); ok {
							c.Tell(clerk, told{len(name)})
						}
					})
				}
			case told:
				j.Note("boss %v", c.Ask(clerk, ask{m.n}, time.Second))
			case tick:
				for _, child := range c.Children() {
					_ = child
				}
				c.PipeTo(clerk, func() (any, error) { return told{9}, nil })
			}
		})
	})
	_ = s.Schedule(background, tick{}, boss, 300*time.Millisecond, actor.WithReference("ticks"))
	tell(boss, told{1})
	tell(clerk, boom{})
	tell(boss, told{2})
	tell(boss, new(actor.PoisonPill))
}

// Random schedules give the same trace and the same journal each time, in both modes and with both kinds of timers.
func TestRepetitions(t *testing.T) { features.Repetitions(t, goakt.System, office) }

// No goroutine and no memory is left by executions of which some end with blocked handlers or ticks.
func TestNothingIsLeft(t *testing.T) {
	c := explore.Conditions{Model: trace.Mailbox, Horizon: 3 * time.Second}
	features.NothingLeft(t, goakt.System, office, c, 400)
}

func stockControlled() actor.ActorSystem { return goakt.Control(stock(true)) }
