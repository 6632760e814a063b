package actor

import (
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// host is what the driver, strategies and checks see of a machine: explore.Host, and what else they ask an execution
// for.
type host struct{ m *machine }

var (
	_ explore.Host  = (*host)(nil)
	_ delivery.Host = (*host)(nil)
)

// Accepts is delivery.Host, by which a record is compared with the pool that made it.
func (x *host) Accepts(actor, message int32) bool { return x.m.handlers.Accepts(actor, message) }

// SetUp is explore.Host.SetUp.
func (x *host) SetUp(f func()) { x.m.setUp.run(f) }

// Running is explore.Host.Running: the actor whose code runs; at the end it is the test's.
func (x *host) Running() int32 {
	if x.m.running == nil {
		return 0
	}
	return x.m.running.index
}

// Trace is explore.Execution.Trace.
func (x *host) Trace() *trace.Trace { return &x.m.tr }

// State is explore.Execution.State: the behaviour; the one given at spawn while the present one is a mere Func, since
// that has no state to show.
func (x *host) State(actor int32) any {
	c := x.m.actors.all[actor]
	if c.behavior == nil {
		return nil
	}
	if _, mere := c.behavior.(Func); mere && len(c.previous) > 0 {
		return c.previous[0]
	}
	return c.behavior
}

// Status is explore.Execution.Status.
func (x *host) Status(actor int32) explore.Status {
	c := x.m.actors.all[actor]
	st := explore.Status{Stopped: c.stopped, Crashed: c.crashed, On: -1}
	h := c.cur
	if h == nil && len(c.tasks) > 0 {
		h = c.tasks[0]
	}
	if h == nil {
		return st
	}
	st.Blocked = true
	switch h.wait {
	case waitCall:
		k := &x.m.calls.all[h.call]
		st.Awaits, st.On = "reply to "+trace.ShortType(k.request.Name), k.callee
	case waitFuture:
		st.Awaits, st.On = "a future", h.future.callee
		if h.future.request != nil {
			st.Awaits = "reply to " + trace.ShortType(h.future.request.Name)
		}
	case waitReceive:
		st.Awaits = "a message that matches"
	case waitCond:
		st.Awaits = "a condition"
	case waitGoroutines:
		st.Awaits = h.waits
	}
	return st
}

// Pending is explore.Execution.Pending. Stashed messages are among them: they were put aside, not handled.
func (x *host) Pending(f func(message int32)) {
	x.m.pool.Each(f)
	for _, c := range x.m.actors.all {
		for _, s := range slices.Clone(c.stash) {
			f(s)
		}
	}
}

// Answered is explore.Answerer.Answered: the replies to Ask.
func (x *host) Answered(asker int32, f func(request, by int32, answer any)) {
	m := x.m
	for i := range m.calls.all {
		k := &m.calls.all[i]
		if k.asker != asker || k.future == nil || !k.future.ready || k.callee < 0 || k.answer >= 0 {
			continue
		}
		for r := range m.tr.Messages {
			if m.tr.Messages[r].ID == k.object {
				f(int32(r), k.callee, k.future.value)
				break
			}
		}
	}
}

// Locate is explore.Locator.
func (x *host) Locate(actors []int32) (places []string, stacks string) {
	m := x.m
	if !m.lost.some {
		return nil, ""
	}
	for _, a := range actors {
		place := ""
		if h := m.actors.all[a].cur; h != nil && h.lost {
			place = h.place
		}
		places = append(places, place)
	}
	return places, m.lost.stacks
}

// Delay gives how much longer a timer waits, of which this is the message.
func (x *host) Delay(message int32) time.Duration {
	m := x.m
	t := &m.timers.all[m.outbox.extra[message].timer-1]
	return t.deadline - m.actors.all[t.owner].Now()
}
