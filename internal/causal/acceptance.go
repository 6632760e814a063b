package causal

import "github.com/rehearse-go/rehearse/explore"

// Acceptance tells whether the receiver of message m would have handled it right before the event with this index in
// the trace, a step of that actor. known is false if nobody can tell.
type Acceptance func(event, m int32) (accepts, known bool)

// AcceptanceOf asks the system what actors would have accepted; nil if it cannot tell.
func AcceptanceOf(x explore.Execution) Acceptance {
	if r, ok := x.(explore.Recaller); ok {
		r.Recall()
	}
	if f, ok := x.(explore.Foreseer); ok {
		return f.WouldAccept
	}
	return nil
}
