package cases

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds out whether the state of a case that fails can come about: by making the actor, having it handle
// messages, and then the case's message. All of this is executed in one run. The case's conditions are asked for before
// its message is handled, with the names of the state replaced by what it is.

// Reached is how the state of a case comes about. Its instance is one of the whole, so it may be another one than that
// of the case alone.
type Reached struct {
	Start  *Start
	Made   []exec.Named // the state in which the actor was made, under the names of the handler's receiver
	Before []*Target    // handlers that run before, in order: msg1 is the message of the first
	State  []exec.Named // the state in which the tested message is handled

	Making   int // events of the path while the actor is made
	Handling int // and before the tested message is handled

	Path   *exec.Path   // of the whole, with the tested message as msg
	Inputs []exec.Input // of the whole: Start.Argument, msg1 and so on, msg
	Model  *term.Model
}

// reach finds out how the states of cases that fail come about, or why that is not known. Short chains come first, for
// all cases. So a case with many chains does not take the time of the others. Nor does a handler with many paths, since
// it is only asked for what it writes before there are longer chains.
func (p *Program) reach(ctx context.Context, list []*Case, assumed []*assumption, config Config) {
	var open []*approach
	for _, c := range list {
		if a := p.approach(c, assumed, config); a != nil {
			open = append(open, a)
		}
	}
	for n := range config.Before + 1 {
		for _, a := range open {
			a.chains(ctx, n)
		}
	}
	for _, a := range open {
		a.tell()
	}
}

// approach is the search for a chain that leads to a case.
type approach struct {
	p       *Program
	c       *Case
	assumed []*assumption
	config  Config
	starts  []*Start
	last    [][]*Target // messages before of the longest chains so far
	tried   int
	over    bool // there are more chains than are tried
	late    bool // the time was over
	cut     string
}

// approach begins the search. It gives nil if the case does not fail, or if nothing has to be looked for, and then
// notes why.
func (p *Program) approach(c *Case, assumed []*assumption, config Config) *approach {
	if !c.Verdict.Fails() {
		return nil
	}
	if name := foreign(c.Path.PC, c.Path.Inputs); name != "" {
		c.StateAssumed = fmt.Sprintf("it depends on %s, which no message brings", name)
		return nil
	}
	switch {
	case c.Target.Kind == Function:
		if !p.anybody(c.Target) {
			c.StateAssumed = "a function whose parameters are more than numbers, strings and truth values may expect something of them"
		} else {
			c.Reached = &Reached{Path: c.Path, Inputs: c.Inputs, Model: c.Model}
		}
		return nil
	case c.Target.Handler.Message == nil && c.Target.Kind != StartHook:
		c.StateAssumed = "nothing says which messages there are beside those with a case of their own"
		return nil
	case c.Target.Fn.Signature.Recv() == nil:
		c.StateAssumed = "the actor is a function: what it captures is not known"
		if len(c.Target.Fn.FreeVars) == 0 {
			c.StateAssumed, c.Reached = "", &Reached{Path: c.Path, Inputs: c.Inputs, Model: c.Model}
		}
		return nil
	}
	starts := p.starts(c.Target.Fn.Params[0].Type())
	if len(starts) == 0 {
		c.StateAssumed = fmt.Sprintf("nothing makes a %s: no function gives one, and none is handed to the framework",
			typeText(c.Target.Fn.Params[0].Type()))
		return nil
	}
	return &approach{p: p, c: c, assumed: assumed, config: config, starts: starts}
}

// chains tries the chains with n messages before, after those with fewer.
func (a *approach) chains(ctx context.Context, n int) {
	if a.c.Reached != nil || a.over || a.late || n > 0 && a.c.Target.Kind == StartHook {
		return
	}
	a.last = a.p.longer(ctx, a.c, a.last, n, a.config)
	for _, before := range a.last {
		for _, s := range a.starts {
			switch {
			case ctx.Err() != nil:
				a.late = true
				return
			case a.tried == a.config.Chains:
				a.over = true
				return
			}
			a.tried++
			if why := a.p.try(ctx, &chain{beginning: beginning{start: s}, p: a.p, before: before, tested: a.c,
				assumed: a.assumed, config: a.config}); why != "" {
				a.cut = why
			}
			if a.c.Reached != nil {
				return
			}
		}
	}
	a.late = ctx.Err() != nil
}

