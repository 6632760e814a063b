package protoactor

import (
	"reflect"
	"strings"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse/adapter"
)

// choosing is the state of a random router with the exploration's choice in the place of the random one.
type choosing struct {
	router.State
	rt     *adapter.Runtime
	system *actor.ActorSystem
}

// RouteMessage sends to the routee that the exploration picks.
func (c *choosing) RouteMessage(message any) {
	routees := c.GetRoutees()
	c.system.Root.Send(routees.Get(c.rt.Choose(routees.Len())), message)
}

// controlRouter looks whether m is the actor of a random router, and if so takes over its choice. The process that routes was
// registered just before, under the name without "/router".
func (m *mailbox) controlRouter() {
	name, routes := strings.CutSuffix(m.id, "/router")
	if !routes {
		return
	}
	config := hidden(m.Value(), "config")
	if !config.IsValid() || config.IsNil() || !strings.HasPrefix(config.Elem().Type().String(), "*router.random") {
		return
	}
	p, ok := m.system.ProcessRegistry.GetLocal(name)
	if !ok {
		return
	}
	if state := hidden(p, "state"); state.IsValid() {
		if s, ok := state.Interface().(router.State); ok {
			state.Set(reflect.ValueOf(&choosing{s, m.rt, m.system}))
		}
	}
}
