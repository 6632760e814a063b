package toy

import "testing"

// Naive agrees with the twin on handlers that answer before they end, and then send, spawn, call, stop.
func TestNaiveOnAnswers(t *testing.T) {
	f := Full
	f.Responds = true
	c, err := Compare(naive, CompareOptions{Demand: Every, Features: f, Programs: 60, Limit: 300})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(c)
	if c.Branching < c.Programs/3 {
		t.Errorf("only %d of %d programs have more than one class: the comparison says little", c.Branching, c.Programs)
	}
}
