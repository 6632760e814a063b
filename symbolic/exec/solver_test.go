package exec_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// newSolver gives the embedded solver, which is the same on every machine. Random functions multiply and divide a lot:
// it gives up early, which leaves paths that no input takes.
func newSolver(t *testing.T, s *term.Store) solve.Solver {
	t.Helper()
	solver, err := solve.New(s, solve.Config{Engine: solve.Embedded, Steps: 10})
	if err != nil {
		t.Fatal(err)
	}
	return solver
}
