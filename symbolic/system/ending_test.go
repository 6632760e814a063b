package system

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/trace"
)

// What handlers do when the adapter ends an execution in which they wait for each other is told only if it is asked
// for.
func TestEnding(t *testing.T) {
	p := program(t, "../../examples", "./...")
	s := startOf(t, p, "TestDeadlock")
	var unanswered *ssa.BasicBlock // of inventory.backlog: orders have not answered
	for _, fn := range p.load.Functions() {
		if fn.String() == "(*github.com/rehearse-go/rehearse/examples/deadlock.inventory).backlog" {
			unanswered = fn.Blocks[2]
		}
	}
	reached := func(ending bool) (n int) {
		for order := range 30 {
			if p.Walk(t.Context(), s, order, []Goal{{Block: unanswered}}, trace.Mailbox, Bounds{Config: Config{Ending: ending}}).Ways[0] != nil {
				n++
			}
		}
		return n
	}
	if without, with := reached(false), reached(true); without != 0 || with == 0 {
		t.Errorf("of 30 orders %d come there by themselves, want 0, and %d where they are ended, want some", without, with)
	}
}
