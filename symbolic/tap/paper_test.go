package tap_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/tap"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// [TAP18] Figure 11, a hundred pongs, each of them the answer to a ping: two actors have to be searched in step. In the
// paper pongs come from outside, so that nobody has to send them. With feedback the cost is that of the path itself and
// of one attempt a pong.
func TestPingPong(t *testing.T) {
	s := open(t, "../..", "./subjects/tap")
	start := s.sent("TestPingPong100")
	goal := s.block(actor(start, "tap.ping").Fn, "Stop")
	for _, c := range []struct {
		pongs  int
		golden golden
	}{
		{10, golden{tap.H1H2, tap.Found, 577}},
		{10, golden{tap.Feedback, tap.Found, 580}},
		{100, golden{tap.Feedback, tap.Found, 5890}},
	} {
		s.holds(actor(start, "tap.ping"), "p.left", c.pongs)
		want := 2*c.pongs + 1
		a := s.cost(start, goal, func(config *tap.Config) {
			config.Runs, config.First, config.Outside = want, want, 1
		}, []golden{c.golden})
		if a.Verdict == tap.Found && (a.Runs != want || len(a.Outside) != 1) {
			t.Errorf("%d pongs: %d messages, %d of them from outside, want %d and 1", c.pongs, a.Runs, len(a.Outside), want)
		}
	}
}

// The case that [TAP18] 7.2 has feedback for: two actors of one class have to differ in what they were created with.
func TestIds(t *testing.T) {
	s := open(t, "../..", "./subjects/tap")
	start := s.sent("TestIds")
	goal := s.block(actor(start, "tap.registry").Fn, "Errorf")
	a := s.cost(start, goal, func(*tap.Config) {}, []golden{
		{tap.Random, tap.GaveUp, 1_000},
		{tap.H1, tap.Found, 1597},
		{tap.H2, tap.GaveUp, 1_000},
		{tap.H1H2, tap.Found, 3323},
		{tap.Feedback, tap.Found, 2126},
	})
	if len(a.Plan.Steps) != 6 || a.Actors != 3 {
		t.Errorf("%d messages to %d actors, want 6 to 3", len(a.Plan.Steps), a.Actors)
	}
}

// In every order of transitions that the print allows, the same is not found. What select.go leaves out is what makes
// the difference.
func TestLiteral(t *testing.T) {
	s := open(t, "../..", "./subjects/tap")
	start := s.sent("TestIds")
	goal := s.block(actor(start, "tap.registry").Fn, "Errorf")
	s.cost(start, goal, func(c *tap.Config) { c.Literal = true }, []golden{{tap.Feedback, tap.GaveUp, 3_000}})
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
