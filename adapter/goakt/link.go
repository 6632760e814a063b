package goakt

import (
	"context"
	"sync"
	"time"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/log"
)

// This file has the functions of the framework that are called by name, since they are not exported. Types that have
// no name outside of the framework are pointers to anything.

type (
	sysPtr   = unsafe.Pointer // *actor.actorSystem
	treePtr  = unsafe.Pointer // *actor.tree
	nodePtr  = unsafe.Pointer // *actor.pidNode
	queuePtr = unsafe.Pointer // *actor.readyQueue
)

// timers is where the framework gets the timers of calls. The pool is all that is behind the pointer.
//
//go:linkname timers github.com/tochemey/goakt/v4/actor.timers
var timers *sync.Pool

//go:linkname responses github.com/tochemey/goakt/v4/actor.responseCh
var responses chan chan any

//go:linkname failures github.com/tochemey/goakt/v4/actor.errorCh
var failures chan chan error

//go:linkname stopDispatcher github.com/tochemey/goakt/v4/actor.(*dispatcher).stop
func stopDispatcher(d unsafe.Pointer)

//go:linkname popGlobal github.com/tochemey/goakt/v4/actor.(*readyQueue).popGlobal
func popGlobal(q queuePtr) schedulable

// schedulable is a value of an interface of the framework's: a *actor.PID, or a grain.
type schedulable struct{ table, data unsafe.Pointer }

//go:linkname newScheduler github.com/tochemey/goakt/v4/actor.newScheduler
func newScheduler(logger log.Logger, timeout time.Duration, system actor.ActorSystem) unsafe.Pointer

//go:linkname newPassivationManager github.com/tochemey/goakt/v4/actor.newPassivationManager
func newPassivationManager(logger log.Logger) unsafe.Pointer

//go:linkname startPassivator github.com/tochemey/goakt/v4/actor.(*passivationManager).Start
func startPassivator(m unsafe.Pointer, ctx context.Context)

//go:linkname stopPassivator github.com/tochemey/goakt/v4/actor.(*passivationManager).Stop
func stopPassivator(m unsafe.Pointer, ctx context.Context)

//go:linkname stopDrain github.com/tochemey/goakt/v4/actor.(*actorSystem).stopCoalescedFailureDrain
func stopDrain(x sysPtr)

//go:linkname spawnRootGuardian github.com/tochemey/goakt/v4/actor.(*actorSystem).spawnRootGuardian
func spawnRootGuardian(x sysPtr, ctx context.Context) error

//go:linkname spawnSystemGuardian github.com/tochemey/goakt/v4/actor.(*actorSystem).spawnSystemGuardian
func spawnSystemGuardian(x sysPtr, ctx context.Context) error

//go:linkname spawnNoSender github.com/tochemey/goakt/v4/actor.(*actorSystem).spawnNoSender
func spawnNoSender(x sysPtr, ctx context.Context) error

//go:linkname spawnUserGuardian github.com/tochemey/goakt/v4/actor.(*actorSystem).spawnUserGuardian
func spawnUserGuardian(x sysPtr, ctx context.Context) error

//go:linkname spawnDeathWatch github.com/tochemey/goakt/v4/actor.(*actorSystem).spawnDeathWatch
func spawnDeathWatch(x sysPtr, ctx context.Context) error

//go:linkname spawnDeadletter github.com/tochemey/goakt/v4/actor.(*actorSystem).spawnDeadletter
func spawnDeadletter(x sysPtr, ctx context.Context) error

//go:linkname dispatchOne github.com/tochemey/goakt/v4/actor.(*PID).dispatchOne
func dispatchOne(pid *actor.PID, received *actor.ReceiveContext, now time.Time) (retained bool)

//go:linkname holdsBack github.com/tochemey/goakt/v4/actor.(*PID).enableReentrancyStash
func holdsBack(pid *actor.PID, received *actor.ReceiveContext) bool

//go:linkname markActivity github.com/tochemey/goakt/v4/actor.(*PID).markActivity
func markActivity(pid *actor.PID, at time.Time)

