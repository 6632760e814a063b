package session

import (
	"strings"
	"testing"
)

// A finding has the execution that passes: it is drawn with the same marks, the other way round, and with the states of
// actors, which end as they do not where it fails.
func TestFlippedPicture(t *testing.T) {
	s := prepared(t, "naive", bank())
	if _, err := s.Explore(); err != nil || len(s.Raws) == 0 {
		t.Fatal(s.Raws, err)
	}
	f, err := s.Investigate(s.Raws[0], 1)
	if err != nil || f.Flipped == nil {
		t.Fatalf("%v, %v", f, err)
	}
	row := func(mark string) int {
		for i := range f.Flipped.Rows {
			if strings.Contains(f.Flipped.Rows[i].Marks, mark) {
				return i
			}
		}
		return -1
	}
	if a, b := row("A"), row("B"); b < 0 || a >= 0 && a < b {
		t.Errorf("A is in row %d, B in row %d: %+v", a, b, f.Flipped.Rows)
	}
	states := 0
	for i := range f.Flipped.Rows {
		if r := &f.Flipped.Rows[i]; len(r.Wrong) > 0 {
			t.Errorf("something is wrong in %+v", r)
		} else {
			states += len(r.States)
		}
	}
	if !f.Flipped.Looked || states == 0 || len(f.Flipped.End) > 0 {
		t.Errorf("%+v", f.Flipped)
	}
	if !f.Picture.Looked || f.Picture.Decides != f.Culprit || f.Culprit == "" {
		t.Errorf("the picture says %q, the finding %q", f.Picture.Decides, f.Culprit)
	}
}

// Orders are counted where that is asked for, and nothing is written then.
func TestOrdersSeen(t *testing.T) {
	for _, count := range []bool{false, true} {
		s := prepared(t, "naive", bank())
		s.CountOrders = count
		s.orders = coverageFor("", count)
		if _, err := s.Explore(); err != nil {
			t.Fatal(err)
		}
		if seen := s.OrdersSeen(); (len(seen) > 0) != count {
			t.Errorf("counted %v: %v", count, seen)
		}
		if err := s.WriteCoverage(); err != nil {
			t.Error(err)
		}
	}
}
