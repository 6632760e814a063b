package chance

import (
	"strings"
	"testing"
)

// The setting is read as the manual says, and what it is not is refused with what to do.
func TestParseLimits(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Limits
		name string
	}{
		{"", Limits{4, 2}, "4/2"}, {"off", Limits{-1, 0}, "off"}, {"sample", Limits{0, -1}, "sample"},
		{"6", Limits{6, 2}, "6/2"}, {"20/3", Limits{20, 3}, "20/3"}, {"1/0", Limits{1, 0}, "1/0"},
	} {
		got, err := ParseLimits(tt.text)
		if err != nil || got != tt.want || got.String() != tt.name || got.Explores() != (tt.want.Draws > 0) {
			t.Errorf("%q: %+v (%s), %v", tt.text, got, got, err)
		}
		if again, err := ParseLimits(got.String()); err != nil || again != got {
			t.Errorf("%s: %+v, %v", got, again, err)
		}
	}
	for _, bad := range []string{"0", "-1", "on", "4/", "/2", "4/-1", "4/2/1", "1000000", "4 ", "4/x"} {
		if _, err := ParseLimits(bad); err == nil || !strings.Contains(err.Error(), "want off, sample, or how many") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
