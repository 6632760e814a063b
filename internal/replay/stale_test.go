package replay_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/trace"
)

// Of a livelock, minimising drops nearly all steps: the others are stale, and as many happened in their place. The
// reasons must not cost the product of both, which took longer than anybody waits.
func TestManyStaleSteps(t *testing.T) {
	const n = 100_000
	tr := &trace.Trace{Actors: []trace.Actor{{Name: "K0", Parent: -1}}}
	tr.Events, tr.Messages = make([]trace.Event, n), make([]trace.Message, n)
	forced := make([]trace.Forced, n)
	for i := range n {
		forced[i] = trace.Forced{ID: trace.ID{Lo: uint64(i + 1)}, Kind: trace.Deliver, Message: "M", From: "A"}
		tr.Events[i].Step.Kind = trace.Deliver
		tr.Events[i].Step.ID = trace.ID{Lo: uint64(n + i)} // the first is the last that is forced
		tr.Messages[i].ID = trace.ID{Lo: uint64(2*n + i)}
	}
	tr.Messages[n-1].ID, tr.Messages[n-1].Type = forced[1].ID, &trace.Type{Name: "M"}
	r := replay.New(forced)
	r.Learn(tr, false)
	stale := r.Stale()
	if len(stale) != n {
		t.Fatalf("%d stale steps, want %d", len(stale), n)
	}
	for i, want := range map[int]string{
		0:     "A never sent M",
		1:     "M was sent, but K0 does not take it",
		n - 1: "it already happened as step 1",
	} {
		if got := stale[i].Why; got != want {
			t.Errorf("step %d: %q, want %q", i, got, want)
		}
	}
}
