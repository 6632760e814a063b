package toysys

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// Bounds limit what the twin tries.
type Bounds struct {
	Model   trace.Model
	Async   bool    // timers may fire at any point; else when nothing else can happen
	Fixed   bool    // the driver sends its own messages, and nothing else comes from outside
	Outside int     // messages from outside, in place of those of the driver
	Runs    int     // handlers that are run
	States  int     // that are looked at; more is an answer without worth
	Shapes  []Shape // of messages from outside; nil: those of the driver's own

	// Only, if it is set, says which of the values are tried that are numbers of messages from outside of a type.
	Only func(typ, n int) bool
}

// Shape is a kind of messages from outside.
type Shape struct {
	To   int // index of System.Start
	Type int
}

// Reached is what can be reached.
type Reached struct {
	Runs   map[int]int      // by place: the fewest runs of handlers, that which reaches it included
	Ways   map[int][]string // by place: what happens
	Used   map[int][]string // by place: the features of the statements that are executed on that way
	States int
	Over   bool // there are more states
	Cut    bool // there are more runs
}

// twin is an enumeration.
type twin struct {
	sys    *System
	model  trace.Model
	async  bool
	vars   int
	shapes []item
	buf    []byte
}

// node is a state and how it came about.
type node struct {
	w    *world
	up   *node
	move move
}

// Reach tries all messages from outside, and all orders, within the bounds.
func (s *System) Reach(b Bounds) *Reached {
	t := &twin{sys: s, model: b.Model, async: b.Async}
	t.enumerate()
	t.shapes = t.outsiders(b.Shapes)
	if b.Only != nil {
		t.shapes = slices.DeleteFunc(t.shapes, func(m item) bool { return !b.Only(m.typ, m.n) })
	}
	out := &Reached{Runs: map[int]int{}, Ways: map[int][]string{}, Used: map[int][]string{}}
	seen := map[string]bool{}
	level := []*node{{w: t.start(b)}}
	out.note(t, level[0], 0)
	for runs := 0; len(level) > 0 && !out.Over; runs++ {
		level = t.closure(level, runs, b, seen, out)
	}
	out.States = len(seen)
	return out
}

// closure looks at the states with so many runs, and at all to which they lead without another. It gives those with one
// more, each once: several moves lead to most.
func (t *twin) closure(level []*node, runs int, b Bounds, seen map[string]bool, out *Reached) (later []*node) {
	waits := map[string]bool{}
	for len(level) > 0 && !out.Over {
		n := level[len(level)-1]
		level = level[:len(level)-1]
		if k := t.key(n.w); seen[k] {
			continue
		} else {
			seen[k] = true
		}
		for _, m := range t.moves(n.w) {
			w, begins := t.take(n.w, m)
			child := &node{w: w, up: n, move: m}
			switch {
			case runs+bit(begins) > b.Runs:
				out.Cut = true
				continue
			case begins:
				if k := t.key(w); !seen[k] && !waits[k] {
					waits[k] = true
					later = append(later, child)
				}
			default:
				level = append(level, child)
			}
			out.note(t, child, runs+bit(begins))
		}
		out.Over = b.States > 0 && len(seen) > b.States
	}
	return later
}

// note keeps what the last move has reached.
func (r *Reached) note(t *twin, n *node, runs int) {
	for _, l := range n.w.hits {
		if old, ok := r.Runs[l]; ok && old <= runs {
			continue
		}
		r.Runs[l], r.Ways[l], r.Used[l] = runs, t.way(n), t.used(n)
	}
}

// way tells how a state came about.
func (t *twin) way(n *node) []string {
	var list []string
	for ; n.up != nil; n = n.up {
		list = append(list, t.describe(n.up.w, n.move))
	}
	slices.Reverse(list)
	return list
}

// used names the features of the statements that were executed until a state.
func (t *twin) used(n *node) (list []string) {
	for ; n != nil; n = n.up {
		for _, s := range n.w.did {
			list = append(list, s.stmt.features()...)
			k := &t.sys.Kinds[s.kind]
			if s.hook {
				list = append(list, "hook")
			}
			if s.told {
				list = append(list, "terminated")
			}
			if k.Func {
				list = append(list, "function")
			}
			if k.Accept != nil {
				list = append(list, "accepts")
			}
		}
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(f string) bool { return f == "" })
}

// start is the state when the driver has returned.
func (t *twin) start(b Bounds) *world {
	w := &world{actors: []actor{{}}}
	f := &frame{}
	for _, birth := range t.sys.Start {
		a := newActor(t.make(w, f, birth))
		a.looked = t.sys.SetUp // at rest: what comes first wakes it
		w.actors = append(w.actors, a)
		t.hook(w, f, len(w.actors)-1)
	}
	if !b.Fixed {
		w.left = b.Outside
		return w
	}
	for _, s := range t.sys.Sends {
		r := 0
		if t.sys.Types[s.Type].Ref {
			r = t.deref(w, f, s.R)
		}
		t.send(w, 0, 0, s.To+2, item{class: user, typ: s.Type, n: s.N, ref: r})
	}
	return w
}
