package tap

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"math/rand/v2"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Engine is a search for one target ([TAP18] 5.2).
type Engine struct {
	program *Program
	load    *load.Program
	store   *term.Store
	solver  solve.Solver
	start   *system.Start
	config  Config
	rand    *rand.Rand

	numbers   typeutil.Map // of types
	types     []types.Type
	functions []*ssa.Function
	supports  map[*term.Term][]string
	costs     map[*term.Term]bool
	lengths   map[*term.Term][]*term.Term
	kinds     map[string]types.Type
	initials  map[int]*initialMemory
	addresses uint64
	limits    map[*Class]int
	shapes    map[*Class][]types.Type

	steps, checks int
	runs          int  // the bound of this descent
	ended         bool // it has tried everything
	cuts, reasons map[string]bool
	first         string // of the reasons
	model         *term.Model
	wanted        *wanted // F: what may change the last core
	failed        *trail  // F: to the configuration of the last core
	again         []move  // F: what is taken again when what is wanted was reached
	cache         map[lead]bool
	told          systemTypes
	errors        map[*ssa.Global]uint64 // that package variables hold: their addresses
}

// cutRuns is the bound on messages that are handled.
const cutRuns = "handler runs"

// Search looks for a path to a goal, from the start configuration backwards. The terms of the start are of the store.
func (p *Program) Search(ctx context.Context, store *term.Store, start *system.Start, goal system.Goal,
	config Config) (*Answer, error) {
	config, err := config.checked()
	if err != nil {
		return nil, err
	}
	if goal.Block == nil {
		return nil, fmt.Errorf("tap: the goal names no block: the search begins at one")
	}
	if p, err = p.of(start); err != nil {
		return nil, err
	}
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded, Steps: config.Effort})
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	e := &Engine{program: p, load: p.load, store: store, solver: solver, start: start, config: config,
		rand:     rand.New(rand.NewPCG(config.Seed, 0)),
		supports: map[*term.Term][]string{}, costs: map[*term.Term]bool{}, lengths: map[*term.Term][]*term.Term{},
		kinds: map[string]types.Type{}, initials: map[int]*initialMemory{}, cuts: map[string]bool{},
		reasons: map[string]bool{}, cache: map[lead]bool{}, told: systemTypesIn(p.load), errors: map[*ssa.Global]uint64{},
		shapes: map[*Class][]types.Type{}}
	e.missing()
	return e.search(ctx, goal), nil
}

// missing notes what the start and the message flow graph do not tell, so that nothing is called infeasible for want of
// it.
func (e *Engine) missing() {
	for _, why := range e.start.Inexact {
		e.note("the start: " + why)
	}
	for _, why := range e.program.graph.Partial {
		e.note("the message flow graph: " + why)
	}
	for _, a := range e.start.Actors {
		if a.Under > 0 {
			e.note("an actor has changed its behaviour before the start: " + a.Name)
		}
	}
	for _, m := range e.start.Sent {
		if m.Always {
			e.note("a message is on its way at the start, or a timer is set" + e.whence(m.Pos))
		}
	}
}

// whence tells a place, "" for none.
func (e *Engine) whence(pos token.Pos) string {
	if !pos.IsValid() {
		return ""
	}
	return " at " + e.load.Position(pos)
}

// search goes up the bounds on messages that are handled.
//
// Differs: the paper's search is depth first and has no bound but time. OnReceive Looping is always possible, so such a
// search may never come back from a wrong beginning. Here small bounds come first, and a search that does not end is
// broken off and begun anew, with other chances, when those with greater bounds have had their share.
func (e *Engine) search(ctx context.Context, goal system.Goal) *Answer {
	begin := e.clock()
	type level struct {
		runs int
		over bool
	}
	var levels []*level
	for a := min(e.config.First, e.config.Runs); ; a = min(a+max(1, a/4), e.config.Runs) {
		levels = append(levels, &level{runs: a})
		if a == e.config.Runs {
			break
		}
	}
	for round := 1; ; round++ {
		for i, l := range levels[:min(round, len(levels))] {
			if l.over {
				continue
			}
			e.runs, e.wanted, e.again, e.model = l.runs, nil, nil, nil
			delete(e.cuts, cutRuns)
			a := e.descend(ctx, goal, begin, e.steps+e.config.Share*l.runs*luby(round-i))
			if a != nil {
				return e.done(a, begin)
			}
			if l.over = e.ended; l.over && (!e.cuts[cutRuns] || l.runs == e.config.Runs) {
				return e.done(e.nothing(), begin)
			}
		}
	}
}

