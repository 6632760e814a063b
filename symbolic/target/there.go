package target

import (
	"context"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file has targets that each execution of a driver reaches before any message: in start hooks of the actors that
// it creates.

// there looks for a way without a message.
func (e *Engine) there(ctx context.Context) {
	if e.config.Own || !lasts(e.start, e.target.Goal) {
		return
	}
	e.answer.Counts.Followed++
	way, err := e.follower.Follow(ctx, e.start, system.Plan{Model: e.config.Model}, e.target.Goal, e.followed())
	if err == nil && e.admits(way) {
		e.finds(way)
	}
}

// lasts reports whether each execution from a start reaches a goal before the driver's own messages.
func lasts(s *system.Start, g system.Goal) bool {
	switch {
	case g.Check != nil || g.AtEnd || len(g.After) > 0:
		return false
	case g.Panic:
		return slices.Contains(s.Panics, g.Pos) || !g.Pos.IsValid() && len(s.Panics) > 0
	case g.Dead:
		return slices.Contains(s.Lost, g.Pos) || !g.Pos.IsValid() && len(s.Lost) > 0
	}
	return slices.Contains(s.Visited, g.Block)
}
