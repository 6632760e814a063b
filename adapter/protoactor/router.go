package protoactor

import (
	"reflect"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// routing is the state of a router, which whoever sends to it uses in its own step, and the router's actor changes. It
// notes that these steps depend on each other, and has the exploration choose where a random router does.
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

// routerSuffix is what the name of a router's actor has more than that of the process that routes.
const routerSuffix = "/router"

// controlRouter looks whether m is the actor of a router, and if so puts ours before its state. The process that routes
// was registered just before, under the name without "/router".
func (m *mailbox) controlRouter() {
	name, routes := strings.CutSuffix(m.id, routerSuffix)
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
	if process, ok := p.(actor.Process); ok {
		m.system.ProcessRegistry.LocalPIDs.GetBucket(name).Set(name, &proxy{process, m.rt, lifeOf(m.id)})
	}
	if s, ok := state.Interface().(router.State); ok {
		kind := config.Elem().Type().String()
		m.routing = &routing{State: s, m: m, random: strings.HasPrefix(kind, "*router.random"),
			changes: !slices.ContainsFunc([]string{"*router.random", "*router.broadcast", "*router.consistentHash"},
				func(steady string) bool { return strings.HasPrefix(kind, steady) })}
		state.Set(reflect.ValueOf(m.routing))
	}
}

// proxy stands before the process of a router. Whoever watches or stops that runs its code in its own step: who
// watches, and whether it stops, is changed and asked there, without a message.
type proxy struct {
	actor.Process
	rt   *adapter.Runtime
	life trace.ID
}

// lifeOf stands for who watches a router and whether it stops; id is the name of its actor.
func lifeOf(id string) trace.ID { return adapter.Name(id + "$process") }

// SendUserMessage is actor.Process.
func (p *proxy) SendUserMessage(pid *actor.PID, message any) {
	if _, inner, _ := actor.UnwrapEnvelope(message); isPill(inner) {
		p.ends(func() { p.Process.SendUserMessage(pid, message) })
		return
	}
	p.Process.SendUserMessage(pid, message)
}

func isPill(message any) bool {
	_, is := message.(*actor.PoisonPill)
	return is
}

// SendSystemMessage is actor.Process.
func (p *proxy) SendSystemMessage(pid *actor.PID, message any) {
	switch message.(type) {
	case *actor.Watch, *actor.Unwatch:
		p.rt.Access(p.life, true)
	case *actor.Stop:
		p.ends(func() { p.Process.SendSystemMessage(pid, message) })
		return
	}
	p.Process.SendSystemMessage(pid, message)
}

// Stop is actor.Process.
func (p *proxy) Stop(pid *actor.PID) { p.ends(func() { p.Process.Stop(pid) }) }

// ends notes that stop changes the router: at once, and, when its actor has stopped, in the step in which whoever waits
// for that goes on.
func (p *proxy) ends(stop func()) {
	p.rt.Access(p.life, true)
	stop()
	p.rt.Touch(p.life, true) // which comes before what was sent to who watches
}
