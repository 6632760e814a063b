package goakt

import (
	"context"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// Actor gives the actor that goes by a name in reports, as in "room". It is for tests that have no reference to it,
// because functions of the application create it; t is theirs. Where several have one name, "room#2" is the second;
// numbers count the actors that there are by now. If there is none, the test fails.
func Actor(t *explore.T, name string) *actor.PID {
	if rt := adapter.Current(); rt != nil {
		if b, ok := rt.Named(name).(*box); ok {
			return b.pid
		}
	}
	t.Fatalf("goakt: there is no actor %s, or it is not the test function that asks", name)
	return nil
}

// Send sends a message without a sender to the actor that goes by a name. If the actor has ended, the test fails. See
// Actor.
func Send(t *explore.T, name string, msg any) {
	if err := actor.Tell(context.Background(), Actor(t, name), msg); err != nil {
		t.Fatalf("goakt: %s is told %T: %v", name, msg, err)
	}
}
