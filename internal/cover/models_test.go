package cover

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// dropping counts the schedules of which a step had to be dropped.
type dropping struct {
	*Literal
	dropped int
}

func (d *dropping) Learn(tr *trace.Trace, cut bool) {
	mark(tr)
	if d.follower.Dropped > 0 {
		d.dropped++
	}
	d.Literal.Learn(tr, cut)
}

// TestMustHappenBefore: what must happen before what is known under every model: of schedules that heed it no step is
// ever dropped, as long as the program's actors are pure; of those of programs with everything few are.
func TestMustHappenBefore(t *testing.T) {
	timers := pure
	timers.Timers = true
	answers := pure
	answers.Calls, answers.Responds = true, true
	for _, tt := range []struct {
		name     string
		features toy.Features
		most     int // schedules with dropped steps, of a hundred
	}{
		{"pure", pure, 0},
		{"timers", timers, 1},
		{"answers", answers, 1},
		{"everything", toy.Full, 15},
	} {
		for _, model := range toy.Models {
			schedules, dropped := 0, 0
			for seed := range uint64(700) {
				s := &dropping{Literal: NewLiteral(sample.NewRandom(seed))}
				o := explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: 60}}
				if _, err := explore.Run(toy.NewSystem(toy.Random(seed, tt.features)), s, o); err != nil {
					t.Fatal(err)
				}
				schedules, dropped = schedules+s.Schedules, dropped+s.dropped
			}
			t.Logf("%s, %s: %d schedules, steps dropped in %d", tt.name, model, schedules, dropped)
			if dropped*100 > tt.most*schedules || schedules < 500 {
				t.Errorf("%s, %s: %d schedules, steps dropped in %d", tt.name, model, schedules, dropped)
			}
		}
	}
}

// A future is resolved in the order of its handler's sends: what its asker does then comes after them.
func TestFutureKeepsOrder(t *testing.T) {
	s := &dropping{Literal: NewLiteral(sample.NewRandom(1))}
	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
		log := ctx.SpawnNamed("log", actor.Func(func(*actor.Context, any) {}))
		server := ctx.SpawnNamed("server", actor.Func(func(ctx *actor.Context, _ any) {
			ctx.Send(log, 1)
			ctx.Send(log, 2)
			ctx.Reply(3)
		}))
		client := ctx.SpawnNamed("client", actor.Func(func(ctx *actor.Context, _ any) {
			v, _ := ctx.Await(ctx.Ask(server, 0))
			ctx.Send(log, v)
		}))
		ctx.Send(client, 0)
		ctx.Send(log, 4)
	})
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox, Copy: true}, Budget: explore.Budget{Executions: 60}}
	if _, err := explore.Run(sys, s, o); err != nil {
		t.Fatal(err)
	}
	if s.Schedules == 0 || s.dropped > 0 {
		t.Errorf("%d schedules, steps dropped in %d", s.Schedules, s.dropped)
	}
}
