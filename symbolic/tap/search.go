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
	cache         map[lead]bool
}

// cutRuns is the bound on messages that are handled.
const cutRuns = "handler runs"

// node is a configuration with the transitions that have not been taken.
type node struct {
	c     *configuration
	todo  []transition
	fork  bool      // there was more than one
	taken []meeting // transitions that have been
	of    *wanted
	leads []bool // for each of todo, under of
}

// Search looks for a path to a goal, from the start configuration backwards. The terms of the start are of the store.
func (p *Program) Search(ctx context.Context, store *term.Store, start *system.Start, goal system.Goal, config Config) (*Answer, error) {
	config, err := config.checked()
	if err != nil {
		return nil, err
	}
	if goal.Block == nil {
		return nil, fmt.Errorf("tap: the goal names no block: the search begins at one")
	}
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded, Steps: config.Effort})
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	e := &Engine{program: p, load: p.load, store: store, solver: solver, start: start, config: config, rand: rand.New(rand.NewPCG(config.Seed, 0)),
		supports: map[*term.Term][]string{}, kinds: map[string]types.Type{}, initials: map[int]*initialMemory{}, cuts: map[string]bool{}, reasons: map[string]bool{}, cache: map[lead]bool{}, shapes: map[*Class][]types.Type{}}
	e.missing()
	return e.search(ctx, goal), nil
}

// missing notes what the start and the message flow graph do not tell, so that nothing is called infeasible for want of it.
func (e *Engine) missing() {
	for _, why := range e.start.Inexact {
		e.note("the start: " + why)
	}
	for _, why := range e.program.graph.Partial {
		e.note("the message flow graph: " + why)
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
// Differs: the paper's search is depth first and has no bound but time. OnReceive Looping is always possible, so such a search may never come back from a wrong beginning. Here
// small bounds come first, and a search that does not end is broken off and begun anew, with other chances, when those with greater bounds have had their share.
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
			e.runs, e.wanted, e.model = l.runs, nil, nil
			delete(e.cuts, cutRuns)
			a := e.descend(ctx, goal, begin, e.steps+e.config.Share*l.runs<<(round-i-1))
			if a != nil {
				return e.done(a, begin)
			}
			if l.over = e.ended; l.over && (!e.cuts[cutRuns] || l.runs == e.config.Runs) {
				return e.done(e.nothing(), begin)
			}
		}
	}
}

// descend is the loop: depth first, one transition at a step. It gives nil if there is nothing more to try, which it notes as ended, or its share of steps is used up.
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

// take takes one of the transitions of a node, by chance and weight. It gives nil if that cannot be.
func (e *Engine) take(n *node) *configuration {
	k := e.pick(n)
	t := n.todo[k]
	n.todo = slices.Delete(n.todo, k, k+1)
	n.of = nil
	e.steps++
	e.reach(n.c, t)
	d := t.apply()
	d.asleep = n.sleeping(t)
	if t.meets != (meeting{}) {
		n.taken = append(n.taken, t.meets)
	}
	d.trace = &trail{t.rule, t.actor, d.trace}
	switch {
	case d.false != nil:
		e.learn([]*clause{d.false})
		return nil
	case d.why != "":
		e.note(d.why)
		return nil
	}
	return d
}

// sleeping lists the matches that are not taken behind a transition: what comes of one that was taken already, or was infeasible, includes what comes of it when it is taken
// later. A match of an actor's creation is another one when the actor has handled one more message.
//
// Differs: the paper does not retake a transition that it has found infeasible; this is [God96]'s sleep sets for all matches, which commute with everything else.
func (n *node) sleeping(t transition) []meeting {
	all := append(slices.Clip(n.c.asleep), n.taken...)
	if t.meets != (meeting{}) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(m meeting) bool { return m.actor == t.actor && t.rule == Rule(OnReceiveLooping{}) })
}

