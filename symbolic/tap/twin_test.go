package tap_test

import (
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/tap"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// The search over summaries finds what this one finds, with as many messages. What this one calls infeasible it does
// not find. Every sixth place, with REHEARSE_TOY all.
func TestTwin(t *testing.T) {
	s := open(t, "testdata/rules", ".")
	starts := s.ruled()
	other := target.New(s.load, s.system.Summaries(), s.store, s.system)
	goals := s.places()
	for _, name := range refused { // TestNotModelled: they are given up
		delete(goals, name.place)
	}
	var names []string
	for name := range goals {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		if os.Getenv("REHEARSE_TOY") == "" && i%6 > 0 {
			continue
		}
		s.twin(other, starts[s.file(goals[name])], name, goals[name])
	}
}

func (s *subject) twin(other *target.Engine, start *system.Start, name string, goal system.Goal) {
	s.t.Helper()
	c := tap.Of(tap.Feedback)
	c.Runs, c.Seed = 3, 1
	switch name { // there is none, which takes long to find out
	case "another entry":
		c.Runs, c.Share = 1, 20_000
	case "Impossible", "Stopping", "never opened", "less than there is", "cleared":
		c.Runs, c.Share = 2, 20_000
	}
	a := s.search(start, goal, c)
	if a.Verdict == tap.GaveUp {
		s.t.Errorf("%s: %s", name, a.Reason)
		return
	}
	steps := c.Runs
	if a.Verdict == tap.Found {
		steps = a.Runs
	}
	b, err := other.Reach(s.t.Context(), start, &target.Target{Goal: goal, Name: name}, target.Config{Model: trace.Bag, Steps: steps, Actors: 4, Usual: true, Nodes: toyNodes, Follows: toyFollows, Queries: toyQueries, Timeout: noClock,
		Exec: exec.Config{Loops: 3, Elements: 3}}) // the usual ones, and no second search with more of them
	if err != nil {
		s.t.Fatal(err)
	}
	if (a.Verdict == tap.Found) != (b.Verdict == target.Found) {
		s.t.Errorf("%s: %s here with %d messages, %s by summaries: %s %v", name, a.Verdict, a.Runs, b.Verdict, b.Why, b.Reasons)
	}
	s.t.Logf("%s: %s in %d messages, %s", name, a.Verdict, a.Runs, b.Verdict)
}
