package goakt

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file knows the unexported fields of the framework's types that the adapter uses, and checks that they are what
// it takes them for. What the framework calls, and in which order, is checked in trial.go.

const (
	module    = "github.com/tochemey/goakt/v4"
	supported = "v4.2.1"
)

// framed is the module of the framework, in the version that the layout is that of.
var framed = adapter.Module{Path: module, Supported: supported}

// layout is what the adapter has to know of the framework: where fields are.
type layout struct {
	ofPID struct {
		actor, mailbox, control, logger, lock, behaviors, stash, reentrancy, signals, stopSignal, dispatcher,
		state, passivation, passivator, stream, supervisor, system uintptr
	}
	ofContext struct {
		message, sender, self, response, closed, err, id, replyTo uintptr
	}
	ofSystem struct {
		tree, started, startedAt, logger, stream, scheduler, dispatcher, passivator, remoting, cluster, pubsub, timeout,
		eviction, stopping uintptr
		root, user, guardian, deathWatch, deadletter, noSender uintptr
	}
	ofDispatcher struct{ queue, started uintptr }
	ofScheduler  struct{ quartz, started uintptr }
	ofPassivator struct{ started, do uintptr }
	ofEntry      struct{ target, paused uintptr }
	ofNode       struct{ pid, watchers uintptr }
	ofLock       uintptr // that of the tree
	ofStack      struct{ top, length uintptr }
	ofStash      uintptr      // its box
	ofBounded    uintptr      // the ring of a mailbox,
	ring         reflect.Type // and its type
	ofFunc       uintptr      // the function of an actor that was made from one
	ofReentrancy uintptr      // how many requests hold the actor's messages back

	learned
}

// known is the layout of the version that is linked.
var known = adapter.Layout(framed, (*layout).read)

// read looks at the types of the framework.
func (l *layout) read() error {
	c := checker{}
	l.readPID(&c)
	l.readSystem(&c)
	if c.wrong != "" {
		return framed.Unsupported(c.wrong)
	}
	return l.try()
}

func (l *layout) readPID(c *checker) {
	pid := reflect.TypeFor[actor.PID]()
	c.fields(pid, fields{
		{"actor", "actor.Actor", &l.ofPID.actor}, {"mailbox", "actor.Mailbox", &l.ofPID.mailbox},
		{"systemMailbox", "actor.Mailbox", &l.ofPID.control}, {"logger", "log.Logger", &l.ofPID.logger},
		{"stopLocker", "sync.Mutex", &l.ofPID.lock}, {"behaviorStack", "*actor.behaviorStack", &l.ofPID.behaviors},
		{"stashState", "*actor.stashState", &l.ofPID.stash},
		{"reentrancy", "*actor.reentrancyState", &l.ofPID.reentrancy},
		{"supervisionChan", "chan *actor.supervisionSignal", &l.ofPID.signals},
		{"supervisionStopSignal", "chan types.Unit", &l.ofPID.stopSignal},
		{"dispatcher", "*actor.dispatcher", &l.ofPID.dispatcher}, {"state", "atomic.Uint32", &l.ofPID.state},
		{"passivationStrategy", "passivation.Strategy", &l.ofPID.passivation},
		{"passivationManager", "*actor.passivationManager", &l.ofPID.passivator},
		{"eventsStream", "eventstream.Stream", &l.ofPID.stream},
		{"supervisor", "*supervisor.Supervisor", &l.ofPID.supervisor},
		{"actorSystem", "actor.ActorSystem", &l.ofPID.system},
	})
	c.fields(reflect.TypeFor[actor.ReceiveContext](), fields{
		{"message", "interface {}", &l.ofContext.message}, {"sender", "*actor.PID", &l.ofContext.sender},
		{"self", "*actor.PID", &l.ofContext.self}, {"response", "chan interface {}", &l.ofContext.response},
		{"responseClosed", "atomic.Bool", &l.ofContext.closed}, {"err", "error", &l.ofContext.err},
		{"requestID", "string", &l.ofContext.id}, {"requestReplyTo", "string", &l.ofContext.replyTo},
	})
	c.fields(reflect.TypeFor[actor.FuncActor](), fields{
		{"receiveFunc", "func(context.Context, interface {}) error", &l.ofFunc},
	})
	c.fields(c.behind(pid, "behaviorStack"), fields{
		{"top", "unsafe.Pointer", &l.ofStack.top}, {"length", "uint64", &l.ofStack.length},
	})
	ring := c.field(reflect.TypeFor[actor.BoundedMailbox](), "underlying", "*queue.RingBuffer")
	if l.ofBounded, l.ring = ring.Offset, ring.Type; l.ring == nil || !l.ring.Implements(reflect.TypeFor[bounded]()) {
		c.fail("the queue of actor.BoundedMailbox")
	}
	c.fields(c.behind(pid, "stashState"), fields{{"box", "*actor.UnboundedMailbox", &l.ofStash}})
	c.fields(c.behind(pid, "reentrancy"), fields{{"blockingCount", "atomic.Int64", &l.ofReentrancy}})
	manager := c.behind(pid, "passivationManager")
	c.fields(manager, fields{
		{"started", "atomic.Bool", &l.ofPassivator.started},
		{"passivateFn", "func(*actor.passivationEntry) bool", &l.ofPassivator.do},
	})
	c.fields(c.argument(manager, "passivateFn"), fields{
		{"target", "actor.passivationParticipant", &l.ofEntry.target}, {"paused", "bool", &l.ofEntry.paused},
	})
	c.fields(c.behind(pid, "dispatcher"), fields{
		{"readyQueue", "*actor.readyQueue", &l.ofDispatcher.queue}, {"started", "atomic.Bool", &l.ofDispatcher.started},
	})
}

