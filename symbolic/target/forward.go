package target

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file simulates forward on summaries. Where a target needs many messages of actors to each other, such as 100
// answers, they are mostly all that can happen. A step of such a chain costs a lookup, and going back step by step
// costs a search each time.
//
//	assumes: nothing. What is found is followed like every other plan, and what is not found says nothing
//	differs: [TAP18] goes back 100 times, guided by the core

// simulation is a state of the simulation: immutable, but for what a step copies first.
type simulation struct {
	actors []simulated
	queue  []letter
	conds  []*term.Term
	steps  []system.Step
	sent   int // messages from outside

	extended bool // another state has the memory behind its steps
}

// simulated is an actor.
type simulated struct {
	agent agent
	ref   *term.Term
	held  map[string]*term.Term
	name  system.Agent
	over  bool
}

// letter is a message on its way.
type letter struct {
	to     int
	typ    types.Type
	flat   map[string]*term.Term // nil: from outside, any values
	sender *term.Term
	from   system.Source
}

// forward simulates until the target is reached, or a budget of handler runs is used up. The oldest message is handled
// first, and where nothing is on its way another one comes from outside.
func (e *Engine) forward(ctx context.Context) *system.Plan {
	work := []*simulation{e.simulation()}
	for runs := 0; len(work) > 0 && runs < 4*e.most && ctx.Err() == nil; runs++ {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if len(s.queue) == 0 {
			work = append(work, e.arrivals(s)...)
			continue
		}
		next, plan := e.simulate(ctx, s)
		if plan != nil {
			return plan
		}
		work = append(work, next...)
	}
	return nil
}

func (e *Engine) simulation() *simulation {
	s := &simulation{}
	for i, a := range e.start.Actors {
		held := map[string]*term.Term{behavior: e.lib.tag(a.Fn)}
		maps.Copy(held, e.states[i])
		s.actors = append(s.actors, simulated{agent: agent{start: i, fn: a.Fn}, ref: a.Ref, held: held,
			name: system.Agent{Start: i, Step: -1}})
	}
	for i, m := range e.start.Sent {
		if m.To >= 0 && m.Type != nil && (m.Always || e.config.Own) {
			s.queue = append(s.queue, letter{to: m.To, typ: m.Type, flat: e.sentFlat[i], sender: e.senderOf(m),
				from: system.Source{Kind: system.Sent, Event: i}})
		}
	}
	return s
}

// senderOf gives the sender of a message of the start: the driver, or the actor that has sent it.
func (e *Engine) senderOf(m system.Message) *term.Term {
	if m.Always && !m.Timer && !e.proto() && m.From >= 0 {
		return e.start.Actors[m.From].Ref
	}
	return e.driverSender()
}

// driverSender gives the sender of what the driver sends.
func (e *Engine) driverSender() *term.Term {
	if e.proto() && !e.goakt() {
		return e.store.Uint(referenceSort, 0)
	}
	return e.store.Uint(referenceSort, driverRef)
}

// arrivals gives the states in which one more message has come from outside, the first shape last.
func (e *Engine) arrivals(s *simulation) (list []*simulation) {
	if e.config.Own || s.sent >= e.config.Outside {
		return nil
	}
	for _, sh := range slices.Backward(e.start.Shapes) {
		if sh.Sent || !e.config.Usual {
			list = append(list, &simulation{actors: s.actors, conds: s.conds, steps: slices.Clip(s.steps), sent: s.sent + 1,
				queue: []letter{{to: sh.To, typ: sh.Type, sender: e.driverSender()}}})
		}
	}
	return list
}

// simulate has the oldest message be handled, on each path that its conditions allow.
func (e *Engine) simulate(ctx context.Context, s *simulation) (list []*simulation, plan *system.Plan) {
	m := s.queue[0]
	a := &s.actors[m.to]
	if a.over || len(s.steps) >= e.most {
		return nil, nil
	}
	for _, r := range routesOf(e.flow.handlers(e.flow.classOf(a.agent), m.typ)) {
		run := &running{e: e, s: s, m: m, r: r, known: map[string]*term.Term{}}
		conds, ok := run.conditions()
		if !ok || len(conds) > len(s.conds) && e.ask(ctx, conds).Answer == solve.Unsat {
			continue
		}
		if r.reaches(e.target) && e.last(r) && run.meets(ctx, conds) {
			return nil, &system.Plan{Model: e.config.Model, Steps: append(slices.Clip(s.steps), run.step())}
		}
		if next := run.after(conds); r.passes() && next != nil {
			list = append(list, next)
		}
	}
	slices.Reverse(list)
	return list, nil
}

// last reports whether a route is one of a handler that the target names.
func (e *Engine) last(r *route) bool {
	return (e.target.Fn == nil || e.target.Fn == r.fn) &&
		(e.target.Message == nil || types.Identical(e.target.Message, r.msg))
}

// meets reports whether what the target says of the state after its step may hold after the route.
func (x *running) meets(ctx context.Context, conds []*term.Term) bool {
	if len(x.e.target.After) == 0 {
		return true
	}
	next := x.after(conds)
	if next == nil {
		return false
	}
	known := true
	s := x.e.store.Subst(func(v *term.Term) *term.Term {
		at, _ := x.r.held(v.Name)
		t := next.actors[x.m.to].held[at]
		known = known && t != nil
		return t
	})
	conds = slices.Clip(conds)
	for _, c := range x.e.target.After {
		if c = s.Apply(c); c.False() {
			return false
		}
		conds = append(conds, c)
	}
	return known && x.e.ask(ctx, conds).Answer != solve.Unsat
}

