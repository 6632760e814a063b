package actor_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// What Go chooses is chosen by hand as well, where it has numbers: whoever takes every value that is shown comes to as
// many ends as there are executions.
func TestDrawsByHand(t *testing.T) {
	f := numberedDraws(t)
	programs, compared := chosenEarly(f), 0
	delete(programs, "numbers") // 6,000 executions
	for name, program := range programs {
		o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: 9}}
		out, err := explore.Run(actor.New(program), search.NewNaive(), o)
		if err != nil || !out.Exhausted { // set-up draws, which is not explored
			t.Fatalf("%s: %+v, %v", name, out, err)
		}
		if out.Executions > 30 {
			continue
		}
		compared++
		ends, draws := 0, 0
		var walk func(p byhand.Position)
		walk = func(p byhand.Position) {
			c := &byhand.Chooser{To: p, Names: true}
			if _, err := explore.Run(actor.New(program), c, o); err != nil {
				t.Fatal(err)
			}
			v := c.View()
			if v.Lost != "" || !slices.Equal(v.Choices, p) {
				t.Fatalf("%s: position %s was not reached, but %s: %s", name, p, v.Position, v.Lost)
			}
			switch v.Question {
			case "":
				ends++
			case "draw":
				draws++
			}
			for _, next := range v.Enabled {
				walk(append(slices.Clone(p), next.Choice))
			}
		}
		walk(byhand.Position{})
		if ends != out.Executions || draws == 0 {
			t.Errorf("%s: %d ends were reached by hand, want %d; %d draws", name, ends, out.Executions, draws)
		}
	}
	if compared < 3 {
		t.Errorf("%d programs were small enough", compared)
	}
}
