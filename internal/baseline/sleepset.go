package baseline

import (
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// Sleep sets ([Basset11] 4.3.3, [God96] chapter 5). A step that was explored at a state need not be taken below its
// siblings, until something happens that depends on it. What begins with it then is a reordering of what was explored.
//
// What the source leaves open and its counts settle: the actor chosen is the first in the order that has a step which
// is not asleep. All its enabled steps are queued, and those asleep are passed over when their turn comes. Executions
// that end because everything is asleep are not counted as paths.

// sleeper is a step that was explored, with what it accessed then.
type sleeper struct {
	step      trace.ID
	actor     int32 // of select's marks
	footprint causal.Footprint
}

// sleepSet is the sleep set of a state.
type sleepSet []sleeper

func (s sleepSet) has(step trace.ID) bool {
	for i := range s {
		if s[i].step == step {
			return true
		}
	}
	return false
}

// after gives the sleep set below a step with that footprint, in the memory of into.
func (s sleepSet) after(into sleepSet, done causal.Footprint) sleepSet {
	for i := range s {
		if !s[i].footprint.Dependent(done) {
			// The footprint's memory is the upper state's, which stays as it is while the lower one is on the path.
			into = append(into, s[i])
		}
	}
	return into
}
