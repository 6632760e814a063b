package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/tap"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// pursuit is the search for one target in one setting: from one driver after the other, with the steps that are left,
// until a way is confirmed.
type pursuit struct {
	of     *tapProject
	t      *target.Listed
	at     *reachtest.Line
	id     string
	result *tapResult
	tries  []try
	next   int
	left   int
	job    *reachtest.Job // of the way that waits for its confirmation
	key    string

	was     bool   // its result is one of a run before
	seed    uint64 // of its chances
	walking bool   // the way is one of the driver as it is
	unsure  bool   // its conditions depend on what is not modelled

	unwritten bool // of a way that was found no test can be written
}

// try is a start with the messages that may come from outside.
type try struct {
	concern
	own   bool // its own actors may call the function of the target; else what comes of it may
	odd   bool // messages from outside are those that their receivers have no case for
	made  bool // messages from outside are as the driver makes them, since no others can be written
	walks bool // the driver is executed as it is, and nothing else
}

// claim is a way that a search has found.
type claim struct {
	way     *system.Way
	refuted string // not empty: it cannot be followed as a whole
	unsure  bool   // of a refuted one: it holds only if what was assumed does
}

// pursuit begins the search for a target.
func (p *tapProject) pursuit(t *target.Listed, setting string, seed uint64, i int) *pursuit {
	at := &reachtest.Line{Name: p.loaded.Position(posOf(t)), Block: t.Block, Pos: t.Pos, Kind: kindOf(t)}
	x := &pursuit{of: p, t: t, at: at, id: fmt.Sprintf("_%s%d_%d", plainName(setting), i+1, seed), left: p.run.steps,
		seed: seed}
	if setting != ours {
		x.left *= tapTimes
	}
	x.result = &tapResult{Setting: setting, Seed: seed, Package: packageOf(t), Target: nameOf(t), Panic: t.Kind,
		Nth: p.nth[t], Known: p.known.of(t), Verdict: verdictInfeasible}
	if was := p.run.kept.of(x.result); was != nil {
		was.Known = x.result.Known // that of a run now counts
		x.result, x.was = was, true
		return x
	}
	starts, first := p.concerned(at)
	for i, s := range starts {
		if usual := p.usualOf(s.start); usual != nil {
			x.tries = append(x.tries, try{concern: concern{start: usual, fn: s.fn}, own: i < first})
		}
		x.tries = append(x.tries, try{concern: s, own: i < first})
	}
	if setting == ours {
		for _, s := range starts {
			if odd := p.oddOf(s.start); odd != nil {
				x.tries = append(x.tries, try{concern: concern{start: odd, fn: s.fn}, odd: true})
			}
		}
		for _, s := range starts {
			if made := p.madeOf(s.start); made != nil {
				s.start = made
				x.tries = append(x.tries, try{concern: s, made: true})
			}
		}
		for _, s := range starts {
			x.tries = append(x.tries, try{concern: s, walks: true})
		}
	}
	if len(x.tries) == 0 {
		x.result.give(verdictGaveUp, "no driver creates an actor that calls "+t.Block.Parent().Name())
	}
	return x
}

// plainName makes a part of a name of that of a setting.
func plainName(setting string) string {
	var b []rune
	for _, c := range setting {
		if c != '+' {
			b = append(b, c)
		}
	}
	return string(b)
}

// advance goes on until there is a way of which a test can be written, or nothing is left.
func (x *pursuit) advance(ctx context.Context) error {
	x.job = nil
	for x.next < len(x.tries) {
		c, err := x.search(ctx, x.tries[x.next])
		if err != nil {
			return err
		}
		x.next++
		if c == nil {
			continue
		}
		if x.walking = x.tries[x.next-1].walks; x.walking {
			if err := x.write(c.way); err != nil || x.job != nil {
				return err
			}
			continue
		}
		x.result.Claims++
		if c.refuted != "" {
			if c.unsure {
				x.result.Unsure++
			} else {
				x.result.Spurious++
			}
			x.result.give(verdictUnconfirmed, c.refuted)
			continue
		}
		if err := x.write(c.way); err != nil || x.job != nil {
			return err
		}
	}
	return nil
}

// share is how many steps a try gets: what others do not need is for those behind them.
func (x *pursuit) share() int {
	left, sharing := x.tries[x.next:], 0
	for _, t := range left {
		if !t.walks && !t.made && !t.odd && (t.own || !left[0].own) {
			sharing++
		}
	}
	return max(1, x.left/sharing)
}

