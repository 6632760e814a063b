package stateful_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/stateful"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// Whether a message passes a stop depends on whether the actor has looked since that arrived, which is a part of the
// state: handling x changes nothing else. If x passes the stop, y does not.
func TestLooksAreState(t *testing.T) {
	handler := func(add int) toy.Handler { return toy.Handler{Mul: 1, Add: add, Refuse: -1, Fail: -1} }
	tell := func(to, message int) toy.Op { return toy.Op{Kind: toy.Send, To: to, Message: message, When: -1} }
	x, stop, y := tell(0, 0), toy.Op{Kind: toy.Kill, When: -1}, tell(0, 1)
	for _, driver := range [][]toy.Op{{x, stop, y}, {x, stop, y, tell(0, 2)}} {
		p := &toy.Program{Kinds: []toy.Behaviour{{handler(0), handler(1), handler(2)}}, Actors: []int{0}, Driver: driver}
		c := explore.Conditions{Model: trace.Mailbox}
		want, got := executed(t, p, c, search.NewNaive(), true), executed(t, p, c, stateful.New(stateful.Options{}), true)
		if !slices.Equal(got.finals, want.finals) || !got.Complete {
			t.Errorf("%v: stateful ends in %q, naive in %q", driver, got.finals, want.finals)
		}
	}
}
