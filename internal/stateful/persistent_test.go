package stateful_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/stateful"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// parsed makes the variant of the search.
func parsed(t *testing.T, options string) *stateful.Search {
	t.Helper()
	o, err := stateful.Parse(options)
	if err != nil {
		t.Fatal(err)
	}
	return stateful.New(o)
}

// Persistent sets lose no final state and no violation that the dumb twin enumerates, whatever they go together with;
// also not where violations end executions.
func TestPersistentAgainstTwin(t *testing.T) {
	variants := []string{"", "sleep", "persistent", "generic/persistent", "literal/persistent", "persistent/sleep",
		"generic/persistent/sleep", "persistent/big"}
	states, deliveries := map[string]int{}, map[string]int{}
	all := cases(t, toy.CompareOptions{Programs: 202, Limit: 250, Seed: 20_000,
		Models: []trace.Model{trace.Bag, trace.FIFO, trace.Causal}, Timers: toy.TimerModes[:1]})
	for _, c := range all {
		violations := slices.Sorted(maps.Keys(c.Want.Violations))
		_, _, ends := found(t, toy.NewSystem(c.Program), c.Conditions, search.NewNaive())
		for _, v := range variants {
			identities := strings.HasPrefix(v, "generic")
			got := executed(t, c.Program, c.Conditions, parsed(t, v), identities)
			if want := plain(c.Want.Finals, identities); !got.Complete || !slices.Equal(got.finals, want) ||
				!slices.Equal(got.violations, violations) {
				t.Fatalf("%s%s: complete %v, finals %q, violations %q; the twin has %q and %q", c, v, got.Complete, got.finals,
					got.violations, want, violations)
			}
			states[v] += got.States
			deliveries[v] += got.Deliveries
			if !strings.Contains(v, "persistent") {
				continue
			}
			if _, _, got := found(t, toy.NewSystem(c.Program), c.Conditions, parsed(t, v)); !slices.Equal(got, ends) {
				t.Fatalf("%s%s: executions end with %q; naive: %q", c, v, got, ends)
			}
		}
	}
	for _, v := range variants {
		t.Logf("%-26s %7d states %7d deliveries in %d programs", "stateful/"+v, states[v], deliveries[v], len(all))
	}
	if states["persistent"] > states[""]*9/10 || deliveries["persistent"] > deliveries[""]*8/10 {
		t.Errorf("persistent sets save too little for the comparison to say anything")
	}
}

// told are messages of the programs below. None of their actors keeps more than it says.
type (
	bang   struct{ text string }         // whoever gets it panics
	carry  struct{ to actor.Ref }        // whoever gets it sends a bang there
	boot   struct{ after bool }          // build what follows; after: one part of it after the other
	first  struct{ tell, who actor.Ref } // say so to tell, if that is somebody, with who
	past   struct{ who actor.Ref }
	rumour struct{}
	round  struct{ to actor.Ref }
)

type panics struct{}

func (panics) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case bang:
		panic(msg.text)
	case carry:
		ctx.Send(msg.to, bang{"carried"})
	case round:
		ctx.Send(msg.to, round{ctx.Self()})
	}
}

// fork builds an actor that must hear first before rumour, and two that pass rumour on to it: with after it does,
// otherwise it may not.
type fork struct{}

func (fork) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case string:
		ctx.Send(ctx.Self(), boot{ctx.Choose(2) == 0})
	case boot:
		a := ctx.Spawn(&hears{})
		c := ctx.Spawn(&passes{ctx.Spawn(&passes{a})})
		if msg.after {
			ctx.Send(a, first{ctx.Self(), c})
		} else {
			ctx.Send(a, first{})
			ctx.Send(c, rumour{})
		}
	case past:
		ctx.Send(msg.who, rumour{})
	}
}

type hears struct{ heard bool }

func (h *hears) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case first:
		h.heard = true
		if msg.tell != (actor.Ref{}) {
			ctx.Send(msg.tell, past{msg.who})
		}
	case rumour:
		if !h.heard {
			panic("heard nothing")
		}
	}
}

type passes struct{ to actor.Ref }

func (p *passes) Receive(ctx *actor.Context, msg any) { ctx.Send(p.to, msg) }

