package solve

import (
	"context"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Answer says whether conditions can hold together.
type Answer int8

const (
	Unknown Answer = iota // the solver gave up: Result.Why
	Sat                   // they can: Result.Model
	Unsat                 // they cannot: Result.Core
)

func (a Answer) String() string {
	switch a {
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return "unknown"
}

// Result is the answer to one check.
type Result struct {
	Answer Answer
	Model  *term.Model // if Sat: all conditions hold under it
	// if Unsat: those of the conditions that exclude each other, in the order in which they were given; not always the
	// fewest
	Core []*term.Term
	Why  string // if Unknown: the reason
	Err  error  // if Unknown because of the world outside: an external solver that broke, a context that ended
}

// Solver decides conditions. It is for one goroutine at a time, as its store is.
type Solver interface {
	// Check decides whether the conditions can hold together. It ends early, as Unknown, when the context ends.
	Check(ctx context.Context, conds ...*term.Term) Result
	// Scope gives another solver of the same store and configuration, which shares no work with this one.
	Scope() Solver
	// Stats counts what was done, scopes not included.
	Stats() Stats
	// Close ends the processes of an external solver. The solver must not be used afterwards. Scopes are closed on their
	// own.
	Close() error
}

// Engine says who decides.
type Engine string

const (
	// the embedded solver, and what it leaves unknown an external one, if there is one on the PATH
	Auto     Engine = ""
	Embedded Engine = "embedded" // the embedded solver alone: the same on every machine
	Z3       Engine = "z3"       // z3 on the PATH
	CVC5     Engine = "cvc5"     // cvc5 on the PATH
)

// Config says how to decide. The zero value is the default.
type Config struct {
	Engine Engine
	// Gates is the size at which the embedded solver is made anew. A model assigns every gate of every circuit that there
	// ever was, so one solver for everything gets slow. 0 is 1,000.
	Gates int
	// Steps bounds one check of the embedded solver, in units of 20,000 propagations (a few milliseconds). 0 is 1,000.
	Steps int
	// Limit bounds one check of an external solver. 0 is 10 seconds.
	Limit time.Duration
}

// Stats counts checks and what they came to.
type Stats struct {
	Checks, Sat, Unsat, Unknown int
	External                    int // that an external solver was asked for
	Renewed                     int // times that the embedded solver was made anew
	Gates                       int // made in all
	Steps                       int // that were over without an answer, as Config.Steps counts them
}
