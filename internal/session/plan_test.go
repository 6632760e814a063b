package session

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/trace"
)

// The executions that are executed twice: powers of two, the rest evenly, each once.
func TestAgain(t *testing.T) {
	for _, c := range []struct{ recheck, budget, executions, least, most int }{
		{32, 1000, 1000, 28, 40}, {32, 100, 100, 25, 40}, {32, 10, 10, 10, 10}, {32, 100_000, 100_000, 28, 40},
		{1, 1000, 1000, 10, 12}, {-1, 1000, 1000, 0, 0}, {32, 0, 10_000, 20, 30},
	} {
		p := &Plan{Recheck: c.recheck, Budget: explore.Budget{Executions: c.budget}}
		again, n := p.again(), 0
		for i := 1; again != nil && i <= c.executions; i++ {
			if again(i) {
				n++
			} else if i&(i-1) == 0 {
				t.Errorf("execution %d is left out", i)
			}
		}
		if n < c.least || n > c.most {
			t.Errorf("%+v: %d executed twice", c, n)
		}
	}
	if p := (&Plan{Recheck: 32,
		Judge: check.Checker{Levels: check.Levels{trace.Divergence: check.Off}}}); p.again() != nil {
		t.Error("the check is off")
	}
}
