package chance

import "testing"

// A call of C counts if it is made while the process is alone, and not before or afterwards.
func TestCallsOfC(t *testing.T) {
	var c cgo
	want := func(calls int64, called bool, when string) {
		t.Helper()
		if got := c.calls(calls); got != called {
			t.Errorf("%s: %v, want %v", when, got, called)
		}
	}
	want(3, false, "before the first exploration")
	c.begin(3)
	want(3, false, "an exploration without a call")
	c.end(3)
	want(5, false, "calls behind it")
	c.begin(5)
	want(6, true, "a call in the next one")
	c.end(6)
	want(6, true, "when that is over")
	c.begin(6)
	want(6, false, "in a third one")
}
