package exec_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// many has 1,024 paths behind its first condition, and one beside.
const many = `package p

func F(n uint) int {
	if n < 1000 {
		sum := 0
		for i := 0; i < 10; i++ {
			if n>>i&1 == 1 {
				sum += i
			}
		}
		return sum
	}
	return -1
}
`

// TestWork: where the work is bounded, a path that leaves the others early is found though thousands come before it,
// and the result says that some are missing.
func TestWork(t *testing.T) {
	p := loaded(t, many)
	paths := func(c exec.Config) (n int, early bool, cuts map[string]int) {
		store := term.NewStore()
		r := exec.New(p).Explore(t.Context(), store, newSolver(t, store), exec.Entry{Fn: p.Packages[0].SSA.Func("F")}, c)
		return len(r.Paths), slices.ContainsFunc(r.Paths, func(p *exec.Path) bool { return p.Exit == exec.Return && len(p.Decisions) == 1 }), r.Cuts
	}
	if n, early, cuts := paths(exec.Config{}); n != 1001 || !early || len(cuts) > 0 {
		t.Errorf("without a bound: %d paths, early %v, cuts %v; want 1001, the early one, and no cuts", n, early, cuts)
	}
	n, early, cuts := paths(exec.Config{Work: 10_000})
	if cut := "the work of all paths is more than 10000"; n > 200 || !early || len(cuts) != 1 || cuts[cut] == 0 {
		t.Errorf("with a bound: %d paths, early %v, cuts %v; want less than 200, the early one, and %q", n, early, cuts, cut)
	}
	if _, early, _ := paths(exec.Config{Paths: 200}); early {
		t.Error("the early path comes first anyway: this test shows nothing")
	}
}
