package toy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/pool"
	"github.com/rehearse-go/rehearse/trace"
)

// System executes a program.
type System struct {
	Program *Program
	// Ended is told the final state of each execution that came to its natural end; nil drops it.
	Ended func(state string)

	tr   trace.Trace
	pool pool.Pool
}

// NewSystem makes the system of a program.
func NewSystem(p *Program) *System { return &System{Program: p} }

// DefaultModel is bag.
func (*System) DefaultModel() trace.Model { return trace.Bag }

// actor is an actor while it runs.
type actor struct {
	kind     int // -1 for the driver
	path     string
	children int
	state    int
	stopped  bool
	ops      []Op  // still to do in the handler
	caller   int32 // who is to be answered at its end, -1 for nobody
	sender   int32 // of the message that it handles
	waits    int32 // callee, -1 if not blocked
}

// envelope is the value of a toy's message.
type envelope struct {
	typ, value int
	call       bool
}

// String shows messages in traces.
func (e envelope) String() string { return fmt.Sprint(e.value) }

type execution struct {
	*System
	d       explore.Driver
	actors  []actor
	dead    []int32 // messages that reached a stopped actor
	running int32
	model   trace.Model
}

// Execute runs the program once.
func (s *System) Execute(c explore.Conditions, d explore.Driver) error {
	x := &execution{System: s, d: d, model: c.Model}
	s.tr.Reset()
	s.pool.Reset(c.Model, &s.tr)
	s.tr.AddDriver()
	x.actors = append(x.actors, actor{kind: -1, path: "", caller: -1, waits: -1})
	t := d.Begin(x)
	t.Bind(x)
	if x.loop() && s.Ended != nil {
		s.Ended(x.final())
	}
	d.Finish()
	t.RunCleanups()
	return nil
}

// loop reports whether the execution came to its natural end.
func (x *execution) loop() bool {
	e := x.tr.Begin(trace.StartStep(0))
	x.tr.Events[e].Auto = true
	for _, k := range x.Program.Actors {
		x.spawn(0, k, e)
	}
	x.actors[0].ops = x.Program.Driver
	x.run(0, e)
	x.release(0, e, trace.ID{})
	if !x.d.Observe(e) {
		return false
	}
	var enabled []trace.Step
	for {
		if enabled = x.pool.Enabled(enabled[:0], x); len(enabled) == 0 {
			return true
		}
		c, ok := x.d.Choose(enabled)
		if !ok {
			return false
		}
		if e := x.step(enabled[c.Index], c.First); !x.d.Observe(e) {
			return false
		}
	}
}

// step takes one step and gives its event.
func (x *execution) step(s trace.Step, first trace.ID) int32 {
	e := x.tr.Begin(s)
	x.running = s.Actor
	switch s.Kind {
	case trace.Deliver:
		x.handle(s.Actor, s.Message, e)
	case trace.Reply:
		x.pool.Deliver(s.Message)
		a := &x.actors[s.Actor]
		a.waits = -1
		a.state = (a.state + x.tr.Messages[s.Message].Value.(envelope).value) % Modulus
		x.run(s.Actor, e)
	}
	x.release(s.Actor, e, first)
	return e
}

func (x *execution) handle(n, m, e int32) {
	x.pool.Deliver(m)
	msg := &x.tr.Messages[m]
	a := &x.actors[n]
	if msg.Class == trace.System {
		x.stop(n)
		x.tr.Events[e].Completed = true
		return
	}
	env := msg.Value.(envelope)
	h := &x.Program.Kinds[a.kind][env.typ]
	a.state = (a.state*h.Mul + h.Add + env.value) % Modulus
	if a.state == h.Fail {
		x.incident(e, trace.Incident{Kind: trace.Assertion, Actor: n, Message: m, Text: fmt.Sprintf("state is %d", a.state),
			Site: fmt.Sprintf("K%d.M%d", a.kind, env.typ)})
	}
	a.ops, a.sender, a.caller = h.Ops, msg.Sender, -1
	if env.call {
		a.caller = msg.Sender
	}
	x.run(n, e)
}

func (x *execution) incident(e int32, in trace.Incident) {
	x.tr.Events[e].Incidents = append(x.tr.Events[e].Incidents, in)
}

// run does the operations that are left, up to a call.
func (x *execution) run(n, e int32) {
	for len(x.actors[n].ops) > 0 {
		op := x.actors[n].ops[0]
		x.actors[n].ops = x.actors[n].ops[1:]
		if op.When < 0 || x.actors[n].state%2 == op.When {
			if x.do(n, e, op); x.actors[n].waits >= 0 {
				return
			}
		}
	}
	x.tr.Events[e].Completed = true
	if a := &x.actors[n]; a.caller >= 0 {
		m := x.tr.AddMessage(x.tr.TypeNamed("toy.Answer"), trace.Answer, n, a.caller, e, envelope{value: a.state})
		x.pool.Post(m)
		a.caller = -1
	}
}

