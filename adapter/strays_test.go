package adapter

import "testing"

// Where looking costs, short executions are looked at closely from end to end, at first; a long one at no more steps
// than a small share of it.
func TestLooksCloselyWhereItCosts(t *testing.T) {
	for _, c := range []struct {
		execution, steps, want int
	}{
		{0, 200, 200}, {127, 256, 256},
		{0, 10_048, 256 + (10_048-256)/64},
		{128, 300, 0}, {255, 300, 0}, {256, 250, 250}, {512, 1024, 268},
	} {
		n := 0
		for step := range c.steps {
			if isSampled(c.execution, step) {
				n++
			}
		}
		if n != c.want {
			t.Errorf("execution %d of %d steps: looks closely at %d, want %d", c.execution, c.steps, n, c.want)
		}
	}
}
