package cover

import (
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// TestMemoryIsBounded: what is one too many is counted and left out; what was achieved before stays.
func TestMemoryIsBounded(t *testing.T) {
	o := NewAchieved()
	box := o.box(trace.ID{Hi: 1})
	s := &sequence{change: -1}
	first, second := o.number(box, trace.ID{Lo: 1}), o.number(box, trace.ID{Lo: 2})
	o.add(box, s, first, false)
	o.add(box, s, second, false)
	for n := range uint64(maxReceives) {
		o.number(box, trace.ID{Lo: 3 + n})
	}
	if o.Dropped != 2 || !box.has(PR, first, second) || o.number(box, trace.ID{Lo: 2}) != second {
		t.Errorf("%d dropped, want 2; the goal is kept: %v", o.Dropped, box.has(PR, first, second))
	}
	o.words = maxWords
	if n := o.number(o.box(trace.ID{Hi: 2}), trace.ID{Lo: 1}); n >= 0 || o.Dropped != 3 {
		t.Errorf("receive number %d although the memory is used up, %d dropped", n, o.Dropped)
	}
}

// TestDroppedReceives: an execution whose receives are not kept has no schedules, and nothing breaks.
func TestDroppedReceives(t *testing.T) {
	tr := gatling(2, "ex1 w1 ex2 w2 ad1 ad2 fl fd")
	o := NewAchieved()
	o.words = maxWords
	o.Observe(tr)
	if out := newGenerator(newBase(tr, trace.FIFO, o), o, PR).next(); out != nil || o.Count(PR) != 0 {
		t.Errorf("%v, %d goals", out, o.Count(PR))
	}
}
