// Package toy makes random small actor programs for tests, executes them as an explore.System, and enumerates them by brute
// force with code that shares nothing with the core (the dumb twin).
//
//	program.go    what a program is, and random ones
//	system.go     the System, on internal/pool
//	twin.go       the brute-force enumeration
//	twinclass.go  its names of messages, and classes
//	classkey.go   what a class is, and the class of a trace
//	compare.go    a strategy against the twin
//
// Every program ends: a handler of messages of type i only sends types above i.
package toy

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program is a program: behaviours are tables, so that it can be printed, generated and interpreted twice.
type Program struct {
	Kinds  []Behaviour // by actor type
	Actors []int       // kinds of the actors that the driver spawns first; everybody knows them
	Driver []Op
}

// Behaviour is an actor type: a handler for each message type.
type Behaviour []Handler

// Handler says what happens on a message. The state becomes (state*Mul + Add + value of the message) % Modulus, where the
// value of a message is the state of its sender, so that orders show.
type Handler struct {
	Mul, Add int
	Refuse   int // the state in which the message is refused, -1 for none
	Fail     int // the state after handling that is a failed assertion, -1 for none
	Ops      []Op
}

// Modulus bounds states.
const Modulus = 5

// OpKind is the kind of an operation.
type OpKind int

// The operations.
const (
	Send   OpKind = iota // to actor To
	Answer               // send to the sender of the current message
	Call                 // actor To, and wait for the end of its handler
	Spawn                // an actor of kind To, and send it the message
	Kill                 // send a system message that stops actor To
	Quit                 // stop oneself
)

// Op is one operation of a handler.
type Op struct {
	Kind    OpKind
	To      int // actor (index into Program.Actors) or kind
	Message int
	When    int // the parity of the state for which it is done, -1 for always
}

func (op Op) String() string {
	s := [...]string{"send", "answer", "call", "spawn", "kill", "quit"}[op.Kind]
	switch op.Kind {
	case Send, Call:
		s += fmt.Sprintf(" M%d to %d", op.Message, op.To)
	case Answer:
		s += fmt.Sprintf(" M%d", op.Message)
	case Spawn:
		s += fmt.Sprintf(" K%d with M%d", op.To, op.Message)
	case Kill:
		s += fmt.Sprintf(" %d", op.To)
	}
	if op.When >= 0 {
		s += fmt.Sprintf(" if state%%2=%d", op.When)
	}
	return s
}

func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "actors %v; driver %v\n", p.Actors, p.Driver)
	for k, beh := range p.Kinds {
		for m, h := range beh {
			fmt.Fprintf(&b, "K%d on M%d: state*%d+%d refuse %d fail %d %v\n", k, m, h.Mul, h.Add, h.Refuse, h.Fail, h.Ops)
		}
	}
	return b.String()
}

// Features says what random programs may contain.
type Features struct {
	Constraints, Spawn, Stop, Calls, Fails bool
}

// All features.
var All = Features{Constraints: true, Spawn: true, Stop: true, Calls: true, Fails: true}

// Random makes the program of a seed.
func Random(seed uint64, f Features) *Program {
	g := &generator{rand.New(rand.NewPCG(seed, 0x746f79)), f, 2 + int(seed%3)}
	p := &Program{}
	for range 1 + g.r.IntN(2) {
		p.Kinds = append(p.Kinds, nil)
	}
	for range 1 + g.r.IntN(3) {
		p.Actors = append(p.Actors, g.r.IntN(len(p.Kinds)))
	}
	for k := range p.Kinds {
		for m := range g.types {
			p.Kinds[k] = append(p.Kinds[k], g.handler(p, m))
		}
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
		for range g.r.IntN(3) {
			h.Ops = append(h.Ops, g.op(p, m+1))
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
	}
	return op
}
