package explore

import (
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Where the executions that are to be executed again would take too much memory, what they draw is named.
func TestEndsKept(t *testing.T) {
	r := &run{o: Options{Ends: true}, counts: true}
	for i, want := range []string{"", "", "map at bank_test.go:3 in a final check"} {
		r.tr = &trace.Trace{Events: make([]trace.Event, maxKeptEvents/2), Ends: []trace.EndDraw{
			{N: 2, Explored: true, Place: "map at bank_test.go:" + string(rune('1'+i))}, {N: 1}}}
		r.noteEnds()
		if got := r.ends.places(); got != want || len(r.ends.kept) != min(i+1, 2) {
			t.Errorf("execution %d: %d are kept, and left is %q, want %q", i+1, len(r.ends.kept), got, want)
		}
	}
}

// What makes no difference, and what nobody explores, is kept for nothing.
func TestEndsWithoutChoice(t *testing.T) {
	r := &run{o: Options{Ends: true}, counts: true}
	r.tr = &trace.Trace{Ends: []trace.EndDraw{{N: 1}, {N: 3}}}
	if r.noteEnds(); len(r.ends.kept) > 0 || r.ends.places() != "" {
		t.Errorf("%d are kept, and left is %q", len(r.ends.kept), r.ends.places())
	}
	if todo := otherEnds(nil, 0, r.tr.Ends); len(todo) > 0 {
		t.Errorf("to do: %v", todo)
	}
}