// luby gives the i-th share, from 1: 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... ([LSZ93], optimal where nobody knows how long a
// search that succeeds is).
func luby(i int) int {
	k := 1
	for 1<<k-1 < i {
		k++
	}
	if i == 1<<k-1 {
		return 1 << (k - 1)
	}
	return luby(i - 1<<(k-1) + 1)
}

// descend is the loop: depth first, one transition at a step. It gives nil if there is nothing more to try, which it
// notes as ended, or its share of steps is used up.
func (e *Engine) descend(ctx context.Context, goal system.Goal, begin float64, until int) *Answer {
	stack := e.roots(goal)
	ended := false
	for {
		if ended {
			stack = e.backtrack(stack)
		}
		if e.ended = len(stack) == 0; e.ended || e.steps >= until {
			return nil
		}
		if why := e.spent(ctx, begin); why != "" {
			return &Answer{Verdict: GaveUp, Reason: why}
		}
		n := stack[len(stack)-1]
		if ended = len(n.todo) == 0; ended {
			continue
		}
		d := e.take(n)
		ended = d == nil
		if ended {
			continue
		}
		if len(d.actors) == 0 {
			if a := e.accept(ctx, d); a != nil {
				return a
			}
			ended = true
			continue
		}
		if e.hopeless(d) || n.fork && !e.feasible(ctx, d) {
			ended = true
			continue
		}
		todo := e.transitions(d)
		stack = append(stack, &node{c: d, todo: todo, fork: len(todo) > 1})
	}
}

// nothing is the answer if all that is possible within the bounds was tried.
func (e *Engine) nothing() *Answer {
	if e.first != "" {
		return &Answer{Verdict: GaveUp, Reason: "unmodelled: " + e.first}
	}
	return &Answer{Verdict: Infeasible}
}

func (e *Engine) done(a *Answer, begin float64) *Answer {
	a.Steps, a.Checks, a.Seconds = e.steps, e.checks, e.clock()-begin
	a.Cuts, a.Reasons = slices.Sorted(maps.Keys(e.cuts)), slices.Sorted(maps.Keys(e.reasons))
	return a
}

// clock is the time in seconds, 0 without a clock.
func (e *Engine) clock() float64 {
	if e.config.Now == nil {
		return 0
	}
	return float64(e.config.Now().UnixNano()) / 1e9
}

// spent tells which budget is used up.
func (e *Engine) spent(ctx context.Context, begin float64) string {
	switch {
	case ctx.Err() != nil:
		return "interrupted"
	case e.steps >= e.config.Steps:
		return "steps"
	case e.checks >= e.config.Checks:
		return "solver calls"
	case e.config.Seconds > 0 && e.clock()-begin > e.config.Seconds:
		return "time"
	}
	return ""
}

// feasible asks the solver for the path condition. What it does not know is not given up, and what is dear to ask waits
// until the actors are created: quotients and remainders whose divisors are not known yet.
func (e *Engine) feasible(ctx context.Context, c *configuration) bool {
	var ask []*term.Term
	for _, k := range c.phi {
		if !e.dear(k.t) {
			ask = append(ask, k.t)
		}
	}
	if e.model != nil {
		ev := e.model.Evaluator()
		if !slices.ContainsFunc(ask, func(t *term.Term) bool { return !ev.Holds(t) }) {
			return true
		}
	}
	e.checks++
	r := e.solver.Check(ctx, ask...)
	switch r.Answer {
	case solve.Sat:
		e.model = r.Model
	case solve.Unsat:
		e.learn(c, c.among(r.Core))
		return false
	}
	return true
}

// dear reports whether a term has a quotient or remainder by something that is no constant.
func (e *Engine) dear(t *term.Term) bool {
	known, ok := e.costs[t]
	if ok {
		return known
	}
	switch t.Op {
	case term.OpSDiv, term.OpUDiv, term.OpSRem, term.OpURem:
		known = !t.Args[1].Const()
	}
	known = known || slices.ContainsFunc(t.Args, e.dear)
	e.costs[t] = known
	return known
}

func terms(phi []*clause) (list []*term.Term) {
	for _, k := range phi {
		list = append(list, k.t)
	}
	return list
}

// note remembers what is not modelled.
func (e *Engine) note(why string) {
	if e.first == "" {
		e.first = why
	}
	e.reasons[why] = true
}

func (e *Engine) cut(bound string) { e.cuts[bound] = true }
