package exec_test

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/symbolic/internal/concrete"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// played are programs of native actors.
var played = []*actor.System{subjects.Bank(), subjects.Barber(2, 1), subjects.Chameneos(1), subjects.CheckErr(1), subjects.Fib(5), subjects.BoundedBuffer(2, 1), subjects.Gatling(3),
	subjects.Leader(3), subjects.LostSub(2, 2), subjects.Mergesort(4), subjects.Messenger(2), subjects.Philosophers(3), subjects.Pi(4), subjects.ProcReg(2, 1), subjects.Quicksort(6),
	subjects.Registry(), subjects.Regsim(4), subjects.ShortpathTriangle(), subjects.Spinsort(4), subjects.ThreadRing(5), subjects.TwoFlags(2), subjects.DHT()}

// TestTwinSubjects holds summaries of handlers to executions of the programs.
func TestTwinSubjects(t *testing.T) {
	p, err := summary.Load(load.Config{Dir: "../../subjects", Patterns: []string{"."}, NoTests: true})
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	w := concrete.NewPlayer(t.Context(), p, store, newSolver(t, store))
	for _, sys := range played {
		_, err := explore.Run(sys, sample.NewRandom(3), explore.Options{
			Conditions: explore.Conditions{Model: trace.Bag, Horizon: time.Minute, Blocked: 10 * time.Second, Copy: true},
			Budget:     explore.Budget{Executions: 6}, Check: w, Rerun: true, MaxSteps: 300})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range w.Different {
		t.Error(d)
	}
	t.Logf("%d calls of handlers are told by one path each, %d are in paths that are cut; of these nothing is compared: %v", w.Judged, w.Cut, w.Skipped)
	if w.Judged < 500 || 3*w.Judged < 2*w.All() {
		t.Errorf("%d calls are compared, of %d: want 500 and two of three", w.Judged, w.All())
	}
}
