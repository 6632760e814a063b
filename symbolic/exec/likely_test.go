package exec_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// fromOutside are functions of texts, and what they give.
var fromOutside = map[string]struct {
	do    func(string) string
	gives []string
}{
	"order":   {order, []string{"no order", "no number", "much", "little"}},
	"setting": {setting, []string{"no setting", "on", "x", "no key", "other"}},
	"seats":   {seats, []string{"few", "below", "row", "other"}},
	"version": {version, []string{"nine", "beta", "1", "3"}},
}

// TestLikely: for each result of functions that take texts apart there is a path whose text leads there in the
// compiled function.
func TestLikely(t *testing.T) {
	p := loaded(t, strings.Replace(textHelpers, "package exec_test", "package p", 1))
	for name, f := range fromOutside {
		store := term.NewStore()
		solver := newSolver(t, store)
		r := exec.New(p).Explore(t.Context(), store, solver, exec.Entry{Fn: p.Packages[0].SSA.Func(name)}, exec.Config{})
		reached, wrong := map[string]bool{}, 0
		for _, path := range r.Paths {
			conds := exec.Sizes(store, path.Inputs)
			for _, c := range path.PC {
				conds = append(conds, c.Term)
			}
			m, _, _ := exec.Likely(t.Context(), store, solver, conds, path.Inputs)
			if m == nil || path.Exit != exec.Return {
				continue
			}
			text := m.Eval(store.Var("s", term.String)).Text
			got, want := f.do(text), m.Eval(path.Results[0].(*term.Term)).Text
			t.Logf("%s(%q) = %q, on the path %q", name, text, got, want)
			if reached[got] = true; got != want && want != "" { // the number of parts has no text there
				wrong++
			}
		}
		for _, want := range f.gives {
			if !reached[want] {
				t.Errorf("%s: nothing gives %q", name, want)
			}
		}
		if wrong > len(r.Paths)/3 {
			t.Errorf("%s: %d of %d instances lead elsewhere", name, wrong, len(r.Paths))
		}
	}
}
