package explore

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

type till struct{ sum int }

func (t *till) pay(guests int) { t.sum /= guests }

func (t *till) refuse(int) { panic("closed") }

func outer(f func(int)) (in trace.Incident) {
	defer func() { in = PanicIncident(recover()) }()
	f(0)
	return
}

// A panic of the program and one of the runtime are told by where they were, without the frames above: those of the
// runtime and of what recovers.
func TestPanicIncident(t *testing.T) {
	var nothing *till
	for name, c := range map[string]struct {
		f               func(int)
		text, first, at string
	}{
		"panic":  {new(till).refuse, "closed", "(*till).refuse(...)", "panic_test.go:14"},
		"divide": {new(till).pay, "runtime error: integer divide by zero", "(*till).pay(...)", "panic_test.go:12"},
		"nil": {nothing.pay, "runtime error: invalid memory address or nil pointer dereference", "(*till).pay(...)",
			"panic_test.go:12"},
	} {
		in := outer(c.f)
		lines := strings.Split(in.Stack, "\n")
		if in.Kind != trace.Panic || in.Text != c.text || in.Where != c.at || !strings.HasSuffix(in.Site+"(...)", c.first) {
			t.Errorf("%s: %+v", name, in)
		}
		if !strings.HasSuffix(lines[0], c.first) || !strings.HasSuffix(lines[1], "/explore/"+c.at) ||
			!strings.Contains(in.Stack, "explore.outer(...)") || strings.Contains(in.Stack, "runtime.") {
			t.Errorf("%s:\n%s", name, in.Stack)
		}
	}
}

// A deep stack says that it goes on.
func TestPanicIncidentDeep(t *testing.T) {
	var deep func(int)
	deep = func(n int) {
		if n == 200 {
			panic("deep")
		}
		deep(n + 1)
	}
	if in := outer(deep); !strings.HasSuffix(in.Stack, "... and what called that\n") ||
		strings.Count(in.Stack, "(...)\n") < 50 {
		t.Errorf("%s", in.Stack)
	}
}
