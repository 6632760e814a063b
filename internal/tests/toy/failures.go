package toy

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// Failure is an execution of a random program that violates something.
type Failure struct {
	Seed      uint64
	Program   *Program
	Model     trace.Model
	Run       replay.Runner
	Trace     *trace.Trace
	Violation trace.Violation
}

func (f *Failure) String() string {
	return fmt.Sprintf("seed %d under %s: %s\n%s", f.Seed, f.Model, f.Violation.Key(), f.Program)
}

// Options gives the conditions and checks under which Failures looks.
func Options(model trace.Model) explore.Options {
	return explore.Options{Conditions: explore.Conditions{Model: model}, Check: &check.Checker{}}
}

// Failures gives n failures under the model: of program after program, each distinct violation that walks random walks
// find.
func Failures(model trace.Model, n, walks int) ([]Failure, error) {
	var found []Failure
	for seed := uint64(0); len(found) < n; seed++ {
		p := Random(seed, All)
		keys := map[string]bool{}
		o := Options(model)
		o.Budget.Executions = walks
		o.Found = func(f explore.Found) bool {
			for _, v := range f.Violations {
				if key := v.Key(); !keys[key] {
					keys[key] = true
					found = append(found, Failure{seed, p, model, replay.NewRunner(NewSystem(p), Options(model)), f.Trace.Clone(), v})
				}
			}
			return true
		}
		if _, err := explore.Run(NewSystem(p), sample.NewRandom(seed), o); err != nil {
			return nil, err
		}
	}
	return found[:n], nil
}
