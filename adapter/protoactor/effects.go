package protoactor

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells what a handler consists of beside the method Receive of a struct, for those who hold it to what is
// declared of it. adapter.Vouching.

// Declarable is adapter.Vouching.Declarable. What middleware and decorators do, and on what, no declaration of a
// handler tells.
func (f *framework) Declarable(a adapter.Actor) string {
	if isSet(a.(*mailbox).props, "senderMiddlewareChain") {
		return "its actor has sender middleware, which runs where the handler sends"
	}
	return f.Intercepted(a)
}

// Intercepted is adapter.Vouching.Intercepted.
func (f *framework) Intercepted(a adapter.Actor) string {
	m := a.(*mailbox)
	switch {
	case m.routing != nil:
		return "its actor is a router's"
	case len(m.middleware) > 0:
		return "its mailbox has middleware, which runs beside the handler and where somebody sends"
	case isSet(m.props, "receiverMiddlewareChain"):
		return "its actor has receiver middleware, which runs beside the handler"
	case isSet(m.props, "contextDecoratorChain"):
		return "its actor has a decorated context, which may do anything where the handler calls it"
	}
	return ""
}

// Typed is adapter.Vouching.Typed. The analysis names an actor made from a function by the function, whatever its name
// at spawn.
func (f *framework) Typed(a adapter.Actor, payload any) (typ, message string) {
	_, inner, _ := actor.UnwrapEnvelope(payload)
	switch inner.(type) {
	case actor.AutoRespond, actor.MessageBatch:
		return "", ""
	}
	value := a.Value()
	if inner == nil || ofFramework(inner) || ofFramework(value) {
		return "", ""
	}
	if fn := reflect.ValueOf(value); fn.Kind() == reflect.Func {
		return adapter.FunctionName(runtime.FuncForPC(fn.Pointer())), trace.MessageName(inner)
	}
	return strings.TrimPrefix(trace.MessageName(value), "*"), trace.MessageName(inner)
}

// ofFramework reports whether a value is of a type of the framework's.
func ofFramework(v any) bool {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() != reflect.Func && strings.HasPrefix(t.PkgPath()+"/", frameworkPath)
}

// frameworkPath begins the import paths of the framework's packages.
const frameworkPath = "github.com/asynkron/protoactor-go/"

// isSet reports whether a field of props is not nil, or is not there at all, so that nobody knows.
func isSet(props *actor.Props, name string) bool {
	field := hidden(props, name)
	return !field.IsValid() || !field.IsNil()
}

// AsFirst is adapter.Vouching.AsFirst.
func (f *framework) AsFirst(a adapter.Actor) bool {
	m := a.(*mailbox)
	var room [8]uintptr
	return !m.Timed() && slices.Equal(m.stance.codes(room[:0]), m.first)
}

// codes appends the code of each function of the last look, 0 behind those of each Behavior. What a function has
// captured does not count: the method value of another instance is another function, and handles messages alike.
func (s *stance) codes(list []uintptr) []uintptr {
	for _, f := range s.handlers {
		if f == nil {
			list = append(list, 0)
		} else {
			list = append(list, reflect.ValueOf(f).Pointer())
		}
	}
	return list
}

// Stashed is adapter.Vouching.Stashed.
func (f *framework) Stashed(a adapter.Actor) int {
	extras := hidden(a.(*mailbox).context, "extras")
	if !extras.IsValid() || extras.IsNil() {
		return 0
	}
	stash := hidden(extras.Interface(), "stash")
	if !stash.IsValid() || stash.IsNil() {
		return 0
	}
	return stash.Interface().(interface{ Size() int }).Size()
}

// ours begin the names of functions and types that are no code of the program.
var ours = []string{"github.com/asynkron/protoactor-go/actor.", "github.com/asynkron/protoactor-go/eventstream.",
	"github.com/asynkron/protoactor-go/router.",
	"github.com/rehearse-go/rehearse/adapter/protoactor."}

func isOurs(name string) bool {
	return slices.ContainsFunc(ours, func(p string) bool { return strings.HasPrefix(name, p) })
}

// Listened is adapter.Vouching.Listened. A dead letter is an event of the event stream, whose subscribers run in the
// step of who sends it.
func (f *framework) Listened() string {
	for _, l := range f.listeners {
		for _, s := range l.seen {
			handler := hidden(s, "handler")
			if !handler.IsValid() || handler.IsNil() {
				return "this version of protoactor-go keeps subscriptions in another way than the adapter knows"
			}
			if name := runtime.FuncForPC(handler.Pointer()).Name(); !isOurs(name) {
				return fmt.Sprintf("it sends to an actor that has stopped, and %s listens for dead letters", short(name))
			}
		}
	}
	return ""
}

// Strangers is adapter.Vouching.Strangers.
func (f *framework) Strangers() (found string) {
	for system := range f.systems {
		for _, shard := range system.ProcessRegistry.LocalPIDs.LocalPIDs {
			shard.IterCb(func(id string, process any) {
				t := reflect.TypeOf(process)
				for t.Kind() == reflect.Pointer {
					t = t.Elem()
				}
				if !isOurs(t.PkgPath()+"."+t.Name()) && (found == "" || found > id) {
					found = id
				}
			})
		}
	}
	if found != "" {
		found = fmt.Sprintf("the program has registered %s, which is no actor and runs in the step of whoever sends to it",
			found)
	}
	return found
}
