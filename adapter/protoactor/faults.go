package protoactor

import (
	"reflect"
	"strings"

	"github.com/asynkron/protoactor-go/actor"
)

// This file crashes and restarts actors, as injected faults.

// silent takes the place of an actor that has crashed: the framework ends it as it ends any other, and none of its code
// runs.
type silent struct{}

func (silent) Receive(actor.Context) {}

// Crash stops the actor as the framework does: its children stop, its watchers and its parent are told, its name is
// free. But its own code and its middleware see nothing of it, neither Stopping nor Stopped, and what waits in the
// mailbox stays there.
func (m *mailbox) Crash() {
	m.suspended = true
	hidden(m.invoker, "actor").Set(reflect.ValueOf(silent{}))
	hidden(m.props, "receiverMiddlewareChain").SetZero()
	m.framework.crashed = append(m.framework.crashed, m)
	m.invoker.InvokeSystemMessage(&actor.Stop{})
}

// Restart is what the framework's supervision does to a child that failed, whatever the strategy of its supervisor
// would say. The old instance gets Restarting, its children stop, and a new one from the producer gets Started. The
// mailbox waits meanwhile.
func (m *mailbox) Restart() {
	m.suspended = true
	m.invoker.InvokeSystemMessage(&actor.Restart{})
}

// Count says that so many more user messages wait.
func (m *mailbox) Count(change int) { m.waiting.Add(int32(change)) }

// hasCrashed reports whether an injected fault stopped the actor of that address, or one above it.
func (f *framework) hasCrashed(system *actor.ActorSystem, to *actor.PID) bool {
	for _, m := range f.crashed {
		if to != nil && m.system == system && (to.Id == m.id || strings.HasPrefix(to.Id, m.id+"/")) {
			return true
		}
	}
	return false
}
