package share

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// Write is a change of memory.
type Write struct {
	Place Place // the location
	Weak  bool  // an append, which changes only what is behind the end
	At    ssa.Instruction
	Pos   token.Pos // where it is done, perhaps in a callee
}

// Edge is a value that is stored.
type Edge struct {
	To  Place // the location
	Val Place
	Pos token.Pos
}

// Event is a send, a spawn, or a function that is given to another goroutine.
type Event struct {
	Op      frame.Op
	Vals    set
	Type    types.Type // of what is sent
	Copies  bool
	Cleared set // locations that got another value since
	At      ssa.Instruction
	Pos     token.Pos
	Payload ssa.Value // nil if it happens in a callee
}

// Body is what is known of one function: effects on what it was given and on what it made.
type Body struct {
	Fn      *ssa.Function
	Writes  []Write
	Edges   []Edge
	Events  []Event
	Results []set
	Made    []Root // memory made here that callers may get

	w       *World
	memo    map[ssa.Value]set // grows
	visited map[ssa.Value]bool
	grew    bool
}

// analyze finds the effects of a function, given those of its callees. Stores and what is loaded depend on each other: it repeats until
// nothing is added.
func (b *Body) analyze() {
	for pass, grown := 0, true; grown && pass < passes; pass++ {
		edges := len(b.Edges)
		b.grew, b.visited = false, map[ssa.Value]bool{}
		b.Writes, b.Events = nil, nil
		for _, blk := range b.Fn.Blocks {
			for _, in := range blk.Instrs {
				b.effect(in)
			}
		}
		grown = b.grew || len(b.Edges) > edges
	}
}

// passes bounds how long a chain of stores against the order of the code is followed in one round.
const passes = 4

// most bounds the effects that are kept of a function. Generated code may have more; what is above is not seen.
const most = 400

func (b *Body) effect(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		vals := b.eval(in.Val)
		for _, to := range deref(b.eval(in.Addr)) {
			b.write(to, false, in, in.Pos())
			b.store(to, vals, in.Pos())
		}
		if sl, ok := in.Val.(*ssa.Slice); ok && truncates(sl) {
			for _, l := range deref(vals) {
				b.write(l, false, in, in.Pos()) // what is appended next overwrites what was cut off
			}
		}
	case *ssa.MapUpdate:
		for _, to := range deref(b.eval(in.Map)) {
			b.write(to, false, in, in.Pos())
			b.store(to, b.eval(in.Value), in.Pos())
		}
	case *ssa.MakeClosure:
		for i, v := range in.Bindings {
			b.store(Place{Root: Root{V: in}, Path: fmt.Sprintf(".#%d", i)}, b.eval(v), in.Pos())
		}
	case *ssa.Return:
		for i, v := range in.Results {
			for len(b.Results) <= i {
				b.Results = append(b.Results, nil)
			}
			b.Results[i] = b.Results[i].with(b.eval(v)...)
		}
	case ssa.CallInstruction:
		b.call(in)
	}
}

func (b *Body) write(to Place, weak bool, at ssa.Instruction, pos token.Pos) {
	to.Addr = false
	if len(b.Writes) < most && !slices.ContainsFunc(b.Writes, func(w Write) bool { return w.Place == to && w.Weak == weak && w.At == at && w.Pos == pos }) {
		b.Writes = append(b.Writes, Write{to, weak, at, pos})
	}
}

func (b *Body) store(to Place, vals set, pos token.Pos) {
	to.Addr = false
	for _, v := range vals {
		if !v.Addr && v.Root == to.Root && v.Path == to.Path {
			continue
		}
		if len(b.Edges) < most && !slices.ContainsFunc(b.Edges, func(e Edge) bool { return e.To == to && e.Val == v }) {
			b.Edges = append(b.Edges, Edge{to, v, pos})
		}
	}
}

// deref gives the locations behind values.
func deref(vals set) set {
	var locs set
	for _, v := range vals {
		if v.Addr {
			v.Addr = false
		} else {
			v = v.star()
		}
		locs = locs.with(v)
	}
	return locs
}

// load gives what may be stored at locations.
func (b *Body) load(locs set) set {
	var vals set
	for _, l := range locs {
		l.Addr = false
		vals = vals.with(l)
		for _, e := range b.Edges {
			if e.To == l {
				vals = vals.with(e.Val)
			} else if rest, ok := within(l.Path, e.To.Path); ok && e.To.Root == l.Root && !e.Val.Addr && rest[0] == '.' && !strings.Contains(rest, "*") {
				vals = vals.with(Place{Root: e.Val.Root, Path: e.Val.Path + rest}) // the struct was stored as a whole
			}
		}
	}
	return vals
}

// reach gives all values that can be got from some, themselves included.
func (b *Body) reach(vals set) set {
	all := slices.Clone(vals)
	for i := 0; i < len(all); i++ {
		for _, e := range b.Edges {
			if _, ok := within(e.To.Path, all[i].Path); ok && all[i].Root == e.To.Root {
				all = all.with(e.Val)
			}
		}
	}
	return all
}

// walk goes along a path from values, as a callee's path is gone from its arguments. It ends at locations or at values.
func (b *Body) walk(vals set, path string) (at set, locs bool) {
	at = vals
	for path != "" {
		step := 1
		for step < len(path) && path[0] == '.' && path[step] != '.' && path[step] != '*' {
			step++
		}
		name := path[:step]
		path = path[step:]
		switch {
		case name == "*" && locs:
			at = deref(b.load(at))
		case name == "*":
			at, locs = deref(at), true
		default:
			var next set
			for _, p := range at {
				p = p.field(name[1:])
				next = next.with(p)
			}
			if at = next; !locs {
				at = b.load(next)
			}
		}
	}
	return at, locs
}
