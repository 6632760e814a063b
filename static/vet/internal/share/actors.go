package share

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// Changes lists what the handlers of an actor change that is kept at a place of one of them. For a method's receiver
// that is what any handler of the same type, or of one that it embeds, changes. For a global it is what any function
// changes, else what this handler changes.
func (w *World) Changes(h frame.Handler, kept Place) []Write {
	var all []Write
	switch root := kept.Root; {
	case root.Kind == Global:
		for _, b := range w.All {
			if b.Fn.Name() != "init" {
				all = append(all, sharing(b, kept)...)
			}
		}
	case root.Kind == Param && root.N == 0 && h.State != nil:
		for _, o := range w.Code.Handlers {
			if o.State != nil && o.State.Obj() == h.State.Obj() {
				all = append(all, sharing(w.Bodies[o.Fn], kept)...)
			}
		}
		var inner Actor
		if w.embedded(h.State.Origin(), &inner) {
			for _, a := range inner.Writes {
				if kept.shares(a.Place) {
					all = append(all, Write{Access: a})
				}
			}
		}
	case root.Kind == Free:
		all = sharing(w.Bodies[h.Fn], kept)
	}
	return all
}

// Touches reports whether a function that a handler has run elsewhere changes the actor's state, or reads what its
// handlers change; true if the function is not known. What only the constructor sets may be read by anybody.
func (w *World) Touches(h frame.Handler, e Event) bool {
	receiver := Root{Kind: Param}
	if !e.Known || slices.ContainsFunc(e.Actor.Writes, func(a Access) bool { return a.Place.Root == receiver }) {
		return true
	}
	own := w.actor(h.State)
	return own == nil || slices.ContainsFunc(own.Writes, func(changed Access) bool {
		return slices.ContainsFunc(e.Actor.Reads, func(r Access) bool {
			return r.Deep && r.Place.shares(changed.Place) || !r.Deep && r.Place.overlaps(changed.Place)
		})
	})
}

// sharing lists the writes of a function that who keeps a place sees.
func sharing(b *Body, kept Place) []Write {
	if b == nil {
		return nil
	}
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
	var all []Place
	for _, p := range b.outsidePlaces(e.Vals) {
		loc := p
		loc.Addr = false
		if !slices.ContainsFunc(e.Cleared, func(g Place) bool {
			_, in := within(loc.Path, g.Path)
			return g.Root == loc.Root && in
		}) {
			all = append(all, p)
		}
	}
	return all
}

// ThroughState reports whether a write, by the same instruction, may be of memory that is reached through what outlives
// the function.
func (b *Body) ThroughState(w Write) bool {
	return slices.ContainsFunc(b.Writes,
		func(o Write) bool { return o.Place.outside() && o.At == w.At && o.Where == w.Where })
}

// Reach gives all that an event's values lead to.
func (b *Body) Reach(e Event) []Place { return b.reach(e.Vals) }

// Value gives the parameter or captured variable that a place is in; nil for others.
func (b *Body) Value(p Place) ssa.Value {
	switch r := p.Root; {
	case r.Kind == Param && r.N < len(b.Fn.Params):
		return b.Fn.Params[r.N]
	case r.Kind == Free && r.N < len(b.Fn.FreeVars):
		return b.Fn.FreeVars[r.N]
	}
	return nil
}

// Fresh reports whether a method is called on memory that the calling function, or a constructor that it calls, made,
// and that nobody else gets. A lock in it is held by nobody else.
func (w *World) Fresh(at ssa.Instruction) bool {
	call, ok := at.(ssa.CallInstruction)
	b := w.Bodies[at.Parent()]
	if !ok || b == nil || call.Common().Signature().Recv() == nil || len(call.Common().Args) == 0 {
		return false
	}
	places := b.memo[call.Common().Args[0]]
	for _, p := range places {
		m := b.home(p.Root)
		if m == nil || !p.Addr || m.escapes || m.leaves {
			return false
		}
		if _, unknown := m.at.(*ssa.Call); unknown && m.of == nil {
			return false // what an unknown function returned may be anybody's
		}
	}
	return len(places) > 0
}