// search searches from one start; the claim is nil if nothing was found.
func (x *pursuit) search(ctx context.Context, t try) (*claim, error) {
	if t.walks {
		return x.walks(ctx, t.concern)
	}
	began := time.Now()
	if x.result.Setting != ours { // the paper's seconds are without the message flow graph
		if err := x.of.tap.Prepare(t.start); err != nil {
			return nil, err
		}
		x.of.graphs += time.Since(began)
		began = time.Now()
	}
	defer func() { x.result.Seconds += time.Since(began).Seconds() }()
	switch {
	case t.made:
		return x.made(ctx, t.concern)
	case t.odd:
		return x.odd(ctx, t.concern)
	case x.left <= 0 && x.result.Setting != ours: // of ours, what is no step of the budget is tried from each start
		x.result.give(verdictGaveUp, "steps")
		return nil, nil
	case x.result.Setting == ours:
		return x.ours(ctx, t.concern)
	}
	return x.theirs(ctx, t.concern)
}

// odd has receptionists get what they have no case for.
func (x *pursuit) odd(ctx context.Context, of concern) (*claim, error) {
	c := x.of.config
	c.Timeout, c.Probes = tapLimit, 1
	x.of.conditions(&c, of.start)
	a, err := x.of.engine.Made(ctx, of.start, of.in(&x.t.Target), c)
	if err != nil || a.Verdict != target.Found {
		return nil, err
	}
	x.result.Steps += a.Counts.Runs + a.Counts.Walks
	return &claim{way: a.Way}, nil
}

// made searches with messages as the driver makes them, where what was found with others cannot be written as a test.
func (x *pursuit) made(ctx context.Context, of concern) (*claim, error) {
	if !x.unwritten {
		return nil, nil
	}
	c := x.of.config
	c.Timeout, c.Probes, c.Wanders = tapLimit, target.Probes, target.Wanders
	x.of.conditions(&c, of.start)
	a, err := x.of.engine.Made(ctx, of.start, of.in(&x.t.Target), c)
	if err != nil {
		return nil, err
	}
	x.result.Steps += a.Counts.Runs + a.Counts.Walks
	if a.Verdict != target.Found {
		return nil, nil
	}
	return &claim{way: a.Way}, nil
}

// walks executes a driver as it is, where nothing else has led to the target. What that reaches is told apart, and no
// setting covers it.
func (x *pursuit) walks(ctx context.Context, of concern) (*claim, error) {
	c := x.of.config
	c.Timeout, c.Walks = tapLimit, target.Walks
	x.of.conditions(&c, of.start)
	a, err := x.of.engine.Walked(ctx, of.start, of.in(&x.t.Target), c)
	if err != nil {
		return nil, err
	}
	if a.Verdict != target.Found {
		return nil, x.ends(ctx, of, c)
	}
	if x.result.Known == knownEnding { // from another driver it was
		x.result.Known = knownExecuted
	}
	return &claim{way: a.Way}, nil
}

// ends finds out whether the tests execute a block only where the adapter ends an execution whose actors wait for each
// other. It lets their handlers go on with an error.
func (x *pursuit) ends(ctx context.Context, of concern, c target.Config) error {
	if x.result.Known != knownExecuted {
		return nil
	}
	c.Follow.Ending = true
	a, err := x.of.engine.Walked(ctx, of.start, of.in(&x.t.Target), c)
	if err == nil && a.Verdict == target.Found {
		x.result.Known = knownEnding
	}
	return err
}

