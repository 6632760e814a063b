package goakt

import (
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"

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
		return "its actor is one that hears of failures"
	case *of[unsafe.Pointer](b.pid, f.ofPID.reentrancy) != nil:
		return "its actor may make requests, of which the answers run functions"
	}
	return ""
}

// Typed is adapter.Vouching.Typed.
func (f *framework) Typed(a adapter.Actor, payload any) (typ, message string) {
	l, ok := payload.(*letter)
	b, is := a.(*box)
	if !ok || !is || l.Message() == nil || strings.HasPrefix(reflect.TypeOf(l.Message()).String(), "*commands.") {
		return "", ""
	}
	if fn, ok := b.Value().(*actor.FuncActor); ok {
		receive := *at[actor.ReceiveFunc](unsafe.Pointer(fn), f.ofFunc)
		return adapter.FunctionName(runtime.FuncForPC(reflect.ValueOf(receive).Pointer())), trace.MessageName(l.Message())
	}
	return strings.TrimPrefix(trace.MessageName(b.Value()), "*"), trace.MessageName(l.Message())
}

// AsFirst is adapter.Vouching.AsFirst: there is one behaviour only, the first.
func (f *framework) AsFirst(a adapter.Actor) bool {
	b, ok := a.(*box)
	return ok && !b.became
}

// Stashed is adapter.Vouching.Stashed.
func (f *framework) Stashed(a adapter.Actor) int {
	if b, ok := a.(*box); ok {
		return int(b.pid.StashSize())
	}
	return 0
}

// Listened is adapter.Vouching.Listened: who hears of dead letters is an actor.
func (f *framework) Listened() string { return "" }

// Strangers is adapter.Vouching.Strangers.
func (f *framework) Strangers() string { return "" }

// depth is how many behaviours an actor has.
func (b *box) depth() int {
	stack := *of[unsafe.Pointer](b.pid, b.framework.ofPID.behaviors)
	return int(atomic.LoadUint64(at[uint64](stack, b.framework.ofStack.length)))
}
