package causal

import "github.com/rehearse-go/rehearse/explore"

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
