package hollywood

import (
	"log/slog"
	"reflect"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// This file tells what the state of a program consists of, for strategies that compare states. adapter.Inspecting.

var _ adapter.Inspecting = (*framework)(nil)

var natures = map[reflect.Type]explore.Nature{
	reflect.TypeFor[*actor.PID]():         explore.Reference,
	reflect.TypeFor[actor.PID]():          explore.Reference,
	reflect.TypeFor[*actor.Context]():     explore.Reference,
	reflect.TypeFor[*actor.Engine]():      explore.Opaque,
	reflect.TypeFor[*slog.Logger]():       explore.Opaque,
	reflect.TypeFor[*actor.Response]():    explore.Secret,
	reflect.TypeFor[actor.SendRepeater](): explore.Secret,
}

// Nature is adapter.Inspecting.Nature.
func (f *framework) Nature(t reflect.Type) explore.Nature { return natures[t] }

// Foreign reports whether a type is the framework's: what several actors do to memory of such types is its affair.
func (f *framework) Foreign(t reflect.Type) bool { return pathOf(t) == module+"/actor" }

// ActorOf is adapter.Inspecting.ActorOf. A process that is no actor goes by its name.
func (f *framework) ActorOf(actors func(int) adapter.Actor, n int, v any) (index int, name string) {
	var pid *actor.PID
	switch v := v.(type) {
	case *actor.PID:
		pid = v
	case actor.PID:
		pid = &v
	case *actor.Context:
		if v != nil {
			pid = v.PID()
		}
	}
	if pid == nil {
		return -1, ""
	}
	for i := n - 1; i >= 0; i-- {
		switch a := actors(i).(type) {
		case *box:
			if a.id == pid.GetID() && a.pid.GetAddress() == pid.GetAddress() {
				return i, ""
			}
		case *stream:
			if a.pid.GetID() == pid.GetID() {
				return i, ""
			}
		}
	}
	return -1, pid.String()
}

// kept is what the framework holds of an actor beside its value.
type kept struct {
	restarts int32
	started  bool
	children []*actor.PID
	batch    [3]int
	dying    bool
}

// Kept is adapter.Inspecting.Kept.
func (f *framework) Kept(a adapter.Actor) any {
	b, ok := a.(*box)
	if !ok {
		return nil
	}
	k := kept{restarts: *at[int32](pointerOf[byte](b.proc), f.ofProcess.restarts), started: b.started, dying: b.dying,
		batch: [3]int{b.queued, b.left}}
	if b.poison != nil {
		k.batch[2] = 1
	}
	for _, c := range b.context.Children() {
		k.children = append(k.children, c)
	}
	f.byAge(b.engine, k.children)
	return k
}

// Settled is adapter.Inspecting.Settled.
func (f *framework) Settled(adapter.Actor) bool { return true }

// Attached is adapter.Inspecting.Attached: who has sent the message.
func (f *framework) Attached(payload any) any {
	env, ok := payload.(actor.Envelope)
	if !ok {
		return nil
	}
	return env.Sender
}

// Disclosed is adapter.Inspecting.Disclosed.
func (f *framework) Disclosed(actors func(int) adapter.Actor, n int) (explore.Disclosure, string) {
	if len(f.streams) > 1 {
		return explore.Hidden, "the program has several engines, whose actors have the same addresses"
	}
	return adapter.ByNames(n, func(i int) (string, bool) {
		b, ok := actors(i).(*box)
		if !ok {
			return "", false
		}
		return b.id, true
	}), ""
}
