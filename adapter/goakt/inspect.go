package goakt

import (
	"reflect"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/log"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// This file tells what the state of a program consists of, for strategies that compare states. adapter.Inspecting.

var _ adapter.Inspecting = (*framework)(nil)

var natures = map[reflect.Type]explore.Nature{
	reflect.TypeFor[*actor.PID]():            explore.Reference,
	reflect.TypeFor[actor.Path]():            explore.Opaque,
	reflect.TypeFor[*actor.ReceiveContext](): explore.Secret,
	reflect.TypeFor[actor.ActorSystem]():     explore.Opaque,
	reflect.TypeFor[log.Logger]():            explore.Opaque,
	reflect.TypeFor[actor.RequestCall]():     explore.Secret,
}

// Nature is adapter.Inspecting.Nature.
func (f *framework) Nature(t reflect.Type) explore.Nature { return natures[t] }

// Foreign reports whether a type is the framework's: what several actors do to memory of such types is its affair.
func (f *framework) Foreign(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() == module+"/actor"
}

// ActorOf is adapter.Inspecting.ActorOf. A process that is no actor goes by its name.
func (f *framework) ActorOf(actors func(int) adapter.Actor, n int, v any) (index int, name string) {
	pid, ok := v.(*actor.PID)
	if !ok || pid == nil {
		return -1, ""
	}
	for i := n - 1; i >= 0; i-- {
		if b, ok := actors(i).(*box); ok && b.pid == pid {
			return i, ""
		}
	}
	return -1, pid.ID()
}

// kept is what the framework holds of an actor beside its value.
type kept struct {
	state            uint32
	started, greeted bool
	away             bool
	depth            int
	pending          int
	children         []*actor.PID
}

// Kept is adapter.Inspecting.Kept.
func (f *framework) Kept(a adapter.Actor) any {
	b, ok := a.(*box)
	if !ok {
		return nil
	}
	k := kept{state: *of[uint32](b.pid, f.ofPID.state), started: b.started, greeted: b.greeted, away: b.away,
		depth: b.depth(), pending: len(b.pending)}
	for _, c := range treeChildren(b.system.tree, b.pid) {
		k.children = append(k.children, c)
	}
	f.byAge(k.children)
	return k
}

// Settled is adapter.Inspecting.Settled: behaviours are functions, and what an actor has put aside is not seen.
func (f *framework) Settled(a adapter.Actor) bool {
	b, ok := a.(*box)
	return !ok || !b.became && b.pid.StashSize() == 0
}

// Attached is adapter.Inspecting.Attached: who has sent the message.
func (f *framework) Attached(payload any) any {
	if l, ok := payload.(*letter); ok {
		return l.Sender()
	}
	return nil
}

// Disclosed is adapter.Inspecting.Disclosed.
func (f *framework) Disclosed(actors func(int) adapter.Actor, n int) (explore.Disclosure, string) {
	if len(f.systems) > 1 {
		return explore.Hidden, "the program has several actor systems, whose actors have the same addresses"
	}
	return adapter.ByNames(n, func(i int) (string, bool) {
		b, ok := actors(i).(*box)
		if !ok {
			return "", false
		}
		return b.pid.ID(), true
	}), ""
}
