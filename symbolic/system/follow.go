package system

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file follows plans: the driver and the handlers of the plan are executed in one run, whose conditions are asked
// for a small model.

// Stray says why a plan does not lead to its goal.
type Stray struct {
	// the step that the best run did not take, an index of Plan.Steps; their number where all were taken and the goal was
	// not reached
	Step  int
	Why   string
	Exact bool // all that was executed is modelled, and no bound has cut it: in this order of steps there is no way

	elsewhere bool // something else has gone wrong, with which that run has ended
}

func (s *Stray) Error() string { return fmt.Sprintf("step %d: %s", s.Step+1, s.Why) }

// Follow executes the driver and a plan in one run and gives the way that reaches the goal, with small values of its
// messages. What has to come before a step is filled in: releases, the framework's own messages, and what the delivery
// model puts before a message. The error is a *Stray where the plan does not lead there.
func (p *Program) Follow(ctx context.Context, s *Start, plan Plan, goal Goal, c Config) (*Way, error) {
	c = c.defaults()
	if err := plan.validate(s); err != nil {
		return nil, err
	}
	plan.Model = ownModel(s, plan.Model)
	run, stop := context.WithCancel(ctx)
	defer stop()
	var runs []*follower
	found := p.explore(run, s.Driver, c, func() *world {
		f := &follower{p: p, start: s, plan: plan, goal: goal, config: c, found: stop, target: -1}
		f.w = &world{p: p, driver: s.Driver, task: f, model: plan.Model, async: c.Async,
			judgement: judgement{judging: goal.Check != nil}}
		runs = append(runs, f)
		return f.w
	})
	best := &Stray{Why: found.Defect}
	for i, path := range found.Paths {
		f := runs[i]
		if f.reaches(path) {
			if w := p.way(ctx, f, path); w != nil {
				return w, nil
			}
			f.why = "the solver finds no values"
		}
		best.better(p, f, path)
	}
	best.Exact = found.Defect == "" && len(found.Cuts) == 0 && found.Unknown == 0 && found.Exact()
	return nil, best
}

// better takes the reason of a run that has come further.
func (s *Stray) better(p *Program, f *follower, path *exec.Path) {
	further := f.taken > s.Step || s.Why == "" || s.elsewhere && !f.elsewhere
	if f.taken < s.Step || !further && f.why == "" {
		return
	}
	s.Step, s.Why, s.elsewhere = f.taken, f.why, f.elsewhere
	if s.Why == "" {
		s.Why = "the goal is not reached"
		if path.Exit != exec.Return {
			s.Why = fmt.Sprintf("the execution ends at %s: %v: %s", p.place(path.Pos), path.Exit, path.Why)
		}
	}
}

// validate finds what no program can follow.
func (plan *Plan) validate(s *Start) error {
	for _, step := range plan.Left {
		if step.From.Kind != Outside || step.To.Step >= 0 || step.To.Start < 0 || step.To.Start >= len(s.Actors) {
			return fmt.Errorf("the plan leaves a message that does not come from outside to an actor of the start")
		}
	}
	for i, step := range plan.Steps {
		to, from := step.To, step.From
		switch {
		case to.Step < 0 && (to.Start < 0 || to.Start >= len(s.Actors)), to.Step >= i:
			return fmt.Errorf("step %d of the plan is of an actor that is not there", i+1)
		case (from.Kind == Event || from.Kind == Timer || from.Kind == Resumed) && (from.Step < 0 || from.Step >= i):
			return fmt.Errorf("step %d of the plan handles what a later one sends", i+1)
		case from.Kind == Sent && (from.Event < 0 || from.Event >= len(s.Sent)):
			return fmt.Errorf("step %d of the plan handles message %d of the driver, which sends %d", i+1, from.Event+1,
				len(s.Sent))
		case from.Kind == Outside && to.Step >= 0:
			return fmt.Errorf("step %d of the plan sends from outside to an actor that is not there when the driver returns",
				i+1)
		}
	}
	return nil
}

// follower is the task of a run that follows a plan.
type follower struct {
	p      *Program
	w      *world
	start  *Start
	plan   Plan
	goal   Goal
	config Config
	found  func() // ends the exploration

	open    bool
	taken   int        // steps of the plan
	by      []*handler // of these
	filled  int
	target  int32 // the message of the next step, -1 if it is not there yet
	awaited int32 // then what has to be handled first, -1 if that is not known
	outside []External
	sources []int32 // of each step from outside or the driver: the message
	why     string
	arrived bool // at the goal
	failed  bool // the program has panicked

	elsewhere bool // something else has gone wrong, with which the execution ends
}

