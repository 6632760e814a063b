package protoactor

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/ctxext"
	"github.com/asynkron/protoactor-go/eventstream"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file is the table of all that the adapter relies on and that the compiler does not check. Such are names and
// types of unexported fields, names of unexported types, and some behaviour. It is checked once a process, before the
// first exploration, and of timers within its first execution. The name of a version decides nothing. It is supported
// if all of this holds.
//
// The only thing linked by name is a variable, actor.defaultSpawner. The linker refuses a function that is gone, but
// where a variable is gone it is ours alone, and nil.

// oldest and newest are the versions with which all tests are run (go.mod, go.newest.mod).
const (
	oldest = "v0.0.0-20240822202345-3c0e61ca19c9"
	newest = "v0.0.0-20260118094027-288962e52f3f"
)

// A reliance is one thing that the adapter relies on.
type reliance struct {
	of   string // the type that has the field, "" if it is no field
	name string // of the field, or of what was looked at
	want wanted
	use  string // what it is for, as the error says it
}

// wanted is what it must be.
type wanted struct {
	text string
	fits func(got any) bool // a reflect.Type of a field, else a string
}

// is wants a field of a type.
func is[T any]() wanted {
	t := reflect.TypeFor[T]()
	return wanted{t.String(), func(got any) bool { return got == t }}
}

// of wants a field of a kind of type.
func of(kind reflect.Kind) wanted {
	return wanted{"a " + kind.String(), func(got any) bool { return got.(reflect.Type).Kind() == kind }}
}

// with wants a field whose type has the methods of T.
func with[T any]() wanted {
	t := reflect.TypeFor[T]()
	return wanted{"what is " + t.String(), func(got any) bool { return got.(reflect.Type).Implements(t) }}
}

// as wants what was looked at to be like this.
func as(text string) wanted { return wanted{text, func(got any) bool { return got == text }} }

// The sizes of a stash.
type sized interface{ Size() int }

