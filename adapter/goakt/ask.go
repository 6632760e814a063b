package goakt

import (
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file is about calls (Ask): who asks waits at a channel, into which who answers puts the answer. A channel of
// ours takes its place, so that an answer is a step of its own and who asks and who answers never run together. What is
// in there is found before the handler sends something else, and when it is over.

// question is a call that waits for its answer.
type question struct {
	rt       *adapter.Runtime
	layout   *layout
	received *actor.ReceiveContext
	call     *adapter.Call
	reply    chan any // where who asks waits
	given    chan any // where the answer is put
	answered bool
	over     bool // who asked has been told that it was in vain
}

// ask notes that the actor is asked something, and is called when that is sent.
func (b *box) ask(received *actor.ReceiveContext, value any, by api) *question {
	f := b.framework
	if by&piped != 0 {
		*in[chan any](received, f.ofContext.response) = nil // nobody waits there
		return nil
	}
	response := in[chan any](received, f.ofContext.response)
	q := &question{rt: b.rt, layout: f.layout, received: received, reply: *response, given: make(chan any, 1)}
	*response = q.given
	timer := time.NewTimer(time.Hour)
	f.emptyTimers()
	f.mu.Lock()
	f.timer, f.questions[received] = timer, q
	f.mu.Unlock()
	q.call = b.rt.Ask(b.index, value, timer, q.isOver, func() {}) // each has a timeout
	b.rt.KeepDeadlinesApart()
	return q
}

// questionOf gives the question that a message is, nil if it is none, or was not sent yet.
func (f *framework) questionOf(received *actor.ReceiveContext) *question {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.questions[received]
}

// isOver reports whether who asked waits no more, and got no answer.
func (q *question) isOver() bool {
	closed := atomic.LoadUint32(in[uint32](q.received, q.layout.ofContext.closed)) != 0
	return q.over || closed && !q.answered
}

// look takes the answer, if there is one by now.
func (q *question) look() {
	select {
	case v := <-q.given:
		q.answered = true
		q.rt.Answer(q.call, v, func() {
			if q.isOver() {
				return // the channel is another call's by now
			}
			select {
			case q.reply <- v:
			default:
			}
		})
	default:
	}
}

// answers looks whether the handler that runs has answered.
func (b *box) answers() {
	if l := b.current; l != nil && l.question != nil {
		l.question.look()
	}
}

// vain notes that who has asked is told that it waits no more: that is announced as a dead letter.
func (f *framework) vain(message any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for received, q := range f.questions {
		if !q.over && words(received.Message()) == words(message) {
			q.over = true
			return
		}
	}
}

// words are those of an interface value: equal ones are the same value.
func words(v any) [2]unsafe.Pointer { return *(*[2]unsafe.Pointer)(unsafe.Pointer(&v)) }

// api is by what a message is sent.
type api uint8

const (
	byHandler api = 1 << iota // a method of ReceiveContext
	byOthers                  // another function that tells whether the receiver was alive
	byName                    // the receiver was looked up
	piped                     // PipeTo
)

// calls are the places of the calls by which a message comes to a mailbox.
type calls [6]uintptr

// apiOf tells by what a message is sent. It is called while it is.
func (f *framework) apiOf() api {
	var pcs calls
	n := runtime.Callers(3, pcs[:])
	if a, ok := f.apis.Load(pcs); ok {
		return a.(api)
	}
	a := apiOf(runtime.CallersFrames(pcs[:n]))
	f.apis.Store(pcs, a)
	return a
}

func apiOf(frames *runtime.Frames) (a api) {
	last := ""
	for more := true; more; {
		var fr runtime.Frame
		fr, more = frames.Next()
		if strings.HasPrefix(fr.Function, adapterPath) {
			if last != "" {
				return a
			}
			continue
		}
		name, is := strings.CutPrefix(fr.Function, actorPath)
		if !is {
			break
		}
		last = name
		switch {
		case strings.HasPrefix(name, "(*PID).handleCompletion"):
			a |= piped
		case name == "(*PID).SendAsync", name == "(*PID).SendSync", name == "(*PID).requestName":
			a |= byName
		}
	}
	switch {
	case strings.HasPrefix(last, "(*ReceiveContext)."):
		a |= byHandler
	case last == "Tell", last == "Ask", last == "BatchTell", last == "BatchAsk", strings.HasPrefix(last, "(*PID).") &&
		(strings.HasSuffix(last, "Tell") || strings.HasSuffix(last, "Ask") || strings.Contains(last, ").Send")):
		a |= byOthers
	}
	return a
}

// actorPath begins the names of the functions of the framework's package actor.
const actorPath = module + "/actor."

// isOf reports whether a value is of a type.
func isOf(v any, t reflect.Type) bool { return reflect.TypeOf(v) == t }