func (l *layout) readSystem(c *checker) {
	s, err := actor.NewActorSystem("layout")
	if err != nil {
		c.fail("NewActorSystem")
		return
	}
	system := reflect.TypeOf(s).Elem()
	o := &l.ofSystem
	c.fields(system, fields{
		{"actors", "*actor.tree", &o.tree}, {"started", "atomic.Bool", &o.started},
		{"startedAt", "atomic.Int64", &o.startedAt}, {"logger", "log.Logger", &o.logger},
		{"eventsStream", "eventstream.Stream", &o.stream}, {"scheduler", "*actor.scheduler", &o.scheduler},
		{"dispatcher", "*actor.dispatcher", &o.dispatcher}, {"passivator", "*actor.passivationManager", &o.passivator},
		{"remotingEnabled", "atomic.Bool", &o.remoting}, {"clusterEnabled", "atomic.Bool", &o.cluster},
		{"pubsubEnabled", "atomic.Bool", &o.pubsub}, {"shutdownTimeout", "time.Duration", &o.timeout},
		{"evictionStrategy", "*actor.EvictionStrategy", &o.eviction}, {"shuttingDown", "atomic.Bool", &o.stopping},
		{"rootGuardian", "*actor.PID", &o.root}, {"userGuardian", "*actor.PID", &o.user},
		{"systemGuardian", "*actor.PID", &o.guardian}, {"deathWatch", "*actor.PID", &o.deathWatch},
		{"deadletter", "*actor.PID", &o.deadletter}, {"noSender", "*actor.PID", &o.noSender},
	})
	c.fields(c.behind(system, "scheduler"), fields{
		{"quartzScheduler", "quartz.Scheduler", &l.ofScheduler.quartz},
		{"started", "*atomic.Bool", &l.ofScheduler.started},
	})
	c.fields(c.behind(system, "actors"), fields{{"mu", "sync.RWMutex", &l.ofLock}})
	node := c.behind(c.behind(system, "actors"), "rootNode")
	c.fields(node, fields{
		{"pid", "atomic.Pointer[" + module + "/actor.PID]", &l.ofNode.pid},
		{"watchers", "map[string]*actor.PID", &l.ofNode.watchers},
	})
}

// fields are names of fields, their types, and where their offsets go.
type fields []struct {
	name, typ string
	to        *uintptr
}

// checker looks fields up, and remembers the first that is not there.
type checker struct{ wrong string }

func (c *checker) fail(what string) {
	if c.wrong == "" {
		c.wrong = what
	}
}

func (c *checker) fields(t reflect.Type, all fields) {
	for _, w := range all {
		*w.to = c.field(t, w.name, w.typ).Offset
	}
}

func (c *checker) field(t reflect.Type, name, typ string) (f reflect.StructField) {
	if t == nil || t.Kind() != reflect.Struct {
		c.fail(fmt.Sprintf("the struct with %s", name))
		return f
	}
	f, ok := t.FieldByName(name)
	if !ok || f.Type.String() != typ {
		c.fail(fmt.Sprintf("%s.%s", t, name))
	}
	return f
}

// behind is the struct that a field points to.
func (c *checker) behind(t reflect.Type, name string) reflect.Type {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	f, ok := t.FieldByName(name)
	if !ok || f.Type.Kind() != reflect.Pointer {
		c.fail(fmt.Sprintf("%s.%s", t, name))
		return nil
	}
	return f.Type.Elem()
}

// argument is the struct that the only argument of a function in a field points to.
func (c *checker) argument(t reflect.Type, name string) reflect.Type {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	f, ok := t.FieldByName(name)
	if !ok || f.Type.Kind() != reflect.Func || f.Type.NumIn() != 1 || f.Type.In(0).Kind() != reflect.Pointer {
		c.fail(fmt.Sprintf("%s.%s", t, name))
		return nil
	}
	return f.Type.In(0).Elem()
}

// at points to an unexported field that the layout has checked.
func at[F any](p unsafe.Pointer, offset uintptr) *F { return (*F)(unsafe.Add(p, offset)) }

// of is at of an actor's PID.
func of[F any](pid *actor.PID, offset uintptr) *F { return at[F](unsafe.Pointer(pid), offset) }

// in is at of the context of a message.
func in[F any](received *actor.ReceiveContext, offset uintptr) *F {
	return at[F](unsafe.Pointer(received), offset)
}

// behind is the pointer in an interface value that holds one.
func behind(v any) unsafe.Pointer { return reflect.ValueOf(v).UnsafePointer() }
