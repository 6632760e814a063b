// Package rehearse finds the message orders that break an actor program, from an ordinary test.
//
//	func TestTransfer(t *testing.T) {
//		rehearse.Check(t, rehearse.Config{}, protoactor.System(func(t *rehearse.T) { ... }))
//	}
//
// Check runs the program's own code under control, again and again, each time with another order of deliveries, within
// a budget. It fails with the shortest schedule it can find for what went wrong, drawn as a sequence diagram, with the
// two deliveries whose order decides. It saves that schedule under testdata/rehearse and replays it first from then on.
//
// The program comes as a [System]: native actors (package actor) or an adapter to a framework. Variables of the
// environment named REHEARSE_... win over [Config]; docs/settings.md lists them.
package rehearse

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/trace"
)

// T is what a test function gets inside one execution, in the place of testing.T. Its failures become findings with a
// schedule each; FailNow ends the execution, not the test.
type T = explore.T

// System is a program under control: what package actor and the adapters make.
type System = explore.System

// Model is a delivery model: which pending messages may be delivered next.
type Model = trace.Model

// The delivery models. The zero value stands for the one that the System says.
const (
	Bag    = trace.Bag    // any pending message: the actor model
	FIFO   = trace.FIFO   // per sender and receiver in sending order: remote actors
	Causal = trace.Causal // fifo, and causally earlier messages first
	// the oldest of the receiver's mailbox, handlers on parallel threads: in-process frameworks
	Mailbox       = trace.Mailbox
	MailboxSerial = trace.MailboxSerial // the same with one handler at a time
)

// TimerMode says when set timers may fire.
type TimerMode = trace.TimerMode

// The timer modes.
const (
	Quiescent = trace.Quiescent // only when nothing else can happen, earliest first
	Async     = trace.Async     // at any point after they are set
)

// ViolationKind is what went wrong.
type ViolationKind = trace.ViolationKind

// The kinds of violations.
const (
	Panic        = trace.Panic        // a panic or an error escaped a handler
	Assertion    = trace.Assertion    // the test's own Error, or an invariant
	Deadlock     = trace.Deadlock     // actors blocked in calls in a cycle, or for ever
	OrphanDead   = trace.OrphanDead   // a message left for a stopped actor
	Orphan       = trace.Orphan       // a message refused to the end
	DeadLetter   = trace.DeadLetter   // a message sent to nobody
	Environment  = trace.Environment  // the end state is not one the environment allows
	Unhandled    = trace.Unhandled    // a message that no handler of its receiver knows
	Livelock     = trace.Livelock     // the bound on steps was exceeded
	Divergence   = trace.Divergence   // the program made a choice that was not ours
	Isolation    = trace.Isolation    // memory that one actor reaches was written by another
	RuntimeFatal = trace.RuntimeFatal // an earlier run died in the middle of an execution
)

// Levels say how serious the kinds of violations are. A kind that is not in the map is an Error, OrphanDead a Warning.
type Levels = check.Levels

// The levels.
const (
	Error   = check.Error   // fails the test
	Warning = check.Warning // is shown with -v
	Off     = check.Off
)

// EndState is what Config.Environment asks of the end of an execution.
type EndState = check.End

// The end states.
const (
	Total = check.Total // further messages may come: only blocked actors are wrong at the end
	Empty = check.Empty // nothing more comes: every actor must have stopped
)

// State is the actors as they stand between two steps, for invariants and final checks.
type State = check.State

// Invariant must hold after every step.
type Invariant = check.Invariant

// Violation is something that went wrong, with where and to whom.
type Violation = trace.Violation