// ours is the search of rehearse target. A step is a node that is looked at, a plan that is followed, or an execution
// of the search forward.
func (x *pursuit) ours(ctx context.Context, of concern) (*claim, error) {
	c, share := x.of.config, x.share()
	c.Timeout, c.Nodes, c.Runs, c.Follows, c.Queries = tapLimit, share, share, max(1, share/10), 4*share
	c.Probes, c.Wanders = target.Probes, target.Wanders
	x.of.conditions(&c, of.start)
	began := time.Now()
	a, err := x.of.engine.Reach(ctx, of.start, of.in(&x.t.Target), c)
	if err != nil {
		return nil, err
	}
	used := a.Counts.Nodes + a.Counts.Followed + a.Counts.Runs
	x.left -= used
	x.result.Steps += used + a.Counts.Walks
	x.result.Queries += a.Counts.Queries
	x.result.Late = x.result.Late || time.Since(began) > tapLimit/2-time.Second
	switch {
	case a.Verdict == target.Found:
		return &claim{way: a.Way}, nil
	case a.Verdict == target.Infeasible && x.t.Impossible == "" && !x.of.handled[of.fn]:
		x.result.give(verdictGaveUp,
			"when "+x.t.Block.Parent().Name()+" is called is not followed: no handler calls it by its name")
	case a.Verdict == target.Infeasible:
		x.result.give(verdictInfeasible, a.Bounds)
	default:
		x.result.give(verdictGaveUp, a.Why)
	}
	return nil, nil
}

// theirs is the paper's search. Its answer is followed as a whole, which gives the values and orders that a test needs.
func (x *pursuit) theirs(ctx context.Context, of concern) (*claim, error) {
	start, goal, model := of.start, of.in(&x.t.Target).Goal, x.of.config.Model
	if model == trace.DefaultModel {
		model = start.Driver.OwnModel()
	}
	c := tap.Of(tap.Setting(x.result.Setting))
	c.FIFO, c.Seed = model != trace.Bag, x.seed
	c.Steps, c.Checks = x.share(), 4*x.share()
	c.Runs, c.Outside, c.Actors = tapMessages, tapMessages, tapCreated+len(start.Actors)
	c.Seconds, c.Now = tapLimit.Seconds(), time.Now
	a, err := x.of.tap.Search(ctx, x.of.store, start, goal, c)
	if err != nil {
		return nil, err
	}
	x.left -= a.Steps
	x.result.Steps += a.Steps
	x.result.Queries += a.Checks
	x.result.Late = x.result.Late || a.Reason == "time"
	switch {
	case a.Verdict == tap.Infeasible:
		x.result.give(verdictInfeasible, "")
	case a.Verdict == tap.GaveUp:
		x.result.give(verdictGaveUp, a.Reason)
	default:
		return x.follow(ctx, start, goal, a)
	}
	return nil, nil
}

// follow executes an order of the paper's engine symbolically.
func (x *pursuit) follow(ctx context.Context, start *system.Start, goal system.Goal, a *tap.Answer) (*claim, error) {
	way, err := x.of.system.Follow(ctx, start, a.Plan, goal, system.Config{})
	if err != nil && ctx.Err() == nil {
		return &claim{refuted: "the order that was found does not lead there: " + err.Error(), unsure: len(a.Assumed) > 0},
			nil
	}
	return &claim{way: way}, err
}

// write makes the test of a way. If none can be written, the result says why.
func (x *pursuit) write(w *system.Way) error {
	test, err := reachtest.New(x.of.loaded, x.of.system.Exec(), reachtest.Wanted{Way: w, Name: x.at.Name, ID: x.id})
	var no *reachtest.Unwritable
	if errors.As(err, &no) {
		if x.unwritten = true; !x.walking {
			x.result.give(verdictUnconfirmed, err.Error())
		}
		return nil
	}
	if err != nil {
		return err
	}
	g := reachtest.Goal{Blocks: []*ssa.BasicBlock{x.at.Block}, Kind: x.at.Kind,
		Where: whereOf(x.of.loaded, x.at), Passed: true}
	x.job = &reachtest.Job{Test: test, Goal: g}
	x.key = x.t.Name + "\n" + x.of.place(w.Start.Driver) + "\n" + fmt.Sprint(w.Plan.Model, w.Start.Driver.Nth,
		test.Sends, w.Order)
	if x.walking {
		return nil
	}
	x.unsure = w.Guesses() ||
		slices.ContainsFunc(w.Marks, func(m exec.Mark) bool { return m.Kind == exec.Unsure || m.Kind == exec.Havoc })
	x.result.Driver = x.of.place(w.Start.Driver)
	x.result.Actors, x.result.Messages, x.result.Outside = actorsOf(w), len(w.Plan.Steps), len(w.Outside)
	return nil
}

// actorsOf counts the actors that handle messages.
func actorsOf(w *system.Way) int {
	seen := map[system.Agent]bool{}
	for _, s := range w.Plan.Steps {
		seen[s.To] = true
	}
	return len(seen)
}
