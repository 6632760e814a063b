package published

import (
	"math"
	"testing"
)

// TestBitaBugs: what the rows add up to is what the paper prints below its table: seconds of twelve bugs and ten runs,
// with an hour for a run that misses, and how many bugs a scheduler finds at all. Printed are rounded means, and an
// hour is exceeded at times.
func TestBitaBugs(t *testing.T) {
	bugs, err := BitaBugs()
	if err != nil {
		t.Fatal(err)
	}
	seconds, found, known := map[string]int{}, map[string]int{}, map[string]int{}
	for _, b := range bugs {
		seconds[b.Scheduler] += 10 * b.Seconds.Value
		if b.Found {
			found[b.Scheduler]++
		}
		if b.Known {
			known[b.Scheduler]++
		}
		if b.Found == (b.Seconds.Value == 3600) {
			t.Errorf("%s %s: found is %v after %d s", b.Bug, b.Scheduler, b.Found, b.Seconds.Value)
		}
		if (b.Criteria != "") != (b.Scheduler == "bita") {
			t.Errorf("%s %s: criteria %q", b.Bug, b.Scheduler, b.Criteria)
		}
	}
	for scheduler, want := range map[string]struct{ seconds, found int }{
		"bita": {10_939, 12}, "random100": {371_543, 2}, "random200": {339_622, 3}, "random300": {335_903, 3},
		"default": {419_020, 1},
	} {
		if got := seconds[scheduler]; math.Abs(float64(got-want.seconds)) > 0.04*float64(want.seconds) {
			t.Errorf("%s takes %d s in all, want about %d", scheduler, got, want.seconds)
		}
		if found[scheduler] != want.found || known[scheduler] != 4 {
			t.Errorf("%s finds %d bugs, want %d; %d are known, want 4", scheduler, found[scheduler],
				want.found, known[scheduler])
		}
	}
	if len(bugs) != 12*5 {
		t.Errorf("%d rows, want 60", len(bugs))
	}
}

// TestBitaCoverages: the improvements are those that the paper prints beside the pairs.
func TestBitaCoverages(t *testing.T) {
	rows, err := BitaCoverages()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"Ga PR": 9.7, "Geo PR": 1.3, "SC PR": 3.2, "FR2 PR": 2.1, "Ga PCR": 9.2, "Geo PCR": 1.2,
		"SC PCR": 1.6, "FR2 PCR": 1.6,
		"Ga PMR": 27}
	for _, r := range rows {
		key := r.Program + " " + r.Criterion
		if got := float64(r.Bita) / float64(r.Random); math.Abs(got-want[key]) > 0.051 {
			t.Errorf("%s: %.2f times as many pairs, want %.1f", key, got, want[key])
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("not there, or twice: %v", want)
	}
}
