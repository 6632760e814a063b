package trace

import "testing"

// The values of a draw are in their order, 0 first; what a step sends and creates has the same identities whatever is
// drawn.
func TestDrawSteps(t *testing.T) {
	var identities []ID
	for value := range 3 {
		var tr Trace
		tr.AddDriver()
		first := tr.Begin(StartStep(0))
		var steps []Step
		for v := range 300 {
			steps = append(steps, tr.DrawStep(first, v))
		}
		if First(steps) != 0 || !steps[1].Before(&steps[2]) || !steps[255].Before(&steps[256]) {
			t.Errorf("the values are not in their order")
		}
		s := steps[value]
		tr.NameDraw(s, "the map at a.go:1 begins")
		e := tr.Begin(s)
		if tr.StepOf(e) != first || !s.Kind.Chooses() || tr.StepName(s) != "Driver: the map at a.go:1 begins" ||
			tr.ForcedStep(e).Draw != "the map at a.go:1 begins" {
			t.Errorf("%v: %s, %+v", s, tr.StepName(s), tr.ForcedStep(e))
		}
		if tr.StepName(steps[7]) != "Driver: Go chooses 7" {
			t.Errorf("a draw that nobody has named is called %q", tr.StepName(steps[7]))
		}
		again := tr.DrawStep(e, value)
		if again.ID == s.ID || again.Kind != Draw {
			t.Errorf("the second draw is the first: %+v", again)
		}
		e = tr.Begin(again)
		a := tr.AddActor(tr.TypeNamed("A"), "", 0, e)
		m := tr.AddMessage(tr.TypeNamed("M"), User, 0, a, e, nil)
		identities = append(identities, tr.Messages[m].ID)
		if tr.Messages[m].SentBy != e || tr.Messages[m].ID != identities[0] {
			t.Errorf("the message is %+v, want %v", tr.Messages[m], identities[0])
		}
	}
}
