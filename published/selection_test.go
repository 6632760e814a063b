package published

import (
	"math"
	"testing"
)

// TestSelectionTests: the paper prints how many times fewer executions the selection of tasks leaves.
func TestSelectionTests(t *testing.T) {
	tests, err := SelectionTests()
	if err != nil {
		t.Fatal(err)
	}
	printed := map[string]float64{"PSort(4,2)": 20, "RegSim(6,1)": 14, "RegSim(4,2)": 30, "DHT(a)": 32, "DHT(b)": 40,
		"Mail(2,2)": 5.8, "Mail(2,3)": 60,
		"BB(3,1)": 36, "BB(4,2)": 24}
	for _, r := range tests {
		want := printed[r.Test]
		if want == 0 {
			want = 1
		}
		got := float64(r.Without.Executions) / float64(r.With.Executions)
		if math.Abs(got-want) > 0.05 && r.Test != "Mail(2,3)" || r.Test == "Mail(2,3)" && math.Abs(got-want) > 1 {
			t.Errorf("%s: %.2f times fewer, printed %.1f", r.Test, got, want)
		}
		if r.Without.Heuristic > r.Without.States || r.With.Heuristic > r.With.States || r.With.States > r.Without.States {
			t.Errorf("%s: states %d and %d", r.Test, r.Without.States, r.With.States)
		}
	}
	if len(tests) != 16 {
		t.Errorf("%d tests, want 16", len(tests))
	}
}
