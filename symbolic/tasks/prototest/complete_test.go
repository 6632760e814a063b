package prototest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/trace"
)

// outcome tells what has come of an execution: the replies, and the numbers and truth values of the actor.
func (w *world) outcome() string {
	s := fmt.Sprint(w.result)
	v := reflect.ValueOf(w.tested).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.CanInt() || f.Kind() == reflect.Bool {
			s += fmt.Sprintf(" %s=%v", v.Type().Field(i).Name, f)
		}
	}
	return s
}

// everything executes all orders of a script by the naive search, and lists the outcomes.
func everything(t *testing.T, make func() script) []string {
	t.Helper()
	outcomes := map[string]bool{}
	var w *world
	sys := protoactor.System(func(t *explore.T) {
		w = &world{script: make()}
		w.start(t)
	})
	o := explore.Options{Conditions: explore.Conditions{Model: trace.MailboxSerial}, Check: quiet(), After: func(*explore.Counters, *trace.Trace) { outcomes[w.outcome()] = true }}
	out, err := explore.Run(sys, search.NewNaive(), o)
	if err != nil || !out.Complete {
		t.Fatalf("not complete after %d executions: %v", out.Executions, err)
	}
	return slices.Sorted(maps.Keys(outcomes))
}

// TestComplete: what the naive search finds by all orders of one input, the cases have that it meets, and the other way
// round. Answers come always. Of each handler five inputs, with REHEARSE_TOY ten.
func TestComplete(t *testing.T) {
	inputs := 5
	if os.Getenv("REHEARSE_TOY") != "" {
		inputs = 10
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, s := range subjects[:4] {
		p := program(t, s.dir)
		r, err := p.Cases(t.Context(), s.actor, s.message, tasks.Config{Queue: 1, Pruning: 1})
		if err != nil {
			t.Fatal(err)
		}
		several := 0
		for range inputs {
			d := s.random(rng, rng.IntN(2))
			for _, how := range [][]string{{tasks.Reply, tasks.Reply}, {tasks.Reply, tasks.DeadLetter}, {tasks.DeadLetter, tasks.Reply}} {
				several += d.complete(t, p, r, how)
			}
		}
		if several == 0 && (s.actor == "programs.Till" || s.actor == "programs.Pair") {
			// the others do the same in every order
			t.Errorf("%s: no input has several outcomes", s.actor)
		}
	}
}

// complete compares one input whose requests end in certain ways. It gives 1 if there are several outcomes.
func (d draw) complete(t *testing.T, p *tasks.Program, r *tasks.Result, how []string) int {
	t.Helper()
	answers := []*tasks.Answer{{How: how[0]}, {How: how[1]}}
	switch state := fmt.Sprintf("%+v", d.script(answers).tested); {
	case strings.Contains(state, "<nil>"):
		return 0 // a request to nobody is a panic
	case strings.Contains(state, outsiders[0]) && strings.Contains(state, outsiders[1]):
		return 0 // requests to two may be handled, and so numbered, in either order
	}
	found := map[string]bool{}
	for _, c := range r.Cases {
		fit := slices.Equal(c.Queued, d.queue) && !slices.ContainsFunc(c.Steps, func(s tasks.Step) bool { return strings.HasSuffix(s.Answer, tasks.Timeout) })
		for i, a := range c.Answers {
			fit = fit && a.How == how[i]
		}
		if !fit || !d.meets(t, p, c) {
			continue
		}
		e, err := follow(func() script { return d.script(answers) }, tasks.Config{}, c.Steps)
		if err != nil || e.misfit != "" {
			t.Fatal(err, e.misfit)
		}
		found[e.outcome()] = true
	}
	if len(found) == 0 {
		return 0 // the limit of a request is 0
	}
	got, want := slices.Sorted(maps.Keys(found)), everything(t, func() script { return d.script(answers) })
	if !slices.Equal(got, want) {
		t.Fatalf("%s, seed %d, queue %v, answers %v %v: cases have the outcomes\n%q, executions\n%q", d.actor, d.seed, d.queue, d.values, how, got, want)
	}
	return min(len(got)-1, 1)
}
