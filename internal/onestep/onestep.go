// Package onestep executes what one actor does with one message, and records it: the half of the packages steptest that
// knows no framework.
//
//	onestep.go  the execution and its record
//	order.go    who goes next
//	follow.go   who goes next, where the test says so
//	diff.go     where two values differ
package onestep

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Plan is what is executed.
type Plan struct {
	Tested int32       // the actor, by the order of creation; 0 is the test function
	Starts func()      // is called before the execution that counts; may be nil
	Begun  func() bool // whether the handler has begun
	Ended  func() bool // whether the handler has come to its end, by a panic, too
	// Due says which messages reach the actor before its handler has begun, nil: all. Others wait in its mailbox.
	Due     func(*trace.Message) bool
	Choices []int // values of Choose, in their order; 0 where there are no more
	Copy    bool  // messages are copied when they are sent
	Model   trace.Model
	Timers  trace.TimerMode

	Hook bool // the record is of the step that creates the actor, and of what the actor does in it

	Look func() // is called after each step from the message on; may be nil

	// Moves says who goes next, from the message on, and what the actor and those that it creates do is all recorded. Nil:
	// it is what the actor does until the end of its handler.
	Moves   []Move
	Peers   int32 // the actors of the test, behind the tested one: what they get is no move
	Answers int32 // further ones behind these: each gives an answer, when it is its turn
}

// own reports whether an actor is the tested one, or one of those that the case creates.
func (p *Plan) own(a int32) bool { return a == p.Tested || a > p.Tested+p.Peers+p.Answers }

// Record is what the handler has done.
type Record struct {
	Ended     bool
	Sent      []trace.Message // in their order, answers, timeouts and system messages included
	Created   []int32
	States    map[int32]any // of the actors that it has created
	Types     map[int32]string
	Names     map[int32]string           // that they were created with, "" for none
	Delays    map[trace.ID]time.Duration // of its timers, as far as the system tells
	Stopped   bool                       // the actor itself
	Changed   bool                       // of its handlers
	Incidents []trace.Incident
	Diverged  string // why the moves could not be followed
	over      bool   // they have come to their end; what follows is done from outside
}

// Clock is an execution that knows how long a timer waits that was set in the last step.
type Clock interface {
	Delay(message int32) time.Duration
}

// limit bounds the steps of a handler that waits.
const limit = 1000

// Execute executes a plan once. The error is one of the program that keeps it from being executed at all.
func Execute(sys explore.System, p Plan) (*Record, error) {
	r := &Record{States: map[int32]any{}, Types: map[int32]string{}, Names: map[int32]string{},
		Delays: map[trace.ID]time.Duration{}}
	o := explore.Options{
		Conditions: explore.Conditions{Model: p.Model, Timers: p.Timers, Horizon: time.Minute, Blocked: 10 * time.Second,
			Copy: p.Copy},
		Budget: explore.Budget{Executions: 1}, MaxSteps: limit, Check: &observer{plan: &p, record: r}, Rerun: true}
	if p.Moves != nil {
		f := &follower{order: order{plan: &p}, record: r}
		_, err := explore.Run(sys, f, o)
		f.over()
		return r, err
	}
	if _, err := explore.Run(sys, &order{plan: &p}, o); err != nil {
		return nil, err
	}
	return r, nil
}

// observer keeps what the actor does. It finds nothing wrong: that is for the test to say.
type observer struct {
	plan   *Plan
	record *Record
	late   bool // the handler had ended before this event
}

func (o *observer) Step(x explore.Execution, event int32) []trace.Violation {
	tr := x.Trace()
	e := &tr.Events[event]
	if o.plan.Look != nil && o.plan.Begun() && !o.late && !o.record.over {
		o.plan.Look()
	}
	switch {
	case o.plan.Moves != nil:
		o.all(x, e)
		return nil
	case o.plan.Hook:
		o.birth(x, e)
		return nil
	}
	// A handler that sleeps goes on when the clock moves, and one that waits for what another actor does, such as its end,
	// in the step of that one.
	wakes := e.Step.Kind == trace.Advance || e.Step.Actor != o.plan.Tested
	// SUBTLE: values that it chooses divide its step, and the first part is told when all of it has run
	over := o.late && e.Step.Kind < trace.Choose
	if over || !o.plan.Begun() {
		return nil
	}
	r := o.record
	o.late = o.plan.Ended() // SUBTLE: not at the end, when handlers that wait are ended from outside
	r.Ended = o.late
	for _, m := range e.Sent {
		if sent := &tr.Messages[m]; wakes && (sent.Sender != o.plan.Tested || sent.Timed) {
			continue
		}
		o.sent(x, m)
	}
	for _, a := range e.Created {
		if wakes && tr.Actors[a].Parent != o.plan.Tested {
			continue
		}
		r.Created = append(r.Created, a)
		r.States[a], r.Types[a], r.Names[a] = x.State(a), tr.Actors[a].Type.Name, tr.Actors[a].Name
	}
	for _, a := range e.Stopped {
		r.Stopped = r.Stopped || a == o.plan.Tested
	}
	own := e.Step.Kind == trace.Advance || e.Step.Actor == o.plan.Tested
	r.Changed = r.Changed || own && e.Changes
	for _, in := range e.Incidents {
		if own || in.Actor == o.plan.Tested {
			r.Incidents = append(r.Incidents, in)
		}
	}
	return nil
}

// sent keeps a message.
func (o *observer) sent(x explore.Execution, m int32) {
	msg := x.Trace().Messages[m]
	o.record.Sent = append(o.record.Sent, msg)
	if c, ok := x.(Clock); ok && msg.Kind == trace.Timeout {
		o.record.Delays[msg.ID] = c.Delay(m)
	}
}

// all keeps what the actor and those that it creates do. An advance of the clock may have any of them go on.
func (o *observer) all(x explore.Execution, e *trace.Event) {
	if !o.plan.Begun() || o.record.over {
		return
	}
	r, tr := o.record, x.Trace()
	r.Ended = o.plan.Ended()
	for _, m := range e.Sent {
		if msg := &tr.Messages[m]; o.plan.own(msg.Sender) && !msg.Timed {
			o.sent(x, m)
		}
	}
	for _, a := range e.Created {
		r.Created, r.Types[a], r.Names[a] = append(r.Created, a), tr.Actors[a].Type.Name, tr.Actors[a].Name
	}
	for _, a := range r.Created {
		if state := x.State(a); state != nil {
			r.States[a] = state
		}
	}
	for _, a := range e.Stopped {
		r.Stopped = r.Stopped || a == o.plan.Tested
	}
	r.Changed = r.Changed || e.Changes
	for _, in := range e.Incidents {
		if in.Actor < 0 || o.plan.own(in.Actor) {
			r.Incidents = append(r.Incidents, in)
		}
	}
}

func (o *observer) End(explore.Execution, bool, []trace.Incident) []trace.Violation { return nil }

// First gives the first incident of a kind, nil if there is none.
func (r *Record) First(k trace.ViolationKind) *trace.Incident {
	for i := range r.Incidents {
		if r.Incidents[i].Kind == k {
			return &r.Incidents[i]
		}
	}
	return nil
}

// Format writes a value for people, with its type.
func Format(v any) string {
	if s := fmt.Sprintf("%+v", v); len(s) < 300 {
		return fmt.Sprintf("%T(%s)", v, s)
	}
	return fmt.Sprintf("%T(%.300s...)", v, fmt.Sprintf("%+v", v))
}
