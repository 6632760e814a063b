package subjects_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/subjects"
)

// The papers' programs share no memory, and make no choice of their own: nothing is seen of either.
func TestIsolation(t *testing.T) {
	for name, sys := range map[string]*actor.System{
		"Bank": subjects.Bank(), "Barber": subjects.Barber(2, 2), "BoundedBuffer": subjects.BoundedBuffer(2, 2),
		"Chameneos": subjects.Chameneos(2), "CheckErr": subjects.CheckErr(2),
		"DHT": subjects.DHT(), "Fib": subjects.Fib(4), "FibDirect": subjects.FibDirect(3), "FibTasks": subjects.FibTasks(3),
		"Gatling": subjects.Gatling(2), "Leader": subjects.Leader(3),
		"LostSub": subjects.LostSub(2, 2), "Mergesort": subjects.Mergesort(4), "Messenger": subjects.Messenger(2),
		"Philosophers": subjects.Philosophers(2), "Pi": subjects.Pi(3),
		"Pipesort": subjects.Pipesort(3), "PiTasks": subjects.PiTasks(2), "ProcReg": subjects.ProcReg(2, 2),
		"PSort": subjects.PSort(2, 2), "Quicksort": subjects.Quicksort(4),
		"Registry": subjects.Registry(), "Regsim": subjects.Regsim(2), "RegSimTasks": subjects.RegSimTasks(2, 2),
		"Server": subjects.Server(true), "ShortpathA": subjects.ShortpathA(),
		"SortTasks": subjects.SortTasks(2, 1), "Spinsort": subjects.Spinsort(2), "ThreadRing": subjects.ThreadRing(2),
		"TwoFlags": subjects.TwoFlags(2),
	} {
		for _, share := range []bool{false, true} {
			r, err := rehearse.Explore(rehearse.Config{Strategy: "random", Budget: "50x", ShareMessages: share}, sys)
			if err != nil || r.Varied != "" || r.Diverged || r.Shared != "" || r.Rechecked < 32 && len(r.Findings) == 0 {
				t.Errorf("%s, shared messages %v: error %v, %s, %v", name, share, err, r, r.Warnings)
			}
		}
	}
}
