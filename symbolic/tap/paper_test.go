package tap_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/tap"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// [TAP18] Figure 11 with fewer pongs than the paper's hundred, each of them the answer to a ping. In the paper pongs come from outside, so that nobody has to send them;
// here two actors have to be searched in step.
func TestPingPong(t *testing.T) {
	s := open(t, "../..", "./subjects/tap")
	start := s.sent("TestPingPong100")
	goal := s.block(actor(start, "tap.ping").Fn, "Stop")
	for _, c := range []struct {
		pongs, runs int
		seed        uint64
		golden      golden
	}{
		{2, 6, 0, golden{tap.H1H2, tap.Found, 1762}},
		{2, 6, 0, golden{tap.Feedback, tap.Found, 1582}},
		{5, 25, 3, golden{tap.Feedback, tap.Found, 246}},
	} {
		s.holds(actor(start, "tap.ping"), "p.left", c.pongs)
		a := s.cost(start, goal, func(config *tap.Config) {
			config.Runs, config.First, config.Outside, config.Seed = c.runs, c.runs, 1, c.seed
		}, []golden{c.golden})
		if want := 2*c.pongs + 1; a.Runs != want || len(a.Outside) != 1 {
			t.Errorf("%d pongs: %d messages, %d of them from outside, want %d and 1", c.pongs, a.Runs, len(a.Outside), want)
		}
	}
}

// holds has an actor of the start hold another number.
func (s *subject) holds(a *system.Actor, name string, v int) {
	s.t.Helper()
	s.hand = true
	for i, x := range a.State {
		if x.Name == name {
			a.State[i].Term = s.store.Int(term.Word(64), int64(v))
			return
		}
	}
	s.t.Fatalf("%s holds no %s: %v", a.Name, name, a.State)
}
