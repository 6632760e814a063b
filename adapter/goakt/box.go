package goakt

import (
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/log"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// box stands in for an actor's mailbox: what is sent becomes a message of the execution, and is handled when the
// exploration says so. actor.Mailbox and adapter.Actor.
type box struct {
	framework *framework
	rt        *adapter.Runtime
	system    *system
	pid       *actor.PID
	name      string
	execution uint64
	index     int32 // -1: it is no actor of the execution, and handles what it is sent at once

	plain      actor.Mailbox // where messages were that came before ours took its place
	started    bool          // it was sent PostStart
	greeted    bool          // and has handled that
	ended      bool          // it has stopped for good, or until somebody restarts it
	away       bool          // it is suspended, or restarts
	restarting bool          // it restarts
	endedIn    int32         // the event in which it has begun to
	mortal     bool          // others may find it dead at some time
	unlocked   bool          // it runs its PostStop, and its lock is free
	late       bool          // something was released to it while it was away
	mother     bool          // it has had children
	early      bool          // it was there in set-up
	value      any           // what people know it by: of one that has crashed, or of the framework's own
	became     bool          // it has had another behaviour
	room       int64         // how many messages have room in the mailbox that the program chose, 0: all have
	sent       int64         // to it

	current *letter        // that the handler got which runs, or waits
	living  int            // goroutines of the process when it began
	top     unsafe.Pointer // the behaviour at the last look
	at      string         // where the handler panics that runs
	supervision
	idle
	reviving []*actor.PID // below it when it began to restart
	requests []*request   // to stop, of which some may not be handled
	waiting  []*request   // for its end
	watched  int          // by how many, at the last look
}

var (
	_ actor.Mailbox = (*box)(nil)
	_ adapter.Actor = (*box)(nil)
)

// control is the mailbox of what comes before all else.
type control struct{ *box }

// letter is what a message holds.
type letter struct {
	*actor.ReceiveContext
	question *question // nil: nobody waits for an answer
	direct   bool      // who has sent it is told whether the receiver was alive
	lost     bool      // it came when the receiver was suspended: nobody has sent it
}

// adopt takes an actor over that is about to be asked for its health.
func (s *system) adopt(pid *actor.PID) {
	f := s.framework
	if f.boxOf(pid) != nil {
		return
	}
	if s.rt == nil {
		f.trial.adopt(pid)
		return
	}
	b := s.box(pid)
	if !s.rt.Exploring() { // the execution is over: the actor is to handle nothing
		b.serve()
		return
	}
	b.appear()
	b.serve()
	b.mayPassivate()
	s.rt.Linger(0) // the goroutine that supervises, which ends at once
	runtime.Gosched()
}

// box makes the stand-in of an actor and puts it in place.
func (s *system) box(pid *actor.PID) *box {
	f := s.framework
	b := &box{framework: f, rt: s.rt, system: s, pid: pid, name: pid.Name(), execution: s.execution, index: -1}
	mailbox := of[actor.Mailbox](pid, f.ofPID.mailbox)
	b.plain = *mailbox
	*mailbox = b
	*of[actor.Mailbox](pid, f.ofPID.control) = control{b}
	logger := of[log.Logger](pid, f.ofPID.logger)
	*logger = &hooked{framework: f, box: b, Logger: behindHook(*logger)}
	b.endSupervision()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.boxes[pid] = b
	return b
}

// appear makes it an actor of the execution.
func (b *box) appear() {
	typ, name := b.names()
	b.index = b.rt.Spawned(b, b.Value(), typ, name)
	b.framework.enlist(b)
	b.knowsMortal()
	b.early = b.rt.SettingUp()
	if up := b.parent(); up != nil {
		up.mother = true
	}
	b.named(name != "")
	if own := b.bypassed(); own != "" {
		b.rt.Bypass(b.index, own)
	}
	b.Changed()
}

// named notes that the actor is found from now on, under a name where it has one.
func (b *box) named(has bool) {
	var all []trace.Touch
	if has {
		all = []trace.Touch{{Object: adapter.Name(b.name), Write: true}}
	}
	if !b.framework.isSet(b.pid, ofSystem) {
		if b.early {
			b.system.lookups.Early(b.index)
		}
		all = append(all, b.system.change()...)
	}
	if len(all) > 0 {
		b.rt.AccessAgain(all...)
	}
}

// enlist notes the index of an actor.
func (f *framework) enlist(b *box) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for int(b.index) >= len(f.actors) {
		f.actors = append(f.actors, nil)
	}
	f.actors[b.index] = b
}

