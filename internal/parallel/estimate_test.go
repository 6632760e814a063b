package parallel

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

func newNaive() explore.Divisible   { return search.NewNaive() }
func newReverse() explore.Divisible { return reverse.New() }

// bar counts how often the truth is inside.
type bar struct {
	cases, inside, none int
	err, width          float64
}

func (b *bar) add(e explore.Estimate, n int) (inside bool) {
	if !e.Known() {
		b.none++
		return true
	}
	b.cases++
	b.err += math.Abs(math.Log(e.Total / float64(n)))
	b.width += math.Log(e.High / e.Low)
	if inside = e.Low <= float64(n) && float64(n) <= e.High; inside {
		b.inside++
	}
	return inside
}

func (b *bar) String() string {
	c := float64(max(b.cases, 1))
	return fmt.Sprintf("inside in %d of %d cases (%.0f%%), none in %d, mean error %.2f, width %.2f", b.inside, b.cases,
		100*float64(b.inside)/c, b.none, b.err/c, b.width/c)
}

// bars are those of all cases, by what they have in common.
type bars map[string]*bar

func (bs bars) add(t *testing.T, name string, e explore.Estimate, n, percent int, k *turns) {
	how := fmt.Sprintf("%s, %d workers, leases of %d, tasks %v", name, len(k.executors), k.each, k.tasks)
	for _, word := range []string{"all", fmt.Sprintf("at %2d%%", percent), fmt.Sprintf("%d workers", len(k.executors)),
		fmt.Sprintf("tasks %v", k.tasks)} {
		if bs[word] == nil {
			bs[word] = &bar{}
		}
		if !bs[word].add(e, n) && word == "all" && testing.Verbose() {
			t.Logf("%s at %d%% of %d: %.0f (%.0f to %.0f)", how, percent, n, e.Total, e.Low, e.High)
		}
	}
}

// measure divides a search of n executions in several ways, and looks at the estimates on the way.
func (bs bars) measure(t *testing.T, name string, sys explore.System, create func() explore.Divisible, n int) {
	for _, workers := range []int{2, 4} {
		for _, tasks := range []bool{false, true} {
			k := newTurns(sys, create, workers, max(3, n/(20*workers)), tasks)
			percents := []int{5, 10, 25, 50, 75}
			var estimate Estimator
			c := Config{Strategy: create(), Watch: func(_, _ int, e Estimator) { estimate = e }}
			c.Stop = func(sum *explore.Counters) bool {
				for done := sum.Executions + sum.Blocked; len(percents) > 0 && done*100 >= n*percents[0]; percents = percents[1:] {
					if e, why := estimate(); why != "" {
						t.Fatalf("%s: no estimate: %s", name, why)
					} else if done < n {
						bs.add(t, name, e, n, percents[0], k)
					}
				}
				return false
			}
			out, err := Run(c, k)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all := explore.Estimate{Total: float64(n), Low: float64(n), High: float64(n)}
			if out.Sum.Executions+out.Sum.Blocked != n || out.Estimate != all {
				t.Errorf("%s: %d executions, want %d; the estimate is %v", name, out.Sum.Executions, n, out.Estimate)
			}
			// What the coordinator counts must not hide that the outlines do not add up.
			if e := k.tally.survey.Total(); e.Total != float64(n) {
				t.Errorf("%s: the outlines have %v executions, want %d", name, e.Total, n)
			}
		}
	}
}

// check holds the bars to nine of ten.
func (bs bars) check(t *testing.T, name string) {
	t.Helper()
	for _, word := range slices.Sorted(maps.Keys(bs)) {
		t.Logf("%s, %s: %v", name, word, bs[word])
	}
	if all := bs["all"]; all.inside*10 < all.cases*9 || all.none*20 > all.cases {
		t.Errorf("%s: %v, want nine of ten", name, all)
	}
}

