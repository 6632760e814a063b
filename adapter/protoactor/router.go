package protoactor

import (
	"reflect"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/router"
)

// routing is the state of a router, which whoever sends to it uses in its own step, and the router's actor changes. It notes that these
// steps depend on each other, and has the exploration choose where a random router does.
type routing struct {
	router.State
	m       *mailbox // of the router's actor
	random  bool
	changes bool // routing a message changes it: whose turn it is
}

// RouteMessage sends to the routees, of a random router to the one that the exploration picks.
func (r *routing) RouteMessage(message any) {
	r.touch(r.changes)
	if !r.random {
		r.State.RouteMessage(message)
		return
	}
	routees := r.GetRoutees()
	r.m.system.Root.Send(routees.Get(r.m.rt.Choose(routees.Len())), message)
}

// touch notes that the step that runs uses the state.
func (r *routing) touch(write bool) { r.m.rt.Access(r.m.rt.Shared(r.m.index), write) }

// controls notes that the router's actor changes the state when it handles a message that is no question.
func (r *routing) controls(message any) {
	switch message.(type) {
	case *router.GetRoutees, *router.BroadcastMessage:
		r.touch(false)
	default:
		r.touch(true)
	}
}

// controlRouter looks whether m is the actor of a router, and if so puts ours before its state. The process that routes was registered
// just before, under the name without "/router".
func (m *mailbox) controlRouter() {
	name, routes := strings.CutSuffix(m.id, "/router")
	if !routes {
		return
	}
	config := hidden(m.Value(), "config")
	if !config.IsValid() || config.IsNil() {
		return
	}
	p, ok := m.system.ProcessRegistry.GetLocal(name)
	if !ok {
		return
	}
	state := hidden(p, "state")
	if !state.IsValid() {
		return
	}
	if s, ok := state.Interface().(router.State); ok {
		kind := config.Elem().Type().String()
		m.routing = &routing{State: s, m: m, random: strings.HasPrefix(kind, "*router.random"),
			changes: !slices.ContainsFunc([]string{"*router.random", "*router.broadcast", "*router.consistentHash"},
				func(steady string) bool { return strings.HasPrefix(kind, steady) })}
		state.Set(reflect.ValueOf(m.routing))
	}
}
