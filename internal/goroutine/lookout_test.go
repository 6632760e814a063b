package goroutine_test

import (
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// Alarms that are never explained cost 22 recordings in all, spread over more than a thousand executions. A program
// that starts its goroutine late is found in the execution after a later alarm.
func TestAlarmsThatAreNotExplained(t *testing.T) {
	explore := func(l *goroutine.Lookout, executions int, begins func(i int) bool) (recorded []int) {
		for i := range executions {
			before := l.Wants()
			l.Begin()
			if before {
				recorded = append(recorded, i)
			}
			program(begins(i))
			l.Alarm()
			l.End()
		}
		return recorded
	}
	never := func(int) bool { return false }
	l := goroutine.Lookout{Program: "goroutine_test.program"}
	recorded := explore(&l, 2000, never)
	if n := len(recorded); n != 22 || recorded[0] != 1 || recorded[7] != 8 || recorded[n-1] < 1000 {
		t.Errorf("executions %d were recorded", recorded)
	}
	if l.Places() != "" {
		t.Errorf("found %s", l.Places())
	}
	l = goroutine.Lookout{Program: "goroutine_test.program"}
	recorded = explore(&l, 2000, func(i int) bool { return i > 500 })
	if l.Places() == "" || recorded[len(recorded)-1] > 1000 {
		t.Errorf("executions %d were recorded, found %q", recorded, l.Places())
	}
}

// program is an execution. The go statement is not in this package, which is ours.
func program(starts bool) {
	if starts {
		var wg sync.WaitGroup
		wg.Go(func() {})
		wg.Wait()
	}
}
