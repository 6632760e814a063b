package toy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Accepts is delivery.Host.
func (x *execution) Accepts(n, m int32) bool { return x.accepts(&x.actors[n], m) }

// accepts reports whether an actor that stands like a handles message m. Captured sends are the pool's business.
func (x *execution) accepts(a *actor, m int32) bool {
	msg := &x.tr.Messages[m]
	switch {
	case msg.Kind == trace.Answer:
		return a.waits >= 0 && a.calls == x.extra[m].call
	case a.stopped || a.waits >= 0:
		return false
	case msg.Kind == trace.System:
		return true
	}
	h := &x.sys.Program.Kinds[a.kind][msg.Value.(envelope).typ]
	return a.state[h.Register] != h.Refuse
}

// WouldAccept is explore.Foreseer. Before an event that goes on with a step (a choice, a fault) or releases a send its
// actor accepts nothing; a timeout is refused once it was cancelled.
func (x *execution) WouldAccept(event, message int32) (accepts, known bool) {
	s, msg := x.tr.Events[event].Step, &x.tr.Messages[message]
	if s.Actor != msg.Receiver {
		return false, false
	}
	a := &x.before[event]
	if s.Kind.Chooses() || a.held > 0 && msg.Kind != trace.Answer {
		return false, true
	}
	if c := x.extra[message].cancelled; c >= 0 && c < event {
		return false, true
	}
	return x.accepts(a, message), true
}

// Trace is explore.Execution.
func (x *execution) Trace() *trace.Trace { return &x.tr }

// State gives the registers.
func (x *execution) State(n int32) any { return x.actors[n].state }

// Status is explore.Execution.
func (x *execution) Status(n int32) explore.Status {
	a := &x.actors[n]
	st := explore.Status{Stopped: a.stopped, On: a.waits}
	if a.waits >= 0 {
		st.Blocked, st.Awaits = true, "toy.Answer"
	}
	return st
}

// Pending is explore.Execution.
func (x *execution) Pending(f func(int32)) { x.pool.Each(f) }

// SetUp is explore.Host; toys have none.
func (*execution) SetUp(func()) { panic("toy: SetUp is not supported") }

// Choose is explore.Host; toys choose by an operation.
func (*execution) Choose(int) int { panic("toy: Choose of a T is not supported: use the operation") }

// Running is explore.Host.
func (x *execution) Running() int32 { return x.running }

// final prints the actors and what was not delivered, in an order that does not depend on the execution.
func (x *execution) final() string {
	var parts []string
	for n := range x.actors {
		a := &x.actors[n]
		parts = append(parts, finalActor(x.path(int32(n)), a.state, a.stopped, a.waits >= 0))
	}
	left := func(dead bool, m int32) {
		msg := &x.tr.Messages[m]
		env := msg.Value.(envelope)
		parts = append(parts, finalMessage(dead, x.path(msg.Sender), x.path(msg.Receiver), msg.Kind, env.typ, env.value))
	}
	x.pool.Each(func(m int32) { left(false, m) })
	for _, m := range x.lost {
		left(true, m)
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// path tells an actor by its place among its parent's children.
func (x *execution) path(n int32) string {
	a := &x.actors[n]
	if a.parent < 0 {
		return ""
	}
	return x.path(a.parent) + "/" + strconv.Itoa(a.place)
}

// finalActor and finalMessage are how final states are written, here and in the twin.
func finalActor(path string, state registers, stopped, waits bool) string {
	s := path + "=" + strconv.Itoa(state[0])
	if state[1]+state[2] > 0 {
		s += fmt.Sprint(" ", state[1:])
	}
	if stopped {
		s += " stopped"
	}
	if waits {
		s += " waits"
	}
	return s
}

func finalMessage(dead bool, from, to string, kind trace.MessageKind, typ, value int) string {
	s := "left "
	if dead {
		s = "dead "
	}
	return s + from + ">" + to + " " + strconv.Itoa(int(kind)) + " M" + strconv.Itoa(typ) + "=" + strconv.Itoa(value)
}
