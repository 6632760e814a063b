// Package trace is the vocabulary that every part of Rehearse shares: actors, messages, steps, events, traces,
// schedules and violations, with identities that are stable across executions.
package trace

import (
	"reflect"
	"time"
)

// Type is an interned type name; equal names of one Trace have equal pointers.
type Type struct {
	Name string // package-qualified, as in "bank.Withdraw"
	Hash uint64
}

// Actor is one actor of an execution.
type Actor struct {
	ID      ID
	Type    *Type
	Name    string // given at spawn, "" if none
	Parent  int32  // -1 for the driver
	Creator int32  // the event that created it, -1 for the driver
}

// Life is the object that stands for an actor not having stopped. Where it stops, and where a message is sent to it, is
// known; Touched names it where a step finds it stopped in another way.
func (a *Actor) Life() ID { return a.ID.With(0x6c696665) }

// MessageKind tells messages apart that obey different order rules. A class is something else: equivalent executions.
type MessageKind uint8

// The kinds of messages.
const (
	User       MessageKind = iota
	System                 // precede the user messages of their mailbox
	Answer                 // the reply of a call: exempt from the delivery model
	Timeout                // of a timer
	Task                   // a suspended task that may resume
	Resolution             // under Mailbox, that a future is resolved: it is released as a send is, and nobody handles it
	End                    // under Mailbox, that an actor has stopped: the same; it is to the actor itself
	Hook                   // under Mailbox, that something hangs on a future: the same; it is to who has hung it there
)

// Handled reports whether somebody handles messages of the kind: they are more than an effect that is released in its
// turn.
func (k MessageKind) Handled() bool { return k < Resolution }

// Message is one message of an execution.
type Message struct {
	ID       ID
	Type     *Type
	Kind     MessageKind
	Sender   int32 // actor
	Receiver int32 // actor
	SentBy   int32 // event
	Index    int32 // among that event's messages of this type to this receiver
	Depth    int32 // of the step that delivers it
	Renews   int32 // the message that its receiver had put aside and that this one stands for, -1 if none
	AtOnce   bool  // it reached its receiver in the event that sent it; under Mailbox a handler's sends do not
	Timed    bool  // a timer sent it, and its release waits for what was captured when that was set
	Starts   bool  // it starts its receiver, which takes nothing before it
	EndsCall bool  // the timeout of a call: its actor waits for that alone, so nothing in its mailbox is before it
	GoesOn   bool  // a system message by which its receiver goes on with code of the program's own, after a future
	Value    any   // what was sent; for people and for checks only
}

// Unordered reports whether a step may send the message in any order with others, to other receivers, and nothing but
// that order is another one. It is a message of the program's. A timer, the end of an actor, and what resolves a future
// have their place.
func (m *Message) Unordered() bool {
	return (m.Kind == User || m.Kind == System || m.Kind == Answer) && !m.Timed && !m.GoesOn
}

// Event is one step of one execution, with its effects.
type Event struct {
	Step    Step
	Sent    []int32 // messages, in sending order
	Created []int32 // actors
	// of a release, or a timer that fires as a step: the message it appended to its receiver's mailbox; else -1
	Released  int32
	Stopped   []int32 // actors that stopped
	Cancelled []int32 // timeouts that were pending or could have fired, and that this step cancelled
	// of an advance, or of a release that timers wait for: the timeouts whose timers may fire from now on
	Due        []int32
	Touched    []Touch // what other actors may touch too and is no message: futures
	Registered int     // functions that it registered with the T of the execution, to run at its end
	Changes    bool    // the actor's handlers changed
	// all that its handler did with the state of its actor was declared to be this; nil: it may have done anything
	Effect    *Effect
	Completed bool // the handler ran to its end (it did not block)
	Auto      bool // the system took the step by itself; it was never a choice
	Time      time.Duration
	Incidents []Incident
}

// Touch is an access to something that several actors can reach.
type Touch struct {
	Object ID
	Write  bool
}

