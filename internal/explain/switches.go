package explain

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/trace"
)

// Switches counts the places of the explored part where another actor runs than just before.
func Switches(tr *trace.Trace) int {
	n := 0
	for e := tr.Explored + 1; e < len(tr.Events); e++ {
		if tr.Events[e].Step.Actor != tr.Events[e-1].Step.Actor {
			n++
		}
	}
	return n
}

// fewerSwitches moves single steps and swaps pairs while that gives fewer switches of actor. The list keeps its length.
func (m *minimiser) fewerSwitches() (better bool, err error) {
	for again := true; again; {
		again = false
		for _, next := range []func([]trace.Forced, int, int) []trace.Forced{moved, swapped} {
			ok, err := m.reorder(next)
			if err != nil {
				return better, err
			}
			again = again || ok
		}
		better = better || again
	}
	return better, nil
}

func (m *minimiser) reorder(next func([]trace.Forced, int, int) []trace.Forced) (better bool, err error) {
	for i := range m.best {
		for j := range m.best {
			if m.ends() {
				return better, nil // not to make the lists that are left, which takes longer than they do
			}
			if i == j {
				continue
			}
			ok, err := m.tryIf(next(m.best, i, j), func(r *replay.Run) bool {
				return len(r.Stale) == 0 && Switches(r.Trace) < m.switches
			})
			if err != nil {
				return better, err
			}
			better = better || ok
		}
	}
	return better, nil
}

// moved gives the list with step i at position j.
func moved(forced []trace.Forced, i, j int) []trace.Forced {
	f := forced[i]
	return slices.Insert(slices.Delete(slices.Clone(forced), i, i+1), j, f)
}

// swapped gives the list with steps i and j in each other's place.
func swapped(forced []trace.Forced, i, j int) []trace.Forced {
	next := slices.Clone(forced)
	next[i], next[j] = next[j], next[i]
	return next
}
