package cli

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/profile"
)

// A label stands next to the order that it is about: impossible next to the one that cannot be, one way next to the one
// that was seen.
func TestPairText(t *testing.T) {
	for _, c := range []struct {
		pair profile.Pair
		want string
	}{
		{profile.Pair{First: "Open", Second: "Close", Standing: profile.OneWay}, "Open before Close"},
		{profile.Pair{First: "Open", Second: "Close", Standing: profile.Impossible}, "Close before Open"},
		{profile.Pair{First: "Open", Second: "Close", Standing: profile.Both, Changes: true},
			"Open, Close  (handlers change)"},
		{profile.Pair{First: "Open", Second: "Close", Standing: profile.Never}, "Open, Close"},
		{profile.Pair{First: "Open", Second: "Open", Standing: profile.Both}, "two Open"},
		{profile.Pair{First: "Open", Second: "Open", Standing: profile.OneWay}, "two Open, in one order"},
		{profile.Pair{First: "Open", Second: "Open", Standing: profile.Impossible}, "two Open the other way round"},
	} {
		if got := pairText(&c.pair); got != c.want {
			t.Errorf("%+v: %q, want %q", c.pair, got, c.want)
		}
	}
}
