package adapter

import (
	"fmt"
	"time"

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

// mail records what is sent, and puts it where its place in the order is.
type mail struct {
	*execution
	workers      *workers
	cast         *cast
	recorder     *recorder
	accesses     *accesses
	timers       *timers
	declarations *declarations
	goroutines   *goroutines
	ends         *ends

	resolver resolver
	reply    int32 // the answer that came of handing a captured send to the dead, -1 if none did
}

// Spawned records a new actor, created by the actor that runs, and gives its index. typ names its type; "" is that of
// value.
func (ml *mail) Spawned(a Actor, value any, typ, name string) int32 {
	ml.mu.Lock()
	defer ml.mu.Unlock()
	t := ml.tr.TypeOf(value)
	if typ != "" {
		t = ml.tr.TypeNamed(typ)
	}
	i := ml.tr.AddActor(t, name, ml.cast.who(), ml.recorder.event())
	if int(i) < cap(ml.cast.actors) {
		ml.cast.actors = ml.cast.actors[:i+1]
		ml.cast.actors[i] = actorState{calls: ml.cast.actors[i].calls[:0]}
	} else {
		ml.cast.actors = append(ml.cast.actors, actorState{})
	}
	ml.cast.actors[i].Actor = a
	return i
}

// NotReady says that an actor processes no user messages from now on, and that this may be in the step of another one.
func (ml *mail) NotReady(a int32) {
	ml.mu.Lock()
	defer ml.mu.Unlock()
	ml.pool.Touch(a)
}

// Send records a message that the running actor sends. value is what people know it by; payload is what Handle gets.
func (ml *mail) Send(to int32, kind trace.MessageKind, value, payload any) {
	ml.record(to, kind, value, payload, asSent)
}

// SendBehind is Send for what the framework does for a handler on a goroutine of its own, when the handler may be over.
// That goroutine is no stray of the handler.
func (ml *mail) SendBehind(to int32, value, payload any) {
	ml.goroutines.excused = true
	defer func() { ml.goroutines.excused = false }()
	ml.record(to, trace.User, value, payload, asSent)
}

// Start records the message by which an actor starts that the running actor has created. It takes nothing before that.
func (ml *mail) Start(to int32, value, payload any) {
	ml.record(to, trace.System, value, payload, asStart)
}

// Timeout records that a timer which the actor itself set fired.
func (ml *mail) Timeout(to int32, value, payload any) {
	ml.record(to, trace.Timeout, value, payload, atOnce)
}

// GoOn records the system message by which an actor goes on with code of its own when a future is resolved, sent by
// whoever resolves it.
func (ml *mail) GoOn(to int32, value, payload any) {
	ml.record(to, trace.System, value, payload, asGoingOn)
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

func (ml *mail) record(to int32, kind trace.MessageKind, value, payload any, comes how) {
	ml.mu.Lock()
	defer ml.mu.Unlock()
	if ml.isOver() {
		if ml.phase == peeking {
			ml.timers.beyond(trace.ShortType(ml.tr.TypeOf(value).Name) + " to " + ml.tr.ActorName(to))
		}
		return
	}
	if ml.recorder.sent++; ml.recorder.sent > ml.MaxSteps() {
		ml.floods()
	}
	typ, from, goesOn := ml.tr.TypeOf(value), ml.cast.who(), comes == asGoingOn
	ml.goroutines.strayPost(from)
	ml.ends.noteEnd(from)
	from, after, kind, comes := ml.source(from, to, typ, kind, comes)
	if comes == asSent || comes == asStart || comes == asGoingOn {
		ml.timers.noteDeadline(from)
		if ml.anyTime() {
			ml.timers.lookAtTimers()
		}
	}
	m := ml.tr.AddMessage(typ, kind, from, to, ml.recorder.event(), value)
	ml.tr.Messages[m].Starts, ml.tr.Messages[m].GoesOn = comes == asStart, goesOn
	ml.recorder.keep(m, payload)
	if ml.cast.handing == toTheDead && kind == trace.Answer {
		ml.reply = m
	}
	if ml.declarations.judge.On() {
		ml.declarations.judge.Sent(m)
	}
	if !ml.send(m, from, after, comes) {
		ml.recorder.deadLetter(typ.Name, from, to, ml.cast.Crashed(to))
	}
	ml.workers.signal()
}

// source tells whose message it is where it is not simply one that the running actor sends: what the dead, futures and
// timers send. after is what it has to come behind, -1 if nothing.
func (ml *mail) source(sender, to int32, typ *trace.Type, kind trace.MessageKind, sent how) (
	from, after int32, as trace.MessageKind, comes how) {
	from, after, as, comes = sender, -1, kind, sent
	switch fired := ml.act == actAdvance && from == 0 && !ml.cast.driverWoke(); {
	case ml.act == actResolve && ml.cast.handing == toFuture:
		comes = asNext
	case ml.cast.handing == toTheDead && kind == trace.User: // whoever hears of dead letters
		comes = asNext
	case ml.cast.handing == toTheDead, fired && kind == trace.Answer: // nobody's handler answers: the dead, or a timer
		comes = atOnce
	case kind == trace.Timeout:
		from, after, comes = to, ml.timers.expires(to), asFired
	case fired && kind != trace.Answer:
		from, after = ml.timers.setter(to, typ)
		comes = asFired
		if kind == trace.User {
			as = trace.Timeout
		}
	}
	return from, after, as, comes
}

// send puts message m where its place in the order is, and reports whether its receiver is there. asFired: that is
// behind what its sender had captured last then.
func (ml *mail) send(m, from, after int32, comes how) (alive bool) {
	switch {
	case comes == atOnce || ml.phase != exploring:
		return ml.pool.Post(m)
	case comes == asFired:
		return ml.pool.Behind(from, after, m) || ml.pool.Post(m)
	case comes == asNext:
		if ml.act == actResolve {
			ml.accesses.noteHook(m)
		}
		ml.pool.SendNext(ml.running, m, ml.resolver.sent)
		ml.resolver.sent++
		return true
	}
	alive = ml.pool.Send(m)
	if ml.cond.Model == trace.Mailbox {
		ml.recorder.touch(ml.tr.Actors[ml.tr.Messages[m].Receiver].Life(), false) // found alive here, and released later
	}
	return alive
}

// floods ends the execution when a single step sends and sends. It is called with the lock and does not return: what
// sends would go on.
func (ml *mail) floods() {
	sent := ml.recorder.sent - 1
	ml.mu.Unlock()
	defer ml.mu.Lock() // whoever called unlocks
	ml.Refuse(fmt.Errorf("%s has sent %d messages and does not end: no message is delivered before the step that sends "+
		"it is over; let it end, or raise MaxSteps", ml.doing(), sent))
}

// Ask records that the running actor made a call, as it shows when the request is sent. timer is that of its timeout,
// nil if it has none. timedOut tells whether it was completed without a reply. giveUp completes it with an error, for
// when nobody ever will.
func (ml *mail) Ask(callee int32, request any, timer *time.Timer, timedOut func() bool, giveUp func()) *Call {
	ml.mu.Lock()
	defer ml.mu.Unlock()
	c := &Call{owner: ml.cast.who(), callee: callee, request: ml.tr.TypeOf(request).Name,
		timed: timer != nil, over: timedOut, giveUp: giveUp}
	if timer != nil {
		ml.timers.noteCall(timer, c.owner)
	}
	c.object = ml.tr.Origin(ml.recorder.event()).ID.With(ofCall).With(uint64(ml.recorder.asked))
	ml.recorder.asked++
	c.behind = ml.pool.Last(c.owner)
	s := &ml.cast.actors[c.owner]
	s.calls, s.asked = append(s.calls, c), true
	ml.cast.calls = append(ml.cast.calls, c)
	return c
}

// Answer records the reply to a call. deliver hands it over.
func (ml *mail) Answer(c *Call, value any, deliver func()) {
	if ml.isOver() {
		deliver()
		return
	}
	if ml.cond.Model == trace.Mailbox {
		ml.recorder.Touch(c.object, false) // not over yet, and released later
	}
	ml.record(c.owner, trace.Answer, value, &answer{c, deliver}, asSent)
}