func (x *execution) do(n, e int32, op Op) {
	switch op.Kind {
	case Send:
		x.send(n, e, int32(op.To)+1, op, trace.User)
	case Answer:
		if to := x.actors[n].sender; to > 0 {
			x.send(n, e, to, op, trace.User)
		}
	case Call:
		if to := int32(op.To) + 1; to != n {
			x.send(n, e, to, op, trace.User)
			x.actors[n].waits = to
		}
	case Spawn:
		x.send(n, e, x.spawn(n, op.To, e), op, trace.User)
	case Kill:
		x.send(n, e, int32(op.To)+1, op, trace.System)
	case Quit:
		x.stop(n)
	}
}

func (x *execution) stop(n int32) {
	x.actors[n].stopped = true
	x.pool.Stop(n)
}

func (x *execution) spawn(by int32, kind int, e int32) int32 {
	n := x.tr.AddActor(x.tr.TypeNamed(fmt.Sprintf("toy.K%d", kind)), "", by, e)
	x.actors = append(x.actors, actor{kind: kind, path: x.child(by), caller: -1, waits: -1})
	return n
}

func (x *execution) child(by int32) string {
	a := &x.actors[by]
	a.children++
	return fmt.Sprintf("%s/%d", a.path, a.children)
}

func (x *execution) send(n, e, to int32, op Op, class trace.Class) {
	name := fmt.Sprintf("toy.M%d", op.Message)
	if class == trace.System {
		name = "toy.Stop"
	}
	m := x.tr.AddMessage(x.tr.TypeNamed(name), class, n, to, e, envelope{op.Message, x.actors[n].state, op.Kind == Call})
	if !x.pool.Send(m) {
		x.lost(e, m)
	}
}

func (x *execution) lost(e, m int32) {
	x.dead = append(x.dead, m)
	x.incident(e, trace.Incident{Kind: trace.DeadLetter, Actor: x.tr.Messages[m].Sender, Message: m, Text: "its receiver has stopped"})
}

func (x *execution) release(n, e int32, first trace.ID) {
	if x.model != trace.Mailbox {
		return
	}
	m, _, dead := x.pool.Release(n, first)
	x.tr.Events[e].Released = m
	if dead {
		x.lost(e, m)
	}
}

// Accepts is pool.Host.
func (x *execution) Accepts(n, m int32) bool {
	a, msg := &x.actors[n], &x.tr.Messages[m]
	switch {
	case msg.Class == trace.Answer:
		return a.waits >= 0
	case a.stopped || a.waits >= 0:
		return false
	case msg.Class == trace.System:
		return true
	}
	return a.state != x.Program.Kinds[a.kind][msg.Value.(envelope).typ].Refuse
}

// Trace is explore.Execution.
func (x *execution) Trace() *trace.Trace { return &x.tr }

// State gives the number.
func (x *execution) State(n int32) any { return x.actors[n].state }

// Status is explore.Execution.
func (x *execution) Status(n int32) explore.Status {
	a := &x.actors[n]
	st := explore.Status{Stopped: a.stopped, On: a.waits}
	if a.waits >= 0 {
		st.Blocked, st.Awaits = true, "toy.Answer"
	}
	return st
}

// Pending is explore.Execution.
func (x *execution) Pending(f func(int32)) { x.pool.Each(f) }

// SetUp is explore.Host; toys have none.
func (*execution) SetUp(func()) { panic("toy: SetUp is not supported") }

// Choose is explore.Host; toys have none.
func (*execution) Choose(int) int { panic("toy: Choose is not supported") }

// Running is explore.Host.
func (x *execution) Running() int32 { return x.running }

// final prints the actors and what was not delivered, dead letters included, in an order that does not depend on the execution.
func (x *execution) final() string {
	var parts []string
	for i := range x.actors {
		a := &x.actors[i]
		parts = append(parts, fmt.Sprintf("%s=%d %v %v", a.path, a.state, a.stopped, a.waits >= 0))
	}
	left := func(m int32) {
		msg := &x.tr.Messages[m]
		env := msg.Value.(envelope)
		parts = append(parts, fmt.Sprintf("left %s>%s %d %d %d", x.actors[msg.Sender].path, x.actors[msg.Receiver].path, msg.Class, env.typ, env.value))
	}
	x.pool.Each(left)
	for _, m := range x.dead {
		left(m)
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}
