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

// inActor fails if no handler of an actor can come to a line by calls that are known. What a test checks in the end is none of actors, and a target, too.
func (r *targetRun) inActor(ctx context.Context, at *reachtest.Line) (atEnd bool, err error) {
	code := newCode(r.loaded)
	for _, h := range r.system.Summaries().Handlers(ctx) {
		code.add(h.Fn)
	}
	within := code.seen[at.Block.Parent()] || target.NewLister(ctx, r.loaded, r.system.Summaries()).Owner(at.Block.Parent()) != "" // a behaviour is a method that nobody names
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

// concerned lists the starts from which the function of a target may be called. First come so many whose own actors may.
func (r *targetRun) concerned(at *reachtest.Line) (list []*system.Start, first int) {
	var others []*system.Start
	for _, s := range r.starts {
		code := newCode(r.loaded)
		for _, a := range s.Actors {
			code.add(a.Fn)
		}
		if code.seen[at.Block.Parent()] {
			list = append(list, s)
		} else if r.concerns(s, at) {
			others = append(others, s)
		}
	}
	return append(list, others...), len(list)
}

// concerns reports whether a driver, or an actor that comes of it, may call the function of a target.
func (r *targetRun) concerns(s *system.Start, at *reachtest.Line) bool {
	code := r.codes[s.Driver.Entry]
	if code == nil {
		code = newCode(r.loaded)
		code.add(s.Driver.Entry)
		r.codes[s.Driver.Entry] = code
	}
	return code.seen[at.Block.Parent()]
}

// code is the functions that some functions may call: by name, as a value, or by an interface that holds a type of the program.
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
