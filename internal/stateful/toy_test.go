package stateful_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/stateful"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// result is what an exploration showed.
type result struct {
	explore.Outcome
	finals, violations []string
}

// spawned are the actors that other actors spawn, whose identities do not count.
var spawned = regexp.MustCompile(`(/\d+)/[\d/]+`)

// plainly writes a final state without what is no part of it, the dead letters on the way, and without identities if
// they do not count.
func plainly(final string, identities bool) string {
	if !identities {
		final = spawned.ReplaceAllString(final, "$1/*")
	}
	parts := slices.DeleteFunc(strings.Split(final, "; "), func(p string) bool { return strings.HasPrefix(p, "dead ") })
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// plain is the set of final states.
func plain(finals map[string]int, identities bool) []string {
	set := map[string]bool{}
	for f := range finals {
		set[plainly(f, identities)] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// executed runs a strategy to its end. The violations are those of all executions, also of those that are cut.
func executed(t *testing.T, p *toy.Program, c explore.Conditions, s explore.Strategy, identities bool) result {
	t.Helper()
	sys := toy.NewSystem(p)
	finals, violations := map[string]int{}, map[string]bool{}
	sys.Ended = func(final string) { finals[final]++ }
	out, err := explore.Run(sys, s, explore.Options{Conditions: c, After: func(_ *explore.Counters, tr *trace.Trace) {
		for e := range tr.Events {
			for _, in := range tr.Events[e].Incidents {
				violations[fmt.Sprintf("%s: %s: %s: %s", in.Kind, tr.Actors[in.Actor].Type.Name,
					tr.Messages[in.Message].Type.Name, in.Site)] = true
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return result{out, plain(finals, identities), slices.Sorted(maps.Keys(violations))}
}

// cases are the programs, more with REHEARSE_STATEFUL_PROGRAMS.
func cases(t *testing.T, o toy.CompareOptions) []toy.Case {
	t.Helper()
	if s := os.Getenv("REHEARSE_STATEFUL_PROGRAMS"); s != "" {
		if _, err := fmt.Sscan(s, &o.Programs); err != nil {
			t.Fatalf("REHEARSE_STATEFUL_PROGRAMS=%s: want a number of programs for each model", s)
		}
	}
	all, _, err := toy.Cases(o)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every variant finds the final states and the violations that the dumb twin enumerates, and breadth first finds as
// many states, by as many deliveries, as depth first.
func TestAgainstTwin(t *testing.T) {
	variants := []string{"generic", "literal", "generic/literal", "", "sleep", "bfs", "big"}
	saved, total, programs, slept, awake := 0, 0, 0, 0, 0
	for _, c := range cases(t, toy.CompareOptions{Programs: 202, Limit: 250}) {
		programs++
		violations := slices.Sorted(maps.Keys(c.Want.Violations))
		counts := map[string][2]int{}
		for _, v := range variants {
			if strings.Contains(v, "sleep") && c.Conditions.Model.Queues() {
				continue
			}
			o, err := stateful.Parse(v)
			if err != nil {
				t.Fatal(err)
			}
			identities := o.Comparison == stateful.Generic || o.Comparison == stateful.LiteralGeneric
			got := executed(t, c.Program, c.Conditions, stateful.New(o), identities)
			if want := plain(c.Want.Finals, identities); !got.Complete || !slices.Equal(got.finals, want) ||
				!slices.Equal(got.violations, violations) {
				t.Fatalf("%s%s: complete %v, finals %q, violations %q; the twin has %q and %q", c, v, got.Complete, got.finals,
					got.violations, want, violations)
			}
			counts[v] = [2]int{got.States, got.Deliveries}
			if v == "" {
				saved += c.Want.Executions - got.Executions
				total += c.Want.Executions
			}
		}
		// Where timers make the history count, it depends on the path by which a state was met first.
		if !c.Program.Has(toy.After) && (counts[""] != counts["bfs"] || counts["generic"][0] < counts[""][0]) {
			t.Fatalf("%sstates and deliveries differ: %v", c, counts)
		}
		if s, ok := counts["sleep"]; ok {
			if !c.Program.Has(toy.After) && s[0] != counts[""][0] || s[1] > counts[""][1] {
				t.Fatalf("%swith sleep sets there are %v states and deliveries, without %v", c, s, counts[""])
			}
			awake += counts[""][1]
			slept += counts[""][1] - s[1]
		}
	}
	t.Logf("%d programs with %d executions, of which stateful saved %d; of its %d deliveries under bag, fifo and causal "+
		"sleep sets save %d",
		programs, total, saved, awake, slept)
	if saved < total/4 || slept < awake/50 {
		t.Errorf("only %d of %d executions and %d of %d deliveries were saved: the comparison says little", saved,
			total, slept, awake)
	}
}

// keys observes the states of an exploration that compares none.
type keys struct {
	*search.Naive
	rec    stateful.Recorder
	states map[trace.ID]bool
	finals map[trace.ID]bool
	err    error
}

func (k *keys) Open(x explore.Execution) { k.fail(k.rec.Begin(x)) }

func (k *keys) fail(err error) {
	if k.err == nil {
		k.err = err
	}
}

func (k *keys) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if enabled[0].Kind != trace.Choose {
		k.meet(k.states)
	}
	c := k.Naive.Choose(tr, enabled)
	k.fail(k.rec.Step(enabled[c.Index]))
	return c
}

func (k *keys) Close() { k.meet(k.finals) }

func (k *keys) meet(set map[trace.ID]bool) {
	st, err := k.rec.Key()
	k.fail(err)
	set[st.Key] = true
}

// The states that are met are those of the naive search, none is missed: cutting an execution in a state that was met
// before is right. (Literal is left out: which of equal states it takes for different depends on the path. With timers
// the history counts, and that of a state that was met before by another path is another one.)
func TestStatesOfNaive(t *testing.T) {
	features := toy.Full
	features.Timers = false
	for _, c := range cases(t, toy.CompareOptions{Programs: 60, Limit: 200, Seed: 5000, Features: features}) {
		for _, comparison := range []stateful.Comparison{stateful.Actors, stateful.Generic} {
			k := &keys{Naive: search.NewNaive(), states: map[trace.ID]bool{}, finals: map[trace.ID]bool{}}
			k.rec.Comparison, k.rec.Model = comparison, c.Conditions.Model
			executed(t, c.Program, c.Conditions, k, true)
			s := stateful.New(stateful.Options{Comparison: comparison})
			executed(t, c.Program, c.Conditions, s, true)
			if k.err != nil || s.States() != len(k.states)+len(k.finals) || s.Finals() != len(k.finals) {
				t.Fatalf("%s%v: %d states, %d of them final; naive meets %d and %d; %v", c, comparison, s.States(), s.Finals(),
					len(k.states), len(k.finals), k.err)
			}
		}
	}
}