// relied is the table. What comes first must hold for the rest to be looked at.
var relied = [...][]reliance{
	{ // types and variables
		{"", "actor.defaultSpawner", as("actor.DefaultSpawner"), "every spawn goes through it"},
		{"actor.Props", "spawner", is[actor.SpawnFunc](), "whether it is the program's own"},
		{"actor.Props", "producer", is[actor.ProducerWithActorSystem](), "routers"},
		{"actor.Props", "supervisionStrategy", is[actor.SupervisorStrategy](), "backoff without noise"},
		{"actor.Props", "mailboxProducer", is[actor.MailboxProducer](), "the mailbox that the program chose"},
		{"actor.Props", "dispatcher", is[actor.Dispatcher](), "the dispatcher that the program chose"},
		{"actor.Props", "contextDecorator", is[[]actor.ContextDecorator](), "what a handler consists of"},
		{"actor.Props", "contextDecoratorChain", is[actor.ContextDecoratorFunc](), "what a handler consists of"},
		{"actor.Props", "receiverMiddleware", is[[]actor.ReceiverMiddleware](), "what a handler consists of"},
		{"actor.Props", "receiverMiddlewareChain", is[actor.ReceiverFunc](), "what a handler consists of, and crashes"},
		{"actor.Props", "senderMiddleware", is[[]actor.SenderMiddleware](), "what a handler consists of"},
		{"actor.Props", "senderMiddlewareChain", is[actor.SenderFunc](), "what a handler consists of"},
		{"actor.Props", "spawnMiddleware", is[[]actor.SpawnMiddleware](), "what a handler consists of"},
		{"actor.ActorProcess", "mailbox", is[actor.Mailbox](), "whether an actor has stopped"},
		{"actor.RootContext", "guardianStrategy", is[actor.SupervisorStrategy](), "backoff without noise"},
		{"actor.PID", "p", is[*actor.Process](), "pipes to a nil PID"},
		{"actor.PIDSet", "pids", is[[]*actor.PID](), "children and watchers"},
		{"actor.ActorSystem", "logger", is[*slog.Logger](), "protoactor.NewActorSystem"},
		{"actor.ActorSystem", "stopper", is[chan struct{}](), "protoactor.NewActorSystem"},
		{"", "fields of actor.ActorSystem", as("Config DeadLetter EventStream Extensions Guardians ID ProcessRegistry " +
			"Root logger stopper"), "protoactor.NewActorSystem"},
		{"", "fields of actor.ProcessRegistryValue", as("ActorSystem Address LocalPIDs RemoteHandlers SequenceID"),
			"protoactor.NewActorSystem"},
		{"", "what protobuf keeps in a message", as(messageState), "the state of programs"},
		{"eventstream.EventStream", "subscriptions", is[[]*eventstream.Subscription](), "who listens"},
		{"eventstream.Subscription", "handler", is[eventstream.Handler](), "who listens"},
	},
	{ // types that only values show
		{"actor.actorContext", "actor", is[actor.Actor](), "crashes"},
		{"actor.actorContext", "extras", of(reflect.Pointer), "the state of actors"},
		{"actor.actorContext", "messageOrEnvelope", is[any](), "handlers between whose sends timers fire"},
		{"actor.actorContext", "receiveTimeout", is[time.Duration](), "receive timeouts"},
		{"actor.actorContext", "state", is[int32](), "the state of actors"},
		{"actor.actorContextExtras", "children", is[actor.PIDSet](), "the state of actors"},
		{"actor.actorContextExtras", "context", is[actor.Context](), "handlers between whose sends timers fire"},
		{"actor.actorContextExtras", "extensions", is[*ctxext.ContextExtensions](), "the state of actors"},
		{"actor.actorContextExtras", "receiveTimeoutTimer", is[*time.Timer](), "receive timeouts"},
		{"actor.actorContextExtras", "rs", is[*actor.RestartStatistics](), "the state of actors"},
		{"actor.actorContextExtras", "stash", with[sized](), "what is stashed"},
		{"actor.actorContextExtras", "watchers", is[actor.PIDSet](), "the state of actors"},
		{"actor.Future", "actorSystem", is[*actor.ActorSystem](), "futures of systems without actors"},
		{"actor.Future", "completions", is[[]completion](), "replies as steps"},
		{"actor.Future", "cond", is[*sync.Cond](), "replies as steps"},
		{"actor.Future", "done", is[bool](), "replies as steps"},
		{"actor.Future", "err", is[error](), "replies as steps"},
		{"actor.Future", "pipes", is[[]*actor.PID](), "replies as steps"},
		{"actor.Future", "result", is[any](), "replies as steps"},
		{"actor.Future", "t", is[*time.Timer](), "timeouts of requests"},
		{"", "what actor.Unbounded makes", as("*actor.defaultMailbox"), "mailboxes that the program chose"},
		{"actor.defaultMailbox", "middlewares", is[[]actor.MailboxMiddleware](), "mailboxes that the program chose"},
		{"actor.defaultMailbox", "userMailbox", of(reflect.Interface), "mailboxes that the program chose"},
		{"actor.boundedMailboxQueue", "dropping", is[bool](), "mailboxes that the program chose"},
		{"", "what actor.NewDefaultDispatcher makes", as("actor.goroutineDispatcher"), "dispatchers"},
		{"", "what actor.NewSynchronizedDispatcher makes", as("actor.synchronizedDispatcher"), "dispatchers"},
		{"", "what actor.NewExponentialBackoffStrategy makes", as("*actor.exponentialBackoffStrategy"),
			"backoff without noise"},
		{"actor.exponentialBackoffStrategy", "backoffWindow", is[time.Duration](), "backoff without noise"},
		{"actor.exponentialBackoffStrategy", "initialBackoff", is[time.Duration](), "backoff without noise"},
		{"router.groupRouterActor", "config", is[router.RouterConfig](), "routers"},
		{"router.poolRouterActor", "config", is[router.RouterConfig](), "routers"},
		{"router.process", "state", is[router.State](), "routers"},
		{"", "the file of actor.NewThrottle", as("actor/throttler.go"), "goroutines of the framework's"},
	},
	{ // behaviour, which is looked at in the fields above
		{"", "the queue of actor.Unbounded", as("*actor.unboundedMailboxQueue"), "mailboxes that the program chose"},
		{"", "the queue of actor.UnboundedLockfree", as("*mpsc.Queue"), "mailboxes that the program chose"},
		{"", "the queue of actor.UnboundedPriority", as("*actor.priorityQueue"), "mailboxes that the program chose"},
		{"", "the queue of actor.Bounded", as("*actor.boundedMailboxQueue"), "mailboxes that the program chose"},
		{"", "what router.NewRandomGroup makes", as("*router.randomGroupRouter"), "routers"},
		{"", "what router.NewRandomPool makes", as("*router.randomPoolRouter"), "routers"},
		{"", "what router.NewBroadcastGroup makes", as("*router.broadcastGroupRouter"), "routers"},
		{"", "what router.NewBroadcastPool makes", as("*router.broadcastPoolRouter"), "routers"},
		{"", "what router.NewConsistentHashGroup makes", as("*router.consistentHashGroupRouter"), "routers"},
		{"", "what router.NewConsistentHashPool makes", as("*router.consistentHashPoolRouter"), "routers"},
		{"", "the name of a router's actor", as("that of the router with " + routerSuffix), "routers"},
		{"", "the first listener of a system", as("actor.NewDeadLetter"), "the log of dead letters"},
		{"", "listeners of a system", as(fmt.Sprint(listening - 1)), "who listens"},
		{"", "what actor.NewFuture registers", as("a struct that embeds the future"), "replies as steps"},
		{"", "names of futures", as("future and a number"), "replies as steps"},
		{"", "how Future.PipeTo and ReenterAfter lock", as("through the future's sync.Cond"), "replies as steps"},
		{"", "what ReenterAfter posts", as(continuationType), "replies as steps"},
		{"", "how a context hands on messages", as("as the adapter does"), "handlers between whose sends timers fire"},
	},
	{ // timers, which only an execution can read
		{"", "what the timer of a future has captured", as("the future"), "futures of systems without actors"},
		{"", "what a receive timeout calls", as(receiveTimeoutHandler), "receive timeouts"},
	},
}

