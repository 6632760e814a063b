package share

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Body is what is known of one function: effects on what it was given and on what it made.
type Body struct {
	Effects
	Fn *ssa.Function

	w       *World
	index   map[madeKey]int
	at      map[Root][]Edge // Edges by where they are
	stored  map[Place]set   // and their values by the exact location
	written map[Write]bool
	users   map[*ssa.Function]bool // whose effects depend on these
	memo    map[ssa.Value]set      // grows
	visited map[ssa.Value]bool
	grew    bool
	walked  map[way]walked
	version int // of all that is stored and evaluated
}

// analyze finds the effects of a function, given those of its callees. Stores and what is loaded depend on each other:
// it repeats until nothing is added.
func (b *Body) analyze() {
	for pass, grown := 0, true; grown && pass < passes; pass++ {
		edges := len(b.Edges)
		b.grew, b.visited = false, map[ssa.Value]bool{}
		b.Writes, b.Reads, b.Events, b.written = nil, nil, nil, map[Write]bool{}
		for _, blk := range b.Fn.Blocks {
			for _, in := range blk.Instrs {
				b.effect(in)
			}
		}
		grown = b.grew || len(b.Edges) > edges
	}
	b.close()
}

// passes bounds how long a chain of stores against the order of the code is followed in one round.
const passes = 4

// What is kept of a function's effects at most: much in packages with actors, of others no more than could be of use to
// those. Generated code may have more; what is above is not seen.
const (
	most     = 400
	mostElse = 100
)

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
			b.store(Place{Root: b.made(in, nil, 0), Path: captured(i)}, b.eval(v), in.Pos())
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
	b.reads(in)
}

// captured is the path of a closure's captured variable.
func captured(i int) string { return fmt.Sprintf(".#%d", i) }

// reads notes the locations that an instruction reads. What is local to the function is of no interest.
func (b *Body) reads(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL {
			b.read(deref(b.eval(in.X)), in.Pos())
		}
	case *ssa.Lookup:
		b.read(deref(b.eval(in.X)), in.Pos())
	case *ssa.Range:
		b.read(deref(b.eval(in.X)), in.Pos())
	case *ssa.Convert:
		if Mutable(in.X.Type()) && !Mutable(in.Type()) {
			b.read(deref(b.eval(in.X)), in.Pos())
		}
	}
}

func (b *Body) read(locs set, pos token.Pos) {
	for _, l := range locs {
		l.Addr = false
		b.access(Access{Place: l, Where: b.w.where(pos)})
	}
}

// access adds a read, once for a location.
func (b *Body) access(a Access) {
	if a.Place.Root.Kind == Made || len(b.Reads) >= b.w.most {
		return
	}
	if !slices.ContainsFunc(b.Reads, func(o Access) bool { return o.Place == a.Place && o.Deep == a.Deep }) {
		b.Reads = append(b.Reads, a)
	}
}

func (b *Body) write(to Place, weak bool, at ssa.Instruction, pos token.Pos) {
	b.writeBy(Access{Place: to, Where: b.w.where(pos)}, weak, at, pos)
}

func (b *Body) writeBy(a Access, weak bool, at ssa.Instruction, pos token.Pos) {
	a.Place.Addr = false
	w := Write{a, weak, at, pos}
	if len(b.Writes) < b.w.most && !b.written[w] {
		b.written[w] = true
		b.Writes = append(b.Writes, w)
	}
}

func (b *Body) store(to Place, vals set, pos token.Pos) {
	to.Addr = false
	for _, v := range vals {
		if !v.Addr && v.Root == to.Root && v.Path == to.Path {
			continue
		}
		if len(b.Edges) < b.w.most && !slices.Contains(b.stored[to], v) {
			e := Edge{to, v, pos}
			b.Edges, b.at[to.Root] = append(b.Edges, e), append(b.at[to.Root], e)
			b.stored[to] = append(b.stored[to], v)
			b.version++
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
	locs = slices.Clone(locs)
	for i := 0; i < len(locs); i++ {
		l := locs[i]
		l.Addr = false
		vals = vals.with(l).with(b.stored[l]...)
		for whole, rest := l, ""; ; {
			cut := strings.LastIndexAny(whole.Path, ".*")
			if cut < 0 || whole.Path[cut] == '*' {
				break
			}
			whole.Path, rest = whole.Path[:cut], whole.Path[cut:]+rest
			for _, v := range b.stored[whole] {
				if !v.Addr {
					locs = locs.with(Place{Root: v.Root, Path: v.Path + rest}) // the struct was stored as a whole
				}
			}
		}
	}
	return vals
}

// reach gives all values that can be got from some, themselves included.
func (b *Body) reach(vals set) set {
	all := slices.Clone(vals)
	for i := 0; i < len(all); i++ {
		for _, e := range b.at[all[i].Root] {
			if _, ok := within(e.To.Path, all[i].Path); ok {
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
		at, locs = b.step(at, locs, path[:step])
		path = path[step:]
	}
	return at, locs
}

// step goes one step of a path, from values or from locations.
func (b *Body) step(from set, fromLocs bool, name string) (at set, locs bool) {
	switch {
	case name == "*" && fromLocs:
		return deref(b.load(from)), true
	case name == "*":
		return deref(from), true
	}
	for _, p := range from {
		at = at.with(p.field(name[1:]))
	}
	if !fromLocs {
		at = b.load(at)
	}
	return at, fromLocs
}

// along walks from what a value leads to. The effects of a callee lead along the same beginnings of paths again and
// again: each is gone once, until something else is stored or evaluated.
func (b *Body) along(v ssa.Value, path string) (at set, locs bool) {
	vals := b.eval(v)
	if path == "" {
		return vals, false
	}
	key := way{v, path}
	known, ok := b.walked[key]
	if !ok || known.version != b.version {
		last := strings.LastIndexAny(path, ".*")
		at, locs := b.along(v, path[:last])
		at, locs = b.step(at, locs, path[last:])
		known = walked{slices.Clip(at), locs, b.version}
		b.walked[key] = known
	}
	return known.at, known.locs
}

// way is a path from a value, walked where it led to when the body had this version.
type (
	way struct {
		from ssa.Value
		path string
	}
	walked struct {
		at      set
		locs    bool
		version int
	}
)
