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
		"random": "", "pos": "", "delays": "", "pct/first": "", "surw/first": "", "surw/all/first": "",
		"delay/2/random/first": "",
		"auto":                 "depends on all that it has executed", "reverse/iterative": "takes level after level",
		"default": "it makes one execution", "pct/4": "; pct/4/first learns", "surw": "; surw/first learns",
		"delay/2/random": "; delay/2/random/first learns", "delay/2": "depends on all",
		"cover": "; cover/shared begins anew", "cover/literal": "; cover/shared begins",
		"cover/shared": "", "stateful": "depends on all",
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
