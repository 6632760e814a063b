package order

import "github.com/rehearse-go/rehearse/internal/selection"

// newStable is the actor selection of [ASTS] with our rules: internal/selection has them.
func newStable() Order { return selection.NewJudge(selection.StableOptions{}) }
