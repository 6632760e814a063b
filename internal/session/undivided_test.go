package session

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/strategies"
)

// A search that cannot be divided says why, before anything is executed.
func TestUndivided(t *testing.T) {
	for name, want := range map[string]string{
		"source": "", "optimal": "", "reverse": "", "naive": "", "reverse/2": "",
		"random": "depends on all that it has executed", "reverse/iterative": "takes level after level",
	} {
		s, err := strategies.New(name, 1, 100)
		if err != nil {
			t.Fatal(err)
		}
		if got := undivided(s); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
