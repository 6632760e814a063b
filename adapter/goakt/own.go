package goakt

import (
	"context"
	"reflect"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/eventstream"
	"github.com/tochemey/goakt/v4/log"
)

// This file makes the framework's own actors of a system: guardians, death watch, and others. The framework takes half
// a millisecond for them. So those of the first system of a name are kept as they were born, and the next system of
// that name gets copies.

// birth is what is kept of the framework's own actors.
type birth struct{ born []newborn }

// newborn is one of them as it was when it was made.
type newborn struct {
	pid           *actor.PID // never used itself
	field         uintptr    // of the actor system, where it goes
	under         uintptr    // that of its parent, if it has one
	root, letters bool
	kind          reflect.Type
}

// spawnOwn makes the system's own actors.
func (s *system) spawnOwn() error {
	f, o := s.framework, &s.framework.ofSystem
	address := s.real.Name() + " " + s.real.Host()
	if b := f.births[address]; b != nil {
		return s.copyOwn(b)
	}
	b := &birth{}
	for _, own := range []struct {
		spawn        func(sysPtr, context.Context) error
		field, under uintptr
	}{{spawnRootGuardian, o.root, 0}, {spawnSystemGuardian, o.guardian, o.root},
		{spawnNoSender, o.noSender, o.guardian}, {spawnUserGuardian, o.user, o.root},
		{spawnDeathWatch, o.deathWatch, o.guardian}, {spawnDeadletter, o.deadletter, o.guardian}} {
		if err := own.spawn(s.raw, context.Background()); err != nil {
			return err
		}
		pid := *at[*actor.PID](s.raw, own.field)
		b.born = append(b.born, newborn{copyOf(pid), own.field, own.under, own.field == o.root, own.field == o.deadletter,
			reflect.TypeOf(*of[actor.Actor](pid, f.ofPID.actor)).Elem()})
		if s.rt != nil {
			s.rt.Linger(0) // the goroutine that supervises it, which ends at once
		}
	}
	if f.births == nil {
		f.births = map[string]*birth{}
	}
	f.births[address] = b
	return nil
}

// copyOf copies an actor's PID: who it is, and its settings.
func copyOf(pid *actor.PID) *actor.PID {
	c := reflect.New(reflect.TypeFor[actor.PID]())
	c.Elem().Set(reflect.ValueOf(pid).Elem())
	return (*actor.PID)(c.UnsafePointer())
}

// copyOwn makes them from those of another system of that name.
func (s *system) copyOwn(b *birth) error {
	f, o := s.framework, &s.framework.ofSystem
	for _, n := range b.born {
		pid := copyOf(n.pid)
		a := n.fresh()
		*of[actor.Actor](pid, f.ofPID.actor) = a
		*of[actor.Mailbox](pid, f.ofPID.mailbox) = actor.NewUnboundedMailbox()
		*of[actor.Mailbox](pid, f.ofPID.control) = actor.NewUnboundedMailbox()
		*of[actor.ActorSystem](pid, f.ofPID.system) = s.real
		*of[log.Logger](pid, f.ofPID.logger) = *at[log.Logger](s.raw, o.logger)
		*of[unsafe.Pointer](pid, f.ofPID.dispatcher) = *at[unsafe.Pointer](s.raw, o.dispatcher)
		*of[unsafe.Pointer](pid, f.ofPID.passivator) = *at[unsafe.Pointer](s.raw, o.passivator)
		*of[eventstream.Stream](pid, f.ofPID.stream) = *at[eventstream.Stream](s.raw, o.stream)
		*of[chan unsafe.Pointer](pid, f.ofPID.signals) = make(chan unsafe.Pointer, 1)
		*of[chan struct{}](pid, f.ofPID.stopSignal) = make(chan struct{}, 1)
		stack := newBehaviors()
		pushBehavior(stack, a.Receive)
		*of[unsafe.Pointer](pid, f.ofPID.behaviors) = stack
		*at[*actor.PID](s.raw, n.field) = pid
		if err := s.plant(pid, n); err != nil {
			return err
		}
	}
	for _, pid := range s.own() {
		fireSystemMessage(pid, context.Background(), new(actor.PostStart))
	}
	return nil
}

// fresh makes the actor itself. But for the keeper of dead letters they begin as zero values.
func (n *newborn) fresh() actor.Actor {
	v := reflect.New(n.kind)
	if n.letters {
		v = reflect.NewAt(n.kind, newDeadLetter())
	}
	return v.Interface().(actor.Actor)
}

// plant puts one of them into the tree.
func (s *system) plant(pid *actor.PID, n newborn) error {
	if n.root {
		return addRootNode(s.tree, pid)
	}
	return addNode(s.tree, *at[*actor.PID](s.raw, n.under), pid)
}
