// Package toy makes random small actor programs for tests, and executes them as an explore.System. It also enumerates
// them by brute force, with code that shares nothing with the core: the dumb twin.
//
//	program.go    what a program is
//	random.go     random ones
//	effects.go    what is declared of its handlers
//	named.go      those that tell a story
//	system.go     the System, on internal/delivery
//	handler.go    what its handlers do
//	time.go       its timers
//	fault.go      the faults that are injected into it
//	view.go       what it shows of an execution: explore.Execution, explore.Foreseer, the final state
//	inspect.go    what it tells of its state: explore.Inspector
//	twin.go       the brute-force enumeration: which steps there are
//	twinstep.go   what a step of the twin does
//	twinfault.go  what goes wrong in the twin
//	twinclass.go  the twin's names of messages, and classes
//	classkey.go   what a class is, and the class of a trace
//	compare.go    strategies against the twin
//	difference.go what a comparison of one program says
//	minimise.go   the smallest program that shows a difference
//	failures.go   executions of random programs that violate something
//
// Every program ends: a handler of messages of type i only sends and awaits types above i.
package toy

import (
	"fmt"
	"slices"
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

// Handler says what happens on a message. The state becomes (state*Mul + Add + value of the message) % Modulus, where
// the value of a message is the state of its sender, so that orders show.
//
// The state is that of one of the actor's registers. A handler that looks at another one adds that too; one that peeks
// leaves its own as it is. A declared one tells which these are.
type Handler struct {
	Register int // the register that is its state
	Look     int // so many registers further is the one that is added to it, 0 for none
	Peek     bool
	Declared bool

	Mul, Add int
	Refuse   int // the state in which the message is refused, -1 for none
	Fail     int // the state after handling that is a failed assertion, -1 for none
	Ops      []Op
}

// Modulus bounds states, Registers is how many an actor has.
const (
	Modulus   = 5
	Registers = 3
)

// registers are the state of an actor.
type registers [Registers]int

// after gives the register of the handler as a message with this value leaves it.
func (h *Handler) after(r registers, value int) int {
	state := r[h.Register]
	if h.Peek {
		return state
	}
	if h.Look > 0 {
		value += r[(h.Register+h.Look)%Registers]
	}
	return (state*h.Mul + h.Add + value) % Modulus
}

// OpKind is the kind of an operation.
type OpKind int

// The operations.
const (
	Send    OpKind = iota // to actor To
	Answer                // send to the sender of the current message
	Call                  // actor To, and wait for the end of its handler
	Spawn                 // an actor of kind To, and send it the message
	Kill                  // send a system message that stops actor To
	Quit                  // stop oneself
	After                 // set a timer: To from now, get the message
	Cancel                // the timer that one has set last
	Choose                // one of To values, and add it to the state
	Respond               // answer the call that is handled now, not at the end of the handler
)

// Op is one operation of a handler.
type Op struct {
	Kind    OpKind
	To      int // actor (index into Program.Actors), kind, delay, or number of values
	Message int
	When    int // the parity of the state for which it is done, -1 for always
}

func (op Op) String() string {
	s := [...]string{"send", "answer", "call", "spawn", "kill", "quit", "after", "cancel", "choose", "respond"}[op.Kind]
	switch op.Kind {
	case Send, Call:
		s += fmt.Sprintf(" M%d to %d", op.Message, op.To)
	case Answer:
		s += fmt.Sprintf(" M%d", op.Message)
	case Spawn:
		s += fmt.Sprintf(" K%d with M%d", op.To, op.Message)
	case Kill, Choose:
		s += fmt.Sprintf(" %d", op.To)
	case After:
		s += fmt.Sprintf(" %d M%d", op.To, op.Message)
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
			fmt.Fprintf(&b, "K%d on M%d: state*%d+%d refuse %d fail %d %v%s\n", k, m, h.Mul, h.Add, h.Refuse, h.Fail,
				h.Ops, h.registers())
		}
	}
	return b.String()
}

// Has reports whether an operation of the kind occurs in the program.
func (p *Program) Has(kind OpKind) bool {
	is := func(op Op) bool { return op.Kind == kind }
	for _, beh := range p.Kinds {
		for _, h := range beh {
			if slices.ContainsFunc(h.Ops, is) {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.Driver, is)
}