// opened sends what the plan has from outside, in its order.
func (f *follower) opened(w *world) {
	f.open = true
	given := w.pending()
	f.sources = make([]int32, len(f.plan.Steps))
	used := map[int]bool{}
	for i, step := range f.plan.Steps {
		switch f.sources[i] = -1; step.From.Kind {
		case Outside:
			f.sources[i] = f.sends(step)
		case Sent:
			n := step.From.Event
			if n >= len(given) || used[n] {
				w.m.End("the driver sends other messages than in the start configuration")
			}
			used[n] = true
			if f.sources[i] = w.given[n]; !given[n].Always {
				f.sources[i] = w.posts(w.sent[n])
				f.outside = append(f.outside, External{given[n].To, given[n].Type, inner(w, given[n].Msg), given[n].Flat})
			}
		}
	}
	for _, step := range f.plan.Left {
		f.sends(step)
	}
	if len(f.plan.Steps)+len(f.plan.Left) == 0 { // the goal is in what was done before
		w.m.Fresh(w.lasting()...)
	} else {
		w.m.Fresh()
	}
}

// inner gives what is in an interface.
func inner(w *world, msg exec.Value) exec.Value {
	if f, ok := w.m.Held(msg).(exec.Face); ok {
		return f.Val
	}
	return msg
}

// sends makes a message from outside, and sends it.
func (f *follower) sends(step Step) int32 {
	w := f.w
	v := w.m.There(fmt.Sprintf("out%d", len(f.outside)+1), step.Message)
	flat := w.m.Flatten("msg", v)
	w.known(flat)
	f.require(step.Assume, flat, "what is assumed of messages excludes it")
	f.outside = append(f.outside, External{step.To.Start, step.Message, v, flat})
	p := posted{to: int32(step.To.Start) + 1, sender: w.m.Known(0)}
	p.Type, p.Msg = step.Message, exec.Face{Type: step.Message, Val: v}
	return w.posts(p)
}

// begins goes on with the path that the plan has in mind.
func (f *follower) begins(w *world, h *handler) {
	message := h.message
	if h.taken >= 0 {
		message = h.taken
	}
	if f.taken == len(f.plan.Steps) || message != f.target {
		return
	}
	step := f.plan.Steps[f.taken]
	f.by = append(f.by, h)
	f.target, f.why = -1, ""
	if step.Path != nil {
		var conds []*term.Term
		for _, c := range step.Path.PC {
			conds = append(conds, c.Term)
		}
		f.require(conds, f.names(h, message, step.Path),
			"the actor's state or the message is none of the path that the plan has in mind")
	}
	f.taken++
}

// names gives what the names in the conditions of a handler's path stand for.
func (f *follower) names(h *handler, message int32, path *exec.Path) []exec.Named {
	w, x := f.w, &f.w.letters[message]
	list := w.m.Flatten("msg", inner(w, x.msg))
	state, _ := w.state(h.actor)
	list = append(list, state...)
	sender := x.sender
	if !w.driver.Proto {
		sender = w.actors[w.tr.Messages[message].Sender].ref
	} else if sender == nil {
		sender = w.m.Known(0)
	}
	return append(list, exec.Named{Name: "sender!ref", Term: sender}, exec.Named{Name: "self!ref", Term: h.actor.ref})
}

// state gives what an actor holds, under the names of the inputs of what handles its messages.
func (w *world) state(a *agent) ([]exec.Named, *ssa.Function) {
	v := w.m.Held(a.value)
	if face, ok := v.(exec.Face); ok && face.Type != nil {
		if model.ActorFunc(face.Type) == "" {
			fn := w.m.Method(face.Type, nil, "Receive")
			if fn == nil {
				return nil, nil
			}
			return w.m.Flatten(exec.ParameterName(0, fn.Params[0]), face.Val), fn
		}
		v = w.m.Held(face.Val)
	}
	f, ok := v.(exec.Func)
	if !ok || f.Fn == nil {
		return nil, nil
	}
	var list []exec.Named
	for i, v := range f.Fn.FreeVars {
		list = append(list, w.m.Flatten(exec.CapturedName(v), f.Free[i])...)
	}
	return list, f.Fn
}

