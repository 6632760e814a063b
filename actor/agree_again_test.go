package actor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// What programs here send.
type (
	first  struct{ left int }
	second struct{ from actor.Ref }
	leave  struct{}
)

// journalOf is a behaviour that notes in which order things happened to it.
type journalOf struct {
	seen string
	do   func(j *journalOf, ctx *actor.Context, msg any)
	put  bool

	children []actor.Ref
}

func (j *journalOf) Receive(ctx *actor.Context, msg any) {
	j.seen += fmt.Sprintf("%T ", msg)
	j.do(j, ctx, msg)
}

// asksOrQuits waits for an answer, released, or stops before it comes.
func asksOrQuits(j *journalOf, ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case second:
		_, err := ctx.Await(ctx.Ask(msg.from, first{}))
		j.seen += fmt.Sprint("answer ", err, " ")
	case leave:
		ctx.Stop()
	}
}

// callsForASecond gives up a call after a second, or learns that the other one panicked.
func callsForASecond(j *journalOf, ctx *actor.Context, msg any) {
	_, err := ctx.CallTimeout(msg.(second).from, leave{}, time.Second)
	j.seen += fmt.Sprint("answer ", err, " ")
}

// takesTwo takes two messages of one type at a time, with those of the other type between the pairs.
func takesTwo(_ *journalOf, ctx *actor.Context, msg any) {
	if _, ok := msg.(first); ok {
		ctx.Receive(func(msg any) bool { _, ok := msg.(first); return ok })
	}
}

// putsBack handles the first message a second time, and sends itself more.
func putsBack(j *journalOf, ctx *actor.Context, msg any) {
	m := msg.(first)
	if m.left == 0 {
		return
	}
	ctx.Send(ctx.Self(), first{m.left - 1})
	if !j.put {
		j.put = true
		ctx.Stash()
		ctx.UnstashAll()
	}
}

// Programs of which reductions once missed executions: all must execute every class, and optimal each once.
func TestNothingIsMissed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		model  trace.Model
		faults string
		do     func(*journalOf, *actor.Context, any)
		send   func(ctx *actor.Context, to, helper actor.Ref)
	}{
		{"the actor stops before the answer that its task awaits", trace.Bag, "off", asksOrQuits,
			func(ctx *actor.Context, to, helper actor.Ref) { ctx.Send(to, leave{}); ctx.Send(to, second{helper}) }},
		{"the actor crashes before the answer that its task awaits", trace.Bag, "crash,drop", asksOrQuits,
			func(ctx *actor.Context, to, helper actor.Ref) { ctx.Send(to, leave{}); ctx.Send(to, second{helper}) }},
		{"the call is given up before the panic that fails it", trace.Bag, "crash", callsForASecond,
			func(ctx *actor.Context, to, helper actor.Ref) { ctx.Send(to, second{helper}) }},
		{"Receive refuses what came between", trace.Bag, "off", takesTwo,
			func(ctx *actor.Context, to, _ actor.Ref) {
				ctx.Send(to, first{})
				ctx.Send(to, first{})
				ctx.Send(to, second{})
			}},
		{"Receive takes the copy of a message", trace.Bag, "duplicate", takesTwo,
			func(ctx *actor.Context, to, _ actor.Ref) { ctx.Send(to, first{}); ctx.Send(to, second{}) }},
		{"what was put aside and back tells nothing of what was sent later", trace.Causal, "off", putsBack,
			func(ctx *actor.Context, to, _ actor.Ref) { ctx.Send(to, first{2}); ctx.Send(to, first{2}) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := explore.Conditions{Model: tt.model, Timers: trace.Async}
			compareJournal(t, c, tt.faults, tt.do,
				func(ctx *actor.Context, to actor.Ref) { tt.send(ctx, to, ctx.SpawnNamed("helper", &answerer{})) })
		})
	}
}

// compareJournal compares source and optimal with naive on a program that ends in what one of its actors has noted.
func compareJournal(t *testing.T, c explore.Conditions, faults string,
	do func(j *journalOf, ctx *actor.Context, msg any), send func(ctx *actor.Context, to actor.Ref)) {
	var err error
	if c.Faults, err = trace.ParseFaults(faults); err != nil {
		t.Fatal(err)
	}
	c.Horizon, c.Copy, c.Blocked = time.Minute, true, 5*time.Second
	end := ""
	p := agree.Program{
		System: actor.New(func(t *explore.T, ctx *actor.Context) {
			j := &journalOf{do: do}
			send(ctx, ctx.SpawnNamed("to", j))
			t.AtEnd(func() { end = j.seen })
		}),
		Conditions: c,
		State:      func() string { return end },
		Check:      func() explore.Checker { return &check.Checker{} },
	}
	shown, err := p.Compare("source", "optimal")
	if err != nil {
		t.Error(err)
	}
	if all := shown[0]; len(all.Classes) < 4 || !all.Complete {
		t.Errorf("too little happens to tell strategies apart: %s", all)
	}
}

// answerer replies to everything but leave, at which it panics.
type answerer struct{}

func (answerer) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(leave); ok {
		panic("asked to leave")
	}
	ctx.Reply(leave{})
}

// watchesItself sends itself a system message, or chooses.
func watchesItself(j *journalOf, ctx *actor.Context, msg any) {
	switch msg.(type) {
	case first:
		ctx.Watch(ctx.Self())
	case second:
		j.seen += fmt.Sprint(ctx.Choose(2), " ")
	}
}

// Reverse search does not call itself complete where an actor's system message to itself decides what comes next.
func TestReverseDoubtsSystemMessagesToOneself(t *testing.T) {
	end := ""
	p := agree.Program{
		System: actor.New(func(t *explore.T, ctx *actor.Context) {
			j := &journalOf{do: watchesItself}
			to := ctx.Spawn(j)
			ctx.Send(to, first{})
			ctx.Send(to, second{})
			t.AtEnd(func() { end = j.seen })
		}),
		Conditions: explore.Conditions{Model: trace.Bag, Horizon: time.Minute, Copy: true, Blocked: 5 * time.Second},
		State:      func() string { return end },
	}
	shown, err := p.Compare("optimal", "reverse")
	if err != nil {
		t.Error(err)
	}
	if all, reverse := shown[0], shown[2]; len(all.Classes) != 4 || len(reverse.Classes) < 4 && reverse.Complete {
		t.Errorf("%s\n%s", all, reverse)
	}
}