// Trace records one execution. The zero value is ready; Reset makes it ready for the next one and keeps its memory.
type Trace struct {
	Actors   []Actor
	Messages []Message
	Events   []Event
	Explored int // index of the first event after set-up
	// Drawn is the seed by which Go chose in the execution where a strategy samples that, else 0: the same draws follow
	// from it.
	Drawn uint64
	// Ends are the draws of final checks, in their order.
	Ends []EndDraw
	// Uncontrolled names the first order that the program chose and the exploration did not, "" if none.
	Uncontrolled string
	// Shuffled names the first actor whose captured sends were released in another order than its handler had sent them,
	// "" if none.
	Shuffled string
	// Ties says what depends on the order of steps that no footprint shows, "" if nothing does. So do timers that fired so
	// soon after each other, or after a step, that the order decided what came first.
	Ties string
	// Omitted says what else the program could have done here, in a process, that its execution under the model leaves
	// out, "" if nothing is known of.
	Omitted string
	// Beyond names the first timer that was set and left out because it is due after the horizon, "" if none.
	Beyond string

	types map[reflect.Type]*Type
	named map[string]*Type
	known *[256]derived // of messages, wherever they fall
	names *namesakes    // nil until somebody asks for a name
	drawn map[ID]string // what the values of draws mean

	sent    tally[sentTo] // of the messages of one event
	created tally[child]  // of its children
}

// derived is an identity with what it was derived from. The same few come again and again: most of a quarter of the
// time of a message was spent on deriving its own.
type derived struct {
	step, receiver ID
	ty             *Type
	n              int32
	id             ID
}

// messageID is the identity of the n-th message of a type to a receiver that a step sends.
func (t *Trace) messageID(step, receiver ID, ty *Type, n int32) ID {
	if t.known == nil {
		t.known = new([256]derived)
	}
	d := &t.known[(step.Lo^receiver.Lo+ty.Hash)%uint64(len(t.known))]
	if d.step != step || d.receiver != receiver || d.ty != ty || d.n != n {
		*d = derived{step, receiver, ty, n, step.WithID(receiver).With(ty.Hash).With(uint64(n))}
	}
	return d.id
}

// Reset forgets the execution.
func (t *Trace) Reset() {
	t.Actors, t.Messages, t.Events = t.Actors[:0], t.Messages[:0], t.Events[:0]
	t.Explored, t.Drawn, t.Uncontrolled, t.Shuffled, t.Ties, t.Omitted, t.Beyond = 0, 0, "", "", "", "", ""
	t.drawn, t.Ends = nil, nil // they are shared with copies
	if t.names != nil {
		t.names.cut(0)
	}
}

// TypeOf interns the dynamic type of v.
func (t *Trace) TypeOf(v any) *Type {
	rt := reflect.TypeOf(v)
	if ty, ok := t.types[rt]; ok {
		return ty
	}
	name := "nil"
	if rt != nil {
		name = typeName(rt)
	}
	ty := t.TypeNamed(name)
	if t.types == nil {
		t.types = map[reflect.Type]*Type{}
	}
	t.types[rt] = ty
	return ty
}

// typeName leaves out the star: whether a message is sent by pointer is not what people call it by.
func typeName(rt reflect.Type) string {
	if isPointer(rt) {
		rt = rt.Elem()
	}
	return rt.String()
}

// isPointer reports whether a type is a pointer to one that has a name.
func isPointer(rt reflect.Type) bool { return rt.Kind() == reflect.Pointer && rt.Elem().Name() != "" }

// TypeNamed interns a name.
func (t *Trace) TypeNamed(name string) *Type {
	if ty, ok := t.named[name]; ok {
		return ty
	}
	if t.named == nil {
		t.named = map[string]*Type{}
	}
	ty := &Type{name, HashString(name)}
	t.named[name] = ty
	return ty
}

// root is the cause of everything: the identity of the driver.
var root = ID{0x5265686561727365, 0x6472697665720000}

// AddDriver records actor 0, the test itself.
func (t *Trace) AddDriver() {
	t.Actors = append(t.Actors, Actor{ID: root, Type: t.TypeNamed("Driver"), Parent: -1, Creator: -1})
}

