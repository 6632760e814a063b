package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// What optimal does not build again would change nothing: what sleeps makes it needless, or the wakeup tree leads to
// it. And where a sequence is looked for every event is looked at that may be a part of it.
func TestSettledRaces(t *testing.T) {
	dense := toy.Features{Senders: true, Stop: true, Choices: true, Dense: true}
	all := trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Drop, trace.Crash)}
	saved := 0
	for seed := range uint64(30) {
		for _, features := range []toy.Features{toy.Full, dense, toy.Answers} {
			p := toy.Random(seed, features)
			for _, model := range toy.Models {
				for _, faults := range []trace.Faults{{}, all} {
					o := NewOptimal(nil)
					o.settled.saved = func(n *node, r *reversal, led bool) {
						saved++
						checkSettled(t, o, n, r, led)
					}
					_, err := explore.Run(toy.NewSystem(p), o, explore.Options{
						Conditions: explore.Conditions{Model: model, Faults: faults}, Budget: explore.Budget{Executions: 60},
						After: func(*explore.Counters, *trace.Trace) { checkReach(t, &o.depthFirst) }})
					if err != nil || t.Failed() {
						t.Fatalf("seed %d, %s, faults %s: %v", seed, model, faults, err)
					}
				}
			}
		}
	}
	if saved < 10000 {
		t.Errorf("%d sequences were saved: too few to tell", saved)
	}
	t.Log(saved, "sequences were not built again")
}

func checkSettled(t *testing.T, o *Optimal, n *node, r *reversal, led bool) {
	v := r.sequence(&o.depthFirst, int32(o.order.Len()))
	l := v.label(&v.parts[0])
	if can := !l.open || n.unseen || n.offers(&l); can != led {
		t.Errorf("the step can be taken: %v, and %v was noted", can, led)
	}
	if led && !v.covered(n.sleep, n.left) && !v.isLedTo(n.wakeup[1:], n.left) {
		t.Errorf("the race of events %d and %d leads to something new", r.i, r.last)
	}
}

// checkReach compares with a look at all events.
func checkReach(t *testing.T, s *depthFirst) {
	end := int32(s.order.Len())
	s.reach.measure(s.order, end)
	for i := range end {
		until := s.reach.after(i, end)
		for k := i + 1; k < end; k++ {
			switch {
			case s.order.Before(i, k):
			case k >= until:
				t.Errorf("event %d does not happen after event %d, and is not looked at", k, i)
			default:
				until = s.reach.with(until, k, end)
			}
		}
	}
}
