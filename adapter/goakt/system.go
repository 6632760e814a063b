package goakt

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/reugn/go-quartz/quartz"
	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/log"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file takes actor systems over. A system under control has no goroutine: its dispatcher, its scheduler and what
// passivates actors never start, or are stopped.

// start starts a system, as far as a program without a network needs it.
func (f *framework) start(rt *adapter.Runtime, real actor.ActorSystem) error {
	defer adapter.Together(adapter.Apart())
	f.renew(rt)
	s := f.newSystem(rt, real)
	s.refuse()
	if err := s.begin(); err != nil {
		return err
	}
	s.enter()
	return nil
}

// newSystem makes what we know of a system.
func (f *framework) newSystem(rt *adapter.Runtime, real actor.ActorSystem) *system {
	raw := behind(real)
	s := &system{framework: f, rt: rt, real: real, raw: raw, tree: *at[treePtr](raw, f.ofSystem.tree)}
	if rt != nil {
		s.execution = rt.Serial()
	}
	return s
}

// begin starts the system's own actors on a dispatcher that never runs.
func (s *system) begin() error {
	o := &s.framework.ofSystem
	s.takeDispatcher()
	s.takeLogger()
	logger := *at[log.Logger](s.raw, o.logger)
	*at[unsafe.Pointer](s.raw, o.scheduler) = newScheduler(logger, *at[time.Duration](s.raw, o.timeout), s.real)
	s.takeScheduler()
	s.listen()
	if err := s.spawnOwn(); err != nil {
		return err
	}
	atomic.StoreUint32(at[uint32](s.raw, o.started), 1)
	atomic.StoreInt64(at[int64](s.raw, o.startedAt), time.Now().Unix())
	return nil
}

// takeDispatcher has the system's dispatcher pass for one that has started: its workers never run.
func (s *system) takeDispatcher() {
	f := s.framework
	d := *at[unsafe.Pointer](s.raw, f.ofSystem.dispatcher)
	atomic.StoreUint32(at[uint32](d, f.ofDispatcher.started), 1)
	s.queue = *at[queuePtr](d, f.ofDispatcher.queue)
}

// takeLogger gives the system our logger.
func (s *system) takeLogger() {
	logger := at[log.Logger](s.raw, s.framework.ofSystem.logger)
	*logger = &hooked{framework: s.framework, system: s, Logger: behindHook(*logger)}
}

// takeScheduler gives the system our scheduler of messages.
func (s *system) takeScheduler() {
	f := s.framework
	scheduler := *at[unsafe.Pointer](s.raw, f.ofSystem.scheduler)
	*at[quartz.Scheduler](scheduler, f.ofScheduler.quartz) = &clock{system: s, jobs: map[string]*job{}}
	atomic.StoreUint32(*at[*uint32](scheduler, f.ofScheduler.started), 1)
}

// own gives the system's own actors, and which are actors of the execution.
func (s *system) own() []*actor.PID {
	o := &s.framework.ofSystem
	var pids []*actor.PID
	for _, offset := range []uintptr{o.user, o.deathWatch, o.deadletter, o.noSender, o.guardian, o.root} {
		pids = append(pids, *at[*actor.PID](s.raw, offset))
	}
	return pids
}

// The framework's own actors, as reports name them.
type (
	Guardian    struct{} // the parent of the program's actors
	DeathWatch  struct{} // takes actors that have stopped out of the tree
	DeadLetters struct{} // keeps messages to nobody, and announces them
)

// enter takes the system's own actors over.
func (s *system) enter() {
	f := s.framework
	pids := s.own()
	boxes := make([]*box, len(pids))
	for i, pid := range pids {
		boxes[i] = s.box(pid)
		boxes[i].serve()
		boxes[i].started, boxes[i].greeted = true, true
	}
	for popGlobal(s.queue).data != nil { // they need no worker
	}
	s.user, s.watch, s.letters = boxes[0], boxes[1], boxes[2]
	f.mu.Lock()
	f.systems = append(f.systems, s)
	s.readers.Watch(at[sync.RWMutex](s.tree, f.ofLock))
	if s.rt.Exploring() {
		s.counts()
	} else {
		s.readers.Exclude()
	}
	listened := f.listened
	f.mu.Unlock()
	s.user.value, s.watch.value, s.letters.value = Guardian{}, DeathWatch{}, DeadLetters{}
	s.user.appear()
	s.lookups.Reset(s.user.index)
	s.watch.appear()
	if listened {
		s.letters.appear()
	}
}

// refuse refuses systems with what is not controlled.
func (s *system) refuse() {
	o, is := &s.framework.ofSystem, func(offset uintptr) bool {
		return atomic.LoadUint32(at[uint32](s.raw, offset)) != 0
	}
	switch {
	case is(o.cluster):
		s.rt.Refuse(errOption("WithCluster", overNetwork, caller()))
	case is(o.remoting):
		s.rt.Refuse(errOption("WithRemote", overNetwork, caller()))
	case is(o.pubsub):
		s.rt.Refuse(errOption("WithPubSub", "it publishes on goroutines of its own, which are not controlled; leave "+
			"it out, and tell the subscribers", caller()))
	case *at[unsafe.Pointer](s.raw, o.eviction) != nil:
		s.rt.Refuse(errOption("WithEvictionStrategy", "it stops actors by how long each was idle, which is not "+
			"controlled; leave it out in the test", caller()))
	}
}

// control takes a system over that the framework has started.
func (f *framework) control(rt *adapter.Runtime, real actor.ActorSystem) {
	defer adapter.Together(adapter.Apart())
	f.renew(rt)
	s := f.newSystem(rt, real)
	o := &f.ofSystem
	if h, ours := (*at[log.Logger](s.raw, o.logger)).(*hooked); ours {
		if h.system.execution != rt.Serial() {
			rt.Refuse(errOutlived(caller()))
		}
		return
	}
	if atomic.LoadUint32(at[uint32](s.raw, o.started)) == 0 {
		rt.Refuse(errNotStarted(caller()))
	}
	s.refuse()
	if n := int(real.NumActors()); n > 0 {
		rt.Refuse(errLate(n, caller()))
	}
	s.halt()
	s.takeDispatcher()
	s.takeLogger()
	s.takeScheduler()
	s.listen()
	s.enter()
}

// halt ends the goroutines that the framework has started for the system.
func (s *system) halt() {
	f, o, ctx := s.framework, &s.framework.ofSystem, context.Background()
	stopDispatcher(*at[unsafe.Pointer](s.raw, o.dispatcher)) // its workers go on until nothing waits for them
	stopDrain(s.raw)
	stopPassivator(*at[unsafe.Pointer](s.raw, o.passivator), ctx)
	stock := *at[quartz.Scheduler](*at[unsafe.Pointer](s.raw, o.scheduler), f.ofScheduler.quartz)
	stock.Stop()
	stock.Wait(ctx)
	for range len(s.own()) + max(2, runtime.GOMAXPROCS(0)) + ofStock {
		s.rt.Linger(0) // all these
	}
}

// ofStock is how many goroutines a system has beside its workers and those that supervise its own actors. They are for
// messages to other nodes that fail, for passivation, and for the scheduler, of which one waits for its end.
const ofStock = 5