// AddActor records an actor that the given event created and gives its index. Its identity hashes its type, the event
// and its ordinal among that event's children of that type. In a handler it hashes its name too, if it has one, and
// only children of that name are counted. A loop over a map that spawns a child for each key gives the same children
// the same identities, in whatever order.
func (t *Trace) AddActor(ty *Type, name string, parent, event int32) int32 {
	e, by := &t.Events[event], t.Origin(event)
	kind, id := child{ty, ""}, by.ID.With(ty.Hash)
	if name != "" && by.Kind != Start {
		kind.name, id = name, id.With(HashString(name))
	}
	n := int32(0)
	if len(e.Created) >= few {
		n = t.siblings(e, event, kind)
	} else {
		for _, c := range e.Created {
			if t.childOf(by, c) == kind {
				n++
			}
		}
	}
	i := int32(len(t.Actors))
	t.Actors = append(t.Actors, Actor{ID: id.With(uint64(n)), Type: ty, Name: name, Parent: parent, Creator: event})
	e.Created = append(e.Created, i)
	return i
}

// childOf is what of actor a, which step by created, is in its identity beside its ordinal.
func (t *Trace) childOf(by *Step, a int32) child {
	if by.Kind == Start {
		return child{t.Actors[a].Type, ""}
	}
	return child{t.Actors[a].Type, t.Actors[a].Name}
}

// AddMessage records a message that the given event sent and gives its index. Its identity hashes its type, the event,
// its receiver and its ordinal among that event's messages of that type to that receiver.
func (t *Trace) AddMessage(ty *Type, kind MessageKind, sender, receiver, event int32, value any) int32 {
	e := &t.Events[event]
	n := int32(0)
	if len(e.Sent) >= few {
		n = t.alike(e, event, ty, receiver)
	} else {
		for _, m := range e.Sent {
			if o := &t.Messages[m]; o.Receiver == receiver && o.Type == ty {
				n++
			}
		}
	}
	i := int32(len(t.Messages))
	if len(t.Messages) < cap(t.Messages) {
		t.Messages = t.Messages[:i+1]
	} else {
		t.Messages = append(t.Messages, Message{})
	}
	// In its place: a copy of all its words shows.
	msg := &t.Messages[i]
	msg.ID = t.messageID(t.Origin(event).ID, t.Actors[receiver].ID, ty, n)
	msg.Type, msg.Kind, msg.Sender, msg.Receiver, msg.SentBy, msg.Index = ty, kind, sender, receiver, event, n
	msg.Depth, msg.Value, msg.AtOnce, msg.Timed, msg.Starts, msg.EndsCall, msg.GoesOn, msg.Renews = t.depthBelow(event),
		value, false, false, false, false, false, -1
	e.Sent = append(e.Sent, i)
	return i
}

func (t *Trace) depthBelow(event int32) int32 {
	if d := t.Events[event].Step.Depth; d < LastDepth {
		return d + 1
	}
	// Below an advance, whose own depth only says that it comes last: count from the start again.
	return 1
}

// Begin records that step s happens now and gives its event.
func (t *Trace) Begin(s Step) int32 {
	n := len(t.Events)
	if n < cap(t.Events) {
		t.Events = t.Events[:n+1]
		t.Events[n].reset()
	} else {
		t.Events = append(t.Events, Event{Released: -1})
	}
	t.Events[n].Step = s
	return int32(n)
}

// reset makes an event of an earlier execution empty. Field by field: most of them are seldom set, and writing all is
// what shows.
func (e *Event) reset() {
	e.Released, e.Registered, e.Changes, e.Completed, e.Auto, e.Time = -1, 0, false, false, false, 0
	e.Sent, e.Created, e.Stopped, e.Cancelled = e.Sent[:0], e.Created[:0], e.Stopped[:0], e.Cancelled[:0]
	e.Due, e.Touched = e.Due[:0], e.Touched[:0]
	e.Effect = nil
	if e.Incidents != nil {
		e.Incidents = nil // it is handed out
	}
}

