package system

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/trace"
)

// TestEnds: a search for a final check says the same whether it follows executions that have no end within the bound,
// and messages that are handled in vain, or not.
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
				t.Errorf("final %v, %v: found %v, complete %v, want %v, %v", c.Final, model,
					few.Ways[0] != nil, few.Complete(), all.Ways[0] != nil, all.Complete())
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

func stopsItself(ctx *actor.Context) { ctx.Stop() }

func stopsBehindInterface(s interface{ Stop() }) { s.Stop() }

func stopsAsValue(ctx *actor.Context) func() { return ctx.Stop }

func asksItself(s rehearse.State) int { return len(s.Received("till")) }

func asksBehindInterface(s interface{ Received(string) []string }) int {
	return len(s.Received("till"))
}

func asksAsValue(s rehearse.State) func(string) []string { return s.Received }

func asksAsExpression() func(rehearse.State, string) []string { return rehearse.State.Received }

// TestMethodsThatAreUsed: what stops actors, or looks at State.Received, is seen where it is called, where an interface
// hides it, and where it is a value.
func TestMethodsThatAreUsed(t *testing.T) {
	p := program(t, ".", ".")
	for name, want := range map[string][2]bool{
		"stopsItself": {true, false}, "stopsBehindInterface": {true, false}, "stopsAsValue": {true, false},
		"asksItself": {false, true}, "asksBehindInterface": {false, true}, "asksAsValue": {false, true},
		"asksAsExpression": {false, true}, "began": {false, false},
	} {
		fn := function(t, p, name)
		if got := [2]bool{stopping.in(fn), receiving.in(fn)}; got != want {
			t.Errorf("%s: stops and asks %v, want %v", name, got, want)
		}
	}
}
