package protoactor

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/asynkron/protoactor-go/actor"
	cmap "github.com/orcaman/concurrent-map"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// defaultSpawner is the framework's own variable: every spawn without a spawner of its own goes through it, whoever
// created the actor system. DefaultSpawner, its exported copy, is what routers call. docs/decisions/0004 says what else
// was considered.
//
//go:linkname defaultSpawner github.com/asynkron/protoactor-go/actor.defaultSpawner
var defaultSpawner actor.SpawnFunc

// framework is the adapter.Framework of protoactor-go.
type framework struct {
	// guards what meet and StepEnds share, and what goroutines of a handler change: each may be stopped in the middle of a
	// hook, and another go on
	mu        adapter.Mutex
	execution uint64
	// whose dead letters are heard in this execution; the last number that was given to a name at the last look
	systems   map[*actor.ActorSystem]uint64
	crashed   []*mailbox                       // by injected faults, in this execution
	boxes     map[place]*mailbox               // of this execution, the last of each name
	futures   map[place]*future                // of this execution
	open      []piper                          // futures that may not be over
	listeners []*listeners                     // to the event streams of systems
	patience  reflect.StructField              // of the framework's context, once one was seen
	places    map[reflect.Type][]behaviorPlace // of the types of actors that were seen
}

// Install puts our spawner in the place of the framework's.
func (f *framework) Install() (func(), error) {
	if err := checkFramework(); err != nil {
		return nil, err
	}
	ownFuture()
	ownTimeout()
	stock, exported, shards := defaultSpawner, actor.DefaultSpawner, cmap.SHARD_COUNT
	spawn := func(system *actor.ActorSystem, id string, props *actor.Props,
		parent actor.SpawnerContext) (*actor.PID, error) {
		if rt := adapter.Current(); rt != nil && rt.Exploring() {
			props, parent = f.prepare(rt, system, id, props, parent)
		}
		return stock(system, id, props, parent)
	}
	defaultSpawner, actor.DefaultSpawner = spawn, spawn
	// A registry is 1,024 maps of this many shards each: 4 ms a system, where one shard takes 0.15 ms.
	cmap.SHARD_COUNT = 1
	return func() {
		defaultSpawner, actor.DefaultSpawner = stock, exported
		cmap.SHARD_COUNT = shards
	}, nil
}

// prepare gives what the framework spawns an actor of so that it is controlled.
func (f *framework) prepare(rt *adapter.Runtime, system *actor.ActorSystem, id string, props *actor.Props,
	parent actor.SpawnerContext) (*actor.Props, actor.SpawnerContext) {
	defer adapter.Together(adapter.Apart())
	f.meet(rt, system)
	f.refuseRemote(rt, system)
	refuseDepth(rt, id)
	f.claim(rt, place{system, id})
	return f.controlled(rt, system, id, props), plainGuardian(rt, parent)
}

// refuseDepth ends an execution in which each actor spawns another. The framework names an actor by all that are above
// it, so that each takes longer than the one before: the bound on steps would be reached after hours.
func refuseDepth(rt *adapter.Runtime, id string) {
	if levels := strings.Count(id, "/"); len(id) > 10_000 && levels > rt.MaxSteps()/20 {
		rt.Refuse(fmt.Errorf("actors are nested %d deep, each the child of the one before, and still going: "+
			"let that come to an end, spawn them at the root, or raise MaxSteps", levels))
	}
}

// controlled copies the props with our mailbox. The dispatcher is never asked: nothing schedules but the exploration.
func (f *framework) controlled(rt *adapter.Runtime, system *actor.ActorSystem, id string,
	props *actor.Props) *actor.Props {
	p := *props
	box := &mailbox{framework: f, rt: rt, system: system, props: &p, id: id}
	box.inspectBox()
	p.Configure(actor.WithMailbox(func() actor.Mailbox { return box }))
	box.controlPatience(&p)
	if b, ok := plainBackoff(rt, supervisionOf(&p)); ok {
		p.Configure(actor.WithSupervisor(b))
	}
	return &p
}