// DeliveryOf gives the step that delivers message m.
func (t *Trace) DeliveryOf(m int32) Step {
	msg := &t.Messages[m]
	kind := Deliver
	switch msg.Kind {
	case Answer:
		kind = Reply
	case Task:
		kind = Resume
	}
	return Step{ID: msg.ID, Kind: kind, Actor: msg.Receiver, Message: m, Depth: msg.Depth}
}

// PutDelivery writes the step that delivers the user message m, in its place.
func (t *Trace) PutDelivery(s *Step, m int32) {
	msg := &t.Messages[m]
	s.ID, s.Kind, s.Actor, s.Message, s.Depth, s.Value = msg.ID, Deliver, msg.Receiver, m, msg.Depth, 0
}

// ReleaseOf gives the step that appends the captured send m to its receiver's mailbox. The sender takes it.
func (t *Trace) ReleaseOf(m int32) Step {
	msg := &t.Messages[m]
	return Step{ID: msg.ID.With(uint64(Send)), Kind: Send, Actor: msg.Sender, Message: m, Depth: msg.Depth}
}

// FiringOf gives the step by which the timer with timeout m fires.
func (t *Trace) FiringOf(m int32) Step {
	msg := &t.Messages[m]
	return Step{ID: msg.ID.With(uint64(Timer)), Kind: Timer, Actor: msg.Receiver, Message: m, Depth: LastDepth}
}

// StartStep gives the n-th part of the driver. 0 is set-up, or the test if there is no set-up. 1 is the test, and 2
// what it does when nothing more can happen. 3 and more are the test after further set-ups.
func StartStep(n int) Step {
	return Step{ID: root.With(uint64(n)), Kind: Start, Message: -1}
}

// AdvanceStep gives the n-th advance of the clock, taken by the driver.
func AdvanceStep(n int) Step {
	return Step{ID: root.With(uint64(Advance)<<32 + uint64(n)), Kind: Advance, Message: -1, Depth: LastDepth}
}

// ChoiceStep gives the step that picks value for the n-th Choose in the given event.
func (t *Trace) ChoiceStep(event int32, n, value int) Step {
	e := &t.Events[event].Step
	return Step{ID: e.ID.With(uint64(Choose)<<32 + uint64(n)).With(uint64(value)), Kind: Choose, Actor: e.Actor,
		Message: -1, Depth: e.Depth, Value: int32(value)}
}

// Clone copies the record, so that it outlives the next Reset.
func (t *Trace) Clone() *Trace {
	c := &Trace{Explored: t.Explored, Drawn: t.Drawn, Ends: t.Ends, Uncontrolled: t.Uncontrolled, Shuffled: t.Shuffled,
		Ties: t.Ties, Omitted: t.Omitted, Beyond: t.Beyond, types: t.types, named: t.named, drawn: t.drawn}
	c.Actors = append(c.Actors, t.Actors...)
	c.Messages = append(c.Messages, t.Messages...)
	for _, e := range t.Events {
		e.Sent = append([]int32(nil), e.Sent...)
		e.Created = append([]int32(nil), e.Created...)
		e.Stopped = append([]int32(nil), e.Stopped...)
		e.Cancelled = append([]int32(nil), e.Cancelled...)
		e.Due = append([]int32(nil), e.Due...)
		e.Touched = append([]Touch(nil), e.Touched...)
		e.Incidents = append([]Incident(nil), e.Incidents...)
		c.Events = append(c.Events, e)
	}
	return c
}

// Parent gives the event that sent the message of event e, -1 if e delivers none.
func (t *Trace) Parent(e int32) int32 {
	if m := t.Events[e].Step.Message; m >= 0 {
		return t.Messages[m].SentBy
	}
	return -1
}

// Cut forgets what came after the first so many events, actors and messages, which some event must have ended with.
// What it leaves is as it was then, but for Uncontrolled, Shuffled, Ties, Omitted and Beyond, which its caller knows.
func (t *Trace) Cut(events, actors, messages int) {
	t.Events, t.Actors, t.Messages = t.Events[:events], t.Actors[:actors], t.Messages[:messages]
	if t.names != nil {
		t.names.cut(actors)
	}
}
