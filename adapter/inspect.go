package adapter

import (
	"reflect"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells what the record leaves out of a state, for strategies that compare states. explore.Inspector.

// Inspecting is a Framework that can tell what the state of a program consists of.
type Inspecting interface {
	// Nature says how values of a type count.
	Nature(t reflect.Type) explore.Nature
	// ActorOf gives the one of actors that a value refers to, -1 and its name if it is none. Those before the test's first are nil.
	ActorOf(actors func(int) Actor, n int, v any) (index int, name string)
	// Kept is what the framework keeps for an actor beside its value, to be compared with it.
	Kept(a Actor) any
	// Settled reports whether Kept and the actor's value are all that there is of it.
	Settled(a Actor) bool
	// Attached is what goes with a message beside its value, given its payload.
	Attached(payload any) any
	// Disclosed says by what the rest of the framework's state is known.
	Disclosed(actors func(int) Actor, n int) (d explore.Disclosure, why string)
}

var _ explore.Inspector = (*Runtime)(nil)

func (r *Runtime) inspecting() Inspecting {
	i, _ := r.sys.framework.(Inspecting)
	return i
}

// Nature is explore.Inspector.Nature.
func (r *Runtime) Nature(t reflect.Type) explore.Nature { return r.sys.natureOf(t) }

func (s *System) natureOf(t reflect.Type) explore.Nature {
	if t == reflect.TypeFor[*explore.T]() {
		return explore.Opaque
	}
	if i, ok := s.framework.(Inspecting); ok {
		return i.Nature(t)
	}
	return explore.Plain
}

// Foreign reports whether memory of a type is the framework's own affair, whoever reaches it. internal/isolation asks.
func (r *Runtime) Foreign(t reflect.Type) bool {
	f, ok := r.sys.framework.(interface{ Foreign(reflect.Type) bool })
	return ok && f.Foreign(t)
}

func (r *Runtime) actor(i int) Actor { return r.actors[i].Actor }

// ActorOf is explore.Inspector.ActorOf.
func (r *Runtime) ActorOf(v any) (actor int32, name string) {
	i, name := r.inspecting().ActorOf(r.actor, len(r.actors), v)
	return int32(i), name
}

// Kept is explore.Inspector.Kept.
func (r *Runtime) Kept(a int32) any {
	if r.actors[a].Actor == nil || r.inspecting() == nil {
		return nil
	}
	return r.inspecting().Kept(r.actors[a].Actor)
}

// Settled is explore.Inspector.Settled.
func (r *Runtime) Settled(a int32) bool {
	s := &r.actors[a]
	return !s.busy && s.Actor != nil && r.inspecting().Settled(s.Actor)
}

// Disclosed is explore.Inspector.Disclosed. Who waits in a call says so; a future that somebody else looks at does not, nor do timers.
func (r *Runtime) Disclosed() (d explore.Disclosure, why string) {
	if r.inspecting() == nil {
		return explore.Hidden, "the adapter of this framework does not tell the state of its actors"
	}
	for a := range r.actors {
		if s := &r.actors[a]; s.blocked && s.waitsFor() == nil {
			return explore.Hidden, r.tr.ActorName(int32(a)) + " waits in the middle of a handler for something other than a message, such as a channel or a lock"
		}
	}
	if r.sys.timed || r.sys.opaque || r.timers > 0 {
		return explore.ByHistory, ""
	}
	return r.disclosed()
}

// disclosed is Disclosed where no timer is set.
func (r *Runtime) disclosed() (d explore.Disclosure, why string) {
	open := map[int32]int{}
	for _, c := range r.calls {
		if !c.done {
			open[c.owner]++
			if open[c.owner] > 1 || !r.actors[c.owner].blocked {
				return explore.ByHistory, ""
			}
		}
	}
	d, why = explore.ByValue, ""
	r.pool.Each(func(m int32) {
		if r.tr.Messages[m].GoesOn {
			d = explore.ByHistory
		}
	})
	if e, w := r.inspecting().Disclosed(r.actor, len(r.actors)); e > d {
		d, why = e, w
	}
	return d, why
}

// Attached is explore.Inspector.Attached.
func (r *Runtime) Attached(message int32) any {
	if r.tr.Messages[message].Class == trace.Answer {
		return nil // it goes to the one call of an actor that waits
	}
	return r.inspecting().Attached(r.payload[message])
}

// Arrangement is explore.Inspector.Arrangement.
func (r *Runtime) Arrangement() explore.Arrangement { return &r.pool }
