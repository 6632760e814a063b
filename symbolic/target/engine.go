package target

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Follower executes a plan as a whole. A *system.Program is one.
type Follower interface {
	Follow(ctx context.Context, s *system.Start, plan system.Plan, goal system.Goal, c system.Config) (*system.Way, error)
}

// Engine searches for ways to targets of one program. It is for one goroutine at a time.
type Engine struct {
	loaded      *load.Program
	summaries   *summary.Program
	store       *term.Store
	follower    Follower
	assumptions map[string]*assumptions     // by what they say
	searched    map[judgeKey]*system.Found  // forward, without a way for its goal
	walked      map[walkKey][]*system.Found // of each order what it reaches
	probed      map[judgeKey]*system.Found  // what probes reach
	others      []*system.Start             // as Knows has them

	// Of the search that runs.
	assume    *assumptions
	start     *system.Start
	target    *Target
	config    Config
	most      int // steps, Started not counted
	started   types.Type
	lib       *library
	flow      *flow
	reasons   []string // why ways may be missing
	tells     []*route // that write what a check at the end may look at
	libs      map[libraryKey]*library
	asked     []summary.Handler // all of the program
	frozen    *frozen           // nil until somebody asks
	cuts      map[cutHandler]bool
	askedAll  bool // the time was not over when they were found
	states    []map[string]*term.Term
	alike     []int // of each actor of the start the first one that nothing tells it apart from
	sentFlat  []map[string]*term.Term
	solver    solve.Solver
	frontier  frontier
	seen      map[string]bool
	answer    *Answer
	refused   string // why the first plan could not be followed
	undecided string // what the solver could not decide first
	made      int
	nearest   int // the rank of the nearest point
}

type libraryKey struct {
	start *system.Start
	exec  exec.Config
}

// flowKey is what a flow graph depends on beside the start.
type flowKey struct{ usual, own, constants bool }

// New makes an engine. Summaries are of the store; the follower is of the same program.
func New(loaded *load.Program, summaries *summary.Program, store *term.Store, follower Follower) *Engine {
	return &Engine{loaded: loaded, summaries: summaries, store: store, follower: follower,
		libs: map[libraryKey]*library{}, cuts: map[cutHandler]bool{},
		searched: map[judgeKey]*system.Found{}, walked: map[walkKey][]*system.Found{},
		probed: map[judgeKey]*system.Found{}, assumptions: map[string]*assumptions{}}
}

// Reach searches for a way to a target from a start configuration. It fails if the configuration makes no sense.
func (e *Engine) Reach(ctx context.Context, start *system.Start, t *Target, c Config) (*Answer, error) {
	c, err := c.defaults()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	e.start = start
	if e.assume, err = e.assumes(ctx, c); err != nil {
		return nil, err
	}
	e.begins(start, t, c)
	defer e.solver.Close()
	if t.Impossible != "" {
		e.answer.Verdict, e.answer.Bounds = Infeasible, t.Impossible
		return e.answer, nil
	}
	if e.there(ctx); e.answer.Verdict == Found {
		return e.answer, nil
	}
	if e.probe(ctx); e.answer.Verdict == Found {
		return e.answer, nil
	}
	back, stop := context.WithTimeout(ctx, c.Timeout/2)
	defer stop()
	e.prepare(back)
	e.search(back)
	if e.answer.Verdict != Found {
		e.nearExcluded()
		e.helped(back)
	}
	e.answer.Counts.Queries = e.solver.Stats().Checks
	e.deepen(ctx)
	e.wander(ctx)
	e.judge(ctx)
	e.walk(ctx)
	return e.answer, nil
}

// begins begins anew.
func (e *Engine) begins(start *system.Start, t *Target, c Config) {
	e.start, e.target, e.config, e.most = start, t, c, c.Steps
	e.solver, e.frontier, e.seen, e.answer, e.refused, e.undecided, e.made = e.newSolver(), nil, map[string]bool{}, &Answer{}, "", "", 0
	e.states, e.sentFlat, e.tells = nil, nil, nil
}

