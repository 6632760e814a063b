package published

import (
	"testing"
)

// TestRows: each table has as many rows and cells as in print, and its columns add up to what the printed ones add up
// to, so that a slip in a file shows.
func TestRows(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	count, cells, sums := map[string]int{}, map[string]int{}, map[string]int{}
	for _, r := range rows {
		count[r.Table]++
		for _, c := range r.Cells {
			if c.Status != Resource {
				cells[r.Table]++
				sums[r.Table+" "+c.Column] += c.Value
			}
		}
	}
	for table, want := range map[string][2]int{"3.1": {45, 135}, "3.2": {45, 135}, "3.3": {20, 60}, "4.1": {128, 128},
		"4.2": {128, 256}} {
		if got := [2]int{count[table], cells[table]}; got != want {
			t.Errorf("table %s has %v rows and cells that count, want %v", table, got, want)
		}
	}
	for column, want := range map[string]int{
		"3.1 states": 914305, "3.1 deliveries": 960955, "3.1 executions": 269874,
		"3.2 states": 472834, "3.2 deliveries": 642264, "3.2 executions": 83250,
		"3.3 states": 3671, "3.3 depth": 155, "3.3 deliveries": 7521,
		"4.1 paths": 327405, "4.2 paths": 209858, "4.2 transitions": 1295403,
	} {
		if sums[column] != want {
			t.Errorf("%s add up to %d, want %d", column, sums[column], want)
		}
	}
}

// TestKeysAreUnique: no exploration is in a table twice.
func TestKeysAreUnique(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rows {
		key := r.Table + " " + r.Subject + " " + r.Run()
		if seen[key] {
			t.Errorf("%s is there twice", key)
		}
		seen[key] = true
	}
}

// TestPersistentAgrees: table 4.2 repeats the paths that table 4.1 has for persistent sets.
func TestPersistentAgrees(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]int{}
	for _, r := range rows {
		if r.Table == "4.1" {
			paths[r.Subject+" "+r.Run()] = r.Cells[0].Value
		}
	}
	for _, r := range rows {
		if r.Table != "4.2" || r.Reduction != "persistent" {
			continue
		}
		if want := paths[r.Subject+" "+r.Run()]; r.Cells[0].Column != "paths" || r.Cells[0].Value != want {
			t.Errorf("%s %s: %d %s in table 4.2, %d in 4.1", r.Subject, r.Run(), r.Cells[0].Value, r.Cells[0].Column, want)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "", true}, {"*", "x y", true}, {"3.1", "3.1", true}, {"3.1", "3.10", false},
		{"dcute*", "dcute/LCA scala", true},
		{"dcute*", "none scala", false}, {"* scala", "dcute/LCA scala", true}, {"a*c*e", "abcde", true},
		{"a*c*e", "abcd", false}, {"", "", true},
	} {
		if got := glob(c.pattern, c.text); got != c.want {
			t.Errorf("glob(%q, %q) = %v", c.pattern, c.text, got)
		}
	}
}
