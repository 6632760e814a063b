package goakt

import (
	"fmt"
	"os"
	"runtime"

	"github.com/tochemey/goakt/v4/log"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file is the hook at what the framework tells its log. It has a logger for each actor, and ours takes its place.

// What the framework tells its log, and when. trial.go checks that it does.
const (
	saysProbe     = "actor=%s readiness probe"               // before an actor is asked for its health
	saysStop      = "shutdown started for actor=%s"          // its lock is held, its state has not changed
	saysChildren  = "actor=%s freeing all descendant actors" // before its children are stopped
	saysWatchers  = "freeing all actor %s's watchers"        // before these are told
	saysSuspend   = "actor=%s going into suspension mode"    // before it is suspended
	saysReinstate = "actor=%s reinstated"                    // before it goes on
	saysStopped   = "actor=%s successfully shutdown"         // its lock is free again
	saysFailed    = "actor=%s failed to cleanly stop (hint: check PostStop cleanup)"
	saysRestart   = "restarting actor=%s" // before anything is done about that
	saysInit      = "initialization process started for actor %s"
	saysNotFound  = "actor=%s not found" // nobody has that name

	// What it tells between reads of its tree of actors.
	saysInitialized = "actor=%s initialization successful"
	saysProbed      = "actor=%s readiness probe completed"
	saysWatched     = "freeing all actor %s's watched actors"
	saysNoWatched   = "actor=%s has no watched actors, maybe already freed"
	saysNoChildren  = "actor=%s has no children, maybe already freed"
	saysNoWatchers  = "actor=%s has no watchers, maybe already freed"
	saysStopsAll    = "shutdown process completed for actor %s"
	saysOffline     = "actor=%s is offline, maybe passivated or stopped already"
)

// hooked is the logger of an actor, or of a system. What it is told goes on to the program's own logger, if it has set
// one.
type hooked struct {
	log.Logger
	framework *framework
	system    *system
	box       *box // nil: the system's
}

// Debugf is log.Logger.
func (h *hooked) Debugf(format string, args ...any) {
	h.told(format)
	switch {
	case format == saysProbe:
		h.refuseOutlived(args0(args))
		h.framework.emptyTimers()
		if h.box != nil && h.box.pid.Name() == args[0] {
			h.box.revives()
		}
	case h.box == nil:
	case format == saysChildren:
		h.box.stopChildren()
	case format == saysWatchers:
		h.box.tellWatchers()
	case format == saysRestart:
		h.box.restarts()
	}
	h.Logger.Debugf(format, args...)
}

// Infof is log.Logger.
func (h *hooked) Infof(format string, args ...any) {
	h.told(format)
	switch {
	case format == saysInit:
		h.refuseRouter()
	case h.box == nil || h.box.pid.Name() != args0(args):
	case format == saysStop:
		h.box.stops()
	case format == saysStopped:
		h.box.letIn()
	case format == saysSuspend:
		h.box.turnsAway()
	case format == saysReinstate:
		h.box.goesOn()
	}
	h.Logger.Infof(format, args...)
}

// Errorf is log.Logger.
func (h *hooked) Errorf(format string, args ...any) {
	if format == saysFailed && h.box != nil {
		h.box.locks()
		h.box.letIn()
	}
	h.Logger.Errorf(format, args...)
}

// Warnf is log.Logger.
func (h *hooked) Warnf(format string, args ...any) {
	if format == saysNotFound && h.box == nil {
		h.system.notFound(args0(args))
	}
	h.Logger.Warnf(format, args...)
}

// refuseRouter refuses an actor that is a router. It is called before an actor starts.
func (h *hooked) refuseRouter() {
	rt := h.runtime()
	if rt == nil || !rt.Exploring() {
		return
	}
	var pcs [spawnDepth]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function == actorPath+"(*actorSystem).SpawnRouter" {
			rt.Refuse(errRouter(caller()))
		}
	}
}

// spawnDepth is how deep below SpawnRouter an actor is made.
const spawnDepth = 10

// runtime is that of the system or actor, nil in a trial.
func (h *hooked) runtime() *adapter.Runtime {
	if h.box != nil {
		return h.box.rt
	}
	return h.system.rt
}

// refuseOutlived refuses to spawn an actor in a system of an earlier execution.
func (h *hooked) refuseOutlived(name any) {
	s := h.system
	if h.box != nil {
		s = h.box.system
	}
	if s.rt != nil && s.rt.Exploring() && s.execution != s.rt.Serial() {
		s.rt.Refuse(errOutlived(fmt.Sprintf("%v is spawned in an actor system of an earlier execution", name)))
	}
}

func args0(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// behindHook is the logger that gets what a hooked one is told.
func behindHook(l log.Logger) log.Logger {
	if h, ok := l.(*hooked); ok {
		return h.Logger
	}
	if z, ok := l.(*log.Zap); ok && len(z.LogOutput()) == 1 && z.LogOutput()[0] == os.Stderr {
		return log.DiscardLogger // the default
	}
	return l
}
