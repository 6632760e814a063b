package toysys

import "math/rand/v2"

// Random makes a system of a seed. Its features change with the seed, so that each is frequent in some systems.
func Random(seed uint64) *System { return draw(seed).s }

func draw(seed uint64) *drawer {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, 14)), s: &System{Seed: seed}}
	d.menu = menu
	d.focus = [2]Op{menu[seed%uint64(len(menu))], menu[d.IntN(len(menu))]}
	d.relays = !d.one(3)
	d.types()
	for range 2 + max(bit(d.relays), d.IntN(2)) {
		d.s.Kinds = append(d.s.Kinds, Kind{Ints: 1 + d.IntN(2), Refs: 1 + max(bit(d.relays), d.IntN(2)), Methods: d.one(4)})
	}
	d.handlers(6)
	d.driver()
	if seed%2 == 1 {
		d.widen()
	}
	if seed%7 == 6 {
		d.watched()
	}
	return d
}

// menu has the statements that a seed may prefer.
var menu = []Op{SetInt, SetRef, Forward, Reply, Spawn, Become, Stop, StopActor, After, Cancel, Call, CallTimeout, Await,
	Tell}

// handlers draws what every kind does with every type; one in so many handlers is empty.
func (d *drawer) handlers(empty int) {
	for k := range d.s.Kinds {
		d.kind = k
		for ty := range d.s.Types {
			var h []Stmt
			if !d.one(empty) {
				h = d.handler(ty)
			}
			d.s.Kinds[k].Handlers = append(d.s.Kinds[k].Handlers, h)
		}
	}
}

// drawer draws a system.
type drawer struct {
	*rand.Rand
	s      *System
	menu   []Op
	relays bool // the first kind looks at its state, the others send on
	focus  [2]Op
	kind   int
	typ    int
	vars   []int // answers that may be used
	next   int   // number of the next answer
}

// one is true once in n times.
func (d *drawer) one(n int) bool { return d.IntN(n) == 0 }

func (d *drawer) types() {
	for range 2 + d.IntN(2) {
		t := MessageType{Mask: 1 + 2*d.IntN(2), Guard: d.one(3), Ref: d.one(4)}
		if t.Ref {
			t.Mask = 1
		}
		d.s.Types = append(d.s.Types, t)
	}
}

func (d *drawer) driver() {
	d.s.SetUp = d.one(2)
	for i := range 2 + max(bit(d.relays), d.IntN(2)) {
		b := Birth{Kind: i % len(d.s.Kinds)}
		for range d.s.Kinds[b.Kind].Ints {
			b.Ints = append(b.Ints, Expr{Add: d.IntN(3)})
		}
		for range d.s.Kinds[b.Kind].Refs {
			r := Ref{}
			if i > 0 && (d.relays || !d.one(6)) {
				r = Ref{Base: OfStart, I: d.IntN(i)}
			}
			b.Refs = append(b.Refs, r)
		}
		d.s.Start = append(d.s.Start, b)
	}
	for i := range 2 + d.IntN(2) {
		to := d.IntN(len(d.s.Start))
		if i == 0 {
			to = len(d.s.Start) - 1 // which knows others
		}
		m := Send{To: to, Type: d.IntN(len(d.s.Types))}
		m.N = d.IntN(d.s.Types[m.Type].Mask + 1)
		if d.s.Types[m.Type].Ref && !d.one(3) {
			m.R = Ref{Base: OfStart, I: d.IntN(len(d.s.Start))}
		}
		d.s.Sends = append(d.s.Sends, m)
	}
}

// label gives a place that nothing has yet.
func (d *drawer) label() Stmt {
	d.s.Labels++
	return Stmt{Op: Reach, Label: d.s.Labels - 1}
}

func (d *drawer) handler(ty int) []Stmt {
	d.typ, d.vars, d.next = ty, nil, 0
	var list []Stmt
	if t := d.s.Types[ty]; t.Guard {
		n := Expr{Terms: []Term{{Base: Number}}}
		for _, c := range []Cond{{Op: "<", L: n}, {Op: ">", L: n, R: Expr{Add: t.Mask}}} {
			list = append(list, Stmt{Op: If, Keep: true, Cond: c, Then: []Stmt{d.label(), {Op: Return}}})
		}
	}
	return append(list, d.block(2)...)
}

// block draws statements, in which conditions are nested so deep.
func (d *drawer) block(depth int) []Stmt {
	list := []Stmt{d.label()}
	for range 1 + d.IntN(2) + d.IntN(2) {
		list = append(list, d.stmt(depth))
	}
	return list
}
