package system

import (
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// TestEnds: a search for a final check says the same of it whether it follows executions that have no end within the bound, and messages that are handled in vain, or not.
func TestEnds(t *testing.T) {
	p := program(t, "../../examples/bank", ".")
	s, err := p.Start(t.Context(), p.DriversOf(function(t, p, "TestBankFixed"))[0], Config{})
	if err != nil || len(s.Checks) != 2 {
		t.Fatalf("%v, %+v", err, s)
	}
	for _, c := range s.Checks {
		goal := Goal{Check: c.Fn, Panic: true, AtEnd: c.Final}
		for _, model := range []trace.Model{trace.Bag} {
			b := Bounds{Steps: 3, Outside: 3, Actors: 4, Checks: true, Asked: true}
			few := p.Search(t.Context(), s, []Goal{goal}, model, b)
			b.again = true
			all := p.Search(t.Context(), s, []Goal{goal}, model, b)
			if few.Ways[0] == nil != (all.Ways[0] == nil) || few.Complete() != all.Complete() || few.Ways[0] == nil == !c.Final {
				t.Errorf("final %v, %v: found %v, complete %v, want %v, %v", c.Final, model, few.Ways[0] != nil, few.Complete(), all.Ways[0] != nil, all.Complete())
			}
			if c.Final && few.Runs > all.Runs/4 {
				t.Errorf("%v: %d executions of %d", model, few.Runs, all.Runs)
			}
			if yes, known := few.Reached(Goal{Check: c.Fn, Block: c.Fn.Blocks[0]}); c.Final && (known || yes) {
				t.Errorf("%v: a search for ends alone knows of others", model)
			}
		}
	}
}
