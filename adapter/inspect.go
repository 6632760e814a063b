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
	// ActorOf gives the one of actors that a value refers to, -1 and its name if it is none. Those before the test's first
	// are nil.
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

// inspection tells what the record leaves out of a state.
type inspection struct {
	*execution
	cast     *cast
	recorder *recorder
	timers   *timers
	ending   *ending
}

var _ explore.Inspector = (*Runtime)(nil)

func (p *inspection) inspecting() Inspecting {
	i, _ := p.sys.framework.(Inspecting)
	return i
}

// Nature is explore.Inspector.Nature.
func (p *inspection) Nature(t reflect.Type) explore.Nature { return p.sys.natureOf(t) }

func (s *System) natureOf(t reflect.Type) explore.Nature {
	if t == reflect.TypeFor[*explore.T]() {
		return explore.Opaque
	}
	if i, ok := s.framework.(Inspecting); ok {
		return i.Nature(t)
	}
	return explore.Plain
}

// Foreign reports whether memory of a type is the framework's own affair, whoever reaches it. internal/reach asks.
func (p *inspection) Foreign(t reflect.Type) bool {
	f, ok := p.sys.framework.(interface{ Foreign(reflect.Type) bool })
	return ok && f.Foreign(t)
}

// ActorOf is explore.Inspector.ActorOf.
func (p *inspection) ActorOf(v any) (actor int32, name string) {
	i, name := p.inspecting().ActorOf(p.cast.actor, len(p.cast.actors), v)
	return int32(i), name
}

// Kept is explore.Inspector.Kept.
func (p *inspection) Kept(a int32) any {
	if p.cast.actors[a].Actor == nil || p.inspecting() == nil {
		return nil
	}
	return p.inspecting().Kept(p.cast.actors[a].Actor)
}

// Settled is explore.Inspector.Settled.
func (p *inspection) Settled(a int32) bool {
	s := &p.cast.actors[a]
	return !s.busy && s.Actor != nil && p.inspecting().Settled(s.Actor)
}

// Disclosed is explore.Inspector.Disclosed. Who waits in a call says so; a future that somebody else looks at does not,
// nor do timers.
func (p *inspection) Disclosed() (d explore.Disclosure, why string) {
	if p.inspecting() == nil {
		return explore.Hidden, "the adapter of this framework does not tell the state of its actors"
	}
	for a := range p.cast.actors {
		if s := &p.cast.actors[a]; s.blocked && s.waitsFor() == nil {
			return explore.Hidden, p.tr.ActorName(int32(a)) + " waits in the middle of a handler for something other than a " +
				"message, such as a channel or a lock"
		}
	}
	if p.sys.timed || p.sys.opaque || p.timers.ofFramework > 0 {
		return explore.ByHistory, ""
	}
	return p.disclosed()
}

// disclosed is Disclosed where no timer is set.
func (p *inspection) disclosed() (d explore.Disclosure, why string) {
	open := map[int32]int{}
	for _, c := range p.cast.calls {
		if !c.done {
			open[c.owner]++
			if open[c.owner] > 1 || !p.cast.actors[c.owner].blocked {
				return explore.ByHistory, ""
			}
		}
	}
	d, why = explore.ByValue, ""
	p.pool.Each(func(m int32) {
		if p.tr.Messages[m].GoesOn {
			d = explore.ByHistory
		}
	})
	if e, w := p.inspecting().Disclosed(p.cast.actor, len(p.cast.actors)); e > d {
		d, why = e, w
	}
	return d, why
}

// ByNames says what references by name disclose: a name that was used again says only together with the history whom it
// refers to. name gives that of one of n actors, false where it has none.
func ByNames(n int, name func(i int) (string, bool)) explore.Disclosure {
	named := map[string]bool{}
	for i := range n {
		id, ok := name(i)
		if ok && named[id] {
			return explore.ByHistory
		}
		named[id] = named[id] || ok
	}
	return explore.ByValue
}

// Attached is explore.Inspector.Attached.
func (p *inspection) Attached(message int32) any {
	if p.tr.Messages[message].Kind == trace.Answer {
		return nil // it goes to the one call of an actor that waits
	}
	return p.inspecting().Attached(p.recorder.payload[message])
}

// Arrangement is explore.Inspector.Arrangement.
func (p *inspection) Arrangement() explore.Arrangement { return &p.pool }
