// Package toy makes random small actor programs for tests, executes them as an explore.System, and enumerates them by brute
// force with code that shares nothing with the core (the dumb twin).
//
//	program.go    what a program is
//	random.go     random ones
//	named.go      those that tell a story
//	system.go     the System, on internal/pool
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
	After                // set a timer: To from now, get the message
	Cancel               // the timer that one has set last
	Choose               // one of To values, and add it to the state
)

// Op is one operation of a handler.
type Op struct {
	Kind    OpKind
	To      int // actor (index into Program.Actors), kind, delay, or number of values
	Message int
	When    int // the parity of the state for which it is done, -1 for always
}

func (op Op) String() string {
	s := [...]string{"send", "answer", "call", "spawn", "kill", "quit", "after", "cancel", "choose"}[op.Kind]
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
			fmt.Fprintf(&b, "K%d on M%d: state*%d+%d refuse %d fail %d %v\n", k, m, h.Mul, h.Add, h.Refuse, h.Fail, h.Ops)
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
