package cases_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
)

const conditions = `package apet

type box struct{ full bool; in *box }

func even(n int) bool { return n%2 == 0 }

func conditions(a, b bool, m map[string]bool, xs []int, v any, k int, x *box, f func() bool) (n int) {
	inside := func() {
		if a {
			n++
		}
	}
	inside()
	if a || !b {
		n++
	}
	if _, ok := m["k"]; !ok && k > 3 {
		n++
	}
	for _, e := range xs {
		if even(e) {
			n++
		}
	}
	switch k {
	case 4, 5:
		n++
	}
	switch {
	case x.full, x.in.full:
		n++
	}
	switch v.(type) {
	case int, *box:
		n++
	}
	if _, ok := v.(string); ok {
		n++
	}
	for range m {
		n++
	}
	if xs[0] == 1 && m["z"] {
		return n
	}
	return 0
}
`

// TestConditionText: each branch has the condition as the source has it, also one without a place of its own, and what
// leads on says where.
func TestConditionText(t *testing.T) {
	p, err := overlay(map[string]string{"zx.go": conditions})
	c := suite(t, prepared(t, p, err), "conditions", cases.Config{Loops: 1, Elements: 1, Paths: 1}).Coverage
	places := c.Covered
	for _, l := range c.Left {
		places = append(places, l.Place)
	}
	var got []string
	for _, l := range places {
		if l.Text == "" || l.Branch != "" && l.To == "" {
			t.Errorf("%+v has no text", l)
		}
		if l.Branch == "true" {
			got = append(got, strings.TrimPrefix(l.String(), "zx.go:"))
		}
	}
	slices.Sort(got)
	got = slices.Compact(got)
	want := []string{`14: a is true`, `14: b is true`, `17: k > 3 is true`, `17: ok is true`, `20: range xs has an element`, `21: even(e) is true`,
		`26: k == 4 is true`, `26: k == 5 is true`, `30: x.full is true`, `30: x.in.full is true`, `34: case *apet.box`, `34: case int`, `37: ok is true`,
		`40: range m has an element`, `43: m["z"] is true`, `43: xs[0] == 1 is true`, `9: a is true`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLeftBehind: what only places lead to that are left out is told from these.
func TestLeftBehind(t *testing.T) {
	var got []string
	for _, l := range suite(t, more(t), "covers", cases.Config{}).Coverage.Left {
		if !l.Behind {
			got = append(got, l.String()+": "+l.Why)
		}
	}
	if text := strings.Join(got, "; "); !strings.Contains(text, "n < 5 is true: infeasible within the bounds; ") || strings.Contains(text, "return") || len(got) != 2 {
		t.Errorf("got %s", text)
	}
}
