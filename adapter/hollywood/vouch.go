package hollywood

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells what a handler consists of beside the method Receive of a struct. adapter.Vouching.

// Declarable is adapter.Vouching.Declarable.
func (f *framework) Declarable(a adapter.Actor) string { return f.Intercepted(a) }

// Intercepted is adapter.Vouching.Intercepted.
func (f *framework) Intercepted(a adapter.Actor) string {
	b, ok := a.(*box)
	switch {
	case !ok:
		return "its actor is the event stream"
	case len(b.first) > 0:
		return "its actor has middleware, which runs beside the handler"
	}
	return ""
}

// Typed is adapter.Vouching.Typed.
func (f *framework) Typed(a adapter.Actor, payload any) (typ, message string) {
	env, ok := payload.(actor.Envelope)
	b, is := a.(*box)
	if !ok || !is || env.Msg == nil {
		return "", ""
	}
	if _, ok := f.pillIn(env.Msg); ok || fromStream(env.Sender) {
		return "", "" // a listener gets all events, and is not expected to have a case for each
	}
	value := b.Value()
	if fn := reflect.ValueOf(value); fn.Kind() == reflect.Func {
		return adapter.FunctionName(runtime.FuncForPC(fn.Pointer())), trace.MessageName(env.Msg)
	}
	return strings.TrimPrefix(trace.MessageName(value), "*"), trace.MessageName(env.Msg)
}

// fromStream reports whether a message comes from an event stream.
func fromStream(sender *actor.PID) bool {
	return sender != nil && strings.HasPrefix(sender.GetID(), streamKind+"/")
}

// pathOf is the package of a type, or of what it points to.
func pathOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath()
}

// AsFirst is adapter.Vouching.AsFirst: the framework has neither behaviours nor receive timeouts.
func (f *framework) AsFirst(adapter.Actor) bool { return true }

// Stashed is adapter.Vouching.Stashed: nor has it stashes.
func (f *framework) Stashed(adapter.Actor) int { return 0 }

// Listened is adapter.Vouching.Listened: who hears of dead letters is an actor.
func (f *framework) Listened() string { return "" }

// Strangers is adapter.Vouching.Strangers: StepEnds refuses them.
func (f *framework) Strangers() string { return "" }
