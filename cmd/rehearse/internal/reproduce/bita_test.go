package reproduce

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/subjects"
)

// TestBita: the goals are met, and the counts are these: a change is one of the programs, the default order, or a
// strategy. The counts of half of the programs, and the goals with REHEARSE_TOY, which takes all programs.
func TestBita(t *testing.T) {
	whole := os.Getenv("REHEARSE_TOY") != ""
	var names []string
	for _, p := range subjects.Bita() {
		if !p.Large {
			names = append(names, p.Name)
		}
	}
	taken := func(i int) bool { return whole || i%2 == 0 }
	rows, err := Hunt{BugsOnly: true, Programs: some(names, taken)}.Run()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range Judge(rows) {
		if whole && !v.Met {
			t.Errorf("missed: %s:%s", v.Goal, v.Why)
		}
	}
	for _, want := range []struct{ strategy, sums string }{
		{"chain", "32 46 53 19004 20000 77 3179 40 82 1129 112"},
		{"cover", "40 97 40 100 213 68 575 40 111 40 60"},
		{"auto", "40 92 40 116 246 70 521 40 127 40 60"},
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
		if wanted := some(strings.Fields(want.sums), taken); !slices.Equal(sums, wanted) {
			t.Errorf("%s: %q, want %q", want.strategy, sums, wanted)
		}
	}
}

// some gives what is taken of a list.
func some(list []string, taken func(i int) bool) (out []string) {
	for i, s := range list {
		if taken(i) {
			out = append(out, s)
		}
	}
	return out
}

// TestBitaLarge: ours finds the bugs of programs of 1,000 actors too. That of lostsub takes 180 executions, which are
// not for every day.
func TestBitaLarge(t *testing.T) {
	want := map[string]int{"gatling(1000)": 5, "flushdeep(10,1000)": 9, "threadring(1000)": 2, "messenger(1000)": 2, "twoflags(1000)": 3}
	for _, p := range subjects.Bita() {
		if want[p.Name] == 0 {
			continue
		}
		cell := HuntCell{}
		h := Hunt{Cap: 50}
		if err := h.hunt(p, func() (explore.Strategy, error) { return strategies.New("cover", 1, 50) }, &cell); err != nil {
			t.Fatal(err)
		}
		if cell.Found != 1 || cell.Runs[0] != want[p.Name] {
			t.Errorf("%s: found %d times after %v executions, want %d", p.Name, cell.Found, cell.Runs, want[p.Name])
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
