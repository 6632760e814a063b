package source

import (
	"flag"
	"fmt"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// solverFlag says who decides conditions.
type solverFlag string

// auto is the name of solve.Auto on the command line.
const auto = "auto"

func (f *solverFlag) add(fs *flag.FlagSet) {
	fs.StringVar((*string)(f), "solver", string(solve.Embedded),
		"which `solver` decides conditions: embedded, auto, z3 or cvc5; auto asks z3 or cvc5 on the PATH what the embedded "+
			"solver leaves open")
}

func (f solverFlag) check() error {
	switch f {
	case auto, solverFlag(solve.Embedded), solverFlag(solve.Z3), solverFlag(solve.CVC5):
		return nil
	}
	return fmt.Errorf("-solver %s: want embedded, auto, z3 or cvc5", f)
}

// make gives the solver. It fails if it is one that is not on the PATH.
func (f solverFlag) make(store *term.Store) (solve.Solver, error) {
	engine := solve.Engine(f)
	if f == auto {
		engine = solve.Auto
	}
	return solve.New(store, solve.Config{Engine: engine})
}
