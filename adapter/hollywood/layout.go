package hollywood

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/anthdm/hollywood/actor"
	"github.com/anthdm/hollywood/ringbuffer"
	"github.com/anthdm/hollywood/safemap"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file knows the unexported fields and types of the framework that the adapter uses, and checks that they are what
// it takes them for.

const (
	module    = "github.com/anthdm/hollywood"
	supported = "v1.0.5"
)

// framed is the module of the framework, in the version that the layout is that of.
var framed = adapter.Module{Path: module, Supported: supported}

// layout is what the adapter has to know of the framework.
type layout struct {
	process reflect.Type // the struct of an actor
	pill    reflect.Type // the message by which an actor is stopped
	sub     reflect.Type // by which one subscribes to the event stream
	unsub   reflect.Type // and ends that

	ofProcess struct{ inbox, context, pid, opts, restarts reflect.StructField }
	ofContext struct {
		sender, receiver, message, parent, children reflect.StructField
	}
	ofEngine   struct{ remote, stream, address reflect.StructField }
	ofRegistry struct{ mu, lookup, engine reflect.StructField }
	ofResponse reflect.StructField // its channel
	ofPill     struct{ cancel, graceful reflect.StructField }
	ofSub      reflect.StructField
	ofUnsub    reflect.StructField
	ofInbox    reflect.StructField
	ofFunc     reflect.StructField // the function behind a receiver that was made from one
	function   reflect.Type
}

// known is the layout of the version that is linked.
var known = adapter.Layout(framed, (*layout).read)

// spy is a process that keeps what it is sent.
type spy struct {
	pid *actor.PID
	got []any
}

func (s *spy) Start()                                   {}
func (s *spy) PID() *actor.PID                          { return s.pid }
func (s *spy) Send(_ *actor.PID, msg any, _ *actor.PID) { s.got = append(s.got, msg) }
func (s *spy) Invoke([]actor.Envelope)                  {}
func (s *spy) Shutdown()                                {}

// read looks at an engine of our own.
func (l *layout) read() error {
	c := checker{}
	engine := reflect.TypeFor[actor.Engine]()
	l.ofEngine.remote = c.field(engine, "remote", reflect.TypeFor[actor.Remoter]())
	l.ofEngine.stream = c.field(engine, "eventStream", reflect.TypeFor[*actor.PID]())
	l.ofEngine.address = c.field(engine, "address", reflect.TypeFor[string]())
	registry := reflect.TypeFor[actor.Registry]()
	l.ofRegistry.mu = c.field(registry, "mu", reflect.TypeFor[sync.RWMutex]())
	l.ofRegistry.lookup = c.field(registry, "lookup", reflect.TypeFor[map[string]actor.Processer]())
	l.ofRegistry.engine = c.field(registry, "engine", reflect.TypeFor[*actor.Engine]())
	l.ofResponse = c.field(reflect.TypeFor[actor.Response](), "result", reflect.TypeFor[chan any]())
	l.ofInbox = c.field(reflect.TypeFor[actor.Inbox](), "rb", reflect.TypeFor[*ringbuffer.RingBuffer[actor.Envelope]]())
	ctx := reflect.TypeFor[actor.Context]()
	l.ofContext.sender = c.field(ctx, "sender", reflect.TypeFor[*actor.PID]())
	l.ofContext.receiver = c.field(ctx, "receiver", reflect.TypeFor[actor.Receiver]())
	l.ofContext.message = c.field(ctx, "message", reflect.TypeFor[any]())
	l.ofContext.parent = c.field(ctx, "parentCtx", reflect.TypeFor[*actor.Context]())
	l.ofContext.children = c.field(ctx, "children", reflect.TypeFor[*safemap.SafeMap[string, *actor.PID]]())
	if c.wrong == "" {
		c.wrong = adapter.CountsReaders()
	}
	if c.wrong != "" {
		return framed.Unsupported(c.wrong)
	}
	l.readProcess(&c)
	if c.wrong != "" {
		return framed.Unsupported(c.wrong)
	}
	return nil
}

// readProcess makes an engine, to see its unexported types.
func (l *layout) readProcess(c *checker) {
	e, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		c.wrong = "NewEngine: " + err.Error()
		return
	}
	stream := *at[*actor.PID](e, l.ofEngine.stream)
	lookup := *at[map[string]actor.Processer](e.Registry, l.ofRegistry.lookup)
	p := lookup[stream.GetID()]
	l.process = reflect.TypeOf(p).Elem()
	l.ofProcess.inbox = c.field(l.process, "inbox", reflect.TypeFor[actor.Inboxer]())
	l.ofProcess.context = c.field(l.process, "context", reflect.TypeFor[*actor.Context]())
	l.ofProcess.pid = c.field(l.process, "pid", reflect.TypeFor[*actor.PID]())
	l.ofProcess.opts = c.field(l.process, "Opts", reflect.TypeFor[actor.Opts]())
	l.ofProcess.restarts = c.field(l.process, "restarts", reflect.TypeFor[int32]())

	s := &spy{pid: actor.NewPID(e.Address(), stream.GetID())}
	lookup[stream.GetID()] = s
	e.Subscribe(s.pid)
	e.Unsubscribe(s.pid)
	e.Poison(s.pid)
	if len(s.got) != 3 {
		c.wrong = "Subscribe, Unsubscribe or Poison"
		return
	}
	l.sub, l.unsub, l.pill = reflect.TypeOf(s.got[0]), reflect.TypeOf(s.got[1]), reflect.TypeOf(s.got[2])
	l.ofSub = c.field(l.sub, "pid", reflect.TypeFor[*actor.PID]())
	l.ofUnsub = c.field(l.unsub, "pid", reflect.TypeFor[*actor.PID]())
	l.ofPill.cancel = c.field(l.pill, "cancel", reflect.TypeFor[context.CancelFunc]())
	l.ofPill.graceful = c.field(l.pill, "graceful", reflect.TypeFor[bool]())

	f := e.SpawnFunc(func(*actor.Context) {}, "layout")
	context := *at[*actor.Context](pointerOf[byte](lookup[f.GetID()]), l.ofProcess.context)
	l.function = reflect.TypeOf(context.Receiver())
	l.ofFunc = c.field(l.function.Elem(), "f", reflect.TypeFor[func(*actor.Context)]())
}

// checker looks fields up, and remembers the first that is not there.
type checker struct{ wrong string }

func (c *checker) field(t reflect.Type, name string, want reflect.Type) reflect.StructField {
	f, ok := t.FieldByName(name)
	if (!ok || f.Type != want) && c.wrong == "" {
		c.wrong = fmt.Sprintf("%s.%s", t, name)
	}
	return f
}

// at points to an unexported field that the layout has checked.
func at[F, T any](p *T, f reflect.StructField) *F {
	return (*F)(unsafe.Add(unsafe.Pointer(p), f.Offset))
}

// pointerOf is the pointer in an interface value that holds one.
func pointerOf[T any](v any) *T { return (*T)(reflect.ValueOf(v).UnsafePointer()) }

// part reads a field of a struct that an interface value holds.
func part[F any](v any, f reflect.StructField) F {
	c := reflect.New(reflect.TypeOf(v))
	c.Elem().Set(reflect.ValueOf(v))
	return *(*F)(unsafe.Add(c.UnsafePointer(), f.Offset))
}