// serve has the framework handle what came before our mailbox took the place of its own: the question for its health.
func (b *box) serve() {
	for {
		received := b.plain.Dequeue()
		if received == nil {
			return
		}
		dispatchOne(b.pid, received, time.Now())
	}
}

// bypassed says which mailbox the program chose, "" if none or one that does as ours. One in which few messages have
// room has others wait only if the actor is sent more than that: see fits.
func (b *box) bypassed() string {
	switch own := b.plain.(type) {
	case *actor.UnboundedMailbox, *actor.UnboundedSegmentedMailbox:
		return ""
	case *actor.BoundedMailbox:
		ring := reflect.NewAt(b.framework.ring, unsafe.Add(unsafe.Pointer(own), b.framework.ofBounded))
		b.room = int64(ring.Elem().Interface().(bounded).Cap())
		return ""
	}
	return fmt.Sprintf("a mailbox of its own (%T)", b.plain)
}

// bounded is the queue of a mailbox in which few messages have room.
type bounded interface{ Cap() uint64 }

// fits notes that one more message is sent to the actor. As long as all have room in its mailbox, nobody waits for it,
// in whatever order they come.
func (b *box) fits() {
	if b.sent++; b.sent == b.room+1 && b.room > 0 {
		b.rt.Bypass(b.index, fmt.Sprintf("a mailbox of its own (%T) for fewer messages than it is sent", b.plain))
	}
}

// Enqueue takes a message. actor.Mailbox.
func (b *box) Enqueue(received *actor.ReceiveContext) error {
	adapter.Point()
	defer adapter.Together(adapter.Apart())
	return b.post(received, trace.User)
}

// Enqueue takes what comes before all else. actor.Mailbox.
func (c control) Enqueue(received *actor.ReceiveContext) error {
	adapter.Point()
	defer adapter.Together(adapter.Apart())
	return c.post(received, trace.System)
}

func (b *box) post(received *actor.ReceiveContext, class trace.MessageKind) error {
	msg := received.Message()
	t := reflect.TypeOf(msg)
	if t == b.framework.health || !b.rt.Exploring() {
		if t == b.framework.health {
			dispatchOne(b.pid, received, time.Now())
		}
		return nil
	}
	if b.execution != b.rt.Serial() {
		b.rt.Refuse(errOutlived(fmt.Sprintf("%T was sent to %s of an earlier execution", msg, b.name)))
	}
	a := b.framework.apiOf()
	b.system.looked(int(a & byName / byName))
	if by := b.framework.boxAt(b.rt.Running()); by != nil && a&piped == 0 {
		by.answers()
		by.sendsNext()
	}
	if b.takesAtOnce(received, t) {
		return nil
	}
	if class == trace.User {
		b.fits()
	}
	l := &letter{ReceiveContext: received, question: b.framework.questionOf(received)}
	value := b.framework.valueOf(msg, t)
	if *in[chan any](received, b.framework.ofContext.response) != nil && l.question == nil {
		l.question = b.ask(received, value, a)
	}
	l.direct = a&byOthers != 0
	if a&byName != 0 {
		b.rt.Access(adapter.Name(b.name), false)
	}
	if a&piped != 0 {
		b.rt.Linger(0) // the goroutine of the task,
		b.rt.Linger(0) // and that which waits for it
		if b.pipes(l, value) {
			return nil
		}
	}
	if t == postStart && !b.started {
		b.started = true
		b.rt.Start(b.index, value, l)
		return nil
	}
	if class == trace.System && !b.greeted {
		b.rt.Omit(b.index, "is sent something that comes before all else, before it has handled PostStart, which that "+
			"may overtake: this is not explored")
	}
	b.looked()
	b.rt.Send(b.index, class, value, l)
	return nil
}

// takesAtOnce has an actor of the framework's own that is none of the execution handle a message. It reports whether
// there is nothing more to do.
func (b *box) takesAtOnce(received *actor.ReceiveContext, t reflect.Type) bool {
	f := b.framework
	if t == f.deadLetter.Type {
		b.system.deadLetter(received)
	}
	if b.index >= 0 {
		return b == b.system.user && t == terminated // it does nothing then
	}
	dispatchOne(b.pid, received, time.Now())
	return true
}

var terminated = reflect.TypeFor[*actor.Terminated]()

var postStart = reflect.TypeFor[*actor.PostStart]()

// Dequeue is never called, since no worker runs. actor.Mailbox.
func (b *box) Dequeue() *actor.ReceiveContext { return nil }

// IsEmpty is actor.Mailbox.
func (b *box) IsEmpty() bool { return true }

// Len is actor.Mailbox.
func (b *box) Len() int64 { return 0 }

// Dispose is actor.Mailbox.
func (b *box) Dispose() {}

