package adapter

import (
	"bytes"
	"fmt"
	"runtime"
	"time"

	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// Call is a request that waits for its reply: a future.
type Call struct {
	owner   int32
	callee  int32
	request string // type of the message
	done    bool
	// Hooked reports whether something happens when the call is answered, beside that its owner may go on; nil: never.
	Hooked func() bool
	// Waited reports whether somebody waits for the answer; nil: whoever does not run may.
	Waited   func() bool
	answered bool        // an answer was released
	hung     int         // hooks that are captured
	timed    bool        // it times out
	behind   int32       // what its owner had captured last when that timer was set, -1 if nothing
	over     func() bool // whether it timed out
	giveUp   func()
	object   trace.ID
}

// Over reports whether the call was completed, in whatever way.
func (c *Call) Over() bool { return c.done || c.over() }

// answer is the payload of a reply.
type answer struct {
	call    *Call
	deliver func()
}

// Spawned records a new actor, created by the actor that runs, and gives its index. typ names its type; "" is that of value.
func (r *Runtime) Spawned(a Actor, value any, typ, name string) int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tr.TypeOf(value)
	if typ != "" {
		t = r.tr.TypeNamed(typ)
	}
	i := r.tr.AddActor(t, name, r.who(), r.event())
	if int(i) < cap(r.actors) {
		r.actors = r.actors[:i+1]
		r.actors[i] = actorState{calls: r.actors[i].calls[:0]}
	} else {
		r.actors = append(r.actors, actorState{})
	}
	r.actors[i].Actor = a
	return i
}

// event is the event that effects belong to now: the open one, or the last. What final assertions and clean-ups do gets an event of its
// own: it is no effect of the last step that was explored, whose effects say what depends on it.
func (r *Runtime) event() int32 {
	if r.open < 0 && r.act == actFinish {
		r.beginLocked(trace.StartStep(2), true)
	}
	if r.open >= 0 {
		return r.open
	}
	return int32(len(r.tr.Events)) - 1
}

// Send records a message that the running actor sends. value is what people know it by; payload is what Handle gets.
func (r *Runtime) Send(to int32, class trace.Class, value, payload any) {
	r.record(to, class, value, payload, asSent)
}

// Start records the message by which an actor starts that the running actor has created. It takes nothing before that.
func (r *Runtime) Start(to int32, value, payload any) {
	r.record(to, trace.System, value, payload, asStart)
}

// Timeout records that a timer which the actor itself set fired.
func (r *Runtime) Timeout(to int32, value, payload any) {
	r.record(to, trace.Timeout, value, payload, atOnce)
}

// GoOn records the system message by which an actor goes on with code of its own when a future is resolved, sent by whoever resolves it.
func (r *Runtime) GoOn(to int32, value, payload any) {
	r.record(to, trace.System, value, payload, asGoingOn)
}

// how says in which way a message comes to its receiver.
type how uint8

const (
	asSent    how = iota // in its turn among what its handler sends
	asStart              // the same, and nothing comes before it
	asGoingOn            // the same as asSent, and it runs code of the receiver's
	asNext               // before all else that is captured: what hangs on a future that is resolved
	asFired              // behind what was captured when its timer was set
	atOnce
)

