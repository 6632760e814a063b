package reproduce

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/published"
)

// TestSelect: all cells of table 1 of [ASTS] that take a second or two are as published, but those that are recorded to
// differ; no actor is tried after another one; optimal with the same facts does as well; and figures 4 and 7 come out.
func TestSelect(t *testing.T) {
	tests, err := published.SelectionTests()
	if err != nil {
		t.Fatal(err)
	}
	var c Select
	for _, r := range tests {
		if !strings.HasPrefix(r.Test, "BB") {
			c.Tests = append(c.Tests, r.Test)
		}
	}
	rows, figs, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		for _, b := range rows[i].Broken() {
			t.Errorf("%s: %s", rows[i].Test, b)
		}
	}
	for _, f := range figs {
		want := f.Published
		if f.Why != "" {
			want = 13
		}
		if f.Ours != want || f.Broken() {
			t.Errorf("%s: %d executions, want %d; published %d", f.What, f.Ours, want, f.Published)
		}
	}
	var b strings.Builder
	if err := SelectText(&b, rows, figs, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"QSort(6)     =32 / 142!146 / 51!55", "PSort(4,2)   =5760 / =25829 / =2880", "=288 / =1304 / =144", "Mail(2,2)    -",
		"62 of 84 cells are as published.", "no more than the paper's best column in 11 of the 11 tests",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

// TestSelectUnknown: a test that is not in the table is an error that says which are.
func TestSelectUnknown(t *testing.T) {
	_, _, err := Select{Tests: []string{"Fib(6)"}}.Run()
	if err == nil || !strings.Contains(err.Error(), "Fib(5)") {
		t.Errorf("error %v, want one that names the tests", err)
	}
}
