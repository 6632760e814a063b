package goakt

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file refuses what the adapter does not control, and names the place of the call.

var errOtherFramework = errors.New("an actor system was handed over to goakt, but the system that is explored is not " +
	"goakt.System: make it with that")

func errOutlived(what string) error {
	return fmt.Errorf("%s: the actor system was created outside of this execution (in a package variable, an init "+
		"function, a sync.Once?); every execution must start afresh, so create the actor system in the test function, or "+
		"in what it calls", what)
}

func errGrain(rt *adapter.Runtime) error {
	tr := rt.Trace()
	return fmt.Errorf("a grain is activated in the step %s: grains are not controlled; make it an actor in the test",
		tr.StepName(tr.Events[tr.StepOf(rt.Event())].Step))
}

func errRouter(call string) error {
	return fmt.Errorf("ActorSystem.SpawnRouter, %s: a router takes its routees in the order of a map, at random, or on "+
		"goroutines of its own, which is not controlled; have the test tell the routees itself", call)
}

func errCron(call string) error {
	return fmt.Errorf("ActorSystem.ScheduleWithCron, %s: what a cron expression means depends on the day and the local "+
		"time; use Schedule or ScheduleOnce in the test", call)
}

func errOption(option, why, call string) error {
	return fmt.Errorf("an actor system with %s, %s: %s", option, call, why)
}

func errNotStarted(call string) error {
	return fmt.Errorf("goakt.Control, %s: the actor system has not started; call Control after ActorSystem.Start, or use "+
		"goakt.NewActorSystem", call)
}

func errLate(actors int, call string) error {
	return fmt.Errorf("goakt.Control, %s: the actor system has %d actors already, which are not controlled; call Control "+
		"right after ActorSystem.Start, or use goakt.NewActorSystem", call, actors)
}

// overNetwork says why a network is refused.
const overNetwork = "it uses the network, which Rehearse does not control; in the test, spawn the actors in a local " +
	"actor system instead"

var errForeign = errors.New("an actor has run in an actor system that was not handed over, and so uncontrolled: pass " +
	"what actor.NewActorSystem gives to goakt.Control, right after Start, or have the program use goakt.NewActorSystem")

// caller is the first place above this package, and above the framework and what calls back for it.
func caller() string {
	return adapter.Caller(adapterPath, frameworkPath, "sync.", "github.com/flowchartsman/retry")
}

// adapterPath begins the names of this package's functions, frameworkPath those of the framework's.
var (
	adapterPath   = reflect.TypeFor[framework]().PkgPath() + "."
	frameworkPath = module + "/"
)

// StepEnds notes what a step may have found. adapter.Attentive.
func (f *framework) StepEnds(rt *adapter.Runtime) {
	f.mu.Lock()
	suspect, current := f.suspect, f.execution == rt.Serial()
	f.suspect = false
	f.mu.Unlock()
	if suspect && foreignWorkers() {
		rt.Fail(errForeign)
	}
	if !current {
		return
	}
	f.meetNewborn()
	f.lookAround(rt)
}

// Explain names the network where that is what a handler hangs on. adapter.Framework.
func (f *framework) Explain(err error) error {
	function := adapter.HangsIn(err, func(function string) bool {
		in, is := strings.CutPrefix(function, frameworkPath)
		return is && (strings.HasPrefix(in, "client.") || strings.HasPrefix(in, "internal/net.") ||
			strings.HasPrefix(in, "internal/remoteclient."))
	})
	if function == "" {
		return err
	}
	return fmt.Errorf("%w\n%w", errOption("what calls "+function, overNetwork, "in a handler"), err)
}

// starters are the functions of the framework that start goroutines which last: a pipe whose task waits, and the
// timeout of a request.
var starters = []string{actorPath + "(*PID).PipeTo", actorPath + "(*PID).handleCompletion",
	actorPath + "(*requestState).startTimeout"}

// starter starts the workers of a system.
const starter = actorPath + "(*dispatcher).start"

// foreignWorkers reports whether a worker is alive in this bubble: its system was not handed over.
func foreignWorkers() bool {
	own := make([]byte, 256)
	first, _, _ := strings.Cut(string(own[:runtime.Stack(own, false)]), "\n")
	_, bubble, here := strings.Cut(first, "synctest bubble ")
	if !here {
		return false
	}
	bubble = bubble[:strings.IndexAny(bubble+"]", ",]:")]
	all := make([]byte, 1<<20)
	for _, stack := range strings.Split(string(all[:runtime.Stack(all, true)]), "\n\n") {
		first, rest, _ := strings.Cut(stack, "\n")
		_, its, in := strings.Cut(first, "synctest bubble ")
		if in && its[:strings.IndexAny(its+"]", ",]:")] == bubble && strings.Contains(rest, "\ncreated by "+starter) {
			return true
		}
	}
	return false
}

// Keeps is adapter.Keeping. Where a worker is alive, a system may not have been handed over.
func (f *framework) Keeps(function string) bool {
	if function == starter {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.suspect = true
		return true
	}
	return slices.ContainsFunc(starters, func(s string) bool { return strings.HasPrefix(function, s) })
}

// Ignored is adapter.Framework.Ignored: what the framework starts that ends by itself, or is ended when the system is
// taken over.
func (f *framework) Ignored(at goroutine.Frame) bool {
	return strings.HasPrefix(at.Function, frameworkPath) || strings.HasPrefix(at.Function, schedulerPath)
}

// schedulerPath begins the names of the functions of the scheduler that the framework uses.
const schedulerPath = "github.com/reugn/go-quartz/"

// Knows is adapter.Framework.Knows: those of the scheduler are told of when they are set.
func (f *framework) Knows(function string) bool {
	return strings.HasPrefix(function, adapterPath)
}

// Owner is adapter.Framework.Owner.
func (f *framework) Owner(function string) string { return adapter.OwnerOf(function, frameworkPath) }
