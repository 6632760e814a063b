package goakt_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/passivation"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
)

// A mailbox of the program's own is not run, and the result says so, unless it does as ours: it keeps the order, and
// all that the actor is sent has room in it, PostStart among that.
func TestBypassed(t *testing.T) {
	for name, c := range map[string]struct {
		mailbox func() actor.Mailbox
		says    string
	}{
		"segments": {func() actor.Mailbox { return actor.NewUnboundedSegmentedMailbox() }, ""},
		"room":     {func() actor.Mailbox { return actor.NewBoundedMailbox(4) }, ""},
		"too few":  {func() actor.Mailbox { return actor.NewBoundedMailbox(2) }, "(*actor.BoundedMailbox) for fewer"},
		"fair":     {func() actor.Mailbox { return actor.NewUnboundedFairMailbox() }, "(*actor.UnboundedFairMailbox)"},
	} {
		t.Run(name, func(t *testing.T) {
			f := feature{Program: func(t *explore.T, j *journal) {
				s := start()
				tell(spawn(s, "a", sink("a", j), actor.WithMailbox(c.mailbox())), told{1}, told{2}, told{3})
			}, Bypassed: c.says, Want: []string{"a 1, a 2, a 3"}}
			f.Run(t, goakt.System)
		})
	}
}

// The receiver of PipeToName is looked up on a goroutine that is not controlled, and the result says so.
func TestPipeToName(t *testing.T) {
	program := func(t *explore.T, j *journal) {
		s := start()
		var a *actor.PID
		t.SetUp(func() {
			spawn(s, "to", sink("to", j))
			a = spawn(s, "a", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					c.PipeToName("to", func() (any, error) { return told{1}, nil })
				}
			})
		})
		tell(a, tick{})
	}
	s := trial{Random: 20}.Try(t, goakt.System, program, nil)
	if s.Err != nil || s.Complete || !strings.Contains(s.Uncontrolled, "a starts a goroutine in its handler") {
		t.Errorf("%v, complete %v, uncontrolled %q", s.Err, s.Complete, s.Uncontrolled)
	}
}

// A second test of one process has systems of the same name, whose actors are copies of those of the first.
func TestSystemsOfOneName(t *testing.T) {
	f := feature{Program: func(t *explore.T, j *journal) {
		s := start()
		tell(spawn(s, "a", sink("a", j)), told{1})
		j.Note("%v %d", s.Running(), s.NumActors())
		_ = s.Stop(background)
		j.Note("%v %d", s.Running(), s.NumActors())
	}, Trial: trial{Strategy: "optimal"}}
	f.Run(t, goakt.System)
	f.Run(t, goakt.System)
}

// That no execution waits for the default passivation is a note of the result. Where the program says how long its
// actors live, there is none.
func TestDefaultPassivation(t *testing.T) {
	for _, options := range [][]actor.SpawnOption{
		nil, {actor.WithLongLived()}, {actor.WithPassivationStrategy(passivation.NewTimeBasedStrategy(time.Second))},
	} {
		r, err := rehearse.Explore(rehearse.Config{Budget: "5x", Recheck: -1}, goakt.System(func(t *explore.T) {
			s := start()
			var a *actor.PID
			t.SetUp(func() { a = spawn(s, "a", func(*actor.ReceiveContext) {}, options...) })
			tell(a, told{1})
		}))
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(r.String(), "passivated after 2m0s"); said != (options == nil) {
			t.Errorf("%d options: %v", len(options), r)
		}
	}
}