// What each of the rules is for: without it a violation is lost in one of these programs.
func TestPersistentRules(t *testing.T) {
	for name, tt := range map[string]struct {
		sys  *actor.System
		want []string
	}{
		// The first of two panics hides what would have followed, the other one.
		"a step that ends the execution": {actor.New(func(t *explore.T, ctx *actor.Context) {
			ctx.Send(ctx.Spawn(panics{}), bang{"one"})
			ctx.Send(ctx.Spawn(panics{}), bang{"two"})
		}), []string{"one", "two"}},
		// That step sleeps where the other panic becomes possible.
		"and sleeps": {actor.New(func(t *explore.T, ctx *actor.Context) {
			a, b, c := ctx.Spawn(panics{}), ctx.Spawn(panics{}), ctx.Spawn(panics{})
			ctx.Send(a, bang{"one"})
			ctx.Send(b, carry{c})
		}), []string{"carried", "one"}},
		// What follows rumour was explored after first, below messages and actors of other names.
		"a state that was met under other names": {actor.New(func(t *explore.T, ctx *actor.Context) {
			ctx.Send(ctx.Spawn(fork{}), "go")
		}), []string{"heard nothing"}},
		// Two that play for ever put everything else off, also when their circle was found already.
		"a circle": {actor.New(func(t *explore.T, ctx *actor.Context) {
			a, b, c := ctx.Spawn(panics{}), ctx.Spawn(panics{}), ctx.Spawn(panics{})
			ctx.Send(a, round{b})
			ctx.Send(c, carry{ctx.Spawn(panics{})})
		}), []string{"carried", "livelock"}},
	} {
		for _, v := range []string{"", "sleep", "persistent", "generic/persistent", "persistent/sleep"} {
			texts := map[string]bool{}
			out, err := explore.Run(tt.sys, parsed(t, v),
				explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Copy: true}, MaxSteps: 50,
					Check: &check.Checker{}, Found: func(f explore.Found) bool {
						for _, v := range f.Violations {
							texts[v.String()] = true
						}
						return true
					}})
			got := slices.Sorted(maps.Keys(texts))
			for _, want := range tt.want {
				if err != nil || len(got) != len(tt.want) ||
					!slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, want) }) {
					t.Errorf("%s: stateful/%s finds %q, want %q; %+v, %v", name, v, got, tt.want, out, err)
				}
			}
		}
	}
}

// The counts of docs/decisions/0010: states and deliveries, by what goes with the comparison.
func TestPersistentCounts(t *testing.T) {
	for name, tt := range map[string]struct {
		sys  *actor.System
		want [4]string
	}{
		"fib(5)":       {subjects.Fib(5), [4]string{"348/1068", "348/390", "41/48", "38/42"}},
		"pi(4)":        {subjects.Pi(4), [4]string{"99/251", "99/140", "88/223", "88/129"}},
		"spinsort(4)":  {subjects.Spinsort(4), [4]string{"52/109", "52/78", "30/54", "30/56"}},
		"pipesort(3)":  {subjects.Pipesort(3), [4]string{"38/75", "38/50", "16/21", "16/21"}},
		"shortpath":    {subjects.ShortpathDetour(), [4]string{"122/353", "122/196", "41/66", "43/69"}},
		"chameneos(1)": {subjects.Chameneos(1), [4]string{"177/406", "177/233", "87/136", "86/105"}},
	} {
		for i, v := range []string{"", "sleep", "persistent", "persistent/sleep"} {
			out, _ := count(t, tt.sys, v)
			if got := fmt.Sprintf("%d/%d", out.States, out.Deliveries); got != tt.want[i] {
				t.Errorf("%s: stateful/%s: %s states/deliveries, want %s", name, v, got, tt.want[i])
			}
		}
	}
}

// Where states are left out, an invariant over several actors is not judged in them: the result says so and is not
// complete.
func TestPersistentPassesOver(t *testing.T) {
	for v, want := range map[string]string{"sleep": "", "persistent": "the invariant"} {
		s := parsed(t, v)
		if err := s.Bind(explore.Env{Conditions: explore.Conditions{Model: trace.Bag},
			Global: func() string { return "the invariant" }}); err != nil {
			t.Fatal(err)
		}
		if got := s.Report().IncompleteReason; got != want {
			t.Errorf("stateful/%s passes over %q, want %q", v, got, want)
		}
	}
}
