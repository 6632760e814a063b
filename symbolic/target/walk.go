package target

import (
	"cmp"
	"context"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has executions in which chance decides what a search goes through in order: which messages come from
// outside, when, and what is handled next. Backward steps do not come to the end of long chains of messages, and a
// search forward that goes through everything does not come far. The values of messages are still what the conditions
// of the whole path want, and what chance has found is a way like others.
//
// A walk is another thing: it executes the driver with its own messages in an order by chance. It chooses nothing but
// the order, so an answer by it says that it is one.
//
//	differs: [TAP18] has nothing like it. Such a way may handle more messages than Config.Steps says
//	cost:    each number is executed once for a start and model, whatever the targets are, and once more for each target
//	         that it reaches

// Chancer executes drivers by chance. A *system.Program does.
type Chancer interface {
	Wander(ctx context.Context, s *system.Start, order int, goals []system.Goal, model trace.Model,
		b system.Bounds) *system.Found
	Walk(ctx context.Context, s *system.Start, order int, goals []system.Goal, model trace.Model,
		b system.Bounds) *system.Found
}

// How many executions by chance there are, for those who want some.
const (
	Wanders = 130 // with messages that are invented
	Walks   = 100 // with those of the driver
)

// The bounds of an execution by chance.
const (
	wanderSteps = 50  // messages that are handled
	walkSteps   = 200 // messages that are handled
	walkActors  = 100 // that are created
	walkWays    = 4   // decisions on what is not known
	// instructions, with questions to the solver as exec.Config.Work counts them: measured were 90,000 at most
	walkWork = 250_000
	// twice so many of the last numbers handle as many messages as a walk does. The first half sends one from outside at
	// most, the other two: what follows one is long where many actors pass it on. They are left out where no other number
	// has come to its bound
	lasting = 5
	// so many of the first numbers send one message from outside at most, as many behind them two, then three: most
	// targets need no more
	brief = 10
	// this many times Wanders are tried where something panics before the target on all ways that were found
	another = 4
)

// walkKey is what executions by chance depend on, beside their number. Messages that are invented depend on the start.
type walkKey struct {
	start        *system.Start
	driver       *system.Driver
	model        trace.Model
	async, usual bool
	ending       bool
	checks       bool // the functions of the driver's Config are asked
	outside      int
}

// Walked looks for a way by executions of the driver as it is. It is for those whose first way could not be confirmed,
// or written as a test, or who ask for no other.
func (e *Engine) Walked(ctx context.Context, start *system.Start, t *Target, c Config) (*Answer, error) {
	c, err := c.defaults()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	e.start, e.target, e.config, e.answer = start, t, c, &Answer{Verdict: GaveUp,
		Why: "no order of the driver's own messages that was tried leads there"}
	e.walk(ctx)
	return e.answer, nil
}

// wander executes messages that are invented.
func (e *Engine) wander(ctx context.Context) {
	w, ok := e.follower.(Chancer)
	if !ok || e.config.Own {
		return
	}
	key := walkKey{start: e.start, model: e.config.Model, async: e.config.Async, usual: e.config.Usual,
		ending: e.config.Follow.Ending, checks: e.target.Check != nil, outside: e.config.Outside}
	b := system.Bounds{Steps: max(wanderSteps, e.config.Steps), Outside: e.config.Outside, Actors: walkActors,
		Asked: !e.config.Usual, Checks: key.checks, Config: e.followed()}
	b.Work = walkWork
	run := func(ctx context.Context, order int, goals []system.Goal) *system.Found {
		b := b
		if order < 3*brief {
			b.Outside = min(b.Outside, 1+order/brief)
		} else if left := e.config.Wanders - order; left > 0 && left <= 2*lasting {
			b.Steps, b.Outside = max(b.Steps, walkSteps), min(b.Outside, 1+(2*lasting-left)/lasting)
		}
		return w.Wander(ctx, e.start, order, goals, e.config.Model, b)
	}
	short := max(min(e.config.Wanders, 3*brief), e.config.Wanders-2*lasting)
	second := e.byChance(ctx, key, short, run)
	if first := e.walked[key]; slices.ContainsFunc(first[:min(short, len(first))], (*system.Found).Short) {
		second = cmp.Or(e.byChance(ctx, key, e.config.Wanders, run), second)
	}
	if second != nil { // so there may be one without
		e.byChance(ctx, key, another*e.config.Wanders, run)
	}
	e.settles(second)
}

// settles takes a way on which something panics before the target, if there is one and no other.
func (e *Engine) settles(second *system.Way) {
	if second != nil && e.answer.Verdict != Found {
		e.finds(second)
	}
}

// walk executes the driver in one order after the other.
func (e *Engine) walk(ctx context.Context) {
	w, ok := e.follower.(Chancer)
	if !ok {
		return
	}
	checks := e.target.Check != nil
	b := system.Bounds{Steps: walkSteps, Actors: walkActors, Runs: walkWays, Checks: checks, Config: e.followed()}
	b.Work = walkWork
	e.settles(e.byChance(ctx, walkKey{driver: e.start.Driver, model: e.config.Model, async: e.config.Async,
		ending: e.config.Follow.Ending,
		checks: checks}, e.config.Walks, func(ctx context.Context, order int, goals []system.Goal) *system.Found {
		return w.Walk(ctx, e.start, order, goals, e.config.Model, b)
	}))
}

// byChance executes by one number after the other, until one reaches the target. A way on which something panics before
// is only handed back, since most Checks end there. What the numbers reach is kept for other targets. Of a large
// program an eighth of the time is for that, which others also need.
func (e *Engine) byChance(ctx context.Context, key walkKey, most int,
	run func(ctx context.Context, order int, goals []system.Goal) *system.Found) (second *system.Way) {
	ctx, stop := context.WithTimeout(ctx, e.config.Timeout/8)
	defer stop()
	for order := 0; order < most && ctx.Err() == nil && e.answer.Verdict != Found; order++ {
		if order == len(e.walked[key]) {
			all := run(ctx, order, nil)
			if e.answer.Counts.Walks += all.Runs; ctx.Err() != nil {
				return second
			}
			e.walked[key] = append(e.walked[key], all)
		}
		if yes, known := e.walked[key][order].Reached(e.target.Goal); known && !yes {
			continue
		}
		found := run(ctx, order, []system.Goal{e.target.Goal})
		e.answer.Counts.Walks += found.Runs
		switch way := found.Ways[0]; {
		case way == nil || !e.admits(way):
		case e.behindPanic(way):
			second = cmp.Or(second, way)
		default:
			e.finds(way)
		}
	}
	return second
}

// behindPanic reports whether something panics on a way before the target.
func (e *Engine) behindPanic(w *system.Way) bool {
	if e.target.Panic { // which is one itself
		return w.Panics > 1
	}
	return w.Panics > 0
}

// finds notes a way in place of what was said before.
func (e *Engine) finds(w *system.Way) {
	e.answer.Forward = cmp.Or(e.answer.Forward, e.answer.Why)
	e.answer.Verdict, e.answer.Way, e.answer.Why, e.answer.Reasons, e.answer.Bounds, e.answer.Nearest = Found, w, "", nil, "", nil
}
