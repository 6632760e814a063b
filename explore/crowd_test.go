package explore_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

type parcel struct{ left int }

// sink passes on what has more to go.
func sink(ctx *actor.Context, p parcel) {
	if p.left != 0 {
		ctx.Send(ctx.Self(), parcel{p.left - 1})
	}
}

// burst is a program in which some producers send so many messages each, in one step, which go round so often.
func burst(producers, each, rounds int) *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		to := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { sink(ctx, msg.(parcel)) }))
		for range producers {
			ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) {
				for range each {
					ctx.Send(to, parcel{rounds})
				}
			})), parcel{})
		}
	})
}

// A program whose messages only become fewer comes to an end, however many they are. What goes on behind them does
// not, and is found out after the steps that they took.
func TestBound(t *testing.T) {
	const forever = -1
	for name, tt := range map[string]struct {
		producers, each, rounds int
		steps                   int    // of all, under a model without releases; 0: it is a livelock
		want                    string // of a livelock
	}{
		"more than the bound at once":   {5, 900, 0, 1 + 5 + 5*900 - 1, ""},
		"in fifty steps":                {50, 90, 0, 50 + 50*90, ""},
		"until shortly before a look":   {700, 2, 0, 700 + 700*2, ""},
		"as many answers":               {5, 900, 1, 0, "more than 5500 steps, 4500 of them for what waited at one time"},
		"few of them":                   {3, 100, 0, 3 + 300, ""},
		"few of them beyond the bound":  {1, 350, 2, 1 + 350*3, ""},
		"few of them, which never end":  {3, 100, forever, 0, "more than 1300 steps, 300 of them for what waited"},
		"one that never ends":           {1, 1, forever, 0, "more than 1000 steps and still going"},
		"many of them, which never end": {5, 900, forever, 0, "more than 5500 steps, 4500 of them for what waited"},
		"more all the time":             {500, 90, 0, 0, "after 127 steps 118"},
	} {
		for _, model := range []trace.Model{trace.FIFO, trace.Mailbox, trace.MailboxSerial} {
			if model == trace.Mailbox && (tt.steps == 0 || tt.producers > 500 || tt.rounds > 0) {
				continue // other numbers; more messages for longer
			}
			text := ""
			o := explore.Options{Conditions: explore.Conditions{Model: model}, MaxSteps: max(1000, 2*tt.producers),
				Check: &check.Checker{}, Budget: explore.Budget{Executions: 1}, Found: func(f explore.Found) bool {
					text += f.Violations[0].Text
					return true
				}}
			out, err := explore.Run(burst(tt.producers, tt.each, tt.rounds), &sample.DefaultOrder{}, o)
			if err != nil {
				t.Fatal(err)
			}
			if tt.steps == 0 != (text != "") || !strings.HasPrefix(text, tt.want) || out.Bounded != (text != "") {
				t.Errorf("%s, %s: %d deliveries, %q", name, model, out.Deliveries, text)
			}
			if tt.steps > 0 && out.Deliveries != tt.producers+tt.producers*tt.each*(tt.rounds+1) {
				t.Errorf("%s, %s: %d deliveries", name, model, out.Deliveries)
			}
		}
	}
}
