package sample_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/subjects"
)

// untilBug gives the number of executions until a bug is found, 0 if it is not within the budget.
func untilBug(t *testing.T, p subjects.Planted, s explore.Strategy, budget int) int {
	t.Helper()
	found := false
	out, err := explore.Run(p.Make(), s, explore.Options{
		Conditions: explore.Conditions{Model: p.Model, Copy: true}, Budget: explore.Budget{Executions: budget},
		Check: &check.Checker{},
		Found: func(explore.Found) bool { found = true; return false }})
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		return 0
	}
	return out.Executions
}

// TestBugs are the mean numbers of executions until the bug is found, within 1,000, and of how many of 20 seeds. The
// counts are ours; a change of them is one of the strategies, the programs or the default order. Half of the programs,
// with REHEARSE_TOY all. Delays find nothing that has a long way to go; priorities and weights do.
func TestBugs(t *testing.T) {
	want := map[string]string{
		//                 random     delays/100 pct/3     pos        surw       surw/all
		"gatling(1)":     "3.5[20]    4.8[20]    2.5[20]   2.7[20]    3.1[20]    2.4[20]",
		"gatling(10)":    "3.5[20]    9.6[20]    2.1[20]   4.2[20]    2.0[20]    2.5[20]",
		"flushdeep(3,8)": "333.6[16]  -          4.5[20]   11.1[20]   5.5[20]    5.8[20]",
		"checkerr(1)":    "145.4[20]  533.7[9]   23.2[20]  69.2[20]   25.2[20]   26.1[20]",
		"checkerr(3)":    "301.2[19]  -          20.5[20]  284.1[20]  268.6[20]  41.0[20]",
		"barber(6,4)":    "6.5[20]    22.9[20]   2.1[20]   1.8[20]    2.7[20]    1.8[20]",
		"procreg(5,3)":   "10.1[20]   15.0[20]   16.8[20]  22.2[20]   11.6[20]   16.2[20]",
		"threadring(20)": "-          -          21.8[20]  22.1[20]   6.4[20]    17.4[20]",
		"lostsub(6,2)":   "244.6[20]  -          3.5[20]   6.4[20]    12.4[20]   5.0[20]",
		"messenger(6)":   "4.9[20]    18.2[20]   35.3[20]  9.4[20]    3.1[20]    2.3[20]",
		"twoflags(4)":    "92.5[20]   298.5[19]  8.8[20]   8.1[20]    3.1[20]    14.4[20]",
	}
	for i, p := range subjects.Bita() {
		if p.Large || i%2 == 1 && os.Getenv("REHEARSE_TOY") == "" {
			continue
		}
		var got []string
		for _, make := range samplers {
			n, sum := 0, 0
			for seed := range uint64(20) {
				if k := untilBug(t, p, make(seed+1), 1000); k > 0 {
					n++
					sum += k
				}
			}
			cell := "-"
			if n > 0 {
				cell = fmt.Sprintf("%.1f[%d]", float64(sum)/float64(n), n)
			}
			got = append(got, cell)
		}
		if !slices.Equal(got, strings.Fields(want[p.Name])) {
			t.Errorf("%s: %s, want %s", p.Name, strings.Join(got, " "), want[p.Name])
		}
	}
}
