package system

import (
	"context"
	"go/token"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// This file searches forward: all orders of messages within bounds, with messages from outside whose values are not
// known.
//
//	source:     none: depth first with iterative deepening, what a brute-force search does with values, here with
//	            conditions
//	differs:    states with equal terms and equal conditions are searched once
//	invariants: I1 without bounds and messages from outside, the runs are the executions of the naive strategy
//	cost:       every run begins with the driver
//	checked by: search_test.go: counts of executions of compiled programs; Follow leads to what was found

// Search executes everything within bounds, forwards: the driver, then messages in every order that the model allows,
// with up to so many messages from outside, of the start's shapes. It gives a way for each goal that it reaches. What
// the bounds cut is counted.
func (p *Program) Search(ctx context.Context, s *Start, goals []Goal, model trace.Model, b Bounds) *Found {
	b = b.defaults()
	model = ownModel(s, model)
	found := newFound(len(goals))
	for steps := 1; steps <= b.Steps && found.left() && ctx.Err() == nil; {
		found.Cuts, found.ended = map[string]int{}, false
		before := found.open()
		p.searchTo(ctx, s, goals, model, b, steps, found)
		spent := b.spent(found)
		switch {
		case found.ended && found.open() < before && found.left() && spent == "":
			// again: what comes behind goals that are reached was not searched
		case found.ended && found.left():
			found.Cuts[cutGoal]++
			return found
		case found.Cuts[cutSteps] == 0 || steps == b.Steps:
			return found
		case spent != "":
			found.Cuts[spent]++
			return found
		default:
			steps = deeper(steps, b.Steps)
		}
	}
	return found
}

// spent says which bound on all executions a search has come to.
func (b Bounds) spent(found *Found) string {
	switch {
	case found.Runs >= b.Runs:
		return cutRuns
	case b.Work > 0 && found.Work >= b.Work:
		return cutWork
	}
	return ""
}

// deeper gives the next bound on steps after one.
func deeper(steps, most int) int {
	if steps < most {
		return min(steps+max(1, steps/3), most)
	}
	return most + 1
}

// searchTo searches with a bound on steps.
func (p *Program) searchTo(ctx context.Context, s *Start, goals []Goal, model trace.Model, b Bounds, steps int,
	found *Found) {
	run, stop := context.WithCancel(ctx)
	defer stop()
	seen := map[string]int{}
	if b.again {
		seen = nil
	}
	shapes := slices.DeleteFunc(slices.Clone(s.Shapes), func(o Shape) bool { return !o.Sent && !b.Asked })
	judging := b.Checks || looksAtChecks(goals)
	found.judged = judging
	found.ends = p.endsOnly(s, goals, b)
	var last *searcher
	next := func() *world {
		last.over(ctx)
		last = &searcher{p: p, start: s, goals: goals, bounds: b, steps: steps, seen: seen, shapes: shapes,
			masters: map[int]exec.Value{}, result: found, stop: stop}
		if b.order != nil {
			last.walk = newWalk(*b.order)
		}
		last.w = &world{p: p, driver: s.Driver, task: last, model: model, async: b.Async, replay: b.Sent, ending: b.Ending,
			chance: b.chance, judgement: judgement{judging: judging}}
		found.Runs++
		return last.w
	}
	c := b.Config
	c.Paths = max(1, b.Runs-found.Runs)
	if b.Work > 0 {
		c.Work = max(1, b.Work-found.Work)
	}
	result := p.explore(run, s.Driver, c, next)
	found.Work += result.Work
	last.over(ctx)
	if result.Defect != "" {
		found.Cuts[result.Defect]++
	}
	for why, n := range result.Cuts {
		if run.Err() == nil {
			found.Cuts[why] += n
		}
	}
}

// searcher is the task of a run of a search.
type searcher struct {
	p      *Program
	w      *world
	start  *Start
	goals  []Goal
	bounds Bounds
	steps  int
	seen   map[string]int
	shapes []Shape
	walk   *walk // the one order of a run; nil: all
	result *Found
	stop   func() // ends the exploration

	open    bool
	given   []Message
	by      []*handler
	message []int32 // that these took
	outside []External
	sent    []int32 // of these, the messages
	cut     string
	masters map[int]exec.Value // messages of the driver, by their index
	beyond  bool               // more messages from outside could be handled
	known   bool               // the state was met before
	after   int                // the goal whose conditions hold after the last step, -1 if none
	checked int                // handlers that were looked at for that
	panics  []token.Pos
	trial   *trial // of the message from outside that was handled last
}

// opened begins the search. Where all messages from outside are in mailboxes before the first handler, they are sent
// now.
func (f *searcher) opened(w *world) {
	f.open, f.after = true, -1
	f.given = w.pending()
	f.keeps()
	switch {
	case f.walk == nil:
		w.m.Fresh(w.hooked...)
	case !f.bounds.Sent: // of the driver, that it sets up stays in the test, and what it sends does not
		w.m.Fresh(w.lasting()...)
	}
	for w.model == trace.MailboxSerial && f.more() > 0 {
		i := f.picks(f.more() + 1)
		if i == 0 {
			return
		}
		f.sends(f.shapes[i-1])
	}
}

// picks decides for one of so many.
func (f *searcher) picks(n int) int {
	if f.walk != nil && !f.probes() {
		return f.walk.chance.IntN(n)
	}
	return f.w.m.Pick(n)
}

// probes reports whether messages from outside are tried one after the other, and chance decides nothing.
func (f *searcher) probes() bool { return f.walk != nil && f.walk.order == 0 && f.bounds.chance == nil }

// choose takes every step in turn, and every message from outside.
func (f *searcher) choose(w *world, steps []trace.Step) int {
	if !f.goesOn() {
		return -1
	}
	if w.m.Replays() {
		return f.pick(w, steps)
	}
	if key := f.key(); key != "" {
		used := len(f.by)*1000 + len(f.outside)
		if before, ok := f.seen[key]; ok && before <= used {
			f.known = true
			return -1
		}
		f.seen[key] = used
	}
	return f.pick(w, steps)
}

// pick decides for a step. A message from outside is delivered at once; under mailbox it is released at once, since
// nothing else depends on when it was sent.
func (f *searcher) pick(w *world, steps []trace.Step) int {
	more, open := f.more(), f.allowed(steps)
	if steps[0].Kind == trace.Choose || w.model == trace.MailboxSerial || f.bounded(more) {
		more = 0
	}
	switch {
	case len(open)+more == 0:
		return -1
	case f.probes():
		if len(open) > 0 {
			return f.walk.pick(steps, open)
		}
	case f.walk != nil:
		return f.wanders(steps, open, more)
	}
	i := w.m.Pick(len(open) + more)
	if i < len(open) {
		return open[i]
	}
	f.outsider(f.shapes[i-len(open)])
	w.steps = w.pool.Enabled(w.steps[:0], w)
	message := f.sent[len(f.sent)-1]
	if i := slices.IndexFunc(w.steps, func(s trace.Step) bool { return s.Message == message }); i >= 0 {
		return i
	}
	f.known = true // it is handled later, and so may be sent later
	return -1
}

// wanders lets chance decide for a step, or for a message from outside before it.
func (f *searcher) wanders(steps []trace.Step, open []int, more int) int {
	if i := f.walk.sends(more, len(open) > 0); i >= 0 {
		w := f.w
		f.outsider(f.shapes[i])
		w.steps = w.pool.Enabled(w.steps[:0], w)
		if steps, open = w.steps, f.allowed(w.steps); len(open) == 0 {
			return -1
		}
	}
	return f.walk.pick(steps, open)
}

// allowed lists the steps that are within the bound: at the end of it those that handle no message of a user or a timer
// from the beginning.
func (f *searcher) allowed(steps []trace.Step) (list []int) {
	for i, s := range steps {
		if len(f.by) >= f.steps && s.Kind == trace.Deliver {
			if msg := &f.w.tr.Messages[s.Message]; !msg.EndsCall && (msg.Kind == trace.User || msg.Kind == trace.Timeout) {
				f.cut = cutSteps
				continue
			}
		}
		list = append(list, i)
	}
	return list
}

// bounded reports whether the bound on steps keeps one more message from outside from being handled, and notes that.
func (f *searcher) bounded(more int) bool {
	if len(f.by)+f.owed() < f.steps {
		return false
	}
	f.beyond = f.beyond || more > 0
	return true
}

// idle sends one more message from outside, or none, where nothing else can happen.
func (f *searcher) idle(w *world) bool {
	if !f.goesOn() || f.more() == 0 || w.model == trace.MailboxSerial || f.bounded(f.more()) {
		return false
	}
	i := 0
	switch {
	case f.probes():
		i = w.m.Pick(f.more()) + 1
	case f.walk != nil:
		i = f.walk.sends(f.more(), false) + 1
	default:
		i = w.m.Pick(f.more() + 1)
	}
	if i == 0 {
		return false
	}
	f.outsider(f.shapes[i-1])
	return true
}

// goesOn reports whether the run goes on: no goal was reached, and it is within the bounds.
func (f *searcher) goesOn() bool {
	w := f.w
	for i, g := range f.goals {
		if f.result.Ways[i] == nil && !g.AtEnd &&
			(g.passes() && slices.Contains(w.m.Path().Blocks, g.Block) || g.Dead && g.reached(w.m.Path())) {
			f.result.ended = true
			return false
		}
	}
	if f.meets() {
		return false
	}
	if f.vain() {
		f.known = true
		return false
	}
	if len(f.by)+f.owed() > f.steps {
		f.cut = cutSteps
		return false
	}
	if len(w.actors)-1-len(f.start.Actors) > f.bounds.Actors {
		f.cut = cutActors
		return false
	}
	return true
}

// meets reports whether the conditions of a goal hold after the last step, which is decided.
func (f *searcher) meets() bool {
	n := len(f.by)
	if n == 0 || n == f.checked || !f.by[n-1].returned() {
		return false
	}
	f.checked = n
	for i, g := range f.goals {
		if len(g.After) == 0 || f.result.Ways[i] != nil {
			continue
		}
		if holds := f.w.holds(f.by[n-1].actor, g.After); holds != nil && f.w.m.True(holds) {
			f.after, f.result.ended = i, true
			return true
		}
	}
	return false
}

// begins counts a handler. What set-up handles is part of the start.
func (f *searcher) begins(_ *world, h *handler) {
	if !f.open {
		return
	}
	message := h.message
	if h.taken >= 0 {
		message = h.taken
	}
	if class := f.w.tr.Messages[message].Kind; class == trace.User || class == trace.Timeout {
		f.by, f.message = append(f.by, h), append(f.message, message)
		f.tries(h, message)
	}
}

func (f *searcher) ended(w *world) {
	if w.broken != nil && !f.open { // in set-up
		f.open, f.after = true, -1
	}
	if !f.open || f.cut != "" || f.known || w.broken != nil || w.spoilt {
		return
	}
	w.concludes()
	if w.broken == nil && slices.ContainsFunc(f.goals, func(g Goal) bool { return g.AtEnd }) {
		w.finish()
	}
}

// escapes ends the run at a panic that is a goal.
func (f *searcher) escapes(x *exec.Failed) (ends bool) {
	f.panics = append(f.panics, x.Pos)
	if f.w.judging && f.w.wrong(trace.Panic) {
		return true
	}
	for i, g := range f.goals {
		if f.open && f.result.Ways[i] == nil && g.panics(x, f.w.m.Path()) {
			f.result.ended = true
			return true
		}
	}
	return false
}
