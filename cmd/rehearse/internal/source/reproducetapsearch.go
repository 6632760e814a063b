package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/tap"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// The bounds of all settings.
const (
	tapMessages = 8                // that are handled
	tapTimes    = 10               // as many steps has the paper's engine: one of its steps is a statement, one of ours a handler
	tapCreated  = 4                // actors that handlers create
	tapLimit    = 10 * time.Minute // of one search, as in the paper. Steps are to end it long before: where they do not, the table may not repeat
)

// tapProject is a package with its targets.
type tapProject struct {
	targetRun
	run     *tapRun
	path    string
	scratch string
	store   *term.Store
	solver  solve.Solver
	lister  *target.Lister
	targets []*target.Listed
	tap     *tap.Program
	results []*tapResult
	known   tapKnown
	load    time.Duration
	confirm time.Duration
	outcome map[string]*reachtest.Outcome // of tests, by what they do
}

func (p *tapProject) close() { p.solver.Close() }

// tapResult is what a setting makes of a target.
type tapResult struct {
	Setting  string  `json:"setting"`
	Package  string  `json:"package"`
	Target   string  `json:"target"`
	Panic    string  `json:"panic,omitempty"` // of an implicit panic: which kind
	Known    string  `json:"known,omitempty"` // what executions of tests say: "executed", "faults" or ""
	Verdict  string  `json:"verdict"`
	Why      string  `json:"why,omitempty"`
	Reason   string  `json:"reason,omitempty"` // Why without names and places
	Driver   string  `json:"driver,omitempty"`
	Steps    int     `json:"steps"`
	Queries  int     `json:"queries"`
	Claims   int     `json:"claims"`   // ways that were found
	Spurious int     `json:"spurious"` // ways that do not lead to the target when they are executed
	Actors   int     `json:"actors,omitempty"`
	Messages int     `json:"messages,omitempty"`
	Outside  int     `json:"outside,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"` // of the search
	Late     bool    `json:"late,omitempty"`    // the clock has ended a search, and not a budget that repeats
}

// pursuit is the search for one target in one setting: from one driver after the other, with the steps that are left, until a way is confirmed.
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
}

// try is a start with the messages that may come from outside.
type try struct {
	concern
	own bool // its own actors may call the function of the target; else what comes of it may
}

// claim is a way that a search has found.
type claim struct {
	way     *system.Way
	refuted string // not empty: it cannot be followed as a whole
}

// all searches for all targets in all settings.
func (p *tapProject) all(ctx context.Context, s cli.Streams) error {
	if len(p.targets) == 0 {
		return nil
	}
	if err := p.learn(ctx, s); err != nil {
		return err
	}
	if err := p.drive(ctx); err != nil {
		p.notes = append(p.notes, err.Error())
	}
	var err error
	if p.tap, err = tap.New(p.loaded); err != nil {
		return err
	}
	p.outcome = map[string]*reachtest.Outcome{}
	return p.pursue(ctx, s)
}

// pursue searches for all targets in all settings, and executes what was found, until all are covered or no driver is left. What the settings find is compiled together.
func (p *tapProject) pursue(ctx context.Context, s cli.Streams) error {
	began := time.Now()
	var list []*pursuit
	for _, setting := range p.run.chosen {
		for i, t := range p.targets {
			list = append(list, p.pursuit(t, setting, i))
		}
	}
	for open := list; len(open) > 0; {
		waiting, err := p.advance(ctx, s, open)
		if err == nil {
			err = p.confirmAll(ctx, waiting)
		}
		if err != nil {
			return err
		}
		open = slices.DeleteFunc(waiting, func(x *pursuit) bool { return x.result.Verdict == verdictCovered })
	}
	covered := map[string]int{}
	for _, x := range list {
		p.results = append(p.results, x.result)
		if x.result.Verdict == verdictCovered {
			covered[x.result.Setting]++
		}
	}
	var parts []string
	for _, setting := range p.run.chosen {
		parts = append(parts, fmt.Sprintf("%s %d", setting, covered[setting]))
	}
	fmt.Fprintf(s.Err, "%s: of %d targets covered: %s; %.1f s\n", p.path, len(p.targets), strings.Join(parts, ", "), time.Since(began).Seconds())
	return nil
}

// advance has the searches go on, and gives those that have found a way.
func (p *tapProject) advance(ctx context.Context, s cli.Streams, open []*pursuit) (waiting []*pursuit, err error) {
	last := time.Now()
	for i, x := range open {
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			fmt.Fprintf(s.Err, "%s: %d of %d searches are done, next is %s, %s\n", p.path, i, len(open), x.result.Setting, x.result.Target)
		}
		if err := x.advance(ctx); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", x.result.Setting, x.result.Target, err)
		}
		if x.job != nil {
			waiting = append(waiting, x)
		}
	}
	return waiting, nil
}