func (r *Runtime) record(to int32, class trace.Class, value, payload any, comes how) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == over {
		if r.peeking {
			r.beyond(trace.ShortType(r.tr.TypeOf(value).Name) + " to " + r.tr.ActorName(to))
		}
		return
	}
	if r.sent++; r.sent > r.MaxSteps() {
		r.floods()
	}
	typ, from, after := r.tr.TypeOf(value), r.who(), int32(-1)
	r.strayPost(from)
	goesOn := comes == asGoingOn
	r.noteEnd(from)
	switch fired := r.act == actAdvance && from == 0 && !r.driverWoke(); {
	case r.act == actResolve && r.delivering:
		comes = asNext
	case r.releasing && class == trace.User: // whoever hears of dead letters
		comes = asNext
	case r.releasing, fired && class == trace.Answer: // nobody's handler answers: the dead, or a timer
		comes = atOnce
	case class == trace.Timeout:
		from, after, comes = to, r.expires(to), asFired
	case fired && class != trace.Answer:
		from, after = r.setter(to, typ)
		comes = asFired
		if class == trace.User {
			class = trace.Timeout
		}
	}
	if comes == asSent || comes == asStart || comes == asGoingOn {
		r.noteDeadline(from)
		if r.anyTime() {
			r.lookAtTimers()
		}
	}
	m := r.tr.AddMessage(typ, class, from, to, r.event(), value)
	r.tr.Messages[m].Starts, r.tr.Messages[m].GoesOn = comes == asStart, goesOn
	r.keep(m, payload)
	if r.releasing && class == trace.Answer {
		r.reply = m
	}
	if r.judge.On() {
		r.judge.Sent(m)
	}
	if !r.send(m, from, after, comes) {
		r.deadLetter(typ.Name, from, r.Crashed(to))
	}
	r.signal()
}

// send puts message m where its place in the order is, and reports whether its receiver is there. asFired: that is behind what
// its sender had captured last then.
func (r *Runtime) send(m, from, after int32, comes how) (alive bool) {
	switch {
	case comes == atOnce || r.phase != exploring:
		return r.pool.Post(m)
	case comes == asFired:
		return r.pool.Behind(from, after, m) || r.pool.Post(m)
	case comes == asNext:
		if r.act == actResolve {
			r.noteHook(m)
		}
		r.pool.SendNext(r.running, m, r.resolver.sent)
		r.resolver.sent++
		return true
	}
	alive = r.pool.Send(m)
	if r.cond.Model == trace.Mailbox {
		r.touch(r.tr.Actors[r.tr.Messages[m].Receiver].Life(), false) // found alive here, and released later
	}
	return alive
}

// keep notes what Handle gets for message m.
func (r *Runtime) keep(m int32, payload any) {
	for int(m) >= len(r.payload) {
		r.payload = append(r.payload, nil)
	}
	r.payload[m] = payload
}

// floods ends the execution when a single step sends and sends. It is called with the lock and does not return: what sends would go on.
func (r *Runtime) floods() {
	sent := r.sent - 1
	r.mu.Unlock()
	defer r.mu.Lock() // whoever called unlocks
	r.Refuse(fmt.Errorf("%s has sent %d messages and does not end: no message is delivered before the step that sends "+
		"it is over; let it end, or raise MaxSteps", r.doing(), sent))
}

// refused is what Refuse panics with.
type refused struct{}

// Refuse ends the exploration with an error, and the code that does what is refused; it does not return. Unwinding that code
// closes what it has opened. On a goroutine of the program's own there is nobody to stop a panic: it stays where it is.
func (r *Runtime) Refuse(err error) {
	r.Fail(err)
	unwind()
}

// unwind ends the code that calls it, without a word.
func unwind() {
	stack := make([]byte, 1<<16)
	if !bytes.Contains(stack[:runtime.Stack(stack, false)], []byte("adapter.(*Runtime).perform(")) {
		select {}
	}
	panic(refused{})
}

// Ask records that the running actor made a call, as it shows when the request is sent.
// timer is that of its timeout, nil if it has none; timedOut tells whether it was completed without a reply; giveUp completes it with an error, for when nobody ever will.
func (r *Runtime) Ask(callee int32, request any, timer *time.Timer, timedOut func() bool, giveUp func()) *Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &Call{owner: r.who(), callee: callee, request: r.tr.TypeOf(request).Name,
		timed: timer != nil, over: timedOut, giveUp: giveUp}
	if timer != nil {
		r.noteCall(timer, c.owner)
	}
	c.object = r.tr.Origin(r.event()).ID.With(ofCall).With(uint64(r.asked))
	r.asked++
	c.behind = r.pool.Last(c.owner)
	s := &r.actors[c.owner]
	s.calls, s.asked = append(s.calls, c), true
	r.calls = append(r.calls, c)
	return c
}

