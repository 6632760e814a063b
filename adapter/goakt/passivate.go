package goakt

import (
	"fmt"
	"reflect"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/passivation"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is about passivation: an actor is stopped when it had nothing to do for a while, or when it has handled so
// many messages. The framework has one goroutine for that. Here it is an actor of ours, which appears with the first
// actor that may be passivated before the horizon. Others have the framework's default of two minutes.

// passivator stands for that goroutine. adapter.Actor.
type passivator struct {
	adapter.Inert
	system *system
	index  int32
}

var _ adapter.Actor = (*passivator)(nil)

// Passivation is the state of what passivates actors, as reports name it.
type Passivation struct{}

// Value is adapter.Actor.
func (*passivator) Value() any { return Passivation{} }

// idle is what is known of when an actor is passivated.
type idle struct {
	after    time.Duration // without a message, 0: that does not matter
	messages int           // so many were handled, -1: that does not matter
	handled  int           // by now
}

// mayPassivate looks at what an actor is passivated by, when it is born or restarted.
func (b *box) mayPassivate() {
	b.idle = idle{messages: -1}
	switch s := (*of[passivation.Strategy](b.pid, b.framework.ofPID.passivation)).(type) {
	case *passivation.TimeBasedStrategy:
		if s.Timeout() == actor.DefaultPassivationTimeout && s.Timeout() > b.rt.Horizon() {
			b.framework.awake = true
			return
		}
		b.after = s.Timeout()
		b.waitIdle(b.after)
	case *passivation.MessagesCountBasedStrategy:
		b.messages = s.MaxMessages() + 1 // PostStart is one
	}
}

// Remark is adapter.Remarking.
func (f *framework) Remark() string {
	if !f.awake {
		return ""
	}
	return fmt.Sprintf("actors are passivated after %v without a message, which no execution waits for: "+
		"Config.Horizon is less", actor.DefaultPassivationTimeout)
}

// waitIdle sets the timer by which the actor is looked at again.
func (b *box) waitIdle(d time.Duration) {
	b.system.passivating()
	timer := b.rt.SetTimer()
	time.AfterFunc(d, func() {
		defer adapter.Together(adapter.Apart())
		b.rt.FireTimer(timer)
		if !b.rt.Exploring() || b.ended {
			return
		}
		if left := b.after - time.Since(b.pid.LatestActivityTime()); left > 0 {
			b.waitIdle(left)
			return
		}
		b.rt.Send(b.system.passivator.index, trace.User, Passivate{b.name}, b)
	})
}

// counts notes that the actor has handled a message.
func (b *box) counts() {
	if b.messages < 0 || b.ended {
		return
	}
	if b.handled++; b.handled == b.messages {
		b.rt.Send(b.system.passivating().index, trace.User, Passivate{b.name}, b)
	}
}

// passivating gives what passivates the system's actors.
func (s *system) passivating() *passivator {
	if s.passivator == nil {
		s.passivator = &passivator{system: s}
		s.passivator.index = s.rt.Spawned(s.passivator, Passivation{}, "", "")
	}
	return s.passivator
}

// passing is what an actor gets whose time is up.
type passing struct{}

// Handle has the actor stop itself, behind which no user message waits.
func (p *passivator) Handle(_ trace.MessageKind, payload any) {
	if b := payload.(*box); !b.ended {
		b.rt.Send(b.index, trace.System, Passivate{b.name}, passing{})
	}
}

// passivates stops the actor, unless it may not be.
func (b *box) passivates() {
	reason := reflect.TypeOf(*of[passivation.Strategy](b.pid, b.framework.ofPID.passivation)).Elem().Name()
	if !tryPassivation(b.pid, reason) && b.after > 0 && !b.ended {
		b.waitIdle(b.after)
	}
}
