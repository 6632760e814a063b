package render

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 steps", 1: "1 step", -1: "-1 steps", 999: "999 steps", -999: "-999 steps",
		1000: "1,000 steps", -1000: "-1,000 steps", 1234567: "1,234,567 steps",
	} {
		if got := Count(n, "step", "steps"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
