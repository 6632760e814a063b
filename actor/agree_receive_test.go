package actor_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// takesTimers waits in the middle of its handler for whatever comes, its own timer's message or what it sent to itself
// among it.
func takesTimers(j *journalOf, ctx *actor.Context, msg any) {
	if m := msg.(first); m.left > 0 {
		ctx.Send(ctx.Self(), first{})
		ctx.After(time.Second, first{m.left - 1})
		j.took(ctx.Receive(func(msg any) bool { return true }))
	}
}

// takesOwn waits for a leave in the middle of its handler, and sets timers of which one brings it.
func takesOwn(j *journalOf, ctx *actor.Context, msg any) {
	switch msg.(type) {
	case first:
		ctx.After(time.Second, leave{})
		ctx.After(4*time.Second, second{})
	case leave:
		ctx.Receive(func(msg any) bool { _, ok := msg.(leave); return ok })
	}
}

// takesFromChildren has a child send messages, takes one of them at once, and waits in vain where it gets another.
func takesFromChildren(j *journalOf, ctx *actor.Context, msg any) {
	isFirst := func(msg any) bool { _, ok := msg.(first); return ok }
	switch msg := msg.(type) {
	case leave:
		child := ctx.Spawn(&sender{append(slices.Clone(j.children), ctx.Self())})
		j.children = append(j.children, child)
		ctx.Send(child, first{2})
		j.took(ctx.Receive(isFirst))
	case first:
		if msg.left > 0 {
			ctx.Receive(func(any) bool { return false })
		}
	}
}

// sender sends to the last and the first of its peers.
type sender struct{ peers []actor.Ref }

func (s *sender) Receive(ctx *actor.Context, msg any) {
	if m := msg.(first); m.left > 0 {
		ctx.Send(s.peers[len(s.peers)-1], first{m.left - 1})
		ctx.Send(s.peers[0], first{m.left - 1})
	}
}

func (j *journalOf) took(msg any) { j.seen += fmt.Sprintf("took %T ", msg) }

// What a Receive would have taken earlier nobody knows, so reductions try it. Where they are wrong, nothing is missed.
func TestReceiveIsTried(t *testing.T) {
	for _, tt := range []struct {
		name   string
		model  trace.Model
		timers trace.TimerMode
		faults string
		do     func(*journalOf, *actor.Context, any)
		sends  []any
	}{
		{"a timer's message is no end of a call", trace.Bag, trace.Quiescent, "off", takesTimers, []any{first{2}, first{2}}},
		{"a timer's message may have been refused too", trace.Causal, trace.Async, "off", takesOwn, []any{first{}, leave{}}},
		{"what a refused step would have led to", trace.Causal, trace.Quiescent, "duplicate", takesFromChildren,
			[]any{leave{}, leave{}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			compareJournal(t, explore.Conditions{Model: tt.model, Timers: tt.timers}, tt.faults, tt.do,
				func(ctx *actor.Context, to actor.Ref) {
					for _, m := range tt.sends {
						ctx.Send(to, m)
					}
				})
		})
	}
}
