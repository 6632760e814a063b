package protoactor

import (
	"fmt"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/eventstream"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file looks at the framework for the table of relies.go. It makes an actor system of its own, in which nothing
// runs: a mailbox that only remembers takes what is posted.

// looks fill what was seen, a part of the table each.
var looks = [len(relied)]func(*seen){(*seen).types, (*seen).values, (*seen).behaviour, (*seen).timers}

// note notes the fields of a struct.
func (s *seen) note(name string, t reflect.Type) {
	s.fields[name] = map[string]reflect.Type{}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := 0; t != nil && t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		s.fields[name][t.Field(i).Name] = t.Field(i).Type
	}
}

// names gives the names of the fields of a struct, in order of the alphabet.
func names(t reflect.Type) string {
	var all []string
	for i := range t.NumField() {
		all = append(all, t.Field(i).Name)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func (s *seen) types() {
	s.facts["actor.defaultSpawner"] = spawnerIs(defaultSpawner, actor.DefaultSpawner)
	s.note("actor.Props", reflect.TypeFor[actor.Props]())
	s.note("actor.ActorProcess", reflect.TypeFor[actor.ActorProcess]())
	s.note("actor.RootContext", reflect.TypeFor[actor.RootContext]())
	s.note("actor.PID", reflect.TypeFor[actor.PID]())
	s.note("actor.PIDSet", reflect.TypeFor[actor.PIDSet]())
	s.note("actor.ActorSystem", reflect.TypeFor[actor.ActorSystem]())
	s.facts["fields of actor.ActorSystem"] = names(reflect.TypeFor[actor.ActorSystem]())
	s.facts["fields of actor.ProcessRegistryValue"] = names(reflect.TypeFor[actor.ProcessRegistryValue]())
	if state, ok := reflect.TypeFor[actor.PID]().FieldByName("state"); ok {
		s.facts["what protobuf keeps in a message"] = state.Type.PkgPath() + "." + state.Type.Name()
	}
	s.note("eventstream.EventStream", reflect.TypeFor[eventstream.EventStream]())
	s.note("eventstream.Subscription", reflect.TypeFor[eventstream.Subscription]())
}

// spawnerIs tells what the linked variable is. Its words are compared, since it may be of another type now.
func spawnerIs(linked, exported actor.SpawnFunc) string {
	switch {
	case linked == nil:
		return "nothing"
	case *(*uintptr)(wordsOf(&linked)) != *(*uintptr)(wordsOf(&exported)):
		return "another function than actor.DefaultSpawner"
	}
	return "actor.DefaultSpawner"
}

func (s *seen) values() {
	ctx := newLookout(nil).context()
	s.note("actor.actorContext", reflect.TypeOf(ctx))
	s.note("actor.actorContextExtras", s.fields["actor.actorContext"]["extras"])
	s.note("actor.Future", futureType())
	box := actor.Unbounded()()
	s.facts["what actor.Unbounded makes"] = fmt.Sprintf("%T", box)
	s.note("actor.defaultMailbox", reflect.TypeOf(box))
	s.note("actor.boundedMailboxQueue", reflect.TypeOf(queueOf(actor.Bounded(1))))
	s.facts["what actor.NewDefaultDispatcher makes"] = fmt.Sprintf("%T", actor.NewDefaultDispatcher(1))
	s.facts["what actor.NewSynchronizedDispatcher makes"] = fmt.Sprintf("%T", actor.NewSynchronizedDispatcher(1))
	strategy := actor.NewExponentialBackoffStrategy(time.Second, time.Second)
	s.facts["what actor.NewExponentialBackoffStrategy makes"] = fmt.Sprintf("%T", strategy)
	s.note("actor.exponentialBackoffStrategy", reflect.TypeOf(strategy))
	group := routerOf(router.NewRandomGroup())
	s.note("router.groupRouterActor", reflect.TypeOf(group.actor))
	s.note("router.process", reflect.TypeOf(group.process))
	s.note("router.poolRouterActor", reflect.TypeOf(routerOf(router.NewRandomPool(1)).actor))
	file := fileOf(actor.NewThrottle)
	s.facts["the file of actor.NewThrottle"] = path.Base(path.Dir(file)) + "/" + path.Base(file)
}

// queueOf gives the queue of user messages of the mailboxes that produce makes, nil if there is none.
func queueOf(produce actor.MailboxProducer) any {
	if queue := hidden(produce(), "userMailbox"); queue.IsValid() {
		return queue.Interface()
	}
	return nil
}

func (s *seen) behaviour() {
	for name, produce := range map[string]actor.MailboxProducer{
		"Unbounded": actor.Unbounded(), "UnboundedLockfree": actor.UnboundedLockfree(),
		"UnboundedPriority": actor.UnboundedPriority(), "Bounded": actor.Bounded(1),
	} {
		s.facts["the queue of actor."+name] = fmt.Sprintf("%T", queueOf(produce))
	}
	s.routers()
	s.listeners()
	s.names()
	s.locks()
	s.facts["how a context hands on messages"] = handsOn()
}

// timers looks at timers that were made outside of bubbles. Where they cannot be read nobody looks for them.
func (s *seen) timers() {
	s.facts["what the timer of a future has captured"] = "the future"
	s.facts["what a receive timeout calls"] = receiveTimeoutHandler
	t, ok := goroutine.ReadTimer(ownTimeout())
	if !ok {
		return
	}
	s.facts["what a receive timeout calls"] = short(t.Func().Name())
	if code, _ := futureTimers(); code == 0 {
		s.facts["what the timer of a future has captured"] = "something else"
	}
}

// ownTimeout makes the timer of a receive timeout, outside of bubbles, and stops it.
var ownTimeout = sync.OnceValue(func() *time.Timer {
	ctx := newLookout(nil).context()
	ctx.SetReceiveTimeout(time.Hour)
	timer, _ := hidden(hidden(ctx, "extras").Interface(), "receiveTimeoutTimer").Interface().(*time.Timer)
	ctx.CancelReceiveTimeout()
	return timer
})

// A lookout is the mailbox of an actor that nobody runs. It remembers what is posted.
type lookout struct {
	system  *actor.ActorSystem
	self    *actor.PID
	invoker actor.MessageInvoker
	posted  []any
}

func (l *lookout) PostUserMessage(message any)   { l.posted = append(l.posted, message) }
func (l *lookout) PostSystemMessage(message any) { l.posted = append(l.posted, message) }
func (l *lookout) RegisterHandlers(invoker actor.MessageInvoker, _ actor.Dispatcher) {
	l.invoker = invoker
}
func (l *lookout) Start()                {}
func (l *lookout) UserMessageCount() int { return 0 }

// newLookout spawns an actor that gets its messages from nobody; receive may be nil.
func newLookout(receive actor.ReceiveFunc, options ...actor.PropsOption) *lookout {
	l := &lookout{system: NewActorSystem()}
	if receive == nil {
		receive = func(actor.Context) {}
	}
	options = append(options, actor.WithMailbox(func() actor.Mailbox { return l }))
	l.self, _ = l.system.Root.SpawnNamed(actor.PropsFromFunc(receive, options...), "lookout")
	return l
}

func (l *lookout) context() actor.Context {
	ctx, _ := l.invoker.(actor.Context)
	return ctx
}

// ofRouter is what a router is made of.
type ofRouter struct {
	actor   any
	process any
	suffix  string // of the name of its actor
}

// routerOf begins to spawn a router, and stops where it spawns its actor.
func routerOf(props *actor.Props) (r ofRouter) {
	system := NewActorSystem()
	stock := actor.DefaultSpawner
	defer func() {
		actor.DefaultSpawner = stock
		if p := recover(); p != nil && p != any(&r) {
			panic(p)
		}
	}()
	actor.DefaultSpawner = func(_ *actor.ActorSystem, id string, props *actor.Props,
		_ actor.SpawnerContext) (*actor.PID, error) {
		if produce, ok := hidden(props, "producer").Interface().(actor.ProducerWithActorSystem); ok {
			r.actor = produce(system)
		}
		r.process, _ = system.ProcessRegistry.GetLocal("router")
		r.suffix = strings.TrimPrefix(id, "router")
		panic(&r)
	}
	_, _ = system.Root.SpawnNamed(props, "router")
	return r
}

func (s *seen) routers() {
	for name, props := range map[string]*actor.Props{
		"RandomGroup": router.NewRandomGroup(), "RandomPool": router.NewRandomPool(1),
		"BroadcastGroup": router.NewBroadcastGroup(), "BroadcastPool": router.NewBroadcastPool(1),
		"ConsistentHashGroup": router.NewConsistentHashGroup(), "ConsistentHashPool": router.NewConsistentHashPool(1),
	} {
		r := routerOf(props)
		s.facts["what router.New"+name+" makes"] = fmt.Sprintf("%T", hidden(r.actor, "config").Interface())
		s.facts["the name of a router's actor"] = "that of the router with " + r.suffix
	}
}

func (s *seen) listeners() {
	system := NewActorSystem()
	s.facts["listeners of a system"] = fmt.Sprint(system.EventStream.Length())
	if all := *at[[]*eventstream.Subscription](system.EventStream, subscriptionsField); len(all) > 0 {
		pc := reflect.ValueOf(*at[eventstream.Handler](all[0], handlerField)).Pointer()
		function := short(runtime.FuncForPC(pc).Name())
		s.facts["the first listener of a system"] = strings.TrimRight(function, ".0123456789func")
	}
}

// names looks at futures: what they register, under which names.
func (s *seen) names() {
	system := NewActorSystem()
	s.facts["names of futures"] = "future and a number"
	for _, n := range []uint64{1, 64, 4096} {
		atomic.StoreUint64(&system.ProcessRegistry.SequenceID, n-1)
		pid := actor.NewFuture(system, -1).PID()
		if want := "future" + nameOf(n); pid.Id != want {
			s.facts["names of futures"] = fmt.Sprintf("%s is %s", want, pid.Id)
		}
		p, _ := system.ProcessRegistry.GetLocal(pid.Id)
		s.facts["what actor.NewFuture registers"] = fmt.Sprintf("%T", p)
		if in := innardsOf(p); in.known() {
			s.facts["what actor.NewFuture registers"] = "a struct that embeds the future"
		}
	}
}

// counted is a lock that counts how often it is taken.
type counted struct {
	sync.Mutex
	n int
}

func (c *counted) Lock() { c.Mutex.Lock(); c.n++ }

// locks looks at what hangs on a future.
func (s *seen) locks() {
	l := newLookout(nil)
	future := actor.NewFuture(l.system, -1)
	lock := &counted{}
	hidden(future, "cond").Interface().(*sync.Cond).L = lock
	future.PipeTo(l.self)
	l.context().ReenterAfter(future, func(any, error) {})
	s.facts["how Future.PipeTo and ReenterAfter lock"] = fmt.Sprintf("%d times of 2 through the future's sync.Cond",
		lock.n)
	if lock.n == 2 {
		s.facts["how Future.PipeTo and ReenterAfter lock"] = "through the future's sync.Cond"
	}
	l.system.Root.Send(future.PID(), l) // completes it
	s.facts["what ReenterAfter posts"] = fmt.Sprintf("%T", l.posted[len(l.posted)-1])
}

// marked is a decorated context.
type marked struct{ actor.Context }

// responder is a message that the framework answers.
type responder struct{}

func (responder) GetAutoResponse(actor.Context) any { return "answer" }

// handsOn compares how the framework hands messages on to an actor with a decorated context, and how we do.
func handsOn() string {
	for _, message := range []any{"message", &actor.PoisonPill{}, responder{}} {
		var got []string
		var l *lookout
		l = newLookout(func(ctx actor.Context) {
			_, is := ctx.(marked)
			got = append(got, fmt.Sprintf("%T for %v", ctx.Message(), is))
		}, actor.WithContextDecorator(func(next actor.ContextDecoratorFunc) actor.ContextDecoratorFunc {
			return func(ctx actor.Context) actor.Context { return marked{next(ctx)} }
		}))
		run := func(handle func(*actor.MessageEnvelope)) string {
			got, l.posted = nil, nil
			handle(&actor.MessageEnvelope{Message: message, Sender: l.self})
			return fmt.Sprintf("%q, sends %T", got, append(l.posted, nil)[0])
		}
		stock := run(func(e *actor.MessageEnvelope) { l.invoker.InvokeUserMessage(e) })
		ours := run(func(e *actor.MessageEnvelope) { receive(l.context(), e) })
		if stock != ours {
			return fmt.Sprintf("%T: %s, where the adapter has %s", message, stock, ours)
		}
	}
	return "as the adapter does"
}
