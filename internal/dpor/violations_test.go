package dpor

import (
	"maps"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/reverse"
	naive "github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// The reductions report the violations that naive reports, which ends executions at their first one: no consequence of
// another one is reported, and nothing is hidden by an independent one that came earlier in the execution at hand. Each
// comes with an execution that it ends.
func TestViolationsAreThoseOfNaive(t *testing.T) {
	features := toy.Features{Constraints: true, Spawn: true, Calls: true, Fails: true, Senders: true}
	programs, several, enough := 0, 0, toy.Scale(t, 1500)
	for seed := uint64(0); programs < enough; seed++ {
		p := toy.Random(seed, features)
		for _, model := range toy.Models {
			want, n := violations(t, p, model, naive.NewNaive(), 2000)
			if n == 2000 {
				continue
			}
			programs++
			if len(want) > 1 {
				several++
			}
			for _, s := range []explore.Strategy{NewSource(nil), NewOptimal(nil), reverse.New()} {
				if got, _ := violations(t, p, model, s, 0); !slices.Equal(got, want) {
					t.Fatalf("seed %d under %s: %s reports %q, naive %q\n%s", seed, model, s.Name(), got, want, p)
				}
			}
		}
	}
	if several < enough/50 {
		t.Errorf("only %d of %d programs have several violations: the comparison says little", several, programs)
	}
}

// violations gives the distinct ones, and how many executions it took.
func violations(t *testing.T, p *toy.Program, model trace.Model, s explore.Strategy, limit int) ([]string, int) {
	t.Helper()
	keys := map[string]bool{}
	o := toy.Options(model)
	o.Budget.Executions = limit
	o.Found = func(f explore.Found) bool {
		for _, v := range f.Violations {
			keys[v.Key()] = true
			if v.Event < len(f.Trace.Events)-1 {
				t.Errorf("%s: the execution goes on after its violation", s.Name())
			}
		}
		return true
	}
	out, err := explore.Run(toy.NewSystem(p), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(keys)), out.Executions
}