// tell notes why no chain was found.
func (a *approach) tell() {
	switch {
	case a.c.Reached != nil:
		return
	case a.late:
		a.c.StateAssumed = fmt.Sprintf("the time was over before a way to it was found: %s tried", counted(a.tried, "chain"))
		return
	case a.over:
		a.c.StateAssumed = fmt.Sprintf("no chain of the first %d leads to it", a.tried)
		return
	}
	before := fmt.Sprintf(", with up to %d messages before,", a.config.Before)
	if a.c.Target.Kind == StartHook {
		before = ""
	}
	a.c.StateAssumed = fmt.Sprintf("none of %d ways to make the actor%s leads to it", len(a.starts), before)
	if a.cut != "" {
		a.c.StateAssumed += ", as far as they were followed: " + a.cut
	}
}

// anybody reports whether all parameters of a function are values that any caller may have.
func (p *Program) anybody(t *Target) bool {
	for _, v := range t.Fn.Params {
		if _, basic := v.Type().Underlying().(*types.Basic); !basic {
			return false
		}
	}
	return true
}

// try explores one chain. It says what a bound has cut.
func (p *Program) try(ctx context.Context, like *chain) (cut string) {
	var runs []*chain
	solver := p.solver.Scope()
	defer solver.Close()
	found := p.Exec().Explore(ctx, p.store, solver, exec.Entry{Fn: like.tested.Target.Fn, Driver: func() exec.Driver {
		d := *like
		runs = append(runs, &d)
		return &d
	}}, exec.Config{Loops: like.config.Loops, Elements: like.config.Elements, Paths: 100})
	for i, path := range found.Paths {
		if d := runs[i]; d.arrived && d.tested.sameWay(path, d.events) && p.reached(ctx, solver, d, path) {
			return ""
		}
	}
	if len(found.Cuts) > 0 {
		return firstCut(found.Cuts)
	}
	return found.Defect
}

// reached notes a chain that leads to the case, if there is an instance of it.
func (p *Program) reached(ctx context.Context, solver solve.Solver, d *chain, path *exec.Path) bool {
	havoc := func(m exec.Mark) bool { return m.Kind == exec.Havoc }
	if slices.ContainsFunc(path.Marks, havoc) && !slices.ContainsFunc(d.tested.Marks, havoc) {
		return false // a message before does what is not known
	}
	if foreign(path.PC[d.making:], path.Inputs) != "" {
		return false
	}
	conds := p.sizes(path.Inputs)
	for _, c := range path.PC {
		conds = append(conds, c.Term)
	}
	r := &Reached{Start: d.start, Made: d.initial, Before: d.before, State: d.state, Making: d.created, Handling: d.events,
		Path: path, Inputs: slices.Clone(path.Inputs)}
	more := d.inputs
	if d.tested.Steps != nil { // the case's own messages were not handled
		for _, in := range d.tested.Inputs {
			if rootOf(in.At).Name != d.recv {
				more = append(more, in)
			}
		}
	}
	for _, in := range more {
		if !slices.ContainsFunc(r.Inputs, func(o exec.Input) bool { return o.Var == in.Var }) {
			r.Inputs = append(r.Inputs, in)
		}
	}
	var why string
	if r.Model, _, why = p.minimal(ctx, solver, conds, r.Inputs); r.Model == nil || why != "" {
		return false
	}
	d.tested.Reached = r
	return true
}

// foreign names an input in conditions that neither a constructor nor messages bring: a package variable, or what a
// library gives; "" if there is none.
func foreign(conds []exec.Cond, inputs []exec.Input) string {
	var terms []*term.Term
	for _, c := range conds {
		terms = append(terms, c.Term)
	}
	vars := term.Vars(terms...)
	for _, in := range inputs {
		if at := rootOf(in.At); (at.Outside || strings.Contains(at.Name, ".")) && slices.Contains(vars, in.Var) {
			return at.Name
		}
	}
	return ""
}

