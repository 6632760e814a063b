package hollywood

import (
	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// Actor gives the actor that goes by a name in reports, as in "room" or "player/bob". It is for tests that have
// no reference to it, because functions of the application create it; t is theirs. Where several have one name,
// "room#2" is the second; numbers count the actors that there are by now. If there is none, the test fails.
func Actor(t *explore.T, name string) *actor.PID { return boxNamed(t, name).pid }

// Send sends a message without a sender to the actor that goes by a name. See Actor.
func Send(t *explore.T, name string, msg any) {
	b := boxNamed(t, name)
	b.engine.Send(b.pid, msg)
}

// boxNamed gives an actor by its name, and ends the execution if there is none.
func boxNamed(t *explore.T, name string) *box {
	if rt := adapter.Current(); rt != nil {
		if b, ok := rt.Named(name).(*box); ok {
			return b
		}
	}
	t.Fatalf("hollywood: there is no actor %s, or it is not the test function that asks", name)
	return nil
}
