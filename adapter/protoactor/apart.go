package protoactor

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/eventstream"
	cmap "github.com/orcaman/concurrent-map"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file keeps what the framework does for itself out of what Go chooses in a program.

// handlerField is the function of a subscription.
var handlerField = field(reflect.TypeFor[eventstream.Subscription](), "handler")

// logApart has a system write its log of dead letters apart from the program. It is the first to hear of them, and
// its throttle starts a goroutine that sleeps and resets a counter: no order of that one and others matters.
func logApart(system *actor.ActorSystem) {
	all := *at[[]*eventstream.Subscription](system.EventStream, subscriptionsField)
	if len(all) == 0 || handlerField.Type != reflect.TypeFor[eventstream.Handler]() {
		return
	}
	handler := at[eventstream.Handler](all[0], handlerField)
	stock := *handler
	if f := runtime.FuncForPC(reflect.ValueOf(stock).Pointer()); f == nil || !strings.Contains(f.Name(), "NewDeadLetter") {
		return
	}
	*handler = func(event any) {
		defer adapter.Together(adapter.Apart())
		stock(event)
	}
}

// Serves reports whether a function is of a package of which the framework is made, and which programs may use too.
func (*framework) Serves(function string) bool { return strings.HasPrefix(function, concurrentMap) }

// concurrentMap begins the names of functions of the maps of which the framework's registry is made.
var concurrentMap = reflect.TypeFor[cmap.ConcurrentMap]().PkgPath() + "."