// Handle runs the actor for one message. The framework recovers from panics itself, so it is left out: Failed does what
// it does then. adapter.Actor.
func (b *box) Handle(class trace.MessageKind, payload any) {
	b.looked()
	switch p := payload.(type) {
	case *request:
		b.stopsItself(p)
		return
	case passing:
		b.passivates()
		return
	}
	l := payload.(*letter)
	if l.lost {
		return
	}
	b.current, b.living = l, runtime.NumGoroutine()
	b.system.counts()
	b.framework.newGoroutines()
	if b.mother {
		b.rt.Touch(b.children(), false) // it may look who they are
	}
	b.receive(l.ReceiveContext)
	if b.framework.isSet(b.pid, ofSystem) {
		b.system.counts() // what it has looked at is not the program's
	}
	b.answers()
	b.rt.Exploring() // takes the lock: what wakes a handler may be a timer, whose order the race detector does not see
	b.current = nil
}

// receive is what the framework does for a message.
func (b *box) receive(received *actor.ReceiveContext) {
	f := b.framework
	t := reflect.TypeOf(received.Message())
	switch {
	case holdsBack(b.pid, received):
		dispatchOne(b.pid, received, time.Now())
		return
	case t == postStart:
		b.greeted = true
	case t == terminated && b == b.system.watch:
		b.system.forgets(received.Message().(*actor.Terminated).ActorPath())
	case t == f.asyncRequest.Type:
		m := behind(received.Message())
		*in[string](received, f.ofContext.id) = *at[string](m, f.asyncRequest.id)
		*in[string](received, f.ofContext.replyTo) = *at[string](m, f.asyncRequest.replyTo)
		*in[any](received, f.ofContext.message) = *at[any](m, f.asyncRequest.message)
		*in[chan any](received, f.ofContext.response) = nil
	case t == f.panicking.Type:
		b.judge(received)
		return
	case t == f.asyncResponse.Type, t == poisonPill, t == pausePassivation, t == resumePassivation:
		dispatchOne(b.pid, received, time.Now())
		return
	}
	b.behave(received)
}

var (
	poisonPill        = reflect.TypeFor[*actor.PoisonPill]()
	pausePassivation  = reflect.TypeFor[*actor.PausePassivation]()
	resumePassivation = reflect.TypeFor[*actor.ResumePassivation]()
)

// behave runs the actor's behaviour: what the framework's handleReceived does, but for its recovery from panics.
func (b *box) behave(received *actor.ReceiveContext) {
	f := b.framework
	behavior := peekBehavior(*of[unsafe.Pointer](b.pid, f.ofPID.behaviors))
	if behavior == nil {
		return
	}
	markActivity(b.pid, time.Now())
	recordProcessed(b.pid)
	normal := false
	defer func() {
		if !normal {
			b.at = placeOfPanic()
		}
	}()
	behavior(received)
	normal = true
	b.counts()
	if err := *in[error](received, f.ofContext.err); err != nil {
		b.fails(err, received)
	}
}

// placeOfPanic is where the code panics that is unwound, as the framework puts it into its error.
func placeOfPanic() string {
	pc, file, line, _ := runtime.Caller(3)
	return fmt.Sprintf("%s[%s:%d]", runtime.FuncForPC(pc).Name(), file, line)
}

// Ready is adapter.Actor: a suspended actor goes on with what is in its mailbox.
func (b *box) Ready() bool { return true }

// Gone reports whether the actor has stopped. adapter.Actor.
func (b *box) Gone() bool { return b.ended }

// Stay is adapter.Actor: who stops releases what it has sent before, and nobody finds the actor then.
func (b *box) Stay() bool { return true }

// Leave is adapter.Actor.
func (b *box) Leave() {}

// Timed is adapter.Actor: the framework has no receive timeouts.
func (b *box) Timed() bool { return false }

// Deadline is adapter.Actor.
func (b *box) Deadline() adapter.Deadline { return adapter.Deadline{} }

// Changed reports whether another behaviour is on top. adapter.Actor.
func (b *box) Changed() bool {
	stack := *of[unsafe.Pointer](b.pid, b.framework.ofPID.behaviors)
	now := atomic.LoadPointer(at[unsafe.Pointer](stack, b.framework.ofStack.top))
	before := b.top
	b.top = now
	b.became = b.became || before != nil && now != before
	return now != before
}

// Value is the user's actor. adapter.Actor.
func (b *box) Value() any {
	if b.value != nil {
		return b.value
	}
	return *of[actor.Actor](b.pid, b.framework.ofPID.actor)
}

// Count is adapter.Actor: the framework does not tell how many messages wait.
func (b *box) Count(int) {}