//go:linkname recordProcessed github.com/tochemey/goakt/v4/actor.(*PID).recordProcessedMessage
func recordProcessed(pid *actor.PID)

//go:linkname peekBehavior github.com/tochemey/goakt/v4/actor.(*behaviorStack).Peek
func peekBehavior(stack unsafe.Pointer) actor.Behavior

//go:linkname newSignal github.com/tochemey/goakt/v4/actor.newSupervisionSignal
func newSignal(err error, msg any) unsafe.Pointer

//go:linkname notifyParent github.com/tochemey/goakt/v4/actor.(*PID).notifyParent
func notifyParent(pid *actor.PID, signal unsafe.Pointer)

//go:linkname suspend github.com/tochemey/goakt/v4/actor.(*PID).suspend
func suspend(pid *actor.PID, reason string)

//go:linkname setState github.com/tochemey/goakt/v4/actor.(*PID).setState
func setState(pid *actor.PID, state uint32, enabled bool)

//go:linkname tryPassivation github.com/tochemey/goakt/v4/actor.(*PID).tryPassivation
func tryPassivation(pid *actor.PID, reason string) bool

//go:linkname startPassivation github.com/tochemey/goakt/v4/actor.(*PID).startPassivation
func startPassivation(pid *actor.PID)

//go:linkname stopSupervision github.com/tochemey/goakt/v4/actor.(*PID).stopSupervisionLoop
func stopSupervision(pid *actor.PID)

//go:linkname restartSubtree github.com/tochemey/goakt/v4/actor.restartSubtree
func restartSubtree(ctx context.Context, node *restartNode, parent *actor.PID, t treePtr, deathWatch *actor.PID,
	system actor.ActorSystem) error

// restartNode is the framework's, with which it restarts an actor and those below.
type restartNode struct {
	pid      *actor.PID
	children []*restartNode
}

//go:linkname treeNode github.com/tochemey/goakt/v4/actor.(*tree).node
func treeNode(t treePtr, id string) (nodePtr, bool)

//go:linkname treeChildren github.com/tochemey/goakt/v4/actor.(*tree).children
func treeChildren(t treePtr, pid *actor.PID) []*actor.PID

//go:linkname treeSiblings github.com/tochemey/goakt/v4/actor.(*tree).siblings
func treeSiblings(t treePtr, pid *actor.PID) []*actor.PID

//go:linkname treeParent github.com/tochemey/goakt/v4/actor.(*tree).parent
func treeParent(t treePtr, pid *actor.PID) (*actor.PID, bool)

//go:linkname treeWatchers github.com/tochemey/goakt/v4/actor.(*tree).watchers
func treeWatchers(t treePtr, pid *actor.PID) []*actor.PID

//go:linkname deleteNode github.com/tochemey/goakt/v4/actor.(*tree).deleteNode
func deleteNode(t treePtr, pid *actor.PID)

//go:linkname removeDescendant github.com/tochemey/goakt/v4/actor.(*tree).removeDescendant
func removeDescendant(t treePtr, parent, child string)

//go:linkname addRootNode github.com/tochemey/goakt/v4/actor.(*tree).addRootNode
func addRootNode(t treePtr, pid *actor.PID) error

//go:linkname addNode github.com/tochemey/goakt/v4/actor.(*tree).addNode
func addNode(t treePtr, parent, pid *actor.PID) error

//go:linkname newBehaviors github.com/tochemey/goakt/v4/actor.newBehaviorStack
func newBehaviors() unsafe.Pointer

//go:linkname pushBehavior github.com/tochemey/goakt/v4/actor.(*behaviorStack).Push
func pushBehavior(stack unsafe.Pointer, behavior actor.Behavior)

//go:linkname newDeadLetter github.com/tochemey/goakt/v4/actor.newDeadLetter
func newDeadLetter() unsafe.Pointer

//go:linkname fireSystemMessage github.com/tochemey/goakt/v4/actor.(*PID).fireSystemMessage
func fireSystemMessage(pid *actor.PID, ctx context.Context, message any)
