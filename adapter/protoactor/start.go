package protoactor

import (
	"fmt"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file tells what decides what actors do beside their values and messages, for who begins an analysis in a state
// of the program. adapter/start.go asks.

// Identity is what adapter.Runtime.Identity gives.
func (f *framework) Identity(a adapter.Actor) string {
	if m, ok := a.(*mailbox); ok {
		return m.id
	}
	return ""
}

// Beside says what else than its value decides what an actor does, "" if nothing: the framework's or the program's code
// around it.
func (f *framework) Beside(a adapter.Actor) string {
	m, ok := a.(*mailbox)
	switch {
	case !ok:
		return ""
	case m.routing != nil:
		return "it is a router"
	case len(m.middleware)+len(m.bypassed) > 0:
		return "its mailbox is the program's own"
	}
	for _, name := range []string{"receiverMiddleware", "senderMiddleware", "spawnMiddleware", "contextDecorator"} {
		if x := hidden(m.props, name); !x.IsValid() || x.Len() > 0 {
			return "its props have " + name
		}
	}
	if x := hidden(m.props, "spawner"); !x.IsValid() || !x.IsNil() {
		return "its props have a spawner of their own"
	}
	return ""
}

// listening is how many listen to the event stream of a system without the program: the framework's dead letters,
// twice, its supervision, and meet.
const listening = 4

// Listens says who hears of what happens without being an actor, "" if nobody does.
func (f *framework) Listens() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for system := range f.systems {
		if n := int(system.EventStream.Length()); n > listening {
			return fmt.Sprintf("the program listens to an event stream (%d)", n)
		}
	}
	return ""
}