// prepare finds out what the handlers do that may run.
func (e *Engine) prepare(ctx context.Context) {
	start, c := e.start, e.config
	for _, a := range start.Actors {
		e.states = append(e.states, e.heldBy(a))
	}
	for _, m := range start.Sent {
		e.sentFlat = append(e.sentFlat, table(m.Flat))
	}
	e.alike = e.twins()
	e.started = e.startedType()
	key := libraryKey{start, c.Exec}
	if e.lib = e.libs[key]; e.lib == nil {
		e.asks(ctx)
		e.lib = e.newLibrary(ctx)
		if ctx.Err() == nil {
			e.libs[key] = e.lib
		}
	}
	few := flowKey{c.Usual, c.Own, c.Without.Constants}
	if e.flow, e.reasons = e.lib.flows[few], e.lib.doubts[few]; e.flow == nil {
		e.flow = e.newFlow()
		e.reasons = e.doubts()
		e.lib.flows[few], e.lib.doubts[few] = e.flow, e.reasons
	}
}

// steps bounds what one question may cost, in those of package solve: what takes longer is left open, and a longer way
// may be easier.
const steps = 60

// newSolver gives a solver for one search.
func (e *Engine) newSolver() solve.Solver {
	s, err := solve.New(e.store, solve.Config{Engine: solve.Embedded, Steps: steps})
	if err != nil {
		panic("target: " + err.Error()) // the embedded one is always there
	}
	return s
}

// asks finds out what all handlers of the program ask for, once.
func (e *Engine) asks(ctx context.Context) {
	if !e.askedAll {
		e.asked = e.summaries.Handlers(ctx)
		e.askedAll = ctx.Err() == nil
	}
}

// heldBy gives what an actor holds in the beginning, under the names of nodes.
func (e *Engine) heldBy(a *system.Actor) map[string]*term.Term {
	m := map[string]*term.Term{}
	if a.Fn == nil {
		return m
	}
	roots := stateRoots(a.Fn)
	for _, s := range a.State {
		if first, rest := root(s.Name); roots[first] != "" {
			m[roots[first]+rest] = s.Term
		}
	}
	return m
}

// search takes the cheapest node, looks at it, and puts those that it is extended by among the others, until a way is
// found or nothing is left.
func (e *Engine) search(ctx context.Context) {
	if e.config.Steps > long && !e.config.Without.Forward && e.simulated(ctx) {
		return
	}
	e.push(e.roots()...)
	for len(e.frontier) > 0 {
		if why := e.exhausted(ctx); why != "" {
			e.gaveUp(why)
			return
		}
		n := heap.Pop(&e.frontier).(*node)
		e.answer.Counts.Nodes++
		e.push(e.look(ctx, n)...)
		if e.answer.Verdict == Found {
			return
		}
	}
	e.finish(ctx)
}

// long is how many steps have a simulation come first: a search that goes back so far is one through chains of messages
// between actors.
const long = 16

// simulated reports whether a simulation has found a way.
func (e *Engine) simulated(ctx context.Context) bool {
	plan := e.forward(ctx)
	if plan == nil {
		return false
	}
	e.answer.Counts.Followed++
	way, err := e.follower.Follow(ctx, e.start, *plan, e.target.Goal, e.followed())
	if err != nil || !e.allows(way) {
		e.answer.Counts.Refused++ // the search may find another one
		return false
	}
	e.answer.Verdict, e.answer.Way = Found, way
	return true
}

// followed gives the bounds of following a plan.
func (e *Engine) followed() system.Config {
	c := e.config.Follow
	c.Async = e.config.Async
	return c
}

// exhausted says which budget is used up.
func (e *Engine) exhausted(ctx context.Context) string {
	switch c := e.answer.Counts; {
	case ctx.Err() != nil:
		return "the time is over"
	case e.solver.Stats().Checks >= e.config.Queries:
		return fmt.Sprintf("more than %d questions to the solver", e.config.Queries)
	case c.Nodes >= e.config.Nodes:
		return fmt.Sprintf("more than %d nodes", e.config.Nodes)
	case c.Followed >= e.config.Follows:
		return fmt.Sprintf("more than %d plans: %s", e.config.Follows, e.refused)
	}
	return ""
}

