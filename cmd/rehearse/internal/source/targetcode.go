package source

import (
	"context"
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
)

// inActor fails if no handler of an actor can come to a line by calls that are known. What a test checks in the end is
// none of actors, and a target, too.
func (r *targetRun) inActor(ctx context.Context, at *reachtest.Line) (atEnd bool, err error) {
	code := newCode(r.loaded)
	for _, h := range r.system.Summaries().Handlers(ctx) {
		code.add(h.Fn)
	}
	// a behaviour is a method that nobody names
	within := code.seen[at.Block.Parent()] ||
		target.NewLister(ctx, r.loaded, r.system.Summaries()).Owner(at.Block.Parent()) != ""
	if within || at.Kind == "assertion" {
		return !within, nil
	}
	return false, fmt.Errorf("%s is outside of actors: no handler calls %s", at.Name, at.Block.Parent().Name())
}

// byName collects the functions that handlers call by name, and the literals in them.
func (r *targetRun) byName(ctx context.Context) {
	r.handled = map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if r.handled[fn] {
			return
		}
		r.handled[fn] = true
		var space [8]*ssa.Value
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, v := range in.Operands(space[:0]) {
					if f, ok := (*v).(*ssa.Function); ok {
						add(f)
					}
				}
			}
		}
	}
	for _, h := range r.system.Summaries().Handlers(ctx) {
		add(h.Fn)
	}
}

// concern is a start from which the function of a target may be called.
type concern struct {
	start *system.Start
	fn    *ssa.Function // in the variant of its package that the start's program is linked with
	check *ssa.Function // the same of Target.Check
}

// concerned lists the starts from which the function of a target may be called. First come so many whose own actors
// may.
func (r *targetRun) concerned(at *reachtest.Line) (list []concern, first int) {
	var others []concern
	for _, s := range r.starts {
		own := r.codes[s]
		if own == nil {
			own = newCode(r.loaded)
			for _, a := range s.Actors {
				own.actor(a)
			}
			r.codes[s] = own
		}
		if fn := own.variant(at.Block.Parent()); fn != nil {
			list = append(list, concern{start: s, fn: fn})
		} else if fn := r.driverCode(s.Driver.Entry).variant(at.Block.Parent()); fn != nil {
			others = append(others, concern{start: s, fn: fn})
		}
	}
	return append(list, others...), len(list)
}

// driverCode is what a driver, or an actor that comes of it, may call.
func (r *targetRun) driverCode(entry *ssa.Function) *code {
	c := r.entries[entry]
	if c == nil {
		c = newCode(r.loaded)
		c.add(entry)
		r.entries[entry] = c
	}
	return c
}

// in gives a target in the variant of its package that a start has. Blocks of variants are the same, since their source
// is.
func (c concern) in(t *target.Target) *target.Target {
	if t.Block == nil || t.Block.Parent() == c.fn {
		return t
	}
	same := *t
	same.Check = c.check
	same.Block = c.fn.Blocks[t.Block.Index]
	if same.Pos.IsValid() {
		same.Pos += c.fn.Pos() - t.Block.Parent().Pos()
	}
	return &same
}

// code is the functions that some functions may call: by name, as a value, or by an interface that holds a type of the
// program.
type code struct {
	loaded *load.Program
	seen   map[*ssa.Function]bool
	types  map[types.Type]bool
}

func newCode(p *load.Program) *code {
	return &code{p, map[*ssa.Function]bool{}, map[types.Type]bool{}}
}

func (c *code) add(fn *ssa.Function) {
	if fn == nil || c.seen[fn] {
		return
	}
	c.seen[fn] = true
	var space [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if m, ok := in.(*ssa.MakeInterface); ok {
				c.methods(m.X.Type())
			}
			for _, v := range in.Operands(space[:0]) {
				if f, ok := (*v).(*ssa.Function); ok {
					c.add(f)
				}
			}
		}
	}
}

// actor adds what handles the messages of an actor, and what the framework asks it by itself.
func (c *code) actor(a *system.Actor) {
	c.add(a.Fn)
	if a.Recv == nil {
		return
	}
	set := c.loaded.SSA.MethodSets.MethodSet(a.Recv)
	for _, name := range []string{"Accepts", "Start"} {
		if m := set.Lookup(nil, name); m != nil {
			c.add(c.loaded.SSA.MethodValue(m))
		}
	}
}

// variant gives the function that is this one in the variant of its package that is called. A package with test files
// is compiled twice, with them for its tests, and without them for others. It is nil if neither is called.
func (c *code) variant(fn *ssa.Function) *ssa.Function {
	if c.seen[fn] {
		return fn
	}
	for f := range c.seen {
		if target.Variants(f, fn) {
			return f
		}
	}
	return nil
}

// methods adds those of a type.
func (c *code) methods(t types.Type) {
	if c.types[t] {
		return
	}
	c.types[t] = true
	set := c.loaded.SSA.MethodSets.MethodSet(t)
	for m := range set.Methods() {
		c.add(c.loaded.SSA.MethodValue(m))
	}
}
