package target

import (
	"cmp"
	"context"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has whole executions of the driver, with all that it sends, decide where messages from outside that a search invents lead nowhere: long chains of messages, and
// messages that nobody outside of the driver can make.
//
//	differs: [TAP18] has nothing like it. Such a way may handle more messages than the bounds allow, and the answer then says more than they do
//	cost:    each order is executed once for a start and model, whatever the targets are, and once more for each target that it reaches

// Walker executes drivers with what they send. A *system.Program does.
type Walker interface {
	Walk(ctx context.Context, s *system.Start, order int, goals []system.Goal, model trace.Model, b system.Bounds) *system.Found
}

// Walks is in how many orders a driver is executed, by those who want that: the default one, and such as chance makes.
const Walks = 100

// The bounds of a walk.
const (
	walkSteps  = 200 // messages that are handled
	walkActors = 100 // that are created
	walkWays   = 4   // decisions on what is not known
)

type walkKey struct {
	driver *system.Driver
	model  trace.Model
	async  bool
}

// Walked looks for a way by walks alone: for those whose first way could not be confirmed, or written as a test.
func (e *Engine) Walked(ctx context.Context, start *system.Start, t *Target, c Config) (*Answer, error) {
	c, err := c.defaults()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	e.start, e.target, e.config, e.answer = start, t, c, &Answer{Verdict: GaveUp, Why: "no order of the driver's own messages that was tried leads there"}
	e.walk(ctx)
	return e.answer, nil
}

// walk executes the driver in one order after the other, until one reaches the target.
func (e *Engine) walk(ctx context.Context) {
	w, ok := e.follower.(Walker)
	if !ok || e.answer.Verdict == Found {
		return
	}
	key := walkKey{e.start.Driver, e.config.Model, e.config.Async}
	b := system.Bounds{Steps: walkSteps, Actors: walkActors, Runs: walkWays, Config: e.followed()}
	for order := 0; order < e.config.Walks && ctx.Err() == nil; order++ {
		if order == len(e.walked[key]) {
			all := w.Walk(ctx, e.start, order, nil, e.config.Model, b)
			if e.answer.Counts.Walks += all.Runs; ctx.Err() != nil {
				return
			}
			e.walked[key] = append(e.walked[key], all)
		}
		if yes, known := e.walked[key][order].Reached(e.target.Goal); known && !yes {
			continue
		}
		found := w.Walk(ctx, e.start, order, []system.Goal{e.target.Goal}, e.config.Model, b)
		e.answer.Counts.Walks += found.Runs
		if way := found.Ways[0]; way != nil && e.admits(way) {
			e.finds(way)
			return
		}
	}
}

// finds notes a way in place of what was said before.
func (e *Engine) finds(w *system.Way) {
	e.answer.Forward = cmp.Or(e.answer.Forward, e.answer.Why)
	e.answer.Verdict, e.answer.Way, e.answer.Why, e.answer.Reasons, e.answer.Bounds, e.answer.Nearest = Found, w, "", nil, "", nil
}
