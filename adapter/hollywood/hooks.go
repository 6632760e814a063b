package hollywood

import (
	"sync"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// framework is the adapter.Framework of Hollywood. docs/decisions/0031 says where its hooks are and why.
type framework struct {
	*layout

	mu        adapter.Mutex // guards what goroutines of a handler change
	execution uint64
	streams   []*stream          // of the engines of this execution
	boxes     map[place]*box     // of this execution, the last of each name
	crashed   []*box             // by injected faults, in this execution
	requests  map[place]*request // of this execution
	stock     bool               // an engine of this execution was made by the framework
	foreign   bool               // the inbox of an engine that was not handed over has run
	listened  bool               // the program subscribes to event streams; never forgotten
	batches   bool               // it matters what belongs to a batch; never forgotten
}

// place is where a process is registered.
type place struct {
	engine *actor.Engine
	id     string
}

// handed is where the framework of the System that is explored stands: engines are handed over to it.
var handed adapter.Handover[framework]

// frameworkOf gives the framework of the execution that runs.
func frameworkOf(rt *adapter.Runtime) *framework { return handed.Framework(rt, errOtherFramework) }

// Install checks that the framework is as we know it. There is no hook before an engine is handed over.
func (f *framework) Install() (remove func(), err error) {
	if f.layout, err = known(); err != nil {
		return nil, err
	}
	return handed.Set(f), nil
}

// renew forgets the execution before.
func (f *framework) renew(rt *adapter.Runtime) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.execution == rt.Serial() {
		return
	}
	f.execution = rt.Serial()
	f.streams, f.crashed, f.stock = nil, f.crashed[:0], false
	f.boxes, f.requests = map[place]*box{}, map[place]*request{}
}

// newEngine makes an engine whose event stream is ours from the start, and whose registry is small.
func (f *framework) newEngine(rt *adapter.Runtime) *actor.Engine {
	e := &actor.Engine{Registry: &actor.Registry{}}
	*at[string](e, f.ofEngine.address) = actor.LocalLookupAddr
	*at[*actor.Engine](e.Registry, f.ofRegistry.engine) = e
	*f.lookup(e) = map[string]actor.Processer{}
	*at[*actor.PID](e, f.ofEngine.stream) = actor.NewPID(actor.LocalLookupAddr, streamKind+"/1")
	f.control(rt, e, true)
	return e
}

// lookup is the table of the processes of an engine.
func (f *framework) lookup(e *actor.Engine) *map[string]actor.Processer {
	return at[map[string]actor.Processer](e.Registry, f.ofRegistry.lookup)
}

// find gives the process of an engine that has a name, nil if there is none. It is no lookup of the program's.
func (f *framework) find(e *actor.Engine, id string) actor.Processer {
	defer f.streamOf(e).forget()
	mu := at[sync.RWMutex](e.Registry, f.ofRegistry.mu)
	mu.RLock()
	defer mu.RUnlock()
	return (*f.lookup(e))[id]
}

// register puts a process into the registry of an engine, nil takes out what is there.
func (f *framework) register(e *actor.Engine, id string, p actor.Processer) {
	mu := at[sync.RWMutex](e.Registry, f.ofRegistry.mu)
	mu.Lock()
	defer mu.Unlock()
	if p == nil {
		delete(*f.lookup(e), id)
	} else {
		(*f.lookup(e))[id] = p
	}
}

// control puts our event stream in the place of an engine's. own: we have made it.
func (f *framework) control(rt *adapter.Runtime, e *actor.Engine, own bool) {
	defer adapter.Together(adapter.Apart())
	f.renew(rt)
	if *at[actor.Remoter](e, f.ofEngine.remote) != nil {
		rt.Refuse(remoteError("hollywood.Control with an engine that has a remote, " + caller()))
	}
	pid := *at[*actor.PID](e, f.ofEngine.stream)
	stock := f.find(e, pid.GetID())
	if s, ours := stock.(*stream); ours {
		if s.execution != rt.Serial() {
			rt.Refuse(errOutlived(caller()))
		}
		return
	}
	if n := len(*f.lookup(e)); !own && n > 1 {
		rt.Refuse(lateError(n-1, caller()))
	}
	s := &stream{framework: f, rt: rt, engine: e, pid: pid, execution: rt.Serial()}
	f.register(e, pid.GetID(), s)
	s.known = len(*f.lookup(e))
	s.counts()
	f.mu.Lock()
	f.streams = append(f.streams, s)
	if !own {
		f.stock = true
	}
	f.mu.Unlock()
	if !own {
		rt.Linger(0) // the inbox of the event stream has run, on a goroutine that ends at once
	}
	if f.listened {
		s.appear()
	}
}

// StopsInline is adapter.Inline.
func (*framework) StopsInline() {}

// Undeliverable hands a released message whose receiver has stopped to the event stream, as the framework does that
// finds nobody under its name. taken: it would find another actor.
func (f *framework) Undeliverable(a adapter.Actor, _ trace.MessageKind, message any) (taken bool) {
	b, ok := a.(*box)
	if !ok {
		return false
	}
	payload := message.(actor.Envelope)
	taken = f.find(b.engine, b.id) != nil
	b.behind()
	b.engine.BroadcastEvent(actor.DeadLetterEvent{Target: b.pid, Message: payload.Msg, Sender: payload.Sender})
	if pill, ok := f.pillIn(payload.Msg); ok { // who has sent it may wait for the end of the actor
		done := b.rt.Ask(b.index, pill.value(), nil, func() bool { return false }, pill.cancel)
		b.rt.Answer(done, Done{}, pill.cancel)
	}
	return taken
}

// boxOf gives the actor of a name, nil if there was none.
func (f *framework) boxOf(e *actor.Engine, id string) *box {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.boxes[place{e, id}]
}

// missed notes what a dead letter depends on: that its receiver has stopped, that its request is over, or that nobody
// of that name was created. It gives the receiver, -1 if that was no actor.
func (f *framework) missed(rt *adapter.Runtime, e *actor.Engine, id string) (to int32) {
	f.mu.Lock()
	b, r := f.boxes[place{e, id}], f.requests[place{e, id}]
	f.mu.Unlock()
	switch {
	case b != nil:
		b.behind()
		rt.Missed(b.index)
		return b.index
	case r != nil:
		rt.Touch(r.call.Object(), false)
	case !isRandom(id):
		rt.Access(adapter.Name(id), false)
	}
	return -1
}

// hasCrashed reports whether an injected fault stopped an actor, or one above it.
func (f *framework) hasCrashed(e *actor.Engine, id string) bool {
	b := f.boxOf(e, id)
	for _, c := range f.crashed {
		for up := b; up != nil; up = up.parent() {
			if up == c {
				return true
			}
		}
	}
	return false
}
