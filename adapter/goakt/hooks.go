package goakt

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// framework is the adapter.Framework of GoAkt. docs/decisions/0032 says where its hooks are and why.
type framework struct {
	*layout

	mu        adapter.Mutex // guards what goroutines of a handler change
	execution uint64
	systems   []*system           // of this execution
	boxes     map[*actor.PID]*box // of this execution
	actors    []*box              // of these, by index
	dead      []*box              // actors that others find dead, or did
	begun     goroutine.Counter
	results   []result // of tasks, which have come in the step that runs
	questions map[*actor.ReceiveContext]*question
	apis      sync.Map          // by the place of a call, what it is
	timer     *time.Timer       // of the call that is about to be made
	draining  bool              // timers are thrown away
	trial     *trial            // nil but while the framework is tried out
	suspect   bool              // a worker is alive, of a system that was not handed over perhaps
	births    map[string]*birth // by name of a system, what its own actors are when they are born
	listened  bool              // the program looks at dead letters; never forgotten
	awake     bool              // no execution is long enough for the default passivation; never forgotten
	mortal    map[trace.ID]bool // actors that an execution has found dead; never forgotten
}

// handed is where the framework of the System that is explored stands: systems are handed over to it.
var handed adapter.Handover[framework]

// frameworkOf gives the framework of the execution that runs.
func frameworkOf(rt *adapter.Runtime) *framework { return handed.Framework(rt, errOtherFramework) }

// Install checks that the framework is as we know it. There is no hook before a system is handed over.
func (f *framework) Install() (remove func(), err error) {
	if f.layout, err = known(); err != nil {
		return nil, err
	}
	takeBack, pool := handed.Set(f), timers
	return func() {
		takeBack()
		timers = pool
		drain()
	}, nil
}

// drain empties what the framework keeps in variables: channels of one execution must not come to the next.
func drain() {
	for {
		select {
		case <-responses:
		case <-failures:
		default:
			return
		}
	}
}

// renew forgets the execution before.
func (f *framework) renew(rt *adapter.Runtime) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.execution == rt.Serial() {
		return
	}
	drain()
	f.execution = rt.Serial()
	f.actors = f.actors[:0]
	f.results = nil
	f.systems, f.dead, f.timer = f.systems[:0], f.dead[:0], nil
	f.boxes, f.questions = map[*actor.PID]*box{}, map[*actor.ReceiveContext]*question{}
	f.freshTimers()
}

// freshTimers has the framework ask for the next timer of a call. It does so after it has put the message into the
// receiver's mailbox. So an actor that is born is seen when it is asked for its health. That is before anybody else
// knows it.
func (f *framework) freshTimers() {
	timers = &sync.Pool{New: func() any {
		f.mu.Lock()
		t, draining := f.timer, f.draining
		if !draining {
			f.timer = nil
		}
		f.mu.Unlock()
		if draining {
			return nil
		}
		if t == nil {
			f.meetNewborn()
			t = time.NewTimer(time.Hour)
		}
		return t
	}}
}

// emptyTimers throws timers away that calls have put back: the next call must ask for one.
func (f *framework) emptyTimers() {
	f.drains(true)
	for timers.Get() != nil {
	}
	f.drains(false)
}

func (f *framework) drains(does bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.draining = does
}

// system is an actor system of the execution.
type system struct {
	framework *framework
	rt        *adapter.Runtime
	execution uint64
	real      actor.ActorSystem
	raw       sysPtr
	tree      treePtr
	queue     queuePtr
	user      *box // the guardian of the program's actors
	watch     *box // death watch
	letters   *box // dead letters

	passivator *passivator
	readers    adapter.Readers // of the tree
	lookups    adapter.Lookups
	excused    bool // a restart has begun, and the framework reads the tree for it
}

// pidTable is the type word of a *actor.PID.
var pidTable = func() unsafe.Pointer {
	var v any = (*actor.PID)(nil)
	return *(*unsafe.Pointer)(unsafe.Pointer(&v))
}()

// meetNewborn takes over the actors that wait for a worker of the dispatcher, which never runs.
func (f *framework) meetNewborn() {
	f.mu.Lock()
	systems := f.systems
	f.mu.Unlock()
	for _, s := range systems {
		for {
			v := popGlobal(s.queue)
			if v.data == nil {
				break
			}
			if *at[unsafe.Pointer](v.table, unsafe.Sizeof(uintptr(0))) != pidTable {
				s.rt.Fail(errGrain(s.rt))
				continue
			}
			s.adopt((*actor.PID)(v.data))
		}
	}
}

// isSet reports whether bits of an actor's state are set.
func (f *framework) isSet(pid *actor.PID, bits uint32) bool {
	return atomic.LoadUint32(of[uint32](pid, f.ofPID.state))&bits != 0
}

// The bits of an actor's state.
const (
	running     = 1
	suspended   = 4
	passivating = 8
	ofSystem    = 256
)

// boxOf gives the actor behind a PID, nil if there is none.
func (f *framework) boxOf(pid *actor.PID) *box {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.boxes[pid]
}

// StopsInline is adapter.Inline.
func (*framework) StopsInline() {}

// Undeliverable is called where a message is released to an actor that has stopped: it lies in a mailbox that nobody
// empties.
func (f *framework) Undeliverable(a adapter.Actor, _ trace.MessageKind, payload any) (taken bool) {
	b, ok := a.(*box)
	if !ok {
		return false
	}
	b.rt.Missed(b.index)
	if r, ok := payload.(*request); ok {
		b.answer(r)
	}
	if l, ok := payload.(*letter); ok && l.direct {
		b.rt.Omit(b.rt.Running(), fmt.Sprintf(toldDead, b.name))
	}
	return false
}

// toldDead is what a result says where a message is released to an actor that is not alive by then.
const toldDead = "is told by Tell or Ask in other orders that %s is not alive, and may go on otherwise, which is not " +
	"explored; use the methods of ReceiveContext, or -model mailbox-serial"

// boxAt gives the actor of an index, nil if that is none of the framework's.
func (f *framework) boxAt(index int32) *box {
	f.mu.Lock()
	defer f.mu.Unlock()
	if index < 0 || int(index) >= len(f.actors) {
		return nil
	}
	return f.actors[index]
}
