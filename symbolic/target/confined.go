package target

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file finds out whether a target can be reached by handlers alone. Only then nothing is left when all ways
// through handlers are excluded. Constraints of actors, hooks, methods behind interfaces and functions as values run on
// occasions that the search does not look at.

// elsewhere says why a target may be reached otherwise than by a handler; "" if it may not.
func (e *Engine) elsewhere(t *Target) string {
	if t.Check != nil {
		return "what the driver's Config checks is not followed backwards"
	}
	if t.AtEnd {
		return "what is checked at the end is not followed backwards"
	}
	if t.Dead && e.mayStop() {
		return "messages to actors that have stopped are not followed backwards"
	}
	fn := e.functionOf(t.Goal)
	switch {
	case fn != nil:
		if e.lib.confined == nil {
			e.lib.confined = &confinement{e: e, known: map[*ssa.Function]string{}}
		}
		return e.lib.confined.outside(fn)
	case t.Fn == nil:
		return "the target may be reached by more than handlers"
	}
	return ""
}

// mayStop reports whether something in the program stops an actor.
func (e *Engine) mayStop() bool {
	for _, fn := range e.loaded.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case ssa.CallInstruction:
					if row, ok := model.Find(named(in.Common())); ok && row.Op == model.Stop {
						return true
					}
				case *ssa.MakeInterface: // a message by which one asks for it
					if name := model.TypeName(in.X.Type()); name == "actor.PoisonPill" || name == "actor.Stop" {
						return true
					}
				}
			}
		}
	}
	return false
}

// functionOf gives the function that a goal is in, nil if the goal names no place.
func (e *Engine) functionOf(g system.Goal) *ssa.Function {
	if g.Block != nil {
		return g.Block.Parent()
	}
	if !g.Pos.IsValid() {
		return nil
	}
	var in *ssa.Function
	for _, fn := range e.loaded.Functions() {
		if s := fn.Syntax(); s != nil && s.Pos() <= g.Pos && g.Pos < s.End() && (in == nil || in.Syntax().Pos() < s.Pos()) {
			in = fn
		}
	}
	return in
}

// confinement finds functions that handlers alone call.
type confinement struct {
	e       *Engine
	known   map[*ssa.Function]string
	callers map[*ssa.Function][]*ssa.Function
	values  map[*ssa.Function]bool // used other than by calls
	invoked map[string]bool        // methods that are called of interfaces
}

// outside says why a function may be called otherwise than by a handler; "" if it may not.
func (c *confinement) outside(fn *ssa.Function) string {
	if why, ok := c.known[fn]; ok {
		return why
	}
	if c.callers == nil {
		c.scan()
	}
	c.known[fn] = c.look(fn, map[*ssa.Function]bool{})
	return c.known[fn]
}

// look says so of a function and of all that call it. Those that were met are looked at already: functions may call
// each other. So only the answer for the first of them stands for good.
func (c *confinement) look(fn *ssa.Function, met map[*ssa.Function]bool) string {
	if met[fn] {
		return ""
	}
	met[fn] = true
	handler := false
	for _, h := range c.e.lib.fns { // the library is the one that this is of
		handler = handler || h == fn
	}
	name := fn.RelString(nil)
	switch {
	case handler:
	case c.idle(fn):
		return "" // and so it does not call others
	case fn.Parent() != nil && model.Handles(fn.Signature) != "":
		return c.look(fn.Parent(), met) // it is no behaviour of an actor before the function that makes it has run
	case c.values[fn], fn.Parent() != nil:
		return fmt.Sprintf("when %s is called is not followed: it is a value", name)
	case c.hook(fn) && c.ran():
		return fmt.Sprintf("whether %s was called before the first message is not known: the driver was run for real", name)
	case fn.Signature.Recv() != nil && (c.invoked[fn.Name()] || fn.Name() == "Accepts"):
		return fmt.Sprintf("when %s is called is not followed: it is a method of an interface", name)
	case len(c.callers[fn]) == 0 && !c.hook(fn):
		return fmt.Sprintf("no handler that may run here calls %s", name)
	}
	for _, caller := range c.callers[fn] {
		if why := c.look(caller, met); why != "" {
			return why
		}
	}
	return ""
}

// hook reports whether a function is a start hook of native actors. Paths of handlers tell what it does when a handler
// creates its actor, and the execution of the driver what it does when the driver does.
func (c *confinement) hook(fn *ssa.Function) bool {
	return fn.Name() == "Start" && fn.Signature.Recv() != nil && starts(fn.Signature) && !c.e.proto()
}

// ran reports whether the driver was run for real: then what start hooks of its actors have done is not known.
func (c *confinement) ran() bool {
	d := c.e.start.Driver
	return d != nil && d.Ran != nil
}

// idle reports whether nothing calls a function: one that is not exported, or that handles the messages of actors of
// which there are none.
func (c *confinement) idle(fn *ssa.Function) bool {
	if c.values[fn] || fn.Parent() != nil || c.invoked[fn.Name()] || len(c.callers[fn]) > 0 || fn.Name() == "main" ||
		fn.Name() == "init" {
		return false
	}
	return !token.IsExported(fn.Name()) || fn.Signature.Recv() != nil && model.Handles(fn.Signature) != ""
}

// scan finds who calls whom.
func (c *confinement) scan() {
	c.callers, c.values, c.invoked = map[*ssa.Function][]*ssa.Function{}, map[*ssa.Function]bool{}, map[string]bool{}
	for _, fn := range c.e.loaded.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				c.instruction(fn, in)
			}
		}
	}
}

func (c *confinement) instruction(fn *ssa.Function, in ssa.Instruction) {
	var called ssa.Value
	if call, ok := in.(ssa.CallInstruction); ok {
		if to := call.Common().StaticCallee(); to != nil {
			c.callers[to] = append(c.callers[to], fn)
		}
		if m := call.Common().Method; m != nil {
			c.invoked[m.Name()] = true
		}
		called = call.Common().Value
	}
	for _, op := range in.Operands(nil) {
		if to, ok := (*op).(*ssa.Function); ok && ssa.Value(to) != called {
			c.values[to] = true
		}
	}
}
