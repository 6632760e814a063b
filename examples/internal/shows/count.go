package shows

import (
	"testing"

	"github.com/rehearse-go/rehearse"
)

// Count explores sys completely under each model and compares the number of executions, which is that of all orders there are.
func Count(t *testing.T, sys rehearse.System, want map[rehearse.Model]int) {
	t.Helper()
	for model, executions := range want {
		result, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Model: model, Budget: "unlimited"}, sys)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range result.Findings {
			t.Errorf("%v: %s", model, f.Violation.Text)
		}
		if !result.Complete || result.Executions != executions {
			t.Errorf("%v: complete %v with %d executions, want %d", model, result.Complete, result.Executions, executions)
		}
	}
}