// sameWay reports whether the rest of a path, after so many events, goes the way of the case: through the same
// branches, with the same events, to the same end. The conditions alone do not tell, since some are about entries of
// maps, which have other names in a state that was made by messages.
func (c *Case) sameWay(path *exec.Path, before int) bool {
	if c.Steps != nil { // how tasks end is executed for real
		return path.Exit == exec.Return
	}
	if path.Exit != c.Path.Exit || path.Pos != c.Path.Pos || path.Why != c.Path.Why ||
		!sameSet(path.Branches, c.Path.Branches) {
		return false
	}
	return slices.EqualFunc(path.Events[before:], c.Path.Events,
		func(a, b exec.Event) bool { return a.Op == b.Op && a.Pos == b.Pos })
}

// sameSet reports whether two lists without repetitions have the same elements.
func sameSet[T comparable](a, b []T) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x T) bool { return !slices.Contains(b, x) })
}

// longer lists the messages that may come before, n of them, from those of the chains with one less. They are of
// handlers that write what the case reads, or what these read.
func (p *Program) longer(ctx context.Context, c *Case, last [][]*Target, n int, config Config) (next [][]*Target) {
	if n == 0 {
		if first := model.First(c.Target.Kind.Framework()); first != "" { // every actor handles this message first
			if t := p.sibling(c.Target, first); t != nil && t != c.Target {
				return [][]*Target{{t}}
			}
		}
		return [][]*Target{nil}
	}
	writers := p.writers(ctx, c, config)
	for _, before := range last {
		for _, t := range writers {
			if len(next) <= config.Chains { // one more tells that there are more
				next = append(next, append(slices.Clone(before), t))
			}
		}
	}
	return next
}

// effect is what a handler reads and writes of the state.
type effect struct{ reads, writes map[string]bool }

// writers lists the handlers of the case's actor that may change what its conditions are about, in so many messages.
func (p *Program) writers(ctx context.Context, c *Case, config Config) (list []*Target) {
	recv := exec.ParameterName(0, c.Target.Fn.Params[0])
	needed := map[string]bool{}
	for _, v := range term.Vars(c.Conditions()...) {
		if f := partIn(v.Name, recv); f != "" {
			needed[f] = true
		}
	}
	for range config.Before {
		for _, t := range p.targets {
			if t.Kind == Function || t.Fn != c.Target.Fn || t.Handler.Message == nil || slices.Contains(list, t) ||
				t.Handler.Name() == model.First(t.Kind.Framework()) {
				continue
			}
			if changes(p.effect(ctx, t, config).writes, needed) {
				list = append(list, t)
			}
		}
		for _, t := range list {
			for f := range p.effect(ctx, t, config).reads {
				needed[f] = true
			}
		}
	}
	return list
}

// effect finds out what a handler reads and writes.
func (p *Program) effect(ctx context.Context, t *Target, config Config) effect {
	if e, ok := p.effects[t]; ok {
		return e
	}
	solver := p.solver.Scope()
	defer solver.Close()
	recv := exec.ParameterName(0, t.Fn.Params[0])
	e := effect{map[string]bool{}, map[string]bool{}}
	for _, path := range p.explore(ctx, solver, t, config).Paths {
		for _, name := range path.Written {
			e.writes[partIn(name, recv)] = true
		}
		for _, in := range path.Inputs {
			if f := partIn(in.Var.Name, recv); f != "" {
				e.reads[f] = true
			}
		}
	}
	delete(e.writes, "")
	if ctx.Err() == nil {
		p.effects[t] = e
	}
	return e
}

// partIn gives the part of an actor that a name is of, "" if it is of none. All entries of a map, and elements of a
// slice, are one part.
func partIn(name, recv string) string {
	rest, ok := strings.CutPrefix(name, recv+".")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "[!"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// changes reports whether a write of one of some parts may change one of others: the same one, or what it is in.
func changes(writes, needed map[string]bool) bool {
	for w := range writes {
		for n := range needed {
			if below(n, w) {
				return true
			}
		}
	}
	return false
}