// require goes on with conditions only, in which names stand for what is there. What names something else is left to
// the execution.
func (f *follower) require(conds []*term.Term, names []exec.Named, why string) {
	now := map[string]*term.Term{}
	for _, n := range names {
		now[n.Name] = n.Term
	}
	subst := f.p.store.SubstNames(now)
	for _, c := range conds {
		if slices.ContainsFunc(term.Vars(c),
			func(v *term.Term) bool { return now[v.Name] == nil || strings.ContainsAny(v.Name, "[") }) {
			continue
		}
		if !f.w.m.Require(subst.Apply(c)) {
			f.why = why
			f.w.m.End(why)
		}
	}
}

// reaches reports whether a run has reached the goal.
func (f *follower) reaches(path *exec.Path) bool {
	switch {
	case !f.open:
		return false
	case f.goal.Check != nil:
		return f.goal.fails(f.w) || f.goal.passes() && f.goal.reached(path)
	case !f.goal.AtEnd && f.taken < len(f.plan.Steps):
		return false
	case len(f.goal.After) > 0:
		return f.arrived
	}
	return f.goal.reached(path)
}

// deadLetter is the event of a message that reaches nobody, at the place of the call that sends it.
const deadLetter = "dead letter"

// unasked is the kind of such an event where the message answers one from outside: a request in its place would get the
// answer.
const unasked = "answer"

// lost notes that a message reaches nobody, which may be an answer to the driver.
func (w *world) lost(pos token.Pos, answer bool) {
	path, kind := w.m.Path(), ""
	if answer {
		kind = unasked
	}
	if a := w.running; a != nil && a.starting && !w.over {
		w.astray = append(w.astray, pos)
	}
	path.Events = append(path.Events, exec.Event{Op: deadLetter, Lost: true, Pos: pos, Kind: kind})
}

// passes reports whether a goal is a block that is reached when an execution comes to it. Where it is to panic, more is
// asked of it.
func (g *Goal) passes() bool { return g.Block != nil && !g.Panic && !g.Dead }

// panics reports whether a goal is a panic that has happened on a path.
func (g *Goal) panics(x *exec.Failed, path *exec.Path) bool {
	if g.Check != nil {
		return false
	}
	if g.Pos.IsValid() {
		return g.Panic && g.Pos == x.Pos
	}
	return g.Panic && (g.Block == nil || slices.Contains(path.Blocks, g.Block))
}

// reached reports whether a path reaches a goal without conditions on states.
func (g *Goal) reached(path *exec.Path) bool {
	switch {
	case g.Check != nil && g.Panic:
		return false // the world knows
	case g.Block != nil && (!g.Panic || !g.Pos.IsValid()) && !slices.Contains(path.Blocks, g.Block):
		return false
	case g.passes():
		return true
	case g.Dead:
		return slices.ContainsFunc(path.Events,
			func(e exec.Event) bool { return e.Op == deadLetter && (!g.Pos.IsValid() || e.Pos == g.Pos) })
	case g.Panic:
		failed := path.Exit == exec.Panic || path.Exit == exec.Assert
		if failed && (!g.Pos.IsValid() || g.Pos == path.Pos) {
			return true
		}
		return slices.ContainsFunc(path.Events,
			func(e exec.Event) bool { return e.Op == "fail" && (!g.Pos.IsValid() || e.Pos == g.Pos) })
	}
	return path.Exit == exec.Return
}

// model finds small values of the inputs of a path, nil if there are none or the solver gives up. It tells how many
// steps of the solver were over without an answer.
func (p *Program) model(ctx context.Context, path *exec.Path) (*term.Model, int) {
	solver := p.solver.Scope()
	defer solver.Close()
	conds := exec.Sizes(p.store, path.Inputs)
	for _, c := range path.PC {
		conds = append(conds, c.Term)
	}
	m, _, _ := exec.Likely(ctx, p.store, solver, conds, path.Inputs)
	return m, solver.Stats().Steps
}

// way makes the way of a run, nil if there are no values for it.
func (p *Program) way(ctx context.Context, f *follower, path *exec.Path) *Way {
	m, _ := p.model(ctx, path)
	if m == nil {
		return nil
	}
	plan := f.plan
	if f.goal.Check != nil { // it may be reached before the plan is
		plan.Steps = plan.Steps[:f.taken]
	}
	return &Way{Start: f.start, Plan: plan, Path: path, Model: m, Outside: f.outside, Async: f.w.async, Order: f.w.order(),
		Marks: path.Marks}
}

// identical compares types of messages, nil being any.
func identical(a, b types.Type) bool { return a == nil || b == nil || types.Identical(a, b) }
