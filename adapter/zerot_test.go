package adapter

import (
	"testing"
	"testing/synctest"
	"time"
)

// Execute gives synctest.Test a zero testing.T, which nobody documents. What it relies on: the bubble runs, with a
// clock of its own; a failure in it fails neither the test outside nor the process; a panic and a bubble that is
// blocked for ever come out as panics that can be recovered.
func TestZeroT(t *testing.T) {
	for name, c := range map[string]struct {
		run    func(*testing.T)
		failed bool
		panics bool
	}{
		"nothing": {run: func(*testing.T) {}},
		"clock": {run: func(inner *testing.T) {
			before := time.Now()
			time.Sleep(time.Hour)
			if before.Year() != 2000 || time.Since(before) != time.Hour {
				inner.Fail()
			}
		}},
		"fail": {run: func(inner *testing.T) { inner.Fail() }, failed: true},
		"stuck": {run: func(*testing.T) {
			go func() { select {} }()
		}, panics: true},
	} {
		t.Run(name, func(t *testing.T) {
			var zero testing.T
			done := make(chan any)
			go func() {
				var reason any
				defer func() {
					if p := recover(); p != nil {
						reason = p
					}
					done <- reason
				}()
				synctest.Test(&zero, c.run)
			}()
			if reason := <-done; (reason != nil) != c.panics {
				t.Errorf("the panic is %v", reason)
			}
			if t.Failed() {
				t.Error("the failure inside reached the test outside")
			}
			if zero.Failed() != c.failed && !c.panics {
				t.Errorf("the zero T failed: %v, want %v", zero.Failed(), c.failed)
			}
		})
	}
}
