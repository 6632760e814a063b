package freerun

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// common is what native actors and protoactor-go do alike. Stops are left out: protoactor-go handles its own before it is gone, and what waits in
// the mailbox of a stopped actor is never answered.
var common = []feature{
	{"sends", "send send self request respond introduce", "send", 2},
	{"calls", "call call respond send request self", "send send call", 2},
	{"spawns", "spawn spawn send introduce request respond call", "send spawn", 2},
}

// part is a stage of native actors.
type part struct {
	*actor.Context
	world     *world
	requested bool // what is handled wants an answer
}

func (s part) self() any { return s.Self() }

func (s part) sender() any {
	if !s.requested {
		return nil
	}
	return s.Sender()
}

func (s part) send(to any, l letter)    { s.Send(to.(actor.Ref), l) }
func (s part) request(to any, l letter) { s.Send(to.(actor.Ref), l) }
func (s part) respond(l letter)         { s.Reply(l) }

// question is a call that is made when it is waited for: Ask and Await would have the actor handle other messages meanwhile.
type question struct {
	to actor.Ref
	l  letter
}

func (s part) ask(to any, l letter) any { return question{to.(actor.Ref), l} }

func (s part) await(future any) string {
	q := future.(question)
	return outcome(s.Call(q.to, q.l))
}

func (s part) spawn(p *player, name string) any { return s.SpawnNamed(name, &native{p}) }

func (part) forward(any)               { panic("native actors do not forward") }
func (part) reenter(any, func(string)) { panic("native actors do not reenter") }
func (part) pipe(any, any)             { panic("native actors have no pipes") }
func (part) stop(any)                  { panic("stops are not compared") }
func (part) poison(any)                { panic("stops are not compared") }
func (part) watch(any)                 { panic("stops are not compared") }
func (part) unwatch(any)               { panic("stops are not compared") }

// native is a native actor.
type native struct{ player *player }

// Receive implements actor.Behavior.
func (n *native) Receive(ctx *actor.Context, msg any) {
	l := msg.(letter)
	n.player.receive(part{ctx, n.player.world, l.requested}, l)
}

// exploredNative is the program on native actors.
func exploredNative(p *program, model trace.Model) *agree.Program {
	var end logs
	return &agree.Program{
		System: actor.New(func(t *explore.T, ctx *actor.Context) {
			w := &world{program: p, pause: func(deed, string) {}}
			s := part{Context: ctx, world: w}
			var refs []any
			t.SetUp(func() {
				for i, kind := range p.roots {
					name := string(rune('A' + i))
					refs = append(refs, s.spawn(w.player(name, kind, 1, nil), name))
				}
				w.introduce(refs)
			})
			t.AtEnd(func() { end = w.end() })
			w.test(s, refs)
		}),
		Conditions: explore.Conditions{Model: model, Horizon: time.Minute, MaxSteps: 1000, Blocked: 10 * time.Second},
		State:      func() string { return end.String() },
		Before:     func() { end = nil },
		Limit:      2000,
	}
}

// The same program comes to the same orders on native actors and on protoactor-go, under every delivery model.
func TestNativeAgrees(t *testing.T) {
	programs, compared, orders := uint64(20*max(1, scale(t))), 0, 0
	if testing.Short() {
		programs = 5
	}
	for seed := range programs {
		p := draw(seed, common)
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			theirs, err := explored(p, model, map[string]logs{}).Show("optimal")
			ours, errs := exploredNative(p, model).Show("optimal")
			switch {
			case err != nil || errs != nil:
				t.Errorf("%v, %v\n%s", err, errs, p)
			case theirs.Exhausted != ours.Exhausted:
				t.Errorf("%s: one is complete\n%s\n%s\n%s", model, ours, theirs, p)
			case !theirs.Exhausted:
			case !slices.Equal(ours.Ends(), theirs.Ends()):
				t.Errorf("%s: native actors come to\n  %q\nprotoactor-go to\n  %q\n%s", model, ours.Ends(), theirs.Ends(), p)
			default:
				compared++
				orders += len(ours.Ends())
			}
		}
	}
	t.Logf("%d comparisons, %d orders", compared, orders)
	if compared < 4*int(programs) || orders <= compared {
		t.Errorf("too little was compared: %d comparisons, %d orders", compared, orders)
	}
}