// TestEstimatesOfSubjects: of divided searches whose totals are known, the truth is inside in nine of ten cases.
func TestEstimatesOfSubjects(t *testing.T) {
	long := os.Getenv("REHEARSE_TOY") != ""
	naive, reversed := bars{}, bars{}
	for _, tt := range []struct {
		name string
		sys  explore.System
		n    int
	}{
		{"leader(3)", subjects.Leader(3), 374}, {"spinsort(4)", subjects.Spinsort(4), 1152},
		{"shortpath 3", subjects.ShortpathTriangle(), 620}, {"shortpath D", subjects.ShortpathDetour(), 3614},
		{"quicksort", subjects.QuicksortOf(3, 0, 1, 2), 11088}, {"mergesort(4)", subjects.Mergesort(4), 33264},
		{"pi(4)", subjects.Pi(4), 60480},
	} {
		if long || tt.n < 4000 {
			naive.measure(t, "naive "+tt.name, tt.sys, newNaive, tt.n)
		}
	}
	for _, tt := range []struct {
		name string
		sys  explore.System
		n    int
	}{
		{"chameneos(2)", subjects.Chameneos(2), 216}, {"pipesort(4)", subjects.Pipesort(4), 288},
		{"shortpath B", subjects.ShortpathB(), 296}, {"pi(6)", subjects.Pi(6), 720},
		{"chameneos(3)", subjects.Chameneos(3), 1296}, {"fib(7)", subjects.Fib(7), 4096}, {"pi(7)", subjects.Pi(7), 5040},
		{"pi(8)", subjects.Pi(8), 40320},
	} {
		if long || tt.n < 1000 {
			reversed.measure(t, "reverse "+tt.name, tt.sys, newReverse, tt.n)
		}
	}
	naive.check(t, "naive")
	reversed.check(t, "reverse")
}

// TestEstimatesOfRandomPrograms is the same of programs that nobody looked at when the constants were chosen.
func TestEstimatesOfRandomPrograms(t *testing.T) {
	most, programs := 1200, toy.Scale(t, 24)
	if os.Getenv("REHEARSE_TOY") != "" {
		most = 20_000
	}
	newBounded := func() explore.Divisible { return boundedTo("3") }
	for _, create := range []func() explore.Divisible{newNaive, newReverse, newBounded} {
		bs, found := bars{}, 0
		for seed := uint64(7_000_000); found < programs; seed++ {
			sys := toy.NewSystem(toy.Random(seed, toy.Features{}))
			out, err := explore.Run(sys, create(), explore.Options{Conditions: explore.Conditions{Model: trace.Bag},
				Budget: explore.Budget{Executions: most}})
			if err != nil {
				t.Fatal(err)
			}
			if n := out.Executions + out.Blocked; out.Reason != "budget" && n >= 100 {
				found++
				bs.measure(t, fmt.Sprintf("%s, seed %d", create().Name(), seed), sys, create, n)
			}
		}
		bs.check(t, create().Name())
	}
}

func boundedTo(word string) *reverse.Bounded {
	b, err := reverse.NewBounded(word)
	if err != nil {
		panic(err)
	}
	return b
}

// partly is the tally of a search that was stopped after so many executions.
func partly(t *testing.T, create func() explore.Divisible, executions int) *Tally {
	t.Helper()
	k := newTurns(subjects.ShortpathA(), create, 2, 5, true)
	if _, err := Run(Config{Strategy: create(), Executions: executions}, k); err != nil {
		t.Fatal(err)
	}
	return k.tally
}

// TestEstimateOfAFile: a tally that was kept estimates what it did before. One that was kept by an earlier version says
// why there is no estimate.
func TestEstimateOfAFile(t *testing.T) {
	for _, create := range []func() explore.Divisible{newNaive, newReverse} {
		for executions := 5; executions < 60; executions += 5 {
			tally := partly(t, create, executions)
			want, _ := tally.estimate()
			kept, err := travelled(tally.snapshot())
			if err != nil {
				t.Fatal(err)
			}
			again := newTally(create())
			if _, err := again.add(kept); err != nil {
				t.Fatal(err)
			}
			got, why := again.estimate()
			close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-3*b }
			if why != "" || !close(got.Total, want.Total) || !close(got.Low, want.Low) || !close(got.High, want.High) {
				t.Errorf("%s after %d executions: %v %s, want %v", create().Name(), executions, got, why, want)
			}
		}
	}
	tally := partly(t, newReverse, 40)
	kept := tally.snapshot()
	kept.Outlines, kept.Growth = nil, nil
	for i := range kept.New {
		kept.New[i].Spot = search.Spot{}
	}
	old := newTally(newReverse())
	if _, err := old.add(kept); err != nil || len(old.open) != len(tally.open) || old.Sum != tally.Sum {
		t.Errorf("%d open, %d executions, %v", len(old.open), old.Sum.Executions, err)
	}
	if e, why := old.estimate(); e.Known() || why != unestimatedBefore {
		t.Errorf("%v, %q", e, why)
	}
}

