package actor_test

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
)

// inquirer asks and is released until the answer is there; it is told of what else comes.
type inquirer struct {
	server actor.Ref
	seen   string
}

func (a *inquirer) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); !ok {
		a.seen += fmt.Sprintf("%T ", msg)
		return
	}
	ctx.Await(ctx.Ask(a.server, ping{}))
	a.seen += "answered "
}

// meddler watches or stops an inquirer.
type meddler struct {
	whom        actor.Ref
	watch, stop bool
	seen        string
}

func (m *meddler) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); !ok {
		m.seen += fmt.Sprintf("%T ", msg)
		return
	}
	if m.watch {
		ctx.Watch(m.whom)
	}
	if m.stop {
		ctx.StopActor(m.whom)
	}
}

// A system message comes before the messages of a mailbox, but not before a task that may resume: both orders are there
// after it has arrived.
func TestResumeBesideSystemMessages(t *testing.T) {
	for _, m := range []meddler{{stop: true}, {watch: true}, {watch: true, stop: true}} {
		end := ""
		program := func(t *explore.T, ctx *actor.Context) {
			m, a := &meddler{watch: m.watch, stop: m.stop}, &inquirer{}
			var refs [2]actor.Ref
			t.SetUp(func() {
				a.server = ctx.Spawn(&repeater{})
				refs[0] = ctx.Spawn(a)
				m.whom = refs[0]
				refs[1] = ctx.Spawn(m)
			})
			t.AtEnd(func() { end = a.seen + m.seen })
			ctx.Send(refs[0], ping{})
			ctx.Send(refs[1], ping{})
		}
		for _, c := range every {
			p := agree.Program{System: actor.New(program), Conditions: c, State: func() string { return end },
				Check: func() explore.Checker { return &check.Checker{} }}
			p.Judge(t, "")
		}
	}
}

// until waits for its second message in its first.
type until struct{ n, enough int }

func (u *until) Receive(ctx *actor.Context, msg any) {
	if u.n++; u.n == 1 {
		ctx.AwaitUntil(func() bool { return u.n >= u.enough })
		u.n *= 10
	}
}

// selfish sends itself a message.
type selfish struct{ sent bool }

func (s *selfish) Receive(ctx *actor.Context, msg any) {
	if !s.sent {
		s.sent = true
		ctx.Send(ctx.Self(), msg)
	}
}

// Whether a task could have resumed earlier is known, so that no execution is blocked for it.
func TestConditionsAreForeseen(t *testing.T) {
	for enough := 1; enough <= 4; enough++ {
		end := ""
		program := func(t *explore.T, ctx *actor.Context) {
			u := &until{enough: enough}
			var refs [2]actor.Ref
			t.SetUp(func() { refs = [2]actor.Ref{ctx.Spawn(u), ctx.Spawn(&selfish{})} })
			t.AtEnd(func() { end = fmt.Sprint(u.n) })
			for _, to := range []int{1, 0, 0, 0} {
				ctx.Send(refs[to], ping{})
			}
		}
		for _, c := range every {
			p := agree.Program{System: actor.New(program), Conditions: c, State: func() string { return end }}
			p.Judge(t, "")
		}
	}
}

// repeater answers; one that meddles then watches or stops who has asked.
type repeater struct{ meddles meddler }

func (r *repeater) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(ping); !ok {
		return
	}
	ctx.Reply(msg)
	if r.meddles.watch {
		ctx.Watch(ctx.Sender())
	}
	if r.meddles.stop {
		ctx.StopActor(ctx.Sender())
	}
}

// The same where an answer and a system message are sent in one step: neither arrives before the other.
func TestAnswerAndSystemMessage(t *testing.T) {
	for _, m := range []meddler{{stop: true}, {watch: true}, {watch: true, stop: true}} {
		end := ""
		program := func(t *explore.T, ctx *actor.Context) {
			a := &inquirer{}
			var ref actor.Ref
			t.SetUp(func() {
				a.server = ctx.Spawn(&repeater{m})
				ref = ctx.Spawn(a)
			})
			t.AtEnd(func() { end = a.seen })
			ctx.Send(ref, ping{})
			ctx.Send(ref, hello{1})
		}
		for _, c := range every {
			p := agree.Program{System: actor.New(program), Conditions: c, State: func() string { return end },
				Check: func() explore.Checker { return &check.Checker{} }}
			p.Judge(t, "")
		}
	}
}

// early sends in its start hook, once, and what it is sent it sends on.
type early struct{ to actor.Ref }

func (e *early) Start(ctx *actor.Context)            { ctx.Send(e.to, hello{3}) }
func (e *early) Receive(ctx *actor.Context, msg any) { ctx.Send(e.to, msg) }

// mother sends before and after she creates an early.
type mother struct{ to actor.Ref }

func (m *mother) Receive(ctx *actor.Context, msg any) {
	ctx.Send(m.to, hello{1})
	child := ctx.Spawn(&early{m.to})
	ctx.Send(m.to, hello{2})
	ctx.Send(child, hello{4})
}

// What a start hook sends follows what its creator has sent and handled, as causal delivery has it.
func TestStartHooksTellWhatTheirCreatorsKnow(t *testing.T) {
	end := ""
	program := func(t *explore.T, ctx *actor.Context) {
		log := &inquirer{}
		var m actor.Ref
		t.SetUp(func() { m = ctx.Spawn(&mother{ctx.Spawn(&hearer{log})}) })
		t.AtEnd(func() { end = log.seen })
		ctx.Send(m, ping{})
	}
	for _, c := range every {
		p := agree.Program{System: actor.New(program), Conditions: c, State: func() string { return end }}
		p.Judge(t, "")
	}
}

type hearer struct{ log *inquirer }

func (h *hearer) Receive(_ *actor.Context, msg any) { h.log.seen += fmt.Sprint(msg) }
