package parallel

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
)

// chain are items of one path, each so many steps longer than the one before.
func chain(items, more int) (ps Parts) {
	steps := make([]byte, items*more*perStep)
	for k := range steps {
		steps[k] = byte(k / perStep)
	}
	for k := range items {
		ps = append(ps, Part{Steps: steps[:(k+1)*more*perStep], Rest: []byte{byte(k)}})
	}
	return ps
}

// incoming writes a report as another machine does, and reads it.
func incoming(r *Report) (*Report, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	in := &IncomingReport{}
	if err := json.Unmarshal(b, in); err != nil {
		return nil, err
	}
	return in.Read()
}

// What a search leaves of a deep execution are the beginnings of its path: they are read into one place. So whoever
// reads 4,000 items of a path of 8,000 steps takes less than a megabyte, and not 250.
func TestItemsOfOnePathAreInOnePlace(t *testing.T) {
	ps := chain(4000, 2)
	ps = append(ps, ps[17], ps[3999], ps[200]) // of another task, which goes back to the beginning
	l := &limits{items: len(ps), steps: mostSteps, copies: 0}
	got, err := decodeParts(ps.encode(), l)
	if err != nil {
		t.Fatal(err)
	}
	for k := range ps {
		if string(got[k].Steps) != string(ps[k].Steps) || got[k].Rest[0] != ps[k].Rest[0] {
			t.Fatalf("item %d is not the one that was written", k)
		}
	}
	// Two paths, the items of both by turns: those are copied where they part.
	other := chain(4000, 2)
	for k := range other {
		other[k].Steps = append([]byte{7}, other[k].Steps[1:]...)
	}
	var both Parts
	for k := range 100 {
		both = append(both, ps[k], other[k])
	}
	l = &limits{items: len(both), steps: mostSteps, copies: mostSteps}
	if got, err = decodeParts(both.encode(), l); err != nil || l.copies != mostSteps {
		t.Errorf("%v, %d bytes were copied of paths that have nothing in common", err, mostSteps-l.copies)
	}
	for k := range both {
		if string(got[k].Steps) != string(both[k].Steps) {
			t.Fatalf("item %d is not the one that was written", k)
		}
	}
}

// A short message that stands for gigabytes is refused, and the error names the limit.
func TestHostileReports(t *testing.T) {
	deep := chain(1, 100_000)[0]
	forked := Parts{deep}
	for k := range 100 {
		fork := deep
		fork.Steps = append(append([]byte(nil), deep.Steps[:len(deep.Steps)-perStep]...), make([]byte, perStep)...)
		fork.Steps[len(fork.Steps)-1] = byte(k + 1)
		forked = append(forked, fork)
	}
	long := Parts{deep}
	for len(long) <= mostSteps/len(deep.Steps) {
		long = append(long, deep)
	}
	for name, c := range map[string]struct {
		report *Report
		want   string
	}{
		"forks":    {&Report{New: forked}, "more than 67108864 bytes that are those of others too"},
		"beyond":   {&Report{Beyond: forked}, "more than 67108864 bytes that are those of others too"},
		"together": {&Report{New: forked[:30], Beyond: forked[:30]}, "more than 67108864 bytes"},
		"long":     {&Report{New: long}, "more than 1073741824 bytes"},
		"items":    {&Report{New: make(Parts, MostItems+1)}, "at most 1048576 are read"},
		"outlines": {&Report{Outlines: make([]byte, mostOutlines+1)}, "at most 1048576 are read"},
		"kept":     {&Report{Kept: Parts{{}}}, "what none of a task says"},
		"owed":     {&Report{Owed: Parts{{}}}, "what none of a task says"},
		"wait":     {&Report{Wait: Parts{{}}}, "what none of a task says"},
	} {
		if len(c.report.New) > 0 && name != "items" {
			if b := c.report.New.encode(); len(b) > 3<<20 {
				t.Errorf("%s: the message has %d bytes", name, len(b))
			}
		}
		if _, err := incoming(c.report); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	task := &Task{Parts: Parts{{ID: 1}}}
	large := &Report{Done: []int{1}, New: make(Parts, mostDealt+1), Tasks: []Batch{{Items: mostDealt + 1}}}
	talks := &Report{Done: []int{1}, Sum: Sum{Verdict: explore.Verdict{Unseen: strings.Repeat("a, ", mostVerdict/3+1)}}}
	for want, r := range map[string]*Report{"at most 1024": large, "at most 262144": talks} {
		r, err := incoming(r)
		if err == nil {
			err = r.Closes(task)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	b, err := json.Marshal(Task{Parts: make(Parts, mostDealt+1)})
	if err != nil {
		t.Fatal(err)
	}
	in := &IncomingTask{}
	if err := json.Unmarshal(b, in); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Read(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("at most %d are read", mostDealt)) {
		t.Errorf("%v: want that these are too many items", err)
	}
}

// What came from elsewhere is what was sent, whatever lists it has.
func TestIncomingReport(t *testing.T) {
	r := &Report{Done: []int{1}, New: chain(3, 2), Beyond: chain(2, 1), Tasks: []Batch{{Items: 3}}, Sum: counted(4)}
	got, err := incoming(r)
	if err != nil {
		t.Fatal(err)
	}
	was, _ := json.Marshal(r)
	if is, _ := json.Marshal(got); string(is) != string(was) || got.Closes(&Task{Parts: Parts{{ID: 1}}}) != nil {
		t.Errorf("%s, want %s", is, was)
	}
	file := &limits{items: math.MaxInt, steps: mostSteps, copies: mostSteps}
	if _, err := decodeParts(make(Parts, MostItems+1).encode(), file); err != nil {
		t.Errorf("a file may have more items: %v", err)
	}
}