// The file of a version that did not keep what the estimate needs is gone on with.
func TestFileWithoutSpots(t *testing.T) {
	path, h := filepath.Join(t.TempDir(), "x.exploration"), Header{Version: fileVersion, Test: "TestX"}
	var text []byte
	for _, v := range []any{h, map[string]any{"new": []Part{{ID: 1}}}, map[string]any{"done": []int{1},
		"new": []Part{{ID: 2, Rest: []byte("r")}}, "sum": map[string]int{"Executions": 3}}} {
		l, err := seal(v)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, l...)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	tally, err := readFile(path, h, newReverse())
	if err != nil || tally.Sum.Executions != 3 || !slices.Equal(tally.ids(), []int{2}) {
		t.Fatalf("%+v, %v", tally, err)
	}
	if e, why := tally.estimate(); e.Known() || why != unestimatedBefore {
		t.Errorf("%v, %q", e, why)
	}
	if _, err := json.Marshal(tally.snapshot()); err != nil {
		t.Error(err)
	}
}

// A task that was given up, or whose process died, has items that lie where they did.
func TestEstimateAfterADeath(t *testing.T) {
	tally := partly(t, newReverse, 40)
	want, _ := tally.estimate()
	task := Task{}
	for _, id := range tally.ids()[:3] {
		task.Parts = append(task.Parts, tally.open[id])
	}
	for _, r := range []*Report{task.whole(&Report{}, 2), nil} {
		if r == nil {
			task.Parts = task.Parts[:0]
			for _, id := range tally.ids()[:2] {
				task.Parts = append(task.Parts, tally.open[id])
			}
			r = task.whole(conviction(task.Parts[0].ID, trace.Violation{}, "", ""), 1)
		}
		if err := r.Closes(&task); err != nil {
			t.Fatal(err)
		}
		if err := tally.Fold(r); err != nil {
			t.Fatal(err)
		}
		if e, why := tally.estimate(); why != "" || r.Deadly == 0 && e != want || r.Deadly > 0 && !(e.Total < want.Total) {
			t.Errorf("%v %s, want %v", e, why, want)
		}
	}
}

// What is damaged is refused, what does not fit ends the estimate and nothing else.
func TestEstimateOfWhatDoesNotFit(t *testing.T) {
	tally := partly(t, newReverse, 40)
	id := tally.ids()[0]
	task := Task{Parts: Parts{tally.open[id]}}
	notANumber := []byte{1, 1, 1, 2, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0}
	for _, r := range []*Report{{Outlines: []byte{1}}, {Growth: notANumber}} {
		r.Done = []int{id}
		if err := r.Closes(&task); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%v: %v", r, err)
		}
	}
	r := &Report{Done: []int{id}, New: Parts{{Spot: search.Spot{Of: id, Node: 3, Many: 1}}}, Tasks: []Batch{{Items: 1}},
		Sum: counted(1)}
	if err := r.Closes(&task); err != nil {
		t.Fatal(err)
	}
	open := len(tally.open)
	if err := tally.Fold(r); err != nil || len(tally.open) != open {
		t.Errorf("%d items are open, want %d: %v", len(tally.open), open, err)
	}
	if e, why := tally.estimate(); e.Known() || !strings.HasPrefix(why, "a report does not fit: item") {
		t.Errorf("%v, %q", e, why)
	}
	tally = partly(t, newReverse, 40)
	r.New[0] = Part{}
	if err := tally.Fold(r); err != nil {
		t.Error(err)
	}
	if e, why := tally.estimate(); e.Known() || why != unestimatedReport {
		t.Errorf("%v, %q", e, why)
	}
}

// Where items wait for each other nothing is estimated, which is said. A sample needs no word.
func TestUnestimated(t *testing.T) {
	tally, err := Begun(dpor.NewOptimal(nil))
	if err != nil {
		t.Fatal(err)
	}
	if e, why := tally.estimate(); e.Known() || why != unestimatedJoiner {
		t.Errorf("%v, %q", e, why)
	}
	if e, why := newTally(nil).estimate(); e.Known() || why != "" {
		t.Errorf("%v, %q", e, why)
	}
}

// What another process says of an estimate is one, or none.
func TestEstimateElsewhere(t *testing.T) {
	for text, want := range map[string]explore.Estimate{
		`{"estimate": {"Total": 7, "Low": 5, "High": 90}, "unestimated": "x"}`: {Total: 7, Low: 5, High: 90},
		`{"estimate": {"Total": 7, "Low": 8, "High": 90}}`:                     {},
		`{"estimate": {"Total": 7, "Low": -8, "High": 90}}`:                    {},
		`{"estimate": {"Total": 7, "Low": 5, "High": 6}}`:                      {},
		`{}`: {},
	} {
		var w told
		if err := json.Unmarshal([]byte(text), &w); err != nil {
			t.Fatal(err)
		}
		if e, why := w.estimate()(); e != want || why != w.Unestimated {
			t.Errorf("%s: %v, %q", text, e, why)
		}
	}
}
