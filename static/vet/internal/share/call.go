package share

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// call adds the effects of a call.
func (b *Body) call(in ssa.CallInstruction) {
	c := in.Common()
	if bi, ok := c.Value.(*ssa.Builtin); ok {
		b.builtin(bi.Name(), in)
		return
	}
	if _, ok := in.(*ssa.Go); ok {
		vals := b.eval(c.Value)
		for _, a := range c.Args {
			vals = vals.with(b.eval(a)...)
		}
		e := Event{Op: frame.Elsewhere, Vals: vals, At: in, Pos: in.Pos()}
		for _, cal := range b.callees(c) {
			e.Known = true
			e.Actor.add(Actor{Writes: b.accesses(cal, in, cal.eff.writes()), Reads: b.accesses(cal, in, cal.eff.Reads)})
		}
		b.event(e)
		return
	}
	row, framework := frame.Of(c)
	if framework {
		b.framework(row, in)
	}
	f := frame.Func(c)
	if f != nil && f.Pkg() != nil {
		b.library(f, in)
	}
	callees := b.callees(c)
	for _, cal := range callees {
		b.apply(cal, in)
	}
	if !framework && len(callees) == 0 && (f == nil || !frame.Silent(f.Pkg())) {
		b.unseen(c, in.Pos())
	}
}

// unseen takes what an unknown function gets for read, however deep it lies.
func (b *Body) unseen(c *ssa.CallCommon, pos token.Pos) {
	args := c.Args
	if c.IsInvoke() {
		args = append([]ssa.Value{c.Value}, args...)
	}
	for _, a := range args {
		b.deepRead(b.eval(a), pos)
		if c.IsInvoke() || c.StaticCallee() == nil {
			b.leave(b.eval(a))
		}
	}
}

// leave notes that others may keep what values lead to.
func (b *Body) leave(vals set) {
	for _, v := range b.reach(vals) {
		if m := b.home(v.Root); m != nil {
			m.leaves = true
		}
	}
}

func (b *Body) deepRead(vals set, pos token.Pos) {
	for _, v := range b.reach(vals) {
		b.access(Access{Place: v, Deep: true, Where: b.w.where(pos)})
	}
}

// apply adds the effects of a callee.
func (b *Body) apply(c callee, at ssa.CallInstruction) {
	for _, w := range c.eff.Writes {
		if !c.eff.escapes(w.Place.Root) {
			continue
		}
		pos := w.Pos
		if c.far() {
			pos = at.Pos()
		}
		for _, l := range b.location(c, at, w.Place) {
			b.writeBy(Access{Place: l, Where: w.Where}, w.Weak, at, pos)
		}
	}
	for _, r := range b.accesses(c, at, c.eff.Reads) {
		b.access(r)
	}
	b.edges(c, at)
	for _, e := range c.eff.Events {
		b.lift(c, at, e)
	}
}

// lift adds an event of a callee.
func (b *Body) lift(c callee, at ssa.CallInstruction, e Event) {
	var vals, cleared set
	for _, v := range e.Vals {
		vals = vals.with(b.translate(c, at, v)...)
	}
	for _, l := range e.Cleared {
		cleared = cleared.with(b.location(c, at, l)...)
	}
	e.Vals, e.Cleared, e.At, e.Payload = vals, cleared, at, nil
	e.Actor = Actor{Writes: b.accesses(c, at, e.Actor.Writes), Reads: b.accesses(c, at, e.Actor.Reads)}
	if c.far() {
		e.Pos = at.Pos()
		if e.By == "" {
			e.By = c.name
		}
	}
	b.event(e)
}

// accesses gives a callee's accesses as its caller sees them.
func (b *Body) accesses(c callee, at ssa.Instruction, all []Access) []Access {
	var out []Access
	for _, a := range all {
		if !c.eff.escapes(a.Place.Root) || len(out) >= b.w.most {
			continue
		}
		places := b.location
		if a.Deep {
			places = b.translate
		}
		for _, p := range places(c, at, a.Place) {
			out = append(out, Access{p, a.Deep, a.Where})
		}
	}
	return out
}

// edges adds what a callee stores.
func (b *Body) edges(c callee, at ssa.Instruction) {
	for _, e := range c.eff.Edges {
		if c.eff.escapes(e.To.Root) {
			pos := e.Pos
			if c.far() {
				pos = at.Pos()
			}
			vals := b.translate(c, at, e.Val)
			for _, l := range b.location(c, at, e.To) {
				b.store(l, vals, pos)
			}
		}
	}
}

// event adds an event. One that spawns brings what its actor does, as far as that is known here.
func (b *Body) event(e Event) {
	if len(e.Vals) == 0 && !e.Copies && e.Op != frame.Spawn || len(b.Events) >= b.w.most/10 {
		return
	}
	b.leave(e.Vals)
	switch e.Op {
	case frame.Spawn:
		b.spawned(&e)
	case frame.Elsewhere:
		for _, v := range e.Vals {
			if c, m := b.function(v); m != nil && c.eff != nil {
				e.Known = true
				e.Actor.add(b.handled(c, e.At, c.eff))
			}
		}
	}
	b.Events = append(b.Events, e)
}

// framework adds what a framework's function does.
func (b *Body) framework(row frame.Row, in ssa.CallInstruction) {
	payload := frame.Arg(in.Common(), row.Payload)
	if payload == nil {
		return
	}
	switch row.Op {
	case frame.Send, frame.Request, frame.Call:
		t := payload.Type()
		if m, ok := payload.(*ssa.MakeInterface); ok {
			t = m.X.Type()
		}
		vals := b.eval(payload)
		b.deepRead(vals, in.Pos()) // by who gets it, or by the framework that copies it
		if !isSelf(frame.Arg(in.Common(), row.To)) {
			b.event(Event{Op: frame.Send, Vals: vals, Type: t, TypeName: types.TypeString(t, (*types.Package).Name),
				Copies: row.Copies, At: in, Pos: in.Pos(), Payload: payload})
		}
	case frame.Spawn, frame.Elsewhere:
		b.event(Event{Op: row.Op, Vals: b.eval(payload), At: in, Pos: in.Pos(), Payload: payload})
	case frame.Props:
		if v, ok := in.(ssa.Value); ok {
			b.store(Place{Root: b.made(v, nil, 0), Path: ".actor"}, b.eval(payload), in.Pos())
		}
	}
}

func isSelf(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	row, ok := frame.Of(&call.Call)
	return ok && row.Op == frame.Self
}
