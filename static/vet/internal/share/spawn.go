package share

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// spawned adds to an event what the handlers of the actor that it spawns do, as far as the event's values are known
// here. What is only known to a caller, such as a producer that is a parameter, is added where the event is lifted to
// it.
func (b *Body) spawned(e *Event) {
	b.w.spawners[b.Fn] = true
	vals := b.reach(e.Vals)
	for _, v := range vals {
		c, m := b.function(v)
		switch {
		case m == nil:
			if slices.Contains(e.Vals, v) {
				b.object(&e.Actor, v)
			}
		case c.eff == nil:
		case m.Gives == 1:
			b.edges(c, e.At.(ssa.CallInstruction))
			for _, p := range c.eff.Results[:min(1, len(c.eff.Results))] {
				for _, made := range p {
					for _, v := range b.translate(c, e.At, made) {
						b.object(&e.Actor, v)
					}
				}
			}
		case m.Gives == 0:
			e.Actor.add(b.handled(c, e.At, c.eff))
		}
	}
	e.Vals = slices.DeleteFunc(slices.Clone(vals), func(v Place) bool { return v.Root.Kind == Made })
}

// handled gives what a function that is a handler does with what it captured or has as its receiver.
func (b *Body) handled(c callee, at ssa.Instruction, eff *Effects) Actor {
	var own Actor
	for _, w := range eff.Writes {
		if w.Place.outside() && !w.Weak {
			own.Writes = append(own.Writes, b.accesses(c, at, []Access{w.Access})...)
		}
	}
	for _, r := range eff.Reads {
		if r.Place.outside() {
			own.Reads = append(own.Reads, b.accesses(c, at, []Access{r})...)
		}
	}
	return own
}

// object adds what an actor that is an object does.
func (b *Body) object(to *Actor, v Place) {
	m := b.home(v.Root)
	if m == nil || v.Path != "" {
		return
	}
	known := m.Actor
	if m.typ != nil {
		known = b.w.actor(m.typ)
	}
	if known == nil {
		return
	}
	to.add(Actor{b.through(v, known.Writes), b.through(v, known.Reads)})
}

// through gives the accesses of an actor's type as those of one actor.
func (b *Body) through(v Place, all []Access) []Access {
	var out []Access
	for _, a := range all {
		end, locs := b.walk(set{v}, a.Place.Path)
		switch {
		case a.Deep && locs && a.Place.Addr:
			end = addresses(end)
		case a.Deep && locs:
			end = b.load(end)
		case !a.Deep && !locs:
			continue
		}
		for _, p := range end {
			out = append(out, Access{p, a.Deep, a.Where})
		}
	}
	return out
}

// add adds accesses that are not there yet.
func (a *Actor) add(more Actor) {
	a.Writes = union(a.Writes, more.Writes)
	a.Reads = union(a.Reads, more.Reads)
}

func union(all, more []Access) []Access {
	for _, m := range more {
		if len(all) < most && !slices.ContainsFunc(all,
			func(o Access) bool { return o.Place == m.Place && o.Deep == m.Deep }) {
			all = append(all, m)
		}
	}
	return all
}

// actor gives what the handlers of a type do with their receiver, by themselves or through those of a type that it
// embeds; nil if it is no actor.
func (w *World) actor(t *types.Named) *Actor {
	t = t.Origin()
	if known, ok := w.actors[t]; ok {
		return known
	}
	w.actors[t] = nil // a type that embeds itself by a pointer has no more than this
	own := w.actorOf(t)
	if w.settled || t.Obj().Pkg() != w.pkg {
		w.actors[t] = own
	} else {
		delete(w.actors, t) // what its handlers do may grow
	}
	return own
}

func (w *World) actorOf(t *types.Named) *Actor {
	own := &Actor{}
	found := false
	if t.Obj().Pkg() != w.pkg {
		found = t.Obj().Pkg() != nil && w.fact(t.Obj(), own)
	} else {
		for _, h := range w.Code.Handlers {
			if h.State != nil && h.State.Origin() == t && w.Bodies[h.Fn] != nil {
				found = true
				own.add(stateOf(w.Bodies[h.Fn]))
			}
		}
		found = w.embedded(t, own) || found
	}
	if !found {
		return nil
	}
	return own
}

// stateOf gives what a method does with its receiver.
func stateOf(b *Body) Actor {
	var own Actor
	receiver := Root{Kind: Param}
	for _, w := range b.Writes {
		if w.Place.Root == receiver && !w.Weak {
			own.Writes = union(own.Writes, []Access{w.Access})
		}
	}
	for _, r := range b.Reads {
		if r.Place.Root == receiver {
			own.Reads = union(own.Reads, []Access{r})
		}
	}
	return own
}

// embedded adds what handlers of embedded types do, whose methods the outer type has.
func (w *World) embedded(t *types.Named, own *Actor) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	found := false
	for f := range st.Fields() {
		n := frame.Named(f.Type())
		if !f.Embedded() || n == nil || n.Origin() == t || frame.Silent(n.Obj().Pkg()) {
			continue
		}
		inner := w.actor(n)
		if inner == nil {
			continue
		}
		found = true
		prefix := "*." + f.Name()
		if _, pointer := types.Unalias(f.Type()).(*types.Pointer); pointer {
			prefix += "*"
		}
		own.add(Actor{nested(prefix, inner.Writes), nested(prefix, inner.Reads)})
	}
	return found
}

// nested gives the accesses of an embedded actor as those of the outer one. Their paths begin behind the receiver.
func nested(prefix string, all []Access) []Access {
	var out []Access
	for _, a := range all {
		if len(a.Place.Path) > 0 && a.Place.Path[0] == '*' {
			a.Place.Path = prefix + a.Place.Path[1:]
			out = append(out, a)
		}
	}
	return out
}

// Sharing is memory that two actors have, that the first changes, and that the second reads or changes.
type Sharing struct {
	First, Second Event // the same if one place spawns several actors
	Memory        Place
	Changed       string // where, as file:line
	Used          string
	Reads         bool // the second one reads it, else it changes it, too
	Perhaps       bool // the second one hands it to code that is not seen
}

// Shared lists what actors that a function spawns share, each pair once.
func (b *Body) Shared() []Sharing {
	var all []Sharing
	for i, x := range b.Events {
		for j, y := range b.Events {
			if x.Op != frame.Spawn || y.Op != frame.Spawn ||
				i != j && (x.At == y.At || !before(x.At, y.At) && !before(y.At, x.At)) {
				continue
			}
			if s, ok := b.conflict(x, y, i == j); ok {
				all = append(all, s)
			}
		}
	}
	return all
}

// conflict finds memory that the first actor changes and the second one uses; the surest use if there are several.
// alike: both are spawned by one event.
func (b *Body) conflict(x, y Event, alike bool) (Sharing, bool) {
	var best *Sharing
	for _, w := range x.Actor.Writes {
		if alike && (!b.again(x.At, w.Place.Root) || b.ownElement(x, w.Place.Root)) {
			continue
		}
		for i, u := range slices.Concat(y.Actor.Writes, y.Actor.Reads) {
			s := Sharing{x, y, w.Place, w.Where, u.Where, i >= len(y.Actor.Writes), u.Deep}
			switch {
			case !u.Deep && !w.Place.overlaps(u.Place), u.Deep && !u.Place.shares(w.Place):
			case best == nil, best.Perhaps && !s.Perhaps, best.Perhaps == s.Perhaps && best.Reads && !s.Reads:
				best = &s
			}
		}
	}
	if best == nil {
		return Sharing{}, false
	}
	return *best, true
}