// pursuit begins the search for a target.
func (p *tapProject) pursuit(t *target.Listed, setting string, i int) *pursuit {
	at := &reachtest.Line{Name: p.loaded.Position(posOf(t)), Block: t.Block, Pos: t.Pos, Kind: kindOf(t)}
	x := &pursuit{of: p, t: t, at: at, id: fmt.Sprintf("_%s%d", plainName(setting), i+1), left: p.run.steps}
	if setting != ours {
		x.left *= tapTimes
	}
	x.result = &tapResult{Setting: setting, Package: p.path, Target: blockName(t), Panic: t.Kind, Known: p.known.of(t), Verdict: verdictInfeasible}
	if t.Panic {
		x.result.Target = t.Name
	}
	starts, first := p.concerned(at)
	for i, s := range starts {
		if usual := p.usualOf(s.start); usual != nil {
			x.tries = append(x.tries, try{concern{usual, s.fn}, i < first})
		}
		x.tries = append(x.tries, try{s, i < first})
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
		x.result.Claims++
		if c.refuted != "" {
			x.result.Spurious++
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
	left := x.tries[x.next:]
	sharing := len(left)
	if left[0].own {
		sharing = 0
		for _, t := range left {
			if t.own {
				sharing++
			}
		}
	}
	return max(1, x.left/sharing)
}

// search searches from one start; the claim is nil if nothing was found.
func (x *pursuit) search(ctx context.Context, t try) (*claim, error) {
	if x.left <= 0 {
		x.result.give(verdictGaveUp, "steps")
		return nil, nil
	}
	began := time.Now()
	defer func() { x.result.Seconds += time.Since(began).Seconds() }()
	if x.result.Setting == ours {
		return x.ours(ctx, t.concern)
	}
	return x.theirs(ctx, t.concern)
}

// ours is the search of rehearse target. A step is a node that is looked at, a plan that is followed, or an execution of the search forward.
func (x *pursuit) ours(ctx context.Context, of concern) (*claim, error) {
	c, share := x.of.config, x.share()
	c.Timeout, c.Nodes, c.Runs, c.Follows, c.Queries, c.Walks = tapLimit, share, share, max(1, share/10), 4*share, target.Walks
	if c.Model == trace.DefaultModel {
		c.Model = ownModel(of.start)
	}
	began := time.Now()
	a, err := x.of.engine.Reach(ctx, of.start, of.in(&x.t.Target), c)
	if err != nil {
		return nil, err
	}
	used := a.Counts.Nodes + a.Counts.Followed + a.Counts.Runs
	x.left -= used
	x.result.Steps += used
	x.result.Queries += a.Counts.Queries
	x.result.Late = x.result.Late || time.Since(began) > tapLimit/2-time.Second
	switch {
	case a.Verdict == target.Found:
		return &claim{way: a.Way}, nil
	case a.Verdict == target.Infeasible && !x.of.handled[of.fn]:
		x.result.give(verdictGaveUp, "when "+x.t.Block.Parent().Name()+" is called is not followed: no handler calls it by its name")
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
		model = ownModel(start)
	}
	c := tap.Of(tap.Setting(x.result.Setting))
	c.FIFO, c.Seed = model != trace.Bag, x.of.run.seed
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
		return &claim{refuted: "the order that was found does not lead there: " + err.Error()}, nil
	}
	return &claim{way: way}, err
}

// write makes the test of a way. If none can be written, the result says why.
func (x *pursuit) write(w *system.Way) error {
	test, err := reachtest.New(x.of.loaded, x.of.system.Exec(), reachtest.Wanted{Way: w, Name: x.at.Name, ID: x.id})
	var no *reachtest.Unwritable
	if errors.As(err, &no) {
		x.result.give(verdictUnconfirmed, err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	g := reachtest.Goal{Blocks: []*ssa.BasicBlock{x.at.Block}, Kind: x.at.Kind, Where: whereOf(x.of.loaded, x.at)}
	x.job = &reachtest.Job{Test: test, Goal: g}
	x.key = x.t.Name + "\n" + x.of.place(w.Start.Driver) + "\n" + fmt.Sprint(w.Plan.Model, w.Start.Driver.Nth, test.Sends, w.Order)
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

// confirmAll executes the tests that wait, each once however many settings have found it.
func (p *tapProject) confirmAll(ctx context.Context, waiting []*pursuit) error {
	began := time.Now()
	defer func() { p.confirm += time.Since(began) }()
	var jobs []reachtest.Job
	var keys []string
	for _, x := range waiting {
		if p.outcome[x.key] == nil && !slices.Contains(keys, x.key) {
			jobs, keys = append(jobs, *x.job), append(keys, x.key)
		}
	}
	outcomes, err := reachtest.ConfirmAll(ctx, reachtest.Run{Scratch: p.scratch, Timeout: p.timeout}, jobs)
	if err != nil {
		return err
	}
	for i, o := range outcomes {
		p.outcome[keys[i]] = o
	}
	for _, x := range waiting {
		x.result.conclude(p.outcome[x.key])
	}
	return nil
}

// conclude notes what the real program says. A way whose block has no counter counts as spurious, too: nobody has seen it get there.
func (r *tapResult) conclude(o *reachtest.Outcome) {
	if o.Covered {
		r.Verdict, r.Why, r.Reason = verdictCovered, "", ""
		return
	}
	r.Spurious++
	r.give(verdictUnconfirmed, o.Why)
	r.Driver, r.Actors, r.Messages, r.Outside = "", 0, 0, 0
}

// give notes the verdict of one driver: the worst of all drivers counts.
func (r *tapResult) give(verdict, why string) {
	if i, j := slices.Index(worse, verdict), slices.Index(worse, r.Verdict); i > j || i == j && r.Why == "" {
		r.Verdict, r.Why, r.Reason = verdict, oneLine(why), reasonOf(verdict, oneLine(why))
	}
}
