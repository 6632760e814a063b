package actor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// The tests here explore small programs completely and compare the set of things that can happen with the one expected.
// What happens in an execution is what the program logs, in order.

type program func(t *explore.T, ctx *actor.Context)

// happenings is what an exploration saw.
type happenings struct {
	logs       []string // distinct, sorted; of one execution joined by spaces
	violations []string // distinct keys, sorted
	texts      []string // of the violations, in order of their finding
	out        explore.Outcome
	traces     []*trace.Trace // of the executions with findings
}

// explored runs a program through all its schedules.
func explored(t *testing.T, p program, c explore.Conditions) happenings {
	t.Helper()
	return exploredBy(t, actor.New(p), search.NewNaive(), explore.Options{Conditions: c, Check: &check.Checker{}})
}

func exploredBy(t *testing.T, sys *actor.System, s explore.Strategy, o explore.Options) happenings {
	t.Helper()
	var h happenings
	var log []string
	if o.Conditions.Model == trace.DefaultModel {
		o.Conditions.Model = sys.DefaultModel()
	}
	o.NewT = func() *explore.T {
		log = log[:0]
		return explore.NewT(t.Name(), func(s string) { log = append(log, s) })
	}
	o.After = func(*explore.Counters, *trace.Trace) { h.logs = append(h.logs, strings.Join(log, " ")) }
	o.Found = func(f explore.Found) bool {
		for _, v := range f.Violations {
			h.violations = append(h.violations, v.Key())
			h.texts = append(h.texts, v.Text)
		}
		h.traces = append(h.traces, f.Trace.Clone())
		return true
	}
	var err error
	if h.out, err = explore.Run(sys, s, o); err != nil {
		t.Fatal(err)
	}
	slices.Sort(h.logs)
	h.logs = slices.Compact(h.logs)
	slices.Sort(h.violations)
	h.violations = slices.Compact(h.violations)
	return h
}

// bag, fifo ... are conditions with one model each.
var (
	bag     = explore.Conditions{Model: trace.Bag, Copy: true}
	fifo    = explore.Conditions{Model: trace.FIFO, Copy: true}
	causal  = explore.Conditions{Model: trace.Causal, Copy: true}
	mailbox = explore.Conditions{Model: trace.Mailbox, Copy: true}
	serial  = explore.Conditions{Model: trace.MailboxSerial, Copy: true}
)

func async(c explore.Conditions) explore.Conditions { c.Timers = trace.Async; return c }

// want is what may happen under a condition.
type want struct {
	in   explore.Conditions
	logs []string
}

// mayLog explores p under each condition and compares. Nothing may be wrong with p.
func mayLog(t *testing.T, p program, wants ...want) {
	t.Helper()
	for _, w := range wants {
		h := explored(t, p, w.in)
		name := w.in.Model.String() + " " + w.in.Timers.String()
		slices.Sort(w.logs)
		if !slices.Equal(h.logs, w.logs) {
			t.Errorf("%s: got %q, want %q", name, h.logs, w.logs)
		}
		if len(h.violations) > 0 {
			t.Errorf("%s: found %q: %q", name, h.violations, h.texts)
		}
		if !h.out.Complete {
			t.Errorf("%s: not complete: %+v", name, h.out)
		}
	}
}

// Messages of the tests.
type (
	hello struct{ N int }
	ping  struct{}
	pong  struct{}
	tick  struct{}
)

// answers replies to everything.
func answers(ctx *actor.Context, _ any) { ctx.Reply(pong{}) }

// logger logs the numbers of the hellos that it gets.
func logger(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case hello:
		ctx.T().Log(msg.N)
	case tick:
		ctx.T().Log("tick")
	}
}
