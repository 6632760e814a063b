package summary_test

import (
	"context"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
)

// TestKept: a handler is executed once for its bounds. What ended because its time was over is none of what is kept.
func TestKept(t *testing.T) {
	p, err := summary.Load(load.Config{Dir: "../../subjects/apet", Patterns: []string{"."}, NoTests: true})
	if err != nil {
		t.Fatal(err)
	}
	store, solver := embedded(t)
	q := summary.New(p, store, solver)
	h := q.Handlers(t.Context())[0]
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if cut := q.Of(over, h, exec.Config{}); cut.Complete() {
		t.Error("complete without any time")
	}
	whole := q.Of(t.Context(), h, exec.Config{})
	if !whole.Complete() {
		t.Errorf("what was cut is kept: %v", whole.Cuts)
	}
	if q.Of(t.Context(), h, exec.Config{}) != whole {
		t.Error("a handler is executed again")
	}
	if q.Of(t.Context(), h, exec.Config{Loops: 1}) == whole {
		t.Error("other bounds give the same summary")
	}
}