// running is a route that an actor of a simulation takes.
type running struct {
	e     *Engine
	s     *simulation
	m     letter
	r     *route
	known map[string]*term.Term
	lost  bool // something is not known
}

func (x *running) step() system.Step {
	step := system.Step{To: x.s.actors[x.m.to].name, Message: x.m.typ, From: x.m.from, Path: x.r.path}
	if x.m.flat == nil {
		step.Assume = x.e.assumed(x.m.typ)
	}
	return step
}

// conditions gives the conditions of the simulation with those of the route, and whether they may hold at a glance.
func (x *running) conditions() ([]*term.Term, bool) {
	conds := slices.Clip(x.s.conds)
	if tag := x.e.lib.tag(x.r.fn); x.s.actors[x.m.to].held[behavior] != tag {
		return nil, false
	}
	for _, c := range x.r.path.PC {
		switch t := x.term(c.Term); {
		case t.False() || x.lost:
			return nil, false
		case !t.True():
			conds = append(conds, t)
		}
	}
	return conds, true
}

func (x *running) term(t *term.Term) *term.Term {
	return x.e.store.Subst(x.variable).Apply(t)
}

// variable gives what a variable of the route is.
func (x *running) variable(t *term.Term) *term.Term {
	if r := x.known[t.Name]; r != nil {
		return r
	}
	r := x.find(t)
	if r == nil || r.Sort != t.Sort {
		x.lost = true
		return nil
	}
	x.known[t.Name] = r
	return r
}

func (x *running) find(t *term.Term) *term.Term {
	a := &x.s.actors[x.m.to]
	if at, ok := x.r.held(t.Name); ok {
		return a.held[at]
	}
	switch first, _ := root(t.Name); {
	case t.Name == "self!ref":
		return a.ref
	case t.Name == "sender!ref":
		return x.m.sender
	case first == "msg" && x.m.flat != nil:
		return x.m.flat[t.Name]
	case first == "msg":
		return x.e.store.Var(fmt.Sprintf("#in%d.%s", x.s.sent, t.Name), t.Sort)
	case strings.HasPrefix(first, "spawn"):
		return x.e.store.Uint(referenceSort, uint64(firstSpawned+len(x.s.actors)+x.place(t.Name)))
	}
	return nil
}

// place gives the place of an actor among those that the route creates.
func (x *running) place(name string) int {
	for i := range x.r.path.Events {
		if ev := &x.r.path.Events[i]; x.r.roles[i] == spawn && ev.To != nil && ev.To.Name == name {
			return x.r.places[i]
		}
	}
	return 0
}

// after gives the state after the route, nil if it is not known.
func (x *running) after(conds []*term.Term) *simulation {
	next := &simulation{actors: slices.Clone(x.s.actors), queue: slices.Clone(x.s.queue[1:]), conds: conds,
		steps: x.s.after(x.step()), sent: x.s.sent}
	a := &next.actors[x.m.to]
	held := map[string]*term.Term{}
	for name, t := range a.held {
		if !x.r.changes(name) {
			held[name] = t
		}
	}
	for name, t := range x.r.out {
		held[name] = x.term(t)
	}
	a.held, a.over = held, x.r.stops
	for i := range x.r.path.Events {
		x.event(next, i, &x.r.path.Events[i])
	}
	if x.lost {
		return nil
	}
	return next
}

// event does what an event of the route does.
func (x *running) event(next *simulation, i int, ev *exec.Event) {
	step := len(next.steps) - 1
	switch x.r.roles[i] {
	case message:
		if ev.Lost || ev.To == nil || ev.Type == nil || isCall(ev.Op) {
			x.lost = x.lost || isCall(ev.Op)
			return
		}
		to := x.term(ev.To)
		at := slices.IndexFunc(next.actors, func(a simulated) bool { return a.ref == to })
		if at < 0 {
			return
		}
		flat := map[string]*term.Term{}
		for name, t := range x.r.flats[i] {
			flat[name] = x.term(t)
		}
		next.queue = append(next.queue,
			letter{to: at, typ: ev.Type, flat: flat, sender: x.sender(i, ev.Op),
				from: system.Source{Kind: system.Event, Step: step, Event: x.r.places[i]}})
	case spawn:
		fn := x.e.handles(ev)
		if fn == nil || ev.Type == nil {
			x.lost = true
			return
		}
		held := map[string]*term.Term{behavior: x.e.lib.tag(fn)}
		for name, t := range x.r.flats[i] {
			if at, ok := bornAs(fn, name); ok {
				held[at] = x.term(t)
			}
		}
		next.actors = append(next.actors,
			simulated{agent: agent{start: -1, fn: fn}, ref: x.term(ev.To), held: held,
				name: system.Agent{Step: step, Spawn: x.r.places[i]}, over: ev.Over})
	case timer, stop:
		x.lost = x.lost || ev.To != nil || x.r.roles[i] == timer
	}
}

// after gives the steps with one more. The first state that goes on shares their memory.
func (s *simulation) after(step system.Step) []system.Step {
	if s.extended {
		return append(slices.Clip(s.steps), step)
	}
	s.extended = true
	return append(s.steps, step)
}

// sender gives the sender of a message of the route.
func (x *running) sender(i int, op string) *term.Term {
	switch {
	case op == "forward" && x.e.proto():
		return x.m.sender
	case !x.e.proto() && x.r.hooks[i] >= 0:
		return x.term(x.r.path.Events[i].By)
	case !x.e.proto(), x.e.goakt(), op == "request" && x.e.plainRequest(x.r, i):
		return x.s.actors[x.m.to].ref
	}
	return x.e.store.Uint(referenceSort, 0)
}
