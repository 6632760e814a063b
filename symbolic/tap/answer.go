package tap

import (
	"cmp"
	"context"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// trail lists the transitions to a configuration, the latest first.
type trail struct {
	rule  Rule
	actor int
	move  move
	prev  *trail
}

// accept makes the answer of a configuration without actors, if its condition is satisfiable; else nil.
func (e *Engine) accept(ctx context.Context, c *configuration) *Answer {
	e.delivered(c)
	e.stopped(c)
	if c.why != "" {
		e.note(c.why)
		return nil
	}
	if c.false != nil {
		return nil
	}
	e.checks++
	conds := e.sized(terms(c.phi))
	r := e.solver.Check(ctx, conds...)
	switch r.Answer {
	case solve.Unknown:
		e.note("the solver does not know: " + r.Why)
		return nil
	case solve.Unsat:
		e.learn(c, c.among(r.Core))
		return nil
	}
	small := solve.Minimise(ctx, e.solver, e.store, conds, term.Vars(conds...), nil)
	if small.Answer != solve.Sat {
		small = r
	}
	a := &Answer{Verdict: Found, Actors: len(c.made), Runs: c.runs, Assumed: c.assumed}
	for t := c.trace; t != nil; t = t.prev {
		a.Rules = append(a.Rules, "a"+itoa(t.actor)+" "+t.rule.Name())
	}
	slices.Reverse(a.Rules)
	e.plan(c, a, small.Model)
	return a
}

// plan puts the messages that are handled into an order in which they can be.
func (e *Engine) plan(c *configuration, a *Answer, m *term.Model) {
	target := slices.IndexFunc(c.made, func(x *actor) bool { return x.id == 1 })
	var runs []*request
	for _, x := range c.made {
		runs = append(runs, x.runs...)
	}
	last := c.made[target].reached
	at := c.order.sorted(last)
	slices.SortFunc(runs, func(x, y *request) int { return cmp.Compare(at[x.time], at[y.time]) })
	runs = slices.DeleteFunc(runs, func(q *request) bool { return at[q.time] > at[last] })
	a.Plan.Model = trace.Bag
	if e.config.FIFO {
		a.Plan.Model = trace.FIFO
	}
	for _, q := range runs {
		if from := c.by(q.actor).from; q.told && !e.fresh(from.start) && types.Identical(q.t, e.told.started) {
			continue // before the start
		}
		step := system.Step{To: e.agent(c, runs, q.actor)}
		step.Message, step.From = e.source(c, runs, q)
		if step.From.Kind == system.Outside {
			a.Outside = append(a.Outside, e.message(c, q, step, m))
		}
		if q.asked { // the last: it is sent, whether it is received or not
			if step.From.Kind == system.Outside {
				a.Plan.Left = append(a.Plan.Left, step)
			}
			continue
		}
		a.Plan.Steps = append(a.Plan.Steps, step)
	}
}

// sorted gives each time a place in an order of all. The order has the time last as early as it can be, right behind
// those that must be before it. The others come behind that.
func (o *order) sorted(last int) []int {
	at := make([]int, o.n+1)
	prev := make([][]int, o.n+1)
	for _, e := range o.edges {
		prev[e.to] = append(prev[e.to], e.from)
	}
	n, done := 0, make([]bool, o.n+1)
	var visit func(t int)
	visit = func(t int) {
		if done[t] {
			return
		}
		done[t] = true
		for _, p := range prev[t] {
			visit(p)
		}
		n++
		at[t] = n
	}
	visit(last)
	for t := range at {
		visit(t)
	}
	return at
}

// agent names an actor in the plan.
func (e *Engine) agent(c *configuration, runs []*request, id int) system.Agent {
	from := c.by(id).from
	if from.start >= 0 {
		return system.Agent{Start: from.start, Step: -1}
	}
	nth := 0
	for _, x := range c.made {
		if x.from != from && x.from.run == from.run && x.from.start < 0 && x.from.nth > from.nth {
			nth++
		}
	}
	for _, ev := range c.pending {
		if ev.run == from.run && ev.to == nil && ev.start < 0 && ev.nth > from.nth {
			nth++
		}
	}
	return system.Agent{Step: indexOf(runs, from.run), Spawn: nth}
}

// indexOf gives the place of the run that handles a message.
func indexOf(runs []*request, msg string) int {
	return slices.IndexFunc(runs, func(q *request) bool { return q.msg == msg })
}

// source says what a message is, and where it comes from.
func (e *Engine) source(c *configuration, runs []*request, q *request) (types.Type, system.Source) {
	if q.told {
		return q.t, system.Source{Kind: system.Told}
	}
	if q.resumes != "" {
		return nil, system.Source{Kind: system.Resumed, Step: indexOf(runs, q.resumes)}
	}
	for _, x := range c.external {
		if x.req.msg == q.msg {
			return x.t, system.Source{Kind: system.Outside}
		}
	}
	for _, m := range c.matched {
		if m.req != q {
			continue
		}
		kind, nth := system.Event, 0
		if m.ev.kind == "timer" {
			kind = system.Timer
		}
		for _, ev := range c.sent {
			if ev.run == m.ev.run && ev.kind == m.ev.kind && ev.nth > m.ev.nth {
				nth++
			}
		}
		var t types.Type
		if tag := e.now(c, m.ev, m.ev.msg)(partType, wordSort); tag != nil && tag.Const() && tag.Val > 0 {
			t = e.types[tag.Val-1]
		}
		return t, system.Source{Kind: kind, Step: indexOf(runs, m.ev.run), Event: nth}
	}
	return nil, system.Source{}
}

// message gives the values of a message from outside.
func (e *Engine) message(c *configuration, q *request, step system.Step, m *term.Model) Message {
	msg := Message{To: step.To.Start, Type: model.MessageName(step.Message), Values: map[string]term.Value{}}
	for _, v := range term.Vars(terms(c.phi)...) {
		base, part := split(v.Name)
		if rest, ok := strings.CutPrefix(part, ".("+typeKey(step.Message)+")"); ok && base == q.msg {
			msg.Values[rest] = m.Eval(v)
		}
	}
	return msg
}

// panics adds the condition that an instruction of the target panics, and begins before it.
func (e *Engine) panics(c *configuration, a *actor, goal system.Goal) {
	f := a.at.frame
	for i, in := range goal.Block.Instrs {
		if goal.Pos != token.NoPos && in.Pos() != goal.Pos {
			continue
		}
		if _, ok := in.(*ssa.Panic); ok {
			a.at = &point{f, goal.Block, i, 0}
			return
		}
		if cond, ok := e.panicking(a, f, in); ok {
			a.at = &point{f, goal.Block, i, 0}
			c.require("a panic"+e.where(in), cond)
			return
		}
	}
	c.unmodelled("no panic is known at " + position(e.load, goal))
}

// panicking is the condition under which an instruction panics.
func (e *Engine) panicking(a *actor, f *frame, in ssa.Instruction) (*term.Term, bool) {
	var fine []*term.Term
	switch v := in.(type) {
	case *ssa.FieldAddr:
		fine = e.there(f, v.X)
	case *ssa.IndexAddr:
		fine = e.there(f, v)
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return nil, false
		}
		fine = e.there(f, v.X)
	case *ssa.Store:
		fine = e.there(f, v.Addr)
	case *ssa.BinOp:
		_, fine = e.binary(f, v)
	case *ssa.Call:
		row, args, ok := operation(v)
		if !ok || !deliversTo(row) {
			return nil, false
		}
		fine = []*term.Term{e.notNil(e.word(f, args[row.To]))}
	case *ssa.MapUpdate:
		fine = []*term.Term{e.notNil(e.word(f, v.Map))}
	case *ssa.TypeAssert:
		if v.CommaOk {
			return nil, false
		}
		fine = []*term.Term{e.holds(e.operand(f, v.X)(partType, wordSort), v.AssertedType)}
	}
	if len(fine) == 0 {
		return nil, false
	}
	if slices.Contains(fine, nil) {
		return nil, true
	}
	return e.store.Not(e.store.And(fine...)), true
}
