package protoactor

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// Actor gives the actor that goes by a name in reports, as in "account" or "Worker#2". It is for test functions that
// have no reference to it, because functions of the application create it; t is theirs. Numbers count the actors that
// there are by now. If there is none, the test fails.
func Actor(t *explore.T, name string) *actor.PID { return mailboxOf(t, name).self() }

// Send sends a message from the test function to the actor that goes by a name. See Actor.
func Send(t *explore.T, name string, msg any) {
	m := mailboxOf(t, name)
	m.system.Root.Send(m.self(), msg)
}

// Ask sends a message from the test function to the actor that goes by a name, as a request: an answer is no dead
// letter. The future has no timeout. It is of the framework's type: *actor.Future in versions of 2024, actor.Future
// since. See Actor.
var Ask = asker(actor.NewFuture)

// mailboxOf gives the mailbox of an actor, and ends the execution if there is none.
func mailboxOf(t *explore.T, name string) *mailbox {
	if rt := adapter.Current(); rt != nil {
		if m, ok := rt.Named(name).(*mailbox); ok {
			return m
		}
	}
	t.Fatalf("protoactor: there is no actor %s, or it is not the test function that asks", name)
	return nil
}
