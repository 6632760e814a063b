package adapter

import (
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file sees that handlers look actors up of which a framework tells nobody. It takes a lock for that, to read. So
// the lock is one that counts. It is kept as if a writer waited, with as many permits in its semaphores as anybody can
// need. Who reads takes one permit and goes on, as does who writes. Which name was looked up is not seen.
//
//	source:     sync.RWMutex, whose fields lockLayout checks
//	assumes:    handlers run one at a time while the execution lasts, so that nobody has to be kept out; docs/limits.md
//	            says what that means for goroutines of a handler
//	invariants: I1 a reader never waits while it is counted, and the count of reads never falls by itself
//	checked by: readers_test.go, and lookups_test.go of the adapters

// The state of a lock that counts.
const (
	pendingWriter = -1 << 30 // sync.rwmutexMaxReaders
	manyPermits   = 1 << 20
	departing     = 1 << 29 // readers on whom the writer would wait: never 0, whatever comes and goes
)

// Readers counts who reads what a lock of a framework's guards. The zero value does nothing.
type Readers struct {
	readerSem, writerSem    *uint32
	readerCount, readerWait *int32
	closed                  atomic.Bool // the lock is what Go takes it for
}

// Watch has a lock count from Count on.
func (r *Readers) Watch(lock *sync.RWMutex) {
	l, _ := lockLayout()
	at := func(offset uintptr) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(lock), offset) }
	r.readerSem, r.writerSem = (*uint32)(at(l.readerSem)), (*uint32)(at(l.writerSem))
	r.readerCount, r.readerWait = (*int32)(at(l.readerCount)), (*int32)(at(l.readerWait))
}

func (r *Readers) counts() bool { return r.readerSem != nil && !r.closed.Load() }

// Count begins to count anew, unless Exclude was called.
func (r *Readers) Count() {
	if !r.counts() {
		return
	}
	atomic.StoreUint32(r.readerSem, manyPermits)
	atomic.StoreUint32(r.writerSem, manyPermits)
	atomic.StoreInt32(r.readerWait, departing)
	atomic.StoreInt32(r.readerCount, pendingWriter)
}

// Exclude has the lock keep others out again, for good. Nobody may hold it: it is for when all goroutines wait, and
// none of them waits with the lock.
func (r *Readers) Exclude() {
	if r.readerSem == nil || r.closed.Swap(true) {
		return
	}
	for _, semaphore := range []*uint32{r.readerSem, r.writerSem} {
		atomic.StoreUint32(semaphore, 0)
	}
	for _, count := range []*int32{r.readerWait, r.readerCount} {
		atomic.StoreInt32(count, 0)
	}
}

// Reads is how often the lock was taken for reading since it began to count.
func (r *Readers) Reads() int {
	if !r.counts() {
		return 0
	}
	return manyPermits - int(atomic.LoadUint32(r.readerSem))
}

// Forget has some reads not count.
func (r *Readers) Forget(reads int) {
	if !r.counts() {
		return
	}
	if atomic.AddUint32(r.readerSem, uint32(reads)); atomic.LoadUint32(r.writerSem) < manyPermits/2 {
		atomic.StoreUint32(r.writerSem, manyPermits)
	}
}

// lockOffsets is where the parts of a lock are.
type lockOffsets struct{ writerSem, readerSem, readerCount, readerWait uintptr }

// lockLayout reads Go's lock. wrong names what is not as it should be, "" if nothing.
var lockLayout = sync.OnceValues(func() (l lockOffsets, wrong string) {
	lock := reflect.TypeFor[sync.RWMutex]()
	for _, f := range []struct {
		name, typ string
		to        *uintptr
	}{{"writerSem", "uint32", &l.writerSem}, {"readerSem", "uint32", &l.readerSem},
		{"readerCount", "atomic.Int32", &l.readerCount}, {"readerWait", "atomic.Int32", &l.readerWait}} {
		field, ok := lock.FieldByName(f.name)
		if !ok || field.Type.String() != f.typ || field.Type.Size() != 4 {
			return l, "sync.RWMutex." + f.name
		}
		*f.to = field.Offset
	}
	return l, ""
})

