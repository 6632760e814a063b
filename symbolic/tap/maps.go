package tap

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: loops over maps, and how many entries a map has.

// kindVisited is the function that says which keys a loop has been given. Its first argument is 0, which is no address;
// the others are the key.
const kindVisited = "V"

// partCount is of a map how many entries it has, and of a loop over one how many it has been given.
const partCount = "!count"

// MapRange is for k, v := range m. Each turn is given a key that the map has and that no turn before was given; the
// loop ends when there were as many turns as entries.
//
// Differs: the paper has no maps. Which key comes next is free, as Go has it. A map that something in the loop may
// change is not modelled.
type MapRange struct{}

func (MapRange) Name() string { return "Map Range" }

func (r MapRange) transitions(e *Engine, c *configuration, i int) []transition {
	previous := c.actors[i].previous()
	if !ranges(previous) {
		return nil
	}
	switch in := previous.(type) {
	case *ssa.Range:
		return statement(r, c, i, func(d *configuration, a *actor) { e.change(d, e.reason(in), e.firstTurn(a, in)) })
	case *ssa.Next:
		loop := in.Iter.(*ssa.Range)
		if _, ok := leaves(mapOf(loop).Key()); !ok || e.program.changedIn(in, mapOf(loop)) {
			return statement(r, c, i, func(d *configuration, _ *actor) {
				d.unmodelled("a range over a map that may change meanwhile, or has keys of several types" + e.where(loop))
			})
		}
		return append(statement(r, c, i, func(d *configuration, a *actor) { e.lastTurn(d, a, in, loop) }),
			statement(r, c, i, func(d *configuration, a *actor) { e.turn(d, a, in, loop) })...)
	}
	return nil
}

// ranges reports whether an instruction is of a loop over a map.
func ranges(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Range:
		return isMap(in.X)
	case *ssa.Next:
		return !in.IsString
	}
	return false
}

func mapOf(loop *ssa.Range) *types.Map { return loop.X.Type().Underlying().(*types.Map) }

// visited names the function of a loop.
func visited(a *actor, f *frame, loop *ssa.Range) string {
	return memory(kindVisited, a.name, f.register(loop), "")
}

// firstTurn is that no turn of a loop has been given anything.
func (e *Engine) firstTurn(a *actor, loop *ssa.Range) *change {
	base, name := a.at.frame.register(loop), visited(a, a.at.frame, loop)
	_, family := ofMemory(name)
	ch := assign(base, single(nil))
	ch.keys = append(ch.keys, family)
	ch.vars = func(t *term.Term) *term.Term { return e.zero("", t.Sort) }
	ch.applies = append(ch.applies,
		func(t *term.Term, _ []*term.Term) (*term.Term, bool) { return e.store.Bool(false), t.Name == name })
	return ch
}

// lastTurn is that a loop has been given all.
func (e *Engine) lastTurn(d *configuration, a *actor, in *ssa.Next, loop *ssa.Range) {
	f := a.at.frame
	e.change(d, e.reason(in), assign(f.register(in), e.zero))
	d.require(e.reason(in), e.equal(e.count(a, f, loop.X), e.variable(f.register(loop))(partCount, indexSort)))
}

// turn is that a loop is given an entry.
func (e *Engine) turn(d *configuration, a *actor, in *ssa.Next, loop *ssa.Range) {
	f, store := a.at.frame, e.store
	key := e.variable(d.fresh("k"))
	p, has := e.entryAt(a, f, loop.X, key)
	args := append([]*term.Term{store.Uint(wordSort, 0)}, p.args[1:]...)
	name, before := visited(a, f, loop), e.variable(f.register(loop))(partCount, indexSort)
	_, family := ofMemory(name)
	given, yes := e.pair(key, e.read(p)), single(store.Bool(true))
	ch := &change{what: "turn", keys: []string{f.register(in), f.register(loop), family}}
	ch.vars = func(t *term.Term) *term.Term {
		base, part := split(t.Name)
		switch {
		case base == f.register(loop):
			return store.Add(before, store.Int(indexSort, 1))
		case strings.HasPrefix(part, "#0"):
			return yes("", t.Sort)
		}
		return given("#"+strconv.Itoa(int(part[1]-'1'))+part[2:], t.Sort)
	}
	ch.applies = append(ch.applies, func(t *term.Term, of []*term.Term) (*term.Term, bool) {
		if t.Name != name {
			return nil, false
		}
		var same []*term.Term
		for k := range args {
			same = append(same, store.Equal(of[k], args[k]))
		}
		return store.Or(store.And(same...), store.Build(t, of)), true
	})
	e.change(d, e.reason(in), ch)
	d.require(e.reason(in), has)
	d.require(e.reason(in), store.Not(store.Apply(name, term.Bool, args...)))
	d.assumed = append(d.assumed[:len(d.assumed):len(d.assumed)], "an order of a map"+e.where(loop))
}