// pick chooses among the transitions of a node, at first among those that may lead to a definition.
func (e *Engine) pick(n *node) int {
	e.look(n)
	preferred := slices.Contains(n.leads, true)
	sum := 0.0
	weight := func(k int) float64 {
		if preferred && !n.leads[k] {
			return 0
		}
		if w, ok := e.config.Weights[n.todo[k].rule.Name()]; ok {
			return w
		}
		return 1
	}
	for k := range n.todo {
		sum += weight(k)
	}
	at, last := e.rand.Float64()*sum, 0
	for k := range n.todo {
		if w := weight(k); w > 0 {
			if last = k; at < w {
				return k
			}
			at -= w
		}
	}
	return last
}

// transitions lists what is possible. With H1 a handler that is explored is the only one to go on.
func (e *Engine) transitions(c *configuration) (list []transition) {
	for i, a := range c.actors {
		if c.alone != 0 && a.id != c.alone {
			continue
		}
		for _, r := range rules {
			for _, t := range r.transitions(e, c, i) {
				if t.meets == (meeting{}) || !slices.Contains(c.asleep, t.meets) {
					list = append(list, t)
				}
			}
		}
	}
	return list
}

// feasible asks the solver for the path condition. What it does not know is not given up.
func (e *Engine) feasible(ctx context.Context, c *configuration) bool {
	if e.model != nil {
		ev := e.model.Evaluator()
		if !slices.ContainsFunc(c.phi, func(k *clause) bool { return !ev.Holds(k.t) }) {
			return true
		}
	}
	e.checks++
	r := e.solver.Check(ctx, terms(c.phi)...)
	switch r.Answer {
	case solve.Sat:
		e.model = r.Model
	case solve.Unsat:
		e.learn(c.among(r.Core))
		return false
	}
	return true
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

// roots are the initial configurations: one actor, of each class that may execute the target, and the creations by the environment.
func (e *Engine) roots(goal system.Goal) (stack []*node) {
	fn := goal.Block.Parent()
	for _, class := range e.program.handling(fn) {
		c := &configuration{}
		if !e.exists(c, class) {
			continue
		}
		for k, a := range e.start.Actors {
			ev := &event{class: e.program.classAt(a), start: k, ref: startRef(e.store, k)}
			c.pending = append(c.pending, ev)
		}
		a := e.introduce(c, class)
		c.runs = 1
		f := &frame{id: c.fresh("f"), fn: fn}
		a.msg = c.fresh("m")
		a.at = &point{f, goal.Block, 0}
		a.visit = &visits{f, goal.Block, nil}
		if e.config.Atomic {
			c.alone = a.id
		}
		if goal.Panic {
			e.panics(c, a, goal)
		}
		if c.why != "" {
			e.note(c.why)
		} else if c.false == nil {
			stack = append(stack, &node{c: c, todo: e.transitions(c), fork: true})
		}
	}
	if len(stack) == 0 && e.first == "" {
		e.note("no actor that there is executes " + fn.String())
	}
	return stack
}

// classAt gives the class of an actor of the start configuration.
func (p *Program) classAt(a *system.Actor) *Class {
	if a.Recv != nil {
		if c := p.classOf(a.Recv); c != nil {
			return c
		}
	}
	return p.classOfFunc(a.Fn)
}

// shapesOf lists the types of messages that actors of a class may get from outside.
func (e *Engine) shapesOf(class *Class) (list []types.Type) {
	if list, ok := e.shapes[class]; ok {
		return list
	}
	defer func() { e.shapes[class] = list }()
	for _, s := range e.start.Shapes {
		if e.program.classAt(e.start.Actors[s.To]) == class && !containsType(list, s.Type) {
			list = append(list, s.Type)
		}
	}
	return list
}

// accepts reports whether what is created may get the messages from outside that an actor has received.
func (e *Engine) accepts(ev *event, a *actor) bool {
	for _, t := range a.shape {
		if !slices.ContainsFunc(e.start.Shapes, func(s system.Shape) bool { return s.To == ev.start && types.Identical(s.Type, t) }) {
			return false
		}
	}
	return true
}
