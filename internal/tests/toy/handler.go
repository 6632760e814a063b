package toy

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// handle has actor n handle message m.
func (x *execution) handle(n, m int32) {
	x.pool.Deliver(m)
	if x.losesMessage() {
		return
	}
	x.running = n
	msg := &x.tr.Messages[m]
	if msg.Kind == trace.System {
		x.stop(n)
		x.tr.Events[x.event].Completed = true
		return
	}
	a, env := &x.actors[n], msg.Value.(envelope)
	h := &x.sys.Program.Kinds[a.kind][env.typ]
	a.at = h.Register
	*a.now() = h.after(a.state, env.value)
	if *a.now() == h.Fail {
		x.incident(trace.Incident{Kind: trace.Assertion, Actor: n, Message: m, Text: fmt.Sprintf("state is %d", *a.now()),
			Site: fmt.Sprintf("K%d.M%d", a.kind, env.typ)})
	}
	a.ops, a.sender, a.caller = h.Ops, msg.Sender, -1
	if call := x.extra[m].call; call > 0 {
		a.caller, a.request = msg.Sender, call
	}
	e := x.event
	x.run(n)
	x.account(e, a.kind, env.typ)
}

// resume goes on with a handler whose call was answered.
func (x *execution) resume(n, m int32) {
	x.pool.Deliver(m)
	x.running = n
	a := &x.actors[n]
	a.waits = -1
	x.pool.Look(n)
	*a.now() = (*a.now() + x.tr.Messages[m].Value.(envelope).value) % Modulus
	x.run(n)
}

func (x *execution) incident(in trace.Incident) {
	e := &x.tr.Events[x.event]
	e.Incidents = append(e.Incidents, in)
}

// run does the operations that are left, up to a call.
func (x *execution) run(n int32) {
	for len(x.actors[n].ops) > 0 {
		op := x.actors[n].ops[0]
		x.actors[n].ops = x.actors[n].ops[1:]
		if op.When < 0 || *x.actors[n].now()%2 == op.When {
			if x.do(n, op); x.actors[n].waits >= 0 || x.over {
				return
			}
		}
	}
	x.tr.Events[x.event].Completed = true
	x.answer(n)
}

// answer answers the call that actor n handles, if there is one: once, also if its request came twice.
func (x *execution) answer(n int32) {
	if a := &x.actors[n]; a.caller >= 0 && x.actors[a.caller].answered < a.request {
		x.actors[a.caller].answered = a.request
		m := x.message(x.sys.answer, trace.Answer, n, a.caller, x.sys.values[0][*a.now()])
		x.extra[m].call = a.request
		if x.cond.Model != trace.Mailbox {
			x.pool.Post(m)
			return
		}
		x.post(n, m)
	}
}

func (x *execution) do(n int32, op Op) {
	switch op.Kind {
	case Send:
		x.send(n, int32(op.To)+1, op)
	case Answer:
		if to := x.actors[n].sender; to > 0 {
			x.send(n, to, op)
		}
	case Call:
		if to := int32(op.To) + 1; to != n {
			x.send(n, to, op)
			x.actors[n].waits = to
		}
	case Spawn:
		x.send(n, x.spawn(n, op.To), op)
	case Kill:
		x.send(n, int32(op.To)+1, op)
	case Quit:
		x.stop(n)
	case After:
		x.set(n, op)
	case Cancel:
		switch t := x.actors[n].timer; {
		case t < 0:
		case x.isLate(&x.timers[t], n):
			x.takeTurn(n, op)
		default:
			x.cancel(&x.timers[t])
		}
	case Choose:
		x.choose(n, op.To)
	case Respond:
		x.answer(n)
	}
}

// choose picks a value in the middle of a handler, which goes on in the event of the choice.
func (x *execution) choose(n int32, values int) {
	x.options = x.options[:0]
	for v := range values {
		x.options = append(x.options, x.tr.ChoiceStep(x.event, 0, v))
	}
	c, ok := x.d.Choose(x.options)
	if !ok {
		x.over = true
		return
	}
	x.first = c.First
	x.begin(x.options[c.Index])
	state := x.actors[n].now()
	*state = (*state + int(x.options[c.Index].Value)) % Modulus
}

func (x *execution) stop(n int32) {
	if x.actors[n].stopped {
		return
	}
	x.actors[n].stopped = true
	x.endTimers(n)
	if x.cond.Model == trace.Mailbox && x.tr.Events[x.event].Step.Kind != trace.Fault {
		x.post(n, x.message(x.sys.end, trace.End, n, n, nil)) // in its turn among what the handler sends
		return
	}
	x.leaves(n)
}

// leaves has the others find that an actor has stopped.
func (x *execution) leaves(n int32) {
	x.pool.Stop(n)
	e := &x.tr.Events[x.event]
	e.Stopped = append(e.Stopped, n)
}

func (x *execution) endTimers(n int32) {
	for i := range x.timers {
		if x.timers[i].owner == n {
			x.cancel(&x.timers[i])
		}
	}
}

func (x *execution) spawn(by int32, kind int) int32 {
	n := x.tr.AddActor(x.sys.kinds[kind], "", by, x.event)
	x.actors[by].children++
	x.actors = append(x.actors,
		actor{kind: kind, parent: by, place: x.actors[by].children, caller: -1, waits: -1, timer: -1})
	return n
}

// message records a message.
func (x *execution) message(ty *trace.Type, kind trace.MessageKind, n, to int32, value any) int32 {
	x.extra = append(x.extra, extra{cancelled: -1})
	return x.tr.AddMessage(ty, kind, n, to, x.event, value)
}

func (x *execution) send(n, to int32, op Op) {
	ty, class := x.sys.messages[op.Message], trace.User
	if op.Kind == Kill {
		ty, class = x.sys.kill, trace.System
	}
	a := &x.actors[n]
	m := x.message(ty, class, n, to, x.sys.values[op.Message][*a.now()])
	if op.Kind == Call {
		a.calls++
		x.extra[m].call = a.calls
	}
	x.post(n, m)
}

// post sends a message that is recorded.
func (x *execution) post(n, m int32) {
	if x.cond.Model == trace.Mailbox {
		x.actors[n].held++
	}
	if !x.pool.Send(m) {
		x.bury(m)
	}
}

// bury notes that m came to a stopped actor.
func (x *execution) bury(m int32) {
	x.lost = append(x.lost, m)
	x.incident(trace.Incident{Kind: trace.DeadLetter, Actor: x.tr.Messages[m].Sender, Message: m,
		Text: "its receiver has stopped"})
}