// seen is what was seen of the framework.
type seen struct {
	fields map[string]map[string]reflect.Type // by the name of their type
	facts  map[string]string                  // the others
}

// differences are what is not as the adapter wants it.
func (s *seen) differences(part []reliance) (wrong []string) {
	for _, r := range part {
		var text string
		if r.of == "" {
			if got := s.facts[r.name]; !r.want.fits(got) {
				text = fmt.Sprintf("%s: now %s, and was %s", r.name, got, r.want.text)
			}
		} else if t := s.fields[r.of][r.name]; t == nil {
			text = fmt.Sprintf("%s.%s is gone", r.of, r.name)
		} else if !r.want.fits(t) {
			text = fmt.Sprintf("%s.%s: now %v, and was %s", r.of, r.name, t, r.want.text)
		}
		if text != "" {
			wrong = append(wrong, text+" ("+r.use+")")
		}
	}
	return wrong
}

// checkFramework checks the version of the framework that is linked, but for its timers.
var checkFramework = sync.OnceValue(func() error { return supported(looks, 0, partTimers, version()) })

// checkTimers checks the rest, once timers can be read.
var checkTimers = sync.OnceValue(func() error { return supported(looks, partTimers, len(relied), version()) })

// partTimers is the part of the table that is about timers.
const partTimers = len(relied) - 1

// supported looks at some parts of the table, and gives an error that names what is not as the adapter wants it.
func supported(looks [len(relied)]func(*seen), from, to int, version string) error {
	s := &seen{fields: map[string]map[string]reflect.Type{}, facts: map[string]string{}}
	for i := from; i < to; i++ {
		look := looks[i]
		wrong := attempt(look, s)
		if wrong == nil {
			wrong = s.differences(relied[i])
		}
		if wrong != nil {
			return unsupported(version, wrong)
		}
	}
	return nil
}

// attempt looks, and tells of a panic.
func attempt(look func(*seen), s *seen) (wrong []string) {
	defer func() {
		if r := recover(); r != nil {
			wrong = []string{fmt.Sprintf("looking at it panics: %v", r)}
		}
	}()
	look(s)
	return nil
}

func unsupported(version string, wrong []string) error {
	return errors.New("protoactor-go " + version +
		" is not supported, because the adapter relies on what has changed:\n\t" +
		strings.Join(wrong, "\n\t") + "\n" +
		"The versions from " + oldest + " to " + newest + " are supported: require one of them " +
		"(go get github.com/asynkron/protoactor-go@" + newest + "), and report this one")
}

// version names the version of the framework that is linked. The build information of tests names none, so that the
// place of the source files is asked, too.
func version() string {
	return cmp.Or(adapter.LinkedVersion(path.Clean(frameworkPath)), versionOf(fileOf(actor.NewActorSystem)))
}

// versionOf gives the version in the name of a file of the module cache, or else where the file is.
func versionOf(file string) string {
	if _, rest, ok := strings.Cut(file, "/protoactor-go@"); ok {
		v, _, _ := strings.Cut(rest, "/")
		return v
	}
	return "in " + path.Dir(path.Dir(file))
}

// fileOf gives the file of a function.
func fileOf(f any) string {
	pc := reflect.ValueOf(f).Pointer()
	file, _ := runtime.FuncForPC(pc).FileLine(pc)
	return file
}
