package actor

import (
	"fmt"
	"reflect"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tells what the record leaves out of a state, for strategies that compare states. explore.Inspector.

var _ explore.Inspector = (*host)(nil)

var natures = map[reflect.Type]explore.Nature{
	reflect.TypeFor[Ref]():        explore.Reference,
	reflect.TypeFor[*Context]():   explore.Reference,
	reflect.TypeFor[*explore.T](): explore.Opaque,
	reflect.TypeFor[*Future]():    explore.Secret,
}

// Nature is explore.Inspector.Nature.
func (x *host) Nature(t reflect.Type) explore.Nature { return natures[t] }

// ActorOf is explore.Inspector.ActorOf.
func (x *host) ActorOf(v any) (actor int32, name string) {
	switch v := v.(type) {
	case Ref:
		return v.index(), ""
	case *Context:
		if v != nil {
			return v.index, ""
		}
	}
	return -1, ""
}

// kept is what Kept gives.
type kept struct {
	present  Behavior // nil if that is what State gives
	previous []Behavior
	dropped  []Behavior
	watchers []Ref
}

// Kept is explore.Inspector.Kept.
func (x *host) Kept(actor int32) any {
	c := x.m.actors.all[actor]
	if len(c.previous)+len(c.dropped)+len(c.watchers) == 0 {
		return nil
	}
	k := kept{previous: c.previous, dropped: c.dropped}
	if len(c.previous) > 0 {
		k.present = c.behavior
	}
	for _, w := range c.watchers {
		k.watchers = append(k.watchers, refOf(w))
	}
	return k
}

// Settled is explore.Inspector.Settled.
func (x *host) Settled(actor int32) bool {
	c := x.m.actors.all[actor]
	return c.cur == nil && !c.stopping && len(c.tasks)+len(c.stash) == 0
}

// Disclosed is explore.Inspector.Disclosed. Timers, futures and calls that were given up are known to nobody but the
// machine.
func (x *host) Disclosed() (explore.Disclosure, string) {
	m := x.m
	for i := range m.timers.all {
		if m.timers.all[i].state != timerGone {
			return explore.ByHistory, ""
		}
	}
	for i := range m.calls.all {
		if k := &m.calls.all[i]; k.state == callGivenUp || k.future != nil && k.state == callOpen {
			return explore.ByHistory, ""
		}
	}
	why := ""
	for _, c := range m.actors.all {
		if len(c.tasks) > 0 {
			return explore.ByHistory, ""
		}
		if c.crowded && why == "" {
			why = fmt.Sprintf("%s went back (Unbecome) from more than %d behaviours, and of the others what they hold is not "+
				"compared",
				m.tr.ActorName(c.index), maxDropped)
		}
	}
	return explore.ByValue, why
}

// Attached is explore.Inspector.Attached: whether a reply is wanted, and will find somebody. Of a request that a fault
// doubled the first may have been answered.
func (x *host) Attached(message int32) any {
	m := x.m
	call := m.outbox.extra[message].call
	switch {
	case call == 0 || m.tr.Messages[message].Kind != trace.User:
		return nil
	case m.calls.all[call-1].state == callOpen:
		return "request"
	}
	return "answered request"
}

// Arrangement is explore.Inspector.Arrangement.
func (x *host) Arrangement() explore.Arrangement { return &x.m.pool }