// meet hears the dead letters of a system that this execution has not used before.
func (f *framework) meet(rt *adapter.Runtime, system *actor.ActorSystem) {
	f.renew(rt)
	if _, known := f.systems[system]; known {
		return
	}
	f.systems[system] = 0
	f.refuseOutlived(rt, system)
	logApart(system)
	system.EventStream.Subscribe(func(event any) {
		rt.Access(streams, false)
		dl, ok := event.(*actor.DeadLetterEvent)
		if !ok {
			return
		}
		to := f.missed(rt, place{system, dl.PID.GetId()})
		// The throttle of the log of dead letters is a goroutine that sleeps.
		rt.Linger(system.Config.DeadLetterThrottleInterval)
		if worthTelling(dl.Message) {
			rt.DeadLetter(dl.Message, to, f.hasCrashed(system, dl.PID))
		}
	})
	f.mu.Lock() // not before: where a system is refused the handler stays there for ever, and the loop goes on
	defer f.mu.Unlock()
	f.listen(system)
}

// renew forgets the execution before.
func (f *framework) renew(rt *adapter.Runtime) {
	if f.execution == rt.Serial() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.execution = rt.Serial()
	f.systems = map[*actor.ActorSystem]uint64{}
	f.crashed, f.listeners = f.crashed[:0], nil
	f.boxes, f.futures, f.open = map[place]*mailbox{}, map[place]*future{}, f.open[:0]
}

// place is where a process is registered.
type place struct {
	system *actor.ActorSystem
	id     string
}

// missed notes what a dead letter depends on: that its receiver has stopped, that its call is over, or that nobody of
// that name was created. It gives the receiver, -1 if that was no actor.
func (f *framework) missed(rt *adapter.Runtime, p place) (to int32) {
	f.mu.Lock()
	m, router, c := f.boxes[p], f.boxes[place{p.system, p.id + routerSuffix}], f.futures[p]
	f.mu.Unlock()
	if m == nil && router != nil { // the process of a router, whose actor is gone
		m = router
		rt.Access(lifeOf(m.id), false)
	}
	if m != nil {
		rt.Missed(m.index)
		return m.index
	}
	if c != nil {
		rt.Touch(c.call.Object(), false)
	} else {
		rt.Access(adapter.Name(p.id), false)
	}
	return -1
}

// worthTelling leaves out what the framework itself sends to the dead, and what says that it does not mind.
func worthTelling(message any) bool {
	switch message.(type) {
	case actor.SystemMessage, actor.AutoReceiveMessage, actor.MailboxMessage, actor.IgnoreDeadLetterLogging,
		*actor.DeadLetterResponse:
		return false
	}
	return true
}

// Undeliverable hands a released message whose receiver has stopped to the dead letters, as the framework does that
// finds nobody under its name. taken: it would find another actor.
func (f *framework) Undeliverable(a adapter.Actor, kind trace.MessageKind, payload any) (taken bool) {
	m := a.(*mailbox)
	_, taken = m.system.ProcessRegistry.GetLocal(m.id)
	taken = taken && m.Gone()
	if kind == trace.System {
		m.system.DeadLetter.SendSystemMessage(m.self(), payload)
	} else {
		m.system.DeadLetter.SendUserMessage(m.self(), payload)
	}
	return taken
}

// The fields of the framework's types that have no accessor. checkFramework makes sure that they are what we think.
var (
	supervisionField = field(reflect.TypeFor[actor.Props](), "supervisionStrategy")
	mailboxField     = field(reflect.TypeFor[actor.ActorProcess](), "mailbox")
	loggerField      = field(reflect.TypeFor[actor.ActorSystem](), "logger")
	stopperField     = field(reflect.TypeFor[actor.ActorSystem](), "stopper")
)

func field(t reflect.Type, name string) reflect.StructField {
	f, _ := t.FieldByName(name)
	return f
}

// patienceOf points to the receive timeout of the framework's context, whose type has no name to us.
func (f *framework) patienceOf(context actor.MessageInvoker) *time.Duration {
	if f.patience.Type == nil {
		f.patience = field(reflect.TypeOf(context).Elem(), "receiveTimeout")
	}
	return (*time.Duration)(unsafe.Add(reflect.ValueOf(context).UnsafePointer(), f.patience.Offset))
}

func supervisionOf(p *actor.Props) actor.SupervisorStrategy {
	return *at[actor.SupervisorStrategy](p, supervisionField)
}

// at points to an unexported field whose type checkFramework has checked.
func at[F, T any](p *T, f reflect.StructField) *F {
	return (*F)(unsafe.Add(unsafe.Pointer(p), f.Offset))
}

// hidden reads an unexported field of a struct behind a pointer, the zero Value if there is none.
func hidden(pointer any, name string) reflect.Value {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return reflect.Value{}
	}
	f := v.Elem().FieldByName(name)
	if !f.IsValid() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}
