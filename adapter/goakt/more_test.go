package goakt_test

import (
	"strings"
	"testing"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
)

// A mailbox of the program's own is not run, and the result says so.
func TestBypassed(t *testing.T) {
	f := feature{program: func(t *explore.T, j *journal) {
		s := start()
		tell(spawn(s, "a", sink("a", j), actor.WithMailbox(actor.NewBoundedMailbox(2))), told{1})
	}}
	s := f.try(t, adapter.TakeOver, search.NewNaive(), 100)
	want := "a has a mailbox of its own (*actor.BoundedMailbox)"
	if s.err != nil || s.Complete || !strings.Contains(s.Bypassed, want) {
		t.Errorf("%v, complete %v, bypassed %q", s.err, s.Complete, s.Bypassed)
	}
}

// The receiver of PipeToName is looked up on a goroutine that is not controlled, and the result says so.
func TestPipeToName(t *testing.T) {
	f := feature{program: func(t *explore.T, j *journal) {
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
	}}
	s := f.try(t, adapter.TakeOver, search.NewNaive(), 100)
	if s.err != nil || s.Complete || !strings.Contains(s.Uncontrolled, "a starts a goroutine in its handler") {
		t.Errorf("%v, complete %v, uncontrolled %q", s.err, s.Complete, s.Uncontrolled)
	}
}

// A second test of one process has systems of the same name, whose actors are copies of those of the first.
func TestSystemsOfOneName(t *testing.T) {
	f := feature{program: func(t *explore.T, j *journal) {
		s := start()
		tell(spawn(s, "a", sink("a", j)), told{1})
		j.note("%v %d", s.Running(), s.NumActors())
		_ = s.Stop(background)
		j.note("%v %d", s.Running(), s.NumActors())
	}, large: true}
	f.run(t)
	f.run(t)
}
