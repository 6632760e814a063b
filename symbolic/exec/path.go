package exec

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Cond is a condition of a path. It is a truth value.
type Cond struct {
	Term *term.Term
	Pos  token.Pos
	Fn   *ssa.Function

	// Given says that no decision of the program made it: it is what every input has, such as a length that is not
	// negative.
	Given bool
}

// Exit is how a path ends.
type Exit uint8

// The exits.
const (
	Return  Exit = iota
	Panic        // the function panics
	Assert       // a test function gave up, such as by T.Fatal
	Cut          // a bound was reached: what follows was not executed
	Refused      // the handler waits for a message, and the one that the inputs have is none that it accepts
	Waits        // a driver ends the path where the handler gives its actor up
)

// NotAwaited is why a path is refused whose message the handler does not wait for. What else refuses one is outside of
// what frameworks control.
const NotAwaited = "the message is not one that is waited for"

func (e Exit) String() string {
	return [...]string{"return", "panic", "assert", "cut", "refused", "waits"}[e]
}

// MarkKind says in which way a path is less than exact.
type MarkKind uint8

// The kinds of marks.
const (
	Havoc MarkKind = iota // a value is free that is not in the program: the path is inexact
	// a condition depends on what is not modelled: whether there are such inputs has to be confirmed
	Unsure
	// the path depends on what is neither the state nor the message: time, random numbers, package variables, capacities
	Env
	Order  // the path is for one of several orders of a map
	Closed // an interface or function of the inputs is one of those of the program
)

func (k MarkKind) String() string { return [...]string{"havoc", "opaque", "env", "order", "closed"}[k] }

// Mark is a place where a path is less than exact.
type Mark struct {
	Kind MarkKind
	What string
	Pos  token.Pos
}

// Named is a term under a name.
type Named struct {
	Name string
	Term *term.Term
}

// Event is something that a handler does to actors.
type Event struct {
	Op   string // as package model names operations, in lower case
	To   *term.Term
	Lost bool       // To is nobody: a message is for the dead letters
	Type types.Type // of the message
	Msg  Value
	Flat []Named // the message
	Pos  token.Pos

	// of a spawn: the type of the actor, or the function that it is made from, as traces name it; "" where that is not
	// known
	Kind  string
	Name  *term.Term // of a spawn with a name, or with the beginning of one
	Delay *term.Term // of a timer: nanoseconds until it fires first

	By     *term.Term // the new actor whose start hook does it, as To of the spawn; nil: the actor whose handler it is
	Hooked bool       // of a spawn: the new actor has a start hook, which has run; Flat is what it has left
	Over   bool       // of such a spawn: the hook has stopped the new actor, or has panicked

	// Answer is the name of the answer, of a call without a timeout. Its error has that name with .error. There is one
	// only if the actor that is called panics.
	Answer string

	Released bool // of an await: other messages are handled until it is over
}

// Input is a variable that stands for something of the inputs.
type Input struct {
	Var    *term.Term
	At     *Place
	Aspect string // "" for the value itself
}

// Call is a call of a method of an interface among the inputs, where the program has no type that fits. Or it is a call
// of a function among them, where the program has none that fits. What the call gives is free.
type Call struct {
	At      *Place      // the interface, or the function
	Method  *types.Func // of a function one that is called FunctionCall
	Args    []Value     // without the receiver
	Results []*Place
	Pos     token.Pos
}

// Branch is a way out of a block that ends by a condition.
type Branch struct {
	Block *ssa.BasicBlock
	Succ  int // of Block.Succs: 0 where the condition holds, 1 where it does not
}

// Path is one way through a function.
type Path struct {
	PC        []Cond
	Events    []Event
	Exit      Exit
	Why       string // of a panic its kind or text, of a cut the bound
	Pos       token.Pos
	Panic     Value    // what was passed to panic; nil for one that Go's runtime makes
	Told      []Named  // the same, as terms under the name value
	Results   []Value  // of a Return
	Returned  []Named  // the same, as terms under the names result, or result0 and so on if there are several
	Args      []Value  // the parameters as they are in the end
	Out       []Named  // what was written of the inputs, sorted by name
	Written   []string // names of what was written, also with the value that it had before; sorted
	Blocks    []*ssa.BasicBlock
	Branches  []Branch // ways out of blocks with two of them
	Inputs    []Input
	Calls     []Call   // in their order
	Borrowed  []*Place // pointers of the inputs to what libraries have made, whose methods were called: nil will not do
	Marks     []Mark
	Decisions []int

	lazies []*InputPtr      // pointers of the inputs that were followed
	named  map[string]Value // inputs that were looked at
}

// Exact reports whether the path does what the compiled function does, on inputs that satisfy its conditions.
func (p *Path) Exact() bool {
	for _, m := range p.Marks {
		if m.Kind == Havoc {
			return false
		}
	}
	return true
}

// Result is what an exploration has found.
type Result struct {
	Paths   []*Path        // in the order of exploration, with those that were cut
	Cuts    map[string]int // paths that were cut, by reason, and what else the exploration left out
	Asked   []types.Type   // of messages, if the entry asks for them
	Runs    int
	Queries int
	Work    int    // of all runs, as Config.Work counts it
	Unknown int    // queries that the solver gave up: both outcomes were taken to be possible
	Defect  string // of this package: where it failed on the handler; "" if it did not
}

// Complete reports whether every input is covered, as far as marks allow.
func (r *Result) Complete() bool { return len(r.Cuts) == 0 && r.Defect == "" }

// Exact reports whether all paths are.
func (r *Result) Exact() bool {
	if r.Defect != "" {
		return false
	}
	for _, p := range r.Paths {
		if !p.Exact() {
			return false
		}
	}
	return true
}