// look gives the nodes that a node is extended by; none if it stands for no way, or is one.
func (e *Engine) look(ctx context.Context, n *node) []*node {
	if !e.order(n).possible() {
		return nil
	}
	if x := e.evaluate(n); x.dead || e.ask(ctx, x.conds).Answer == solve.Unsat {
		return nil
	}
	if open := n.requests(); len(open) > 0 {
		r := open[len(open)-1]
		list := e.extend(n, r)
		if len(list) == 0 {
			e.nearUnsent(n, r)
		}
		return list
	}
	if list, needed := e.begin(n); needed {
		return list
	}
	x := e.tighten(n, nil)
	r := solve.Result{Answer: solve.Unsat}
	if !x.dead {
		r = e.ask(ctx, x.conds)
	}
	switch r.Answer {
	case solve.Unsat:
		core := e.core(ctx, n, x.used)
		e.near(n, core)
		return e.writers(n, core)
	case solve.Sat:
		if late := e.overtaken(x, r.Model); late != nil {
			return e.deliver(n, *late)
		}
	}
	return e.follow(ctx, x)
}

// ask asks the solver, and counts what it could not decide.
func (e *Engine) ask(ctx context.Context, conds []*term.Term) solve.Result {
	r := e.solver.Check(ctx, conds...)
	if r.Answer == solve.Unknown && ctx.Err() == nil && e.undecided == "" {
		e.undecided = "the solver: " + r.Why
	}
	return r
}

// follow has a node executed as a whole. If that is not possible, it is extended by everything that may make a
// difference.
func (e *Engine) follow(ctx context.Context, x *evaluation) []*node {
	e.answer.Counts.Followed++
	way, err := e.follower.Follow(ctx, e.start, e.plan(x.n), e.target.Goal, e.followed())
	if err == nil && !e.allows(way) {
		err = errAssumed
	}
	if err == nil {
		e.answer.Verdict, e.answer.Way = Found, way
		return nil
	}
	e.nearRefused(x.n, err.Error())
	if e.answer.Counts.Refused++; e.refused == "" {
		e.refused = "a plan cannot be followed: " + err.Error()
	}
	return append(e.writers(x.n, x.used), e.more(x.n)...)
}

// push puts nodes among those to look at.
func (e *Engine) push(list ...*node) {
	for _, n := range list {
		if n.counted() > e.most {
			continue
		}
		if !e.config.Without.Seen {
			key := n.key(e.alike)
			if e.seen[key] {
				e.answer.Counts.Seen++
				continue
			}
			e.seen[key] = true
		}
		n.least = n.counted()
		n.seq = e.made
		e.made++
		heap.Push(&e.frontier, n)
	}
}

// counted counts the steps that bounds are about.
func (n *node) counted() (count int) {
	for _, s := range n.steps {
		if !s.begins() {
			count++
		}
	}
	return count
}

// gaveUp ends the search without a result.
func (e *Engine) gaveUp(why string) {
	e.answer.Verdict, e.answer.Why = GaveUp, why
	e.answer.Reasons = append([]string{why}, e.reasons...)
}

// finish tells what it means that nothing is left.
func (e *Engine) finish(ctx context.Context) {
	var reasons []string
	if ctx.Err() != nil {
		reasons = append(reasons, "the time is over")
	}
	if e.refused != "" {
		reasons = append(reasons, e.refused)
	}
	if why := e.elsewhere(e.target); why != "" {
		reasons = append(reasons, why)
	}
	reasons = slices.Concat(reasons, e.start.Inexact, e.reasons, e.panics())
	if len(reasons) > 0 {
		e.gaveUp(reasons[0])
		e.answer.Reasons = reasons
		return
	}
	e.infeasible()
}

// frontier holds the nodes to look at, the cheapest first.
type frontier []*node

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(f[i].least, f[j].least), cmp.Compare(f[j].seq, f[i].seq)) < 0
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(*node)) }
func (f *frontier) Pop() any {
	old := *f
	n := old[len(old)-1]
	*f = old[:len(old)-1]
	return n
}
