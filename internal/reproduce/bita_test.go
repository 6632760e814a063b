package reproduce

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestBita: the goals are met, and the counts are these: a change is one of the programs, the default order, or a strategy.
func TestBita(t *testing.T) {
	rows, err := Hunt{BugsOnly: true}.Run()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range Judge(rows) {
		if !v.Met {
			t.Errorf("missed: %s:%s", v.Goal, v.Why)
		}
	}
	for _, want := range []struct{ strategy, sums string }{
		{"chain", "32 46 53 19004 20000 77 3179 40 82 1129 112"},
		{"cover", "40 77 40 84 196 40 565 40 82 40 60"},
		{"auto", "40 92 40 102 251 40 521 40 97 40 60"},
		{"random", "69 70 9338 2909 6723 131 202 20000 4891 98 1849"},
		{"pct/3", "51 42 91 464 410 43 336 436 71 706 175"},
		{"pos", "54 83 222 1384 5681 36 445 441 128 189 162"},
		{"surw", "63 40 110 505 5373 54 232 128 249 62 63"},
		{"delays/100", "95 191 20000 15803 20000 459 300 20000 20000 364 6671"},
	} {
		var sums []string
		for i := range rows {
			total := 0
			for _, n := range rows[i].cell(want.strategy).Runs {
				total += n
			}
			sums = append(sums, fmt.Sprint(total))
		}
		if got := strings.Join(sums, " "); got != want.sums {
			t.Errorf("%s: %q, want %q", want.strategy, got, want.sums)
		}
	}
}

func TestStudent(t *testing.T) {
	for df, want := range map[int]float64{4: 2.776, 9: 2.262, 19: 2.093, 99: 1.984} {
		if got := student(df); math.Abs(got-want) > 0.01*want {
			t.Errorf("%d degrees of freedom: %.3f, want %.3f", df, got, want)
		}
	}
}

func TestHuntOfAnUnknownProgram(t *testing.T) {
	_, err := Hunt{Programs: []string{"gatlin"}}.Run()
	if err == nil || !strings.Contains(err.Error(), `unknown program "gatlin": want one of gatling(1)`) {
		t.Errorf("%v", err)
	}
}
