package adapter

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// This file looks for goroutines that handlers start: their order is the Go scheduler's choice, not ours.

// strays notes that a handler started goroutines: one is an order that is not ours, several have an order among each
// other that nobody controls. A dead letter starts one in some frameworks.
func (r *Runtime) strays(n int) {
	if r.act != actHandle || r.dead {
		return
	}
	name := r.tr.ActorName(r.running)
	if n == 1 {
		if r.tr.Uncontrolled == "" {
			r.tr.Uncontrolled = name + " starts a goroutine in its handler"
		}
		return
	}
	r.Report(trace.Incident{Kind: trace.Divergence, Message: -1, Site: "goroutines in a handler", Text: fmt.Sprintf(
		"%s started %d goroutines while it handled %s: the order in which they run is the Go scheduler's choice, not ours; "+
			"make them actors, or let the handler do the work itself", name, n, r.tr.MessageName(r.message))})
}
