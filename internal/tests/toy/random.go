package toy

import "math/rand/v2"

// Features says what random programs may contain.
type Features struct {
	Constraints, Spawn, Stop, Calls, Fails bool
	Timers, Choices                        bool
	Effects                                bool // actors of several registers, and handlers that declare which they access
	// several actors begin to send at once: more races where the order of each sender is kept
	Senders bool
	// of what Choices and Stop allow, more: choices between sends, and actors stopped by others
	Dense    bool
	Responds bool // more calls, and answers to them before the handler ends
}

// All is what every System has: no time and no choices.
var All = Features{Constraints: true, Spawn: true, Stop: true, Calls: true, Fails: true}

// Full is everything.
var Full = Features{Constraints: true, Spawn: true, Stop: true, Calls: true, Fails: true, Timers: true,
	Choices: true, Senders: true}

// Answers are those of programs whose handlers call a lot, and go on after they have answered.
var Answers = Features{Constraints: true, Senders: true, Spawn: true, Calls: true, Responds: true,
	Stop: true, Timers: true}

// Random makes the program of a seed. The programs of All stay as they are when features are added.
func Random(seed uint64, f Features) *Program {
	g := &generator{rand.New(rand.NewPCG(seed, 0x746f79)), f, 2 + int(seed%3)}
	p := &Program{}
	for range 1 + g.r.IntN(2) {
		p.Kinds = append(p.Kinds, nil)
	}
	for range 1 + g.r.IntN(3) {
		p.Actors = append(p.Actors, g.r.IntN(len(p.Kinds)))
	}
	senders := g.f.Senders && !g.chance(3)
	if senders {
		p.Actors = append(p.Actors, g.r.IntN(len(p.Kinds)))
	}
	for k := range p.Kinds {
		for m := range g.types {
			p.Kinds[k] = append(p.Kinds[k], g.handler(p, m))
		}
	}
	if senders {
		for _, to := range g.r.Perm(len(p.Actors))[:2+g.r.IntN(len(p.Actors)-1)] {
			p.Driver = append(p.Driver, Op{Kind: Send, To: to, When: -1})
		}
		return p
	}
	for range 1 + g.r.IntN(4) {
		p.Driver = append(p.Driver, Op{Kind: Send, To: g.r.IntN(len(p.Actors)), Message: g.r.IntN(2), When: -1})
	}
	return p
}

type generator struct {
	r     *rand.Rand
	f     Features
	types int // of messages
}

func (g *generator) chance(n int) bool { return g.r.IntN(n) == 0 }

func (g *generator) handler(p *Program, m int) Handler {
	h := Handler{Mul: 1 + g.r.IntN(3), Add: 1 + g.r.IntN(3) + m, Refuse: -1, Fail: -1}
	if g.f.Constraints && g.chance(5) {
		h.Refuse = g.r.IntN(Modulus)
	}
	if g.f.Fails && g.chance(4) {
		h.Fail = g.r.IntN(Modulus)
	}
	if m < g.types-1 {
		ops := g.r.IntN(3)
		if g.f.Dense {
			ops = 1 + g.r.IntN(3)
		}
		for range ops {
			h.Ops = append(h.Ops, g.op(p, m+1))
		}
	}
	h.Ops = g.own(h.Ops, m)
	if g.f.Effects {
		h.Register, h.Peek, h.Declared = g.r.IntN(Registers), g.chance(4), !g.chance(5)
		if g.chance(3) {
			h.Look = 1 + g.r.IntN(Registers-1)
		}
	}
	if g.f.Stop && g.chance(10) {
		h.Ops = append(h.Ops, Op{Kind: Quit, When: g.r.IntN(3) - 1})
	}
	return h
}

func (g *generator) op(p *Program, from int) Op {
	op := Op{Kind: Send, To: g.r.IntN(len(p.Actors)), Message: from + g.r.IntN(g.types-from), When: g.r.IntN(3) - 1}
	switch g.r.IntN(8) {
	case 0:
		op.Kind = Answer
	case 1:
		if g.f.Spawn {
			op.Kind, op.To = Spawn, g.r.IntN(len(p.Kinds))
		}
	case 2:
		if g.f.Calls {
			op.Kind = Call
		}
	case 3:
		if g.f.Stop && g.chance(2) {
			op.Kind = Kill
		}
	case 4:
		if g.f.Stop && g.f.Dense {
			op.Kind = Kill
		}
	case 5, 6:
		if g.f.Responds {
			op.Kind = Call
		}
	}
	return op
}

// own adds what an actor does with itself: timers and choices, at any place among its sends.
func (g *generator) own(ops []Op, m int) []Op {
	add := func(op Op) {
		op.When = g.r.IntN(4) - 1
		if op.When > 1 {
			op.When = -1
		}
		i := g.r.IntN(len(ops) + 1)
		ops = append(ops[:i:i], append([]Op{op}, ops[i:]...)...)
	}
	if g.f.Timers && m < g.types-1 && g.chance(3) {
		add(Op{Kind: After, To: 1 + g.r.IntN(3), Message: m + 1 + g.r.IntN(g.types-m-1)})
	}
	if g.f.Timers && g.chance(4) {
		add(Op{Kind: Cancel})
	}
	if g.f.Responds && g.chance(2) {
		add(Op{Kind: Respond})
	}
	if g.f.Choices && (g.chance(8) || g.f.Dense && g.chance(3)) {
		add(Op{Kind: Choose, To: 2 + g.r.IntN(2)})
	}
	return ops
}
