package protoactor

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// networked are the parts of the framework that talk over a network, which nothing here controls.
var networked = []string{"protoactor-go/remote.", "protoactor-go/cluster.", "protoactor-go/cluster/"}

// refuseRemote ends the exploration if the system has gone remote. It does not return then: the caller would go on to
// serve the network. The port that it listens on is closed with the listener, which nobody holds any more.
func (f *framework) refuseRemote(rt *adapter.Runtime, system *actor.ActorSystem) {
	if len(system.ProcessRegistry.RemoteHandlers) == 0 {
		return
	}
	rt.Refuse(remoteError(stackCall()))
}

func remoteError(call string) error {
	return fmt.Errorf("%s: remote actors, clusters and grains use the network, which Rehearse does not control; "+
		"in the test, spawn the actors in one local actor system instead", call)
}

// stackCall names the outermost call into a networked part on this goroutine, and where it is made.
func stackCall() string {
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	call, inside := "a remote actor system was started", ""
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if isNetworked(f.Function) {
			inside = short(f.Function)
		} else if inside != "" {
			call, inside = fmt.Sprintf("%s called at %s:%d", inside, f.File, f.Line), ""
		}
	}
	return call
}

func isNetworked(function string) bool {
	for _, n := range networked {
		if strings.Contains(function, n) {
			return true
		}
	}
	return false
}

func short(function string) string { return function[strings.LastIndexByte(function, '/')+1:] }

// Explain names the network where that is what a handler hangs on. adapter.Framework.
func (f *framework) Explain(err error) error {
	function := adapter.HangsIn(err, isNetworked)
	if function == "" {
		return err
	}
	return fmt.Errorf("%w\n%w", remoteError(short(function)+" called"), err)
}

// Ignored is adapter.Framework.Ignored: the log of dead letters is throttled by a goroutine that only sleeps. Its
// function is known by its file, since its name is that of the function into which the compiler has inlined it.
func (f *framework) Ignored(at goroutine.Frame) bool {
	return strings.HasPrefix(at.Function, "github.com/asynkron/protoactor-go/actor.") &&
		strings.HasSuffix(at.File, "/actor/throttler.go")
}

// Knows is adapter.Framework.Knows: receive timeouts, and what the adapter itself sets. Whether the timer of a future
// is known depends on whether somebody was asked.
func (f *framework) Knows(function string) bool {
	return short(function) == receiveTimeoutHandler || strings.HasPrefix(function, adapterPath)
}

// receiveTimeoutHandler is the function that the timer of a receive timeout calls.
const receiveTimeoutHandler = "actor.(*actorContext).receiveTimeoutHandler-fm"

// adapterPath begins the names of this package's functions.
var adapterPath = reflect.TypeFor[framework]().PkgPath() + "."

// Owner is adapter.Framework.Owner.
func (f *framework) Owner(function string) string { return adapter.OwnerOf(function, frameworkPath) }