// changedIn reports whether something in a loop may change a map of its type.
func (p *Program) changedIn(next *ssa.Next, m *types.Map) bool {
	header := next.Block()
	for _, b := range header.Parent().Blocks {
		if !leads(header, b) || !leads(b, header) {
			continue
		}
		for _, in := range b.Instrs {
			if changesMap(in, m) || p.changesBelow(in, m) || releases(in) {
				return true
			}
		}
	}
	return false
}

// changesBelow reports whether a function that an instruction calls may change a map of a type.
func (p *Program) changesBelow(in ssa.Instruction, m *types.Map) bool {
	for _, c := range p.calledAt(in) {
		for fn := range p.reach(c.fn) {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					if changesMap(in, m) || releases(in) {
						return true
					}
				}
			}
		}
	}
	return false
}

// changesMap reports whether an instruction changes a map of a type.
func changesMap(in ssa.Instruction, m *types.Map) bool {
	switch in := in.(type) {
	case *ssa.MapUpdate:
		return types.Identical(in.Map.Type().Underlying(), m)
	case *ssa.Call:
		return (isBuiltin(in, "delete") || isBuiltin(in, "clear")) && types.Identical(in.Call.Args[0].Type().Underlying(), m)
	}
	return false
}

// count is how many entries a map has.
func (e *Engine) count(a *actor, f *frame, m ssa.Value) *term.Term {
	addr := e.word(f, m)
	if addr == nil {
		return nil
	}
	n := e.store.Apply(memory(kindEntry, a.name, typeKey(m.Type().Underlying()), partCount), indexSort, addr)
	return e.store.If(e.store.Equal(addr, e.store.Uint(wordSort, 0)), e.store.Int(indexSort, 0), n)
}

// counts adds to a change of an entry what it means for the number of entries. Nothing is known of it where the key is
// not modelled.
func (e *Engine) counts(ch *change, p place, puts bool) *change {
	name := memory(p.kind, p.actor, p.key, partCount)
	_, family := ofMemory(name)
	if !p.valid() {
		return &change{what: "entry", keys: []string{family},
			applies: []func(*term.Term, []*term.Term) (*term.Term, bool){func(t *term.Term, _ []*term.Term) (*term.Term, bool) {
				return nil, t.Name == name
			}}}
	}
	store := e.store
	ch.applies = append(ch.applies, func(t *term.Term, args []*term.Term) (*term.Term, bool) {
		if t.Name != name {
			return nil, false
		}
		has := store.Apply(memory(p.kind, p.actor, p.key, partHas), term.Bool, p.args...)
		n, one, none := store.Apply(name, indexSort, p.args[0]), store.Int(indexSort, 1), store.Int(indexSort, 0)
		after := store.Sub(n, store.If(has, one, none))
		if puts {
			after = store.Add(n, store.If(has, none, one))
		}
		return e.ite(store.Equal(args[0], p.args[0]), func() *term.Term { return after },
			func() *term.Term { return store.Build(t, args) }), true
	})
	return ch
}

// emptied is what it means that all of a map is taken out.
func (e *Engine) emptied(a *actor, f *frame, m ssa.Value) *change {
	_, family := ofMemory(memory(kindEntry, a.name, typeKey(m.Type().Underlying()), ""))
	addr := e.word(f, m)
	return &change{what: "clear", keys: []string{family},
		applies: []func(*term.Term, []*term.Term) (*term.Term, bool){func(t *term.Term, args []*term.Term) (*term.Term, bool) {
			if _, of := ofMemory(t.Name); of != family {
				return nil, false
			}
			if addr == nil {
				return nil, true
			}
			return e.ite(e.store.Equal(args[0], addr), func() *term.Term { return e.zero("", t.Sort) },
				func() *term.Term { return e.store.Build(t, args) }), true
		}}}
}
