package actor_test

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Faults are taken back like any step: wherever one goes back to, before the question or after it, everything is as it
// was there.
func TestUndoFaults(t *testing.T) {
	executions, seeds := 12, uint64(4)
	if testing.Short() { // as TestUndoRedo
		executions, seeds = 6, 1
	}
	for what, ops := range map[string][]string{
		"all":     nil,
		"waiting": {"call", "callTimeout", "receive", "awaitUntil", "reply", "data", "send"},
		"ends":    {"watch", "spawn", "become", "send", "spread", "stash", "unstash", "data"},
		"time":    {"after", "cancel", "callTimeout", "data", "send", "ask", "await"},
	} {
		for _, c := range allModels {
			c.Faults, _ = trace.ParseFaults("all:3")
			for _, c := range []explore.Conditions{c, async(c)} {
				all := 0
				for seed := range seeds {
					n, _ := shuttled(t, fmt.Sprint(what, " ", c.Model, " ", c.Timers, " seed ", seed), gadgets(seed, ops...),
						c, seed, executions)
					all += n
				}
				if all < int(seeds)*executions/2 {
					t.Errorf("%s %v: only %d executions went on from the middle", what, c.Model, all)
				}
			}
		}
	}
}
