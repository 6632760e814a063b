package share

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// callee is a function that a call runs, with what it gets.
type callee struct {
	eff     *Effects
	body    *Body       // nil if the function is of another package
	name    string      // for people
	args    []ssa.Value // nil: not known
	recv    set         // instead of the first parameter's argument, if there is any
	shift   int         // 1 if the receiver is not among the arguments
	closure Root        // has the captured variables; zero if there are none
}

// far reports whether the callee's source is in another package.
func (c callee) far() bool { return c.body == nil }

// callees lists what a call runs: the functions called, and those that are handed to it.
func (b *Body) callees(c *ssa.CallCommon) []callee {
	if row, ok := frame.Of(c); ok && row.Op != frame.Reenter {
		return nil
	}
	var all []callee
	if c.IsInvoke() {
		args := append([]ssa.Value{c.Value}, c.Args...)
		for _, m := range b.w.methods(c) {
			all = b.add(all, callee{args: args, recv: b.receiver(c.Value, m)}, m.Fn, m.Func)
		}
		all = b.add(all, callee{args: args}, nil, c.Method) // what the interface's own package knows of it
	} else if f := c.StaticCallee(); f != nil {
		_, literal := c.Value.(*ssa.MakeClosure)
		if !literal {
			all = b.add(all, callee{args: c.Args}, f, nil)
		}
	}
	if !c.IsInvoke() && len(all) == 0 {
		all = b.functions(all, b.eval(c.Value), c.Args)
	}
	for _, arg := range frame.Args(c) {
		if _, ok := arg.Type().Underlying().(*types.Signature); ok {
			all = b.functions(all, b.eval(arg), nil)
		} else if mi, ok := arg.(*ssa.MakeInterface); ok {
			if _, ok := mi.X.Type().Underlying().(*types.Signature); ok {
				all = b.functions(all, b.eval(arg), nil)
			}
		}
	}
	return all
}

// methods lists what a call through an interface may run, looked up once.
func (w *World) methods(c *ssa.CallCommon) []frame.Method {
	known, ok := w.behind[c]
	if !ok {
		known = frame.Methods(c, w.impls)
		w.behind[c] = known
	}
	return known
}

// receiver gives what a method that a type has by embedding runs on; nil if that is the value itself.
func (b *Body) receiver(v ssa.Value, m frame.Method) set {
	if m.Path == "" {
		return nil
	}
	at, locs := b.walk(b.eval(v), m.Path)
	switch {
	case !locs:
		return at
	case m.Values:
		return addresses(at)
	}
	return b.load(at)
}

// add adds a function of this package by its body, of another one by the fact about it; nothing if there is neither.
func (b *Body) add(all []callee, c callee, f *ssa.Function, obj *types.Func) []callee {
	w := b.w
	if f != nil {
		f = frame.Unwrap(f)
		if f.Origin() != nil {
			f = f.Origin()
		}
		if body := w.Bodies[f]; body != nil {
			c.body, c.eff, c.name = body, &body.Effects, frame.Name(f)
			body.users[b.Fn] = true
		} else if obj == nil {
			obj, _ = f.Object().(*types.Func)
		}
	}
	if c.eff == nil && obj != nil {
		c.eff, c.name = w.imported(obj.Origin()), frame.Short(obj)
	}
	if c.eff == nil || slices.ContainsFunc(all, func(o callee) bool { return o.eff == c.eff && o.closure == c.closure }) {
		return all
	}
	return append(all, c)
}

// functions adds the functions that values are.
func (b *Body) functions(all []callee, vals set, args []ssa.Value) []callee {
	for _, v := range vals {
		if c, m := b.function(v); m != nil && c.eff != nil {
			c.args = args
			if m.Bound {
				c.recv, c.shift = b.captured(c.closure, 0), 1
			}
			all = append(all, c)
		}
	}
	return all
}

// function gives the function that a value is; m is nil if it is none, or unknown.
func (b *Body) function(v Place) (c callee, m *Memory) {
	m = b.home(v.Root)
	if m == nil || !v.Addr || v.Path != "" || m.fn == nil && m.Func == nil {
		return callee{}, nil
	}
	if m.Func != nil {
		return callee{eff: m.Func, name: "a function literal", closure: v.Root}, m
	}
	if all := b.add(nil, callee{closure: v.Root}, m.fn, nil); len(all) == 1 {
		return all[0], m
	}
	return callee{}, m
}

// captured gives what a closure has captured.
func (b *Body) captured(closure Root, i int) set {
	var all set
	for _, e := range b.at[closure] {
		if e.To.Path == captured(i) {
			all = all.with(e.Val)
		}
	}
	return all
}

// translate gives the values of the caller for one of a callee.
func (b *Body) translate(c callee, at ssa.Instruction, p Place) set {
	end, locs, stays := b.outward(c, at, p)
	switch {
	case stays || !locs:
		return end
	case p.Addr:
		return addresses(end)
	}
	return b.load(end)
}

// location gives the locations of the caller for one of a callee.
func (b *Body) location(c callee, at ssa.Instruction, p Place) set {
	end, locs, stays := b.outward(c, at, p)
	if stays || locs {
		return end
	}
	return nil
}

// outward walks a callee's place from what its root is for the caller; locs: to locations. stays: its path is the same
// for the caller.
func (b *Body) outward(c callee, at ssa.Instruction, p Place) (end set, locs, stays bool) {
	var vals set
	switch r := p.Root; r.Kind {
	case Param:
		if i := r.N - c.shift; r.N == 0 && len(c.recv) > 0 {
			vals = c.recv
		} else if i >= 0 && i < len(c.args) {
			if end, locs = b.along(c.args[i], p.Path); len(b.eval(c.args[i])) == 0 {
				return nil, false, false
			}
			return end, locs, false
		}
	case Free:
		if c.closure.Kind == Made {
			vals = b.captured(c.closure, r.N)
		}
	case Made:
		v, isValue := at.(ssa.Value)
		if !isValue || r.N >= len(c.eff.Made) {
			return nil, false, false
		}
		p.Root = b.made(v, c.eff, r.N)
		return set{p}, false, true
	default:
		return set{p}, false, true
	}
	if len(vals) == 0 {
		return nil, false, false
	}
	end, locs = b.walk(vals, p.Path)
	return end, locs, false
}
