package shows

import (
	"testing"

	"github.com/rehearse-go/rehearse"
)

// Count explores sys completely under each model and compares the number of executions, which is that of all orders
// there are.
func Count(t *testing.T, sys rehearse.System, want map[rehearse.Model]int) {
	t.Helper()
	for model, executions := range want {
		count(t, sys, "naive", model, executions)
	}
}

// Classes does the same with the strategies that execute one of each class of equivalent executions.
func Classes(t *testing.T, sys rehearse.System, want map[rehearse.Model]int) {
	t.Helper()
	for model, classes := range want {
		for _, strategy := range []string{"optimal", "reverse"} {
			count(t, sys, strategy, model, classes)
		}
	}
}

func count(t *testing.T, sys rehearse.System, strategy string, model rehearse.Model, executions int) {
	t.Helper()
	result, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Model: model, Budget: "unlimited", Checks: bookkeeping}, sys)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		t.Errorf("%s under %v: %s", strategy, model, f.Violation.Text)
	}
	if !result.Complete || result.Executions != executions {
		t.Errorf("%s under %v: complete %v with %d executions, want %d", strategy, model, result.Complete, result.Executions, executions)
	}
}

// bookkeeping is for programs whose actors write into memory that they share, and that only the test reads.
var bookkeeping = rehearse.Levels{rehearse.Isolation: rehearse.Off}
