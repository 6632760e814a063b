package system

import (
	"go/token"
	"go/types"
	"math/rand/v2"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// Driver is a place where a test, or main, makes a system of actors.
type Driver struct {
	Entry *ssa.Function // the test, main, or the function that was named: it is executed from its beginning
	// of the call at which the system is made, in Entry where it is made by a helper of it: each call site is a
	// configuration of its own
	Pos       token.Pos
	Proto     bool              // protoactor-go, Hollywood or GoAkt; else native actors
	Hollywood bool              // Hollywood
	GoAkt     bool              // GoAkt
	Plain     bool              // Entry uses the framework without Rehearse: it is the driver itself
	Ran       *startstate.State // what its compiled code has made, where that takes the place of its execution; else nil
	Begun     bool              // Ran is what is there when all actors have been started
	Waits     []string          // of a Plain one: functions that were seen to wait for somebody outside, as stacks name them
	Nth       int               // how often the execution comes to Pos before: in a loop each time is a configuration

	Model trace.Model // that the Config beside it asks for; else the default
	Async bool        // so does that: timers may fire at any time
}

// Start is a start configuration: what is there when the driver has returned, and before any message has been handled
// but those of set-up.
type Start struct {
	Driver        *Driver
	Actors        []*Actor          // in the order of their creation
	Sent          []Message         // what the driver sends, in its order, then what is on its way from actors
	Receptionists []int             // indices of the actors that the driver sends to, or that were named
	Shapes        []Shape           // messages from outside that a search may send
	Inexact       []string          // what the execution did not model, with places
	Visited       []*ssa.BasicBlock // by start hooks of actors that are created until then: each execution comes there
	Panics        []token.Pos       // in those hooks
	Lost          []token.Pos       // of the calls by which those hooks send to nobody
	Checks        []Check           // the functions of the driver's Config that judge executions
	Unchecked     string            // why they are not known; "" if they are

	Function func(number uint64) *ssa.Function // that a function value in the state of an actor is, nil if there is none
}

// Check is a function of a Config that judges executions.
type Check struct {
	Fn    *ssa.Function
	Name  string // of an invariant
	Final bool   // Config.Final, asked at the end of an execution; else an invariant, asked after each step
}

// Message is a message that is on its way when the driver has returned.
type Message struct {
	From int        // index of Start.Actors; -1: the driver
	To   int        // index of Start.Actors; -1: nobody that is known
	Type types.Type // nil: not known
	Msg  exec.Value
	Flat []exec.Named // the message, under names that begin with msg
	Pos  token.Pos    // of the call by which the driver sends it
	// an actor has sent it before, such as in its start hook; else the driver sends it, and a plan may leave it out
	Always bool
	Timer  bool // of an actor, which is to fire
}

// Shape is a kind of message from outside: a receptionist and the type of what is sent to it.
type Shape struct {
	To   int // index of Start.Actors
	Type types.Type
	// the driver sends such a message to it; else the actor asks for its type, and the driver's package can make one
	Sent    bool
	Like    int  // behind an index of Start.Sent: the message is as the driver makes that one; 0: it has any values
	Foreign bool // the actor has no case for it
}

// Actor is an actor of a start configuration.
type Actor struct {
	Name  string        // as traces name it, such as "server" or "Worker#2"
	Type  string        // as package model names types and functions
	Recv  types.Type    // of the method that handles its messages; nil for functions
	Fn    *ssa.Function // that handles its messages at the start
	Ref   *term.Term    // the reference to it
	State []exec.Named  // what it holds, under the names that paths of Fn use for their inputs
	Fresh bool          // of protoactor-go: it has not handled Started yet
	Timed bool          // of protoactor-go: it waits for ReceiveTimeout
	Under int           // behaviours of a native actor that Unbecome goes back to
}

// Agent names an actor of a plan: one of the start, or one that a step creates.
type Agent struct {
	Start       int // index of Start.Actors, where Step is negative
	Step, Spawn int // index of Plan.Steps, and the actor's place from 0 among those that the step creates
}

// SourceKind says from where the message of a step comes.
type SourceKind uint8

// The sources.
const (
	Outside SourceKind = iota // a message from outside, whose value is to be found
	Sent                      // what the driver sends
	Event                     // what a handler sends, by whichever operation
	Timer                     // what a timer sends that a handler has set
	Told                      // what the framework says by itself, such as Started or Terminated
	Resumed                   // none: the handler of another step goes on, which has released the actor
)

func (k SourceKind) String() string {
	return [...]string{"outside", "driver", "event", "timer", "framework", "resumed"}[k]
}

// Source says from where the message of a step comes.
type Source struct {
	Kind SourceKind
	Step int // of an Event, a Timer and Resumed: index of Plan.Steps
	// of Sent: index of Start.Sent. Of an Event: which of the step's messages, from 0; of a Timer: which of the step's
	// timers
	Event int
}

// Step is one message that an actor handles.
type Step struct {
	To      Agent
	Message types.Type
	From    Source
	Path    *exec.Path // of the handler's summary that is to be taken; nil: any

	Assume []*term.Term // of a message from outside: conditions on it, under names that begin with msg
}

// Plan is an order in which actors handle messages. Its last step reaches the target.
type Plan struct {
	Steps []Step
	// messages from outside that are sent behind all others, and that nobody is to handle: their receiver may refuse them
	Left  []Step
	Model trace.Model
}

// Goal is what the last step of a plan is to reach.
type Goal struct {
	Block *ssa.BasicBlock // nil: any
	// that the program panics, or that a check of a test fails: at Pos, or in Block where there is no Pos
	Panic bool
	Dead  bool      // that a message is sent to nobody, or to an actor that has stopped
	Pos   token.Pos // of the panic, or of the call that sends; none: any
	// what is to be reached is in a function for the end of the execution: behind the plan all else happens in the default
	// order
	AtEnd bool
	// a function of the driver's Config.Invariants, or its Config.Final: with Panic it is to fail, having come to Block;
	// else it comes to Block
	Check *ssa.Function
	// conditions on the state of the last step's actor when its handler has returned, under the names of Actor.State
	After []*term.Term
}

// External is a message from outside with its value.
type External struct {
	To    int // index of Start.Actors
	Type  types.Type
	Value exec.Value
	Flat  []exec.Named // the message, under names that begin with msg
}

// Way is an execution of the whole program that reaches a goal.
type Way struct {
	Start   *Start
	Plan    Plan
	Path    *exec.Path  // of the whole run
	Model   *term.Model // small values of its inputs
	Outside []External  // in the order in which they are sent
	Panics  int         // handlers that panic on the way, the goal itself included: most Checks end at the first
	Async   bool        // timers may fire at any time
	Own     bool        // the driver sends what it does by itself, and nothing else comes from outside
	Order   trace.Order // by names, for the Guide of a Config
	Marks   []exec.Mark // why the way may not be one of the compiled program
}

// Config bounds what one plan may cost. A zero value means the default.
type Config struct {
	Fill  int // steps that are put in between: 40, and two for each actor of the start, which may have to begin before
	Paths int // ways through the driver and the handlers that are tried: 200
	Loops int // decisions to stay in a loop, as in exec.Config: 3

	Elements int // of slices and maps from outside, as in exec.Config: 3

	// Work bounds all executions together, as in exec.Config; 0: no bound. One execution may ask questions that take the
	// solver longer than thousands of others, and the next one asks them again.
	Work int

	easy   bool       // hard questions are left open
	chance *rand.Rand // decides where more than one outcome is possible; nil: all of them

	Async bool // timers may fire at any time; else when nothing else can happen

	// Ending has searches forward tell also what handlers do that wait for each other, when the adapter ends such an
	// execution. The program itself never does that.
	Ending bool
}

// Bounds bounds a search. A zero value means the default.
type Bounds struct {
	Steps   int // messages that are handled: 12
	Outside int // messages from outside: 4
	Actors  int // that are created: 8
	Runs    int // executions from the beginning: 20000
	// the invariants of the driver's Config are asked after each step, and end the execution where one does not hold
	Checks bool
	Sent   bool    // the messages from outside are those that the driver sends, and no others
	Asked  bool    // also of shapes that the driver does not send
	Assume Assumer // restricts messages from outside, nil: nothing does
	Config

	again bool // also from states that were met before, and what has no end or is in vain
	order *int // of a walk
}

// Assumer restricts messages from outside. Bounds compare it, so it should be a pointer.
type Assumer interface {
	// Assumed gives what holds of messages of a type, under the names of the message, as in "msg.Amount".
	Assumed(t types.Type) []*term.Term
}
