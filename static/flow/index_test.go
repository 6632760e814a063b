package flow_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// TestIndexed: the functions of a class are the same as if all were gone through.
func TestIndexed(t *testing.T) {
	p, err := load.Load("../../examples", "./barber")
	if err != nil {
		t.Fatal(err)
	}
	for _, precision := range []string{flow.Instances, flow.Baseline} {
		same, classes, err := flow.Indexed(p, flow.Config{Precision: precision})
		if err != nil || !same || classes < 3 {
			t.Errorf("%s: same %v, %d classes with functions, want at least 3; error %v", precision, same, classes, err)
		}
	}
}
