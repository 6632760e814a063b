package parallel

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
)

// limitedTally is a tally of a sample, which has budget executions, begun or made from a snapshot.
func limitedTally(t *testing.T, budget int, snapshot *Report) *Tally {
	t.Helper()
	s := sample.NewRandom(1)
	s.Limit(budget)
	if snapshot == nil {
		tally, err := Begun(s)
		if err != nil {
			t.Fatal(err)
		}
		return tally
	}
	b, err := json.Marshal(snapshot)
	again := &Report{}
	if err == nil {
		err = json.Unmarshal(b, again)
	}
	tally := newTally(s)
	if err == nil {
		_, err = tally.add(again)
	}
	if err != nil {
		t.Fatal(err)
	}
	tally.Reopen()
	return tally
}

// reportOf is that of an item of which nothing but the first execution was made.
func reportOf(t *testing.T, tally *Tally, id, budget int) *Report {
	t.Helper()
	s := sample.NewRandom(1)
	s.Limit(budget)
	p := tally.open[id]
	item, err := p.item()
	if err == nil {
		err = s.Take(item)
	}
	if err != nil || !s.Start() {
		t.Fatal(err)
	}
	r := &Report{Done: []int{id}}
	x := Executor{}
	r.New, r.Beyond, _ = x.rests(s, func() bool { return false })
	tally.number(r)
	return r
}

// A sample without a limit goes on with the executions that come next, however often its task is divided by time: the
// numbers of executions stay near to how many there are. What has no end is divided last.
func TestSampleWithoutEnd(t *testing.T) {
	tally := limitedTally(t, 0, nil)
	task := &tally.FirstTasks()[0]
	for n := range 500 {
		last := task.Parts[len(task.Parts)-1]
		item, err := last.item()
		s := sample.NewRandom(1)
		if err == nil {
			err = s.Take(item)
		}
		if number, ok := s.Next(); err != nil || !ok || number > 1000 {
			t.Fatalf("execution %d has number %d, %v", n, number, err)
		}
		r := &Report{Done: []int{last.ID}}
		r.New, r.Beyond, _ = (&Executor{}).rests(s, func() bool { return false })
		r = task.whole(r, 1)
		if err := tally.Fold(r); err != nil {
			t.Fatal(err)
		}
		task = &tally.Tasks(r)[0]
	}
}

// What is beyond the budget is open for a larger one: it is not handed out, and it is in the file.
func TestBeyondTheBudget(t *testing.T) {
	tally := limitedTally(t, 1, nil)
	if _, err := tally.add(reportOf(t, tally, 1, 1)); err != nil {
		t.Fatal(err)
	}
	if len(tally.open) != 0 || len(tally.beyond) != 1 || tally.spent() != "budget" || tally.exhausted() {
		t.Errorf("%d items are open, %d beyond the budget", len(tally.open), len(tally.beyond))
	}
	for budget, want := range map[int]int{1: 0, 5: 1, 0: 1} {
		again := limitedTally(t, budget, tally.snapshot())
		if len(again.open) != want || len(again.beyond) != 1-want {
			t.Errorf("budget %d: %d items are open, %d beyond it", budget, len(again.open), len(again.beyond))
		}
	}
}

// A deadly execution is the first of its item: what is behind it goes on, and counts as opened by the report.
func TestBehindADeadlyExecution(t *testing.T) {
	for _, s := range []explore.Divisible{sample.NewRandom(1), nil} {
		tally, err := Begun(s)
		if err != nil {
			t.Fatal(err)
		}
		opened, err := tally.add(&Report{Done: []int{1}, Deadly: 1})
		var want []int
		if s != nil {
			want = []int{2}
		}
		if err != nil || !slices.Equal(opened, want) || !slices.Equal(tally.ids(), want) {
			t.Errorf("%v: opened %v, open %v, %v", s, opened, tally.ids(), err)
		}
	}
}
