package share

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// Changes lists what the handlers of an actor change that is kept at a place of one of them: for a method's receiver, what any handler of the
// same type changes; for a global, what any function does; else what this handler does.
func (w *World) Changes(h frame.Handler, kept Place) []Write {
	var all []Write
	switch v := kept.Root.V.(type) {
	case *ssa.Global:
		for _, f := range w.Code.Funcs {
			if f.Name() != "init" {
				all = append(all, sharing(w.Bodies[f], kept, kept.Root)...)
			}
		}
	case *ssa.Parameter:
		if h.State == nil || v != h.Fn.Params[0] {
			return nil
		}
		for _, o := range w.Code.Handlers {
			if o.State != nil && o.State.Obj() == h.State.Obj() {
				all = append(all, sharing(w.Bodies[o.Fn], kept, Root{V: o.Fn.Params[0]})...)
			}
		}
	case *ssa.FreeVar:
		all = sharing(w.Bodies[h.Fn], kept, kept.Root)
	}
	return all
}

// sharing lists the writes of a function that who keeps a place sees, where the place begins at another root in that function.
func sharing(b *Body, kept Place, as Root) []Write {
	if b == nil {
		return nil
	}
	kept.Root = as
	var all []Write
	for _, w := range b.Writes {
		if kept.shares(w.Place) {
			all = append(all, w)
		}
	}
	return all
}

// Kept lists the places outside of the handler where what an event sent is still kept when the handler ends.
func (b *Body) Kept(e Event) []Place {
	gone := e.Cleared.with(b.cleared(e)...)
	var all []Place
	for _, p := range b.kept(e.Vals) {
		loc := p
		loc.Addr = false
		if !slices.ContainsFunc(gone, func(g Place) bool {
			_, in := within(loc.Path, g.Path)
			return g.Root == loc.Root && in
		}) {
			all = append(all, p)
		}
	}
	return all
}

// ThroughState reports whether a write, by the same instruction, may be of memory that is reached through what outlives the function.
func (b *Body) ThroughState(w Write) bool {
	return slices.ContainsFunc(b.Writes, func(o Write) bool {
		switch o.Place.Root.V.(type) {
		case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
			return o.At == w.At && o.Pos == w.Pos
		}
		return false
	})
}

// Reach gives all that an event's values lead to.
func (b *Body) Reach(e Event) []Place { return b.reach(e.Vals) }

// instance is an actor that an event spawns, as seen where the event is.
type instance struct {
	event  Event
	writes set // locations that its handlers change
	holds  set // values that it has
}

// producers lists the functions without parameters among what an event spawns: they make the actor.
func (b *Body) producers(e Event) []callee {
	var all []callee
	for _, v := range b.reach(e.Vals) {
		if f, c := b.function(v); f != nil && f.Signature.Results().Len() == 1 {
			all = append(all, c)
		}
	}
	return all
}

// function gives the function that a value is.
func (b *Body) function(v Place) (*ssa.Function, callee) {
	if !v.Addr || v.Path != "" {
		return nil, callee{}
	}
	switch f := v.Root.V.(type) {
	case *ssa.Function:
		if body := b.w.Bodies[f]; body != nil {
			return f, callee{body: body}
		}
	case *ssa.MakeClosure:
		if cs := b.add(nil, frame.Funcs(f)[0], f, nil); len(cs) > 0 && f.Parent() == b.Fn {
			return cs[0].body.Fn, cs[0]
		}
	}
	return nil, callee{}
}

// instances lists the actors that a function spawns, itself or in what it calls.
func (b *Body) instances() []instance {
	var all []instance
	for _, e := range b.Events {
		if e.Op != frame.Spawn {
			continue
		}
		in := instance{event: e}
		for _, c := range b.producers(e) {
			for _, v := range b.produced(c, e.At) {
				b.object(&in, v)
			}
		}
		for _, v := range b.reach(e.Vals) {
			if f, c := b.function(v); f != nil && f.Signature.Results().Len() == 0 {
				b.behaviour(&in, c, e.At)
			} else if f == nil && slices.Contains(e.Vals, v) {
				b.object(&in, v)
			}
		}
		all = append(all, in)
	}
	return all
}

// produced gives what a producer returns where it is run.
func (b *Body) produced(c callee, at ssa.Instruction) set {
	var all set
	for _, r := range c.body.Results {
		for _, p := range r {
			all = all.with(b.translate(c, at, p)...)
		}
	}
	return all
}

// behaviour adds what an actor made from a function changes and has.
func (b *Body) behaviour(in *instance, c callee, at ssa.Instruction) {
	for _, w := range c.body.Writes {
		if _, fv := w.Place.Root.V.(*ssa.FreeVar); fv {
			in.writes = in.writes.with(b.location(c, at, w.Place)...)
		}
	}
	for _, v := range c.bindings {
		in.holds = in.holds.with(b.eval(v)...)
	}
}

// object adds what an actor that is an object changes and has.
func (b *Body) object(in *instance, v Place) {
	t := b.typeOf(v.Root)
	if t == nil || !v.Addr {
		return
	}
	in.holds = in.holds.with(v)
	for _, h := range b.w.Code.Handlers {
		if h.State == nil || h.State.Obj() != t.Obj() {
			continue
		}
		for _, w := range b.w.Bodies[h.Fn].Writes {
			if w.Place.Root.V != h.Fn.Params[0] {
				continue
			}
			if locs, ok := b.walk(set{v}, w.Place.Path); ok {
				in.writes = in.writes.with(locs...)
			}
		}
	}
}

// typeOf is the named type of memory that was made here or in a callee; nil if that is not known.
func (b *Body) typeOf(r Root) *types.Named {
	if r.Of != nil {
		return r.Of.typeOf(r.Of.Made[r.K])
	}
	if alloc, ok := r.V.(*ssa.Alloc); ok {
		return frame.Named(alloc.Type())
	}
	return nil
}

// Sharing is memory that two actors have and one of them changes.
type Sharing struct {
	First, Second Event // the same if one place spawns several actors
	Memory        Place
}

// Shared lists what actors that a function spawns share, each pair once.
func (b *Body) Shared() []Sharing {
	var all []Sharing
	ins := b.instances()
	for i, x := range ins {
		for _, w := range x.writes {
			if Again(x.event.At, w.Root) && b.has(x, w) {
				all = append(all, Sharing{x.event, x.event, w})
				break
			}
		}
		for j, y := range ins {
			if j == i || x.event.At == y.event.At || !before(x.event.At, y.event.At) && !before(y.event.At, x.event.At) {
				continue
			}
			for _, w := range x.writes {
				if b.has(y, w) {
					all = append(all, Sharing{x.event, y.event, w})
					break
				}
			}
		}
	}
	return all
}

// has reports whether an actor can see a change of a location.
func (b *Body) has(in instance, w Place) bool {
	return slices.ContainsFunc(b.reach(in.holds), func(v Place) bool { return v.shares(w) })
}
