package sample_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// A walk takes each step with the same probability: the message y, which is there from the beginning, comes after a row
// of three with 1/2*1/2*1/2, and between the steps of the row with what remains.
func TestRandomWalk(t *testing.T) {
	const runs = 20_000
	counts := orders(t, sample.NewRandom(1), trace.Bag, runs, chain("abc", 0, 1, 2), node{label: "y", to: 3})
	distributed(t, counts, map[string]float64{"yabc": 0.5, "aybc": 0.25, "abyc": 0.125, "abcy": 0.125})
}

// The default order is one execution, by depth.
func TestDefaultOrder(t *testing.T) {
	s := &sample.DefaultOrder{}
	if !s.Start() || s.Start() || s.Complete() {
		t.Errorf("the default order is one execution, which proves nothing")
	}
	enabled := []trace.Step{{ID: trace.ID{Hi: 1}, Depth: 2}, {ID: trace.ID{Hi: 3}, Depth: 1},
		{ID: trace.ID{Hi: 2}, Depth: 1}}
	if c := s.Choose(nil, enabled); c.Index != 2 {
		t.Errorf("step %d is first, want the one of least identity among those of least depth", c.Index)
	}
}
