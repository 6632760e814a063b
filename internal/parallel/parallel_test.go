package parallel

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

func counted(n int) Sum { return Sum{Counters: explore.Counters{Executions: n}} }

// filled is a file with an item done, two open, and a finding.
func filled(t *testing.T) (path string, h Header) {
	t.Helper()
	path, h = filepath.Join(t.TempDir(), "x.exploration"), Header{Test: "TestX", Strategy: "naive", Binary: "b1"}
	f, tally, err := openFile(path, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	r := &Report{Done: []int{1},
		New: []Part{newPart(explore.Item{Steps: []trace.ID{{Hi: 1, Lo: 2}}, Rest: []byte("r")}), {}}, Sum: counted(3),
		Found: []Found{{Violation: trace.Violation{Kind: trace.Panic, Site: "f"}, Execution: 2}}}
	tally.number(r)
	if _, err := tally.add(r); err != nil {
		t.Fatal(err)
	}
	if err := f.append(tally, []*Report{r}); err != nil {
		t.Fatal(err)
	}
	return path, h
}

// TestFile: a file gives back what was put there, torn at any byte of its last line too; what it cannot vouch for it
// refuses.
func TestFile(t *testing.T) {
	path, h := filled(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h.Version = fileVersion
	lines := strings.SplitAfter(strings.TrimSuffix(string(whole), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines: %q", len(lines), whole)
	}
	for n := len(lines[0]) + len(lines[1]); n <= len(whole); n++ {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		tally, err := readFile(path, h, nil)
		if err != nil {
			t.Fatalf("torn after %d bytes: %v", n, err)
		}
		executions, open := 0, []int{1}
		if n == len(whole) {
			executions, open = 3, []int{2, 3}
		}
		if tally.Sum.Executions != executions || !slices.Equal(tally.ids(), open) ||
			(len(tally.Found) == 1) != (executions == 3) {
			t.Errorf("torn after %d of %d bytes: %d executions, items %v", n, len(whole), tally.Sum.Executions, tally.ids())
		}
	}
	for what, c := range map[string]struct {
		text string
		h    func(*Header)
		want string
	}{
		"damage": {strings.Replace(string(whole), `"new"`, `"NEW"`, 1), nil,
			"line 2: is damaged: its checksum is wrong; delete it"},
		"done twice": {string(whole) + lines[2] + "\n", nil,
			"line 4: contradicts itself: item 1 is done, but it was not open"},
		"not a file":  {"hello\nworld\n", nil, "line 1: is damaged"},
		"empty":       {"", nil, "was cut short (0 bytes): what was executed is not in it; delete it to begin anew"},
		"a header":    {lines[0], nil, "was cut short"},
		"half of it":  {lines[0][:9], nil, "was cut short"},
		"no report":   {lines[0] + lines[1][:len(lines[1])-1], nil, "was cut short"},
		"a bad one":   {lines[0] + "x" + lines[1], nil, "line 2: is damaged"},
		"new program": {string(whole), func(h *Header) { h.Binary = "b2" }, "the program has changed since"},
		"other model": {string(whole), func(h *Header) { h.Model = "fifo" }, "delivery model was  and is fifo now"},
		"other cases": {string(whole), func(h *Header) { h.Cases = "c2" },
			"what facts say of the cases of handlers was  and is c2 now"},
		"other seed": {string(whole), func(h *Header) { h.Seed = 4 }, "seed was 0 and is 4 now"},
	} {
		other := h
		if c.h != nil {
			c.h(&other)
		}
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readFile(path, other, nil); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want %q", what, err, c.want)
		}
	}
}

// TestRewrite: a file that is taken up says the same in one report, and nobody else may take it up meanwhile.
func TestRewrite(t *testing.T) {
	path, h := filled(t)
	for range 2 {
		f, tally, err := openFile(path, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tally.Sum.Executions != 3 || !slices.Equal(tally.ids(), []int{2, 3}) || len(tally.Found) != 1 ||
			tally.Found[0].Execution != 2 || tally.last != 3 {
			t.Errorf("%+v", tally)
		}
		if _, _, err := openFile(path, h, nil); err == nil ||
			!strings.Contains(err.Error(), "another process goes on with this exploration") {
			t.Errorf("taken up twice: %v", err)
		}
		f.limit = 0
		if err := f.append(tally, []*Report{{}}); err != nil {
			t.Fatal(err)
		}
		f.close()
	}
	p := tallyOf(t, path, h).open[2]
	if item, err := p.item(); err != nil || len(item.Steps) != 1 || item.Steps[0] != (trace.ID{Hi: 1, Lo: 2}) ||
		string(item.Rest) != "r" {
		t.Errorf("%+v, %v", item, err)
	}
}

func tallyOf(t *testing.T, path string, h Header) *Tally {
	t.Helper()
	h.Version = fileVersion
	tally, err := readFile(path, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

// TestDeal: every worker gets shallow and deep items, the deepest last, and none is lost.
func TestDeal(t *testing.T) {
	q := queue{free: []int{5, 1, 3, 2, 4, 6, 7}}
	var got []int
	for workers := 3; workers > 0; workers-- {
		mine := q.deal(workers, func(id int) int { return id }, func(int) bool { return true })
		if !slices.IsSorted(mine) || mine[0] > 3 || mine[len(mine)-1] < 5 {
			t.Errorf("dealt %v", mine)
		}
		got = append(got, mine...)
	}
	if slices.Sort(got); !slices.Equal(got, []int{1, 2, 3, 4, 5, 6, 7}) || !q.empty() {
		t.Errorf("dealt %v, left %+v", got, q)
	}
}

// TestSuspects: a death makes the next attempt a careful one; surviving doubles what is given; two deaths at one
// execution convict.
func TestSuspects(t *testing.T) {
	q, all := queue{}, func(int) bool { return true }
	if id := q.killed(&suspect{[]int{1, 2, 3}, Suspicion{Executions: 8}}, 3); id != 0 {
		t.Errorf("convicted %d of a death among eight executions", id)
	}
	s := q.next(all)
	if s.Executions != 1 {
		t.Errorf("%+v", s)
	}
	q.survived(s, []int{1, 2, 4})
	if s = q.next(all); s.Executions != 2 {
		t.Errorf("%+v", s)
	}
	for i, want := range []int{0, 0, 4} {
		if id := q.killed(s, 4); id != want {
			t.Errorf("death %d convicts %d, want %d", i+1, id, want)
		}
		if want == 0 {
			s = q.next(all)
		}
	}
	if !slices.Equal(q.free, []int{1, 2}) || q.next(all) != nil {
		t.Errorf("%+v", q)
	}
}
