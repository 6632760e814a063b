package protoactor

import (
	"log/slog"
	"reflect"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// This file tells what the state of a program consists of, for strategies that compare states. adapter.Inspecting.

var _ adapter.Inspecting = (*framework)(nil)

var (
	contextType = reflect.TypeFor[actor.Context]()
	natures     = map[reflect.Type]explore.Nature{
		reflect.TypeFor[*actor.PID]():         explore.Reference,
		reflect.TypeFor[actor.PID]():          explore.Reference,
		reflect.TypeFor[*actor.ActorSystem](): explore.Opaque,
		reflect.TypeFor[*actor.RootContext](): explore.Opaque,
		reflect.TypeFor[*slog.Logger]():       explore.Opaque,
	}
)

// messageState is what protobuf keeps in each of its messages about their type.
const messageState = "google.golang.org/protobuf/internal/impl.MessageState"

// Nature is adapter.Inspecting.Nature.
func (f *framework) Nature(t reflect.Type) explore.Nature {
	switch {
	case t.Kind() == reflect.Pointer && t.Implements(contextType):
		return explore.Reference
	case t.PkgPath()+"."+t.Name() == messageState:
		return explore.Opaque
	case t.Kind() == reflect.Pointer && t.Elem() == futureType():
		return explore.Secret
	}
	return natures[t]
}

// Foreign reports whether a type is the framework's: what several actors do to memory of such types is its affair.
func (f *framework) Foreign(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return strings.HasPrefix(t.PkgPath(), "github.com/asynkron/protoactor-go/") || t == patientType.Elem()
}

// ActorOf is adapter.Inspecting.ActorOf. A process that is no actor (a future, a dead letter box) goes by its name.
func (f *framework) ActorOf(actors func(int) adapter.Actor, n int, v any) (index int, name string) {
	var pid *actor.PID
	switch v := v.(type) {
	case *actor.PID:
		pid = v
	case actor.PID:
		pid = &v
	case actor.Context:
		if !reflect.ValueOf(v).IsNil() {
			pid = v.Self()
		}
	}
	if pid == nil {
		return -1, ""
	}
	for i := n - 1; i >= 0; i-- {
		if m, ok := actors(i).(*mailbox); ok && m.id == pid.Id && m.system.Address() == pid.Address {
			return i, ""
		}
	}
	return -1, pid.Address + "/" + pid.Id
}

// kept is what the framework's context of an actor holds beside the actor.
type kept struct {
	suspended  bool
	state      int32
	children   []*actor.PID
	watchers   []*actor.PID
	failures   *actor.RestartStatistics
	extensions any
}

// Kept is adapter.Inspecting.Kept.
func (f *framework) Kept(a adapter.Actor) any {
	m := a.(*mailbox)
	k := kept{suspended: m.suspended, state: int32(hidden(m.context, "state").Int())}
	if x := hidden(m.context, "extras"); !x.IsNil() {
		extras := x.Interface()
		k.children, k.watchers = pids(extras, "children"), pids(extras, "watchers")
		k.failures = hidden(extras, "rs").Interface().(*actor.RestartStatistics)
		k.extensions = hidden(extras, "extensions").Interface()
	}
	return k
}

// pids reads a set of the framework's.
func pids(extras any, name string) []*actor.PID {
	return hidden(hidden(extras, name).Addr().Interface(), "pids").Interface().([]*actor.PID)
}

// Settled is adapter.Inspecting.Settled. What is stashed and what a timer will do is known by the actor's history only.
func (f *framework) Settled(a adapter.Actor) bool {
	m := a.(*mailbox)
	if m.Timed() {
		return false
	}
	x := hidden(m.context, "extras")
	return x.IsNil() || hidden(x.Interface(), "stash").IsNil() && hidden(x.Interface(), "receiveTimeoutTimer").IsNil()
}

// attached is what an envelope holds beside the message.
type attached struct {
	header map[string]string
	sender *actor.PID
}

// Attached is adapter.Inspecting.Attached.
func (f *framework) Attached(payload any) any {
	e, ok := payload.(*actor.MessageEnvelope)
	if !ok {
		return nil
	}
	return attached{e.Header, e.Sender}
}

// Disclosed is adapter.Inspecting.Disclosed.
func (f *framework) Disclosed(actors func(int) adapter.Actor, n int) (explore.Disclosure, string) {
	if len(f.systems) > 1 {
		return explore.Hidden, "the program has several actor systems, whose actors have the same addresses"
	}
	return adapter.ByNames(n, func(i int) (string, bool) {
		m, ok := actors(i).(*mailbox)
		if !ok {
			return "", false
		}
		return m.id, true
	}), ""
}
