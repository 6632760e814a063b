package goakt

import (
	"reflect"
	"strings"

	"github.com/tochemey/goakt/v4/actor"
	gerrors "github.com/tochemey/goakt/v4/errors"
	"github.com/tochemey/goakt/v4/eventstream"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is about the event stream. Events are put into the queue of each subscriber at once, who looks into it when
// it likes. Dead letters become events in a step of the actor that keeps them.

// stream is eventstream.Stream, and notes who looks and who is heard.
type stream struct {
	eventstream.Stream
	system *system
	heard  bool // there is, or was, a subscriber
}

// events stands for the queues of the subscribers.
var events = trace.ID{Lo: ofEvents}

const ofEvents = 0x6576656e7473

// listen has the system's event stream be ours.
func (s *system) listen() {
	real := at[eventstream.Stream](s.raw, s.framework.ofSystem.stream)
	if _, ours := (*real).(*stream); !ours {
		*real = &stream{Stream: *real, system: s}
	}
}

// AddSubscriber is eventstream.Stream.
func (e *stream) AddSubscriber() eventstream.Subscriber {
	defer adapter.Together(adapter.Apart())
	s := e.system
	e.heard = true
	if s.rt != nil && s.rt.Exploring() {
		f := s.framework
		f.mu.Lock()
		f.listened = true
		f.mu.Unlock()
		if s.letters.index < 0 {
			s.rt.Omit(s.rt.Running(), "subscribes to events, which no earlier execution has done: dead letters that "+
				"came before are not explored as messages")
			s.letters.appear()
		}
		s.rt.Access(events, true)
	}
	return &subscriber{e.Stream.AddSubscriber(), s}
}

// Publish is eventstream.Stream.
func (e *stream) Publish(topic string, msg any) {
	if s := e.system; e.heard && s.rt != nil && s.rt.Exploring() {
		before := adapter.Apart()
		s.rt.Access(events, true)
		adapter.Together(before)
	}
	e.Stream.Publish(topic, msg)
}

// subscriber is eventstream.Subscriber, and notes when somebody looks.
type subscriber struct {
	eventstream.Subscriber
	system *system
}

// Iterator is eventstream.Subscriber.
func (u *subscriber) Iterator() chan *eventstream.Message {
	if rt := u.system.rt; rt.Exploring() {
		before := adapter.Apart()
		rt.Access(events, true)
		adapter.Together(before)
	}
	return u.Subscriber.Iterator()
}

// deadLetter notes a message to nobody, before the actor gets it that keeps such letters.
func (s *system) deadLetter(received *actor.ReceiveContext) {
	f := s.framework
	m := behind(received.Message())
	message, reason := *at[any](m, f.deadLetter.message), *at[string](m, f.deadLetter.reason)
	switch {
	case reason == gerrors.ErrUnhandled.Error():
	case strings.Contains(reason, gerrors.ErrRequestTimeout.Error()):
		f.vain(message)
	default:
		s.rt.DeadLetter(f.valueOf(message, reflect.TypeOf(message)), -1, false)
	}
}