// Unguarded is a Framework whose lock keeps nobody out, since it counts. Where goroutines of a handler run beside what
// the lock guards, they may see it half done, or end the process.
type Unguarded interface {
	// Changes reports whether what the lock guards was changed in an event. It is called with the lock of the Runtime.
	Changes(event int32) bool
}

// besideLock is what an execution leaves out where that may be.
const besideLock = "starts goroutines in a step in which actors are spawned or end: the framework's own lock does " +
	"not keep those apart here that look actors up; have the handler look them up itself"

// noteBesideLock notes goroutines of the open event's handler that run beside a change of what a lock guards.
func (g *goroutines) noteBesideLock() {
	if f, ok := g.sys.framework.(Unguarded); ok && f.Changes(g.recorder.event()) {
		g.recorder.omitOf(g.running, besideLock)
	}
}

// CountsReaders names what of Go's lock is not as Readers takes it for, "" if nothing. It has a lock count: where
// Go's lock works otherwise, who takes it waits for ever.
func CountsReaders() (wrong string) {
	if _, wrong = lockLayout(); wrong != "" {
		return wrong
	}
	var lock sync.RWMutex
	var r Readers
	r.Watch(&lock)
	r.Count()
	var over atomic.Bool
	goroutine.Go(func() {
		for range 2 {
			lock.RLock()
			lock.RUnlock()
		}
		lock.Lock()
		lock.Unlock()
		over.Store(true)
	})
	for i := 0; i < patienceWithLock && !over.Load(); i++ {
		runtime.Gosched()
	}
	counts := over.Load() && r.Reads() == 2
	r.Exclude()
	if !counts || !lock.TryLock() || lock.TryRLock() {
		return "sync.RWMutex"
	}
	return ""
}

// patienceWithLock is how many times others may go on until who takes that lock must have done so.
const patienceWithLock = 1_000_000

// Lookups stands for what actors find that look others up by a name. A lookup depends on all steps that change who
// there is. These do not depend on each other, nor do lookups. So in the trace a lookup writes an object of its actor,
// and a change reads the objects of all. Those that are not there in set-up share one: an actor may look up that does
// not exist yet in the step that changes something.
type Lookups struct {
	early   []int32      // actors that have an object of their own
	changed atomic.Int32 // the event of the last change, which a goroutine of a handler may make
}

// manyLookers is how many actors have an object of their own: a change reads so many.
const manyLookers = 16

// Reset forgets the execution before. others is the actor whose object those share that have none of their own.
func (l *Lookups) Reset(others int32) {
	l.changed.Store(-1)
	l.early = append(l.early[:0], others)
}

// Early notes an actor that is there in set-up.
func (l *Lookups) Early(actor int32) {
	if len(l.early) < manyLookers && !slices.Contains(l.early, actor) {
		l.early = append(l.early, actor)
	}
}

// object is what an actor's lookups write.
func (l *Lookups) object(rt *Runtime, of int32) trace.ID {
	if !slices.Contains(l.early, of) {
		of = l.early[0]
	}
	return rt.Shared(of).With(ofLookups)
}

const ofLookups = 0x6c6f6f6b757073

// Look notes that an actor looks somebody up, in the step that runs.
func (l *Lookups) Look(rt *Runtime, by int32) { rt.Access(l.object(rt, by), true) }

// Change is what a step accesses from which on lookups find another actor, or none.
func (l *Lookups) Change(rt *Runtime) []trace.Touch {
	if rt.Choosing() {
		l.changed.Store(rt.Event())
	}
	all := make([]trace.Touch, 0, len(l.early)+2)
	for _, of := range l.early {
		all = append(all, trace.Touch{Object: l.object(rt, of)})
	}
	return all
}

// ChangedIn reports whether the last change was in that event.
func (l *Lookups) ChangedIn(event int32) bool { return l.changed.Load() == event }
