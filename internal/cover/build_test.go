package cover

import (
	"fmt"
	"math/rand/v2"

	"github.com/rehearse-go/rehearse/trace"
)

// builder makes an execution by hand.
type builder struct {
	tr    *trace.Trace
	names map[string]int32 // of messages
}

// newBuilder begins an execution in which the driver has spawned these actors.
func newBuilder(actors ...string) *builder {
	b := &builder{tr: &trace.Trace{}, names: map[string]int32{}}
	b.tr.AddDriver()
	b.tr.Begin(trace.StartStep(0))
	b.spawn(actors...)
	return b
}

// spawn has the last event create actors.
func (b *builder) spawn(actors ...string) {
	for _, a := range actors {
		b.tr.AddActor(b.tr.TypeNamed(a), a, b.last().Step.Actor, int32(len(b.tr.Events)-1))
	}
}

func (b *builder) last() *trace.Event { return &b.tr.Events[len(b.tr.Events)-1] }

func (b *builder) actor(name string) int32 {
	for i := range b.tr.Actors {
		if b.tr.Actors[i].Name == name {
			return int32(i)
		}
	}
	panic("no actor " + name)
}

// send has the last event send a message.
func (b *builder) send(name, to string) {
	b.names[name] = b.sendTo(b.tr.TypeNamed(name), b.actor(to))
}

func (b *builder) sendTo(ty *trace.Type, to int32) int32 {
	return b.tr.AddMessage(ty, trace.User, b.last().Step.Actor, to, int32(len(b.tr.Events)-1), nil)
}

// receive delivers a message.
func (b *builder) receive(name string) *builder {
	b.tr.Begin(b.tr.DeliveryOf(b.names[name]))
	return b
}

// large makes an execution of so many receives: each sends a message to one of the actors, the first of which gets
// every second one if there is a hub.
func large(actors, receives int, hub bool) *trace.Trace {
	r := rand.New(rand.NewPCG(1, 2))
	b := newBuilder()
	for i := range actors {
		b.spawn(fmt.Sprint("a", i))
	}
	ty := b.tr.TypeNamed("m")
	to := func() int32 {
		if hub && r.IntN(2) == 0 {
			return 1
		}
		return int32(1 + r.IntN(actors))
	}
	var pool []int32
	for range actors {
		pool = append(pool, b.sendTo(ty, to()))
	}
	for range receives {
		i := r.IntN(len(pool))
		m := pool[i]
		pool[i] = pool[len(pool)-1]
		b.tr.Begin(b.tr.DeliveryOf(m))
		pool[len(pool)-1] = b.sendTo(ty, to())
	}
	return b.tr
}