// Answer records the reply to a call. deliver hands it over.
func (r *Runtime) Answer(c *Call, value any, deliver func()) {
	if r.phase == over {
		deliver()
		return
	}
	if r.cond.Model == trace.Mailbox {
		r.Touch(c.object, false) // not over yet, and released later
	}
	r.record(c.owner, trace.Answer, value, &answer{c, deliver}, asSent)
}

// DeadLetter records that the running actor sent a message to nobody. crashed: an injected fault stopped its receiver.
func (r *Runtime) DeadLetter(value any, crashed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != over {
		r.deadLetter(r.tr.TypeOf(value).Name, r.who(), crashed)
	}
}

func (r *Runtime) deadLetter(typ string, from int32, crashed bool) {
	r.dead = true
	e := &r.tr.Events[r.event()]
	if r.phase == ending && e.Step.Kind == trace.Start {
		return // final assertions may ask who has stopped
	}
	e.Incidents = append(e.Incidents, trace.Incident{Kind: trace.DeadLetter, Actor: from, Message: -1, Type: typ,
		Text: "its receiver does not exist or has stopped", Injected: crashed || r.afterCopy()})
}

// Report records an incident in the running event.
func (r *Runtime) Report(in trace.Incident) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in.Actor = r.who()
	e := &r.tr.Events[r.event()]
	e.Incidents = append(e.Incidents, in)
}

// ReportOf is Report for what comes of a step that an actor took before.
func (r *Runtime) ReportOf(actor int32, in trace.Incident) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == over {
		return
	}
	in.Actor = actor
	e := &r.tr.Events[r.event()]
	e.Incidents = append(e.Incidents, in)
	r.signal()
}

// Event is the index of the event that effects belong to now.
func (r *Runtime) Event() int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.event()
}

// KeepDeadlinesApart says that the program sets timers: from now on, deadlines set in different steps differ.
func (r *Runtime) KeepDeadlinesApart() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sys.timed = true
}

// Serial numbers the executions of the process, so that what a framework keeps of one is not used in the next.
func (r *Runtime) Serial() uint64 { return r.serial }

// who is the actor whose code is running: the one of the open event while its handler runs, unless this is the goroutine of one that was
// blocked and was woken (a reply, a timeout, a channel); else the open event's again (a goroutine that its handler left behind).
func (r *Runtime) who() int32 {
	if r.blocked == 0 || r.delivering || r.releasing { // what hangs on a future is the doing of the actor that gets the reply; a dead letter, of who sent it
		return r.running
	}
	s := &r.actors[r.running]
	running, passing := s.busy && !s.blocked, r.act == actAdvance
	if r.blocked == 1 && !running && !passing {
		return r.firstBlocked(func(*actorState) bool { return true })
	}
	own := goroutine.ID()
	if running && s.gid == own {
		return r.running
	}
	if a := r.firstBlocked(func(s *actorState) bool { return s.gid == own }); a >= 0 {
		return a
	}
	if running && s.gid == 0 {
		return r.running
	}
	// Who blocked when nobody else was has not been looked up; a timer only speaks for it if its call timed out.
	if a := r.firstBlocked(func(s *actorState) bool { return s.gid == 0 && (!passing || s.expired()) }); a >= 0 {
		return a
	}
	return r.running
}

// firstBlocked gives the first actor in the middle of a blocked handler that is as wanted, -1 if there is none.
func (r *Runtime) firstBlocked(wanted func(*actorState) bool) int32 {
	for a := range r.actors {
		if s := &r.actors[a]; s.blocked && wanted(s) {
			return int32(a)
		}
	}
	return -1
}

// expired reports whether what a blocked handler waits for can have come to it by time alone.
func (s *actorState) expired() bool {
	c := s.waitsFor()
	return c == nil || c.over()
}
