package target_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// crowd is a program of a hundred actors, each of which knows all before it, loops, and asks for squares.
const crowd = `package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type zzMember struct {
	all    []actor.Ref
	n, sum int
}

func (m *zzMember) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case int:
		m.n += msg
		for m.sum = 0; m.sum < m.n; m.sum += 2 {
			m.n--
		}
		for _, r := range m.all {
			ctx.Send(r, msg-1)
		}
	case bool:
		if m.n*m.n == 1009*m.sum+7 {
			ctx.T().Errorf("never mind")
		}
	}
}

func ZZ() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var all []actor.Ref
		for range 100 {
			all = append(all, ctx.Spawn(&zzMember{all: all}))
		}
		for _, r := range all {
			ctx.Send(r, 5)
			ctx.Send(r, true)
		}
	})
}
`

// TestBudgets: what a search may cost is kept, whatever the program is.
func TestBudgets(t *testing.T) {
	b, s := written(t, "../../subjects/tap", crowd)
	goal := b.calls("zzMember", "", "Errorf")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		config target.Config
		why    string
	}{
		"no time":   {over, target.Config{}, "the time is over"},
		"nodes":     {t.Context(), target.Config{Nodes: 5, Runs: 2}, "more than 5 nodes"},
		"questions": {t.Context(), target.Config{Queries: 10, Runs: 2}, "more than 10 questions"},
		"runs":      {t.Context(), target.Config{Nodes: 1, Runs: 4, Steps: 3}, "more than 1 nodes"},
	} {
		c.config.Model, c.config.Timeout = trace.Mailbox, time.Hour
		a, err := b.engine.Reach(c.ctx, s, goal, c.config)
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict != target.GaveUp || !strings.HasPrefix(a.Why, c.why) {
			t.Errorf("%s: %v: %s, want gave up: %s", name, a.Verdict, a.Why, c.why)
		}
		within := func(what string, got, most int) {
			if most > 0 && got > most {
				t.Errorf("%s: %d %s, want at most %d", name, got, what, most)
			}
		}
		within("nodes", a.Counts.Nodes, c.config.Nodes)
		within("executions", a.Counts.Runs, c.config.Runs)
		if c.config.Queries > 0 {
			within("questions", a.Counts.Queries, c.config.Queries+20) // those of the node that was begun, with its core
		}
	}
}

// TestLargeRing: the token of figure 12 goes once round 100 nodes, which takes a node of the search each.
func TestLargeRing(t *testing.T) {
	b, s := written(t, "../../subjects", "package subjects\n\nimport \"github.com/rehearse-go/rehearse/actor\"\n\nfunc ZZ() *actor.System { return ThreadRing(100) }\n")
	b.check(s, b.calls("ringNode", "token", "Errorf"), []golden{
		{target.Config{Model: trace.FIFO, Own: true, Steps: 100, Timeout: time.Hour}, target.Found, 100, 101, 102},
		{target.Config{Model: trace.FIFO, Own: true, Steps: 99, Timeout: time.Hour}, target.Infeasible, 0, 99, 99},
	})
}
