package rehearse

import (
	"fmt"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// Config says how a program is explored and what counts as wrong. The zero value is the default of every field.
type Config struct {
	// Budget is when to stop: a number of executions ("1000x"), a time ("30s") or "unlimited". Default: "1000x"; in Check
	// under -short "100x" (not with Guide). A number of executions takes at most a quarter of what is left of -timeout.
	Budget string
	// Strategy chooses the executions. Default "auto": the default order, random walks, and one execution of every class
	// of equivalent ones as far as the budget goes (docs/partial.md). "default" is the default order alone, "naive" every
	// schedule. Random schedules come by "pos", "pct/3" (for bugs that need three deliveries in one order), "surw",
	// "random" or "delays/100" (messages delayed by up to 100 ms). One execution of every class comes by "source",
	// "optimal" or "reverse". Those near the default order come by "reverse/3" (at most 3 deviations), "reverse/iterative"
	// or "delay/2" (at most 2 delays). "stateful" executes every state once, with options as in "stateful/generic/bfs".
	// The published reductions "dcute", "persistent", "persistent+sleep" and "trans" fit the models Bag, FIFO and Causal.
	// The order in which they, "source" and "optimal" try actors may follow, as in "persistent/LCA": ECA, LCA, FIFO, LIFO,
	// LDM, HDM, HMS, SGR, or auto. docs/strategies.md says what is for what. A strategy that does not fit Model or Faults
	// is an error.
	Strategy string
	// Guide is an order to follow, by names, in place of an exploration: receives, timeouts, chosen values and faults.
	// Check fills in what has to happen between them, and fails if the order cannot be followed or its execution violates
	// something: docs/guide.md. It does not go with Strategy, Workers, Corpus and KeepGoing. Default nil: explore.
	Guide trace.Order
	// Workers is the number of processes that share the exploration, one core each; default 1, which is this process. The
	// counts and the violations of a complete exploration are those of one. The strategy must be one that can be divided:
	// "naive", "source", "optimal", "reverse", or one of the samples that docs/parallel.md lists. The processes run the
	// test binary again, up to this Check: whatever the test does before it is done in each of them.
	Workers int
	// Seed of every random choice; 0: derived from the test's name, so that it is the same in every run.
	Seed uint64
	// Model is the delivery model; zero: what the System says.
	Model Model
	// Timers is when set timers may fire; default Quiescent.
	Timers TimerMode
	// Faults are what may go wrong with the world around the actors, each a choice of the exploration. They are all, or
	// some of drop (a message is lost), duplicate (it arrives twice), crash-losing, crash and restart. Crash-losing: an
	// actor crashes and the message before it is lost. Crash: it crashes after it has handled a message. Restart: a fresh
	// instance takes its place then. Behind a colon stands how many faults there may be in one execution, as in
	// "drop,crash:2". Default "off"; without a number one. SetUp is never faulty. docs/faults.md says what exactly each
	// does.
	Faults string
	// Choices says what becomes of what Go chooses by itself (the order of a map, a select, which goroutine goes on) in a
	// test that `rehearse test` has built. Default "4": up to 4 such choices between two others of the exploration are
	// explored, and the others follow the seed. The result then says that it is for one seed, with places. A slash and a
	// number say how often goroutines may be preempted in between: "20/3"; default 2. "sample": all follow the seed, in
	// each execution of a strategy that samples another one. "off": none has a number, as in a test that go test has
	// built. There nothing can be explored, and the result says so where a number is asked for; each execution follows a
	// seed, with "sample" one of the strategy's.
	Choices string
	// Effects declare what handlers do: the fields of the actor that they read and write, by name, and whether they send.
	// Two deliveries to one actor whose effects do not meet are then taken to commute. That is so by "source", "optimal",
	// "reverse" and "select", under Bag, FIFO and Causal with Quiescent timers and without Faults. The other conditions
	// and strategies make no use of it. A handler that is not declared may do anything. A handler that changes another
	// field, or does more than change fields and send, is an error. What it reads nobody sees, and leaving a field out of
	// Reads leaves out executions: docs/effects.md.
	Effects trace.Effects
	// Calls declare what handlers may send, by types, with the number of conditions that it depends on. The order of
	// actors STABLE and the strategy "select" go by it: docs/selection.md. A handler that is not declared may send
	// anything; one that sends what it is not declared to is an error.
	Calls trace.Calls
	// Facts is a file with what an analysis of the source says that handlers do (`rehearse facts`). It counts like Effects
	// where those declare nothing. "on" (default) is testdata/rehearse/facts, if it is there; "off" is none; else the
	// file, relative to the package's folder. It is not used, and the Result says so, if the source has changed since. Nor
	// is what turns out not to hold for all that a handler is made of, its middleware, say. docs/effects.md says what
	// rests on it.
	Facts string
	// Horizon is the virtual time after which no timer fires any more, so that a repeating one ends; default one minute. A
	// result that left a timer out is not complete, and says so.
	Horizon time.Duration
	// MaxSteps bounds the steps of an execution, set-up included; more is a Livelock. As many more are allowed as it takes
	// to deliver what waited at one time, if that is more than 16 messages. An execution in which more and more messages
	// wait is a Livelock long before: as soon as it is 400 on average over MaxSteps steps. Default 100,000.
	MaxSteps int
	// Checks sets how serious the kinds of violations are.
	Checks Levels
	// Environment is what the end state must satisfy: Total (default) or Empty.
	Environment EndState
	// Final, if set, judges every natural end; an error is a violation of kind Environment.
	Final func(State) error
	// Invariants must hold after every step. A strategy that executes one of many equivalent executions passes through few
	// of the states between steps, and does not call its result complete then. "naive" and "stateful" pass through all.
	Invariants []Invariant
	// Expect states a known bug: the test passes if it is found and fails if it is not found within the budget (under
	// -short it passes then too). Nothing is saved for it. The exploration of Check ends at the first execution with a
	// violation, as ever, unless KeepGoing is set. Any other violation of that execution fails the test. What later
	// executions would bring is not looked for.
	Expect *Expectation
	// KeepGoing has Check go on after a violation, as long as the budget lasts, and report each different one, minimised
	// and saved. Two are the same if kind, actor type, message type and failing function are, whatever their texts. The
	// finding lists other texts, but none that worker processes met. With Expect, what its Text is not part of is never
	// the same as what it is. Of a Livelock, Divergence, Isolation and RuntimeFatal that is not told apart: the first
	// counts.
	KeepGoing bool
	// Recheck is how often at least an execution is repeated, to see whether the program makes choices of its own. Default
	// 32, none if negative. The 1st, 2nd, 4th, 8th and so on are repeated at once. Of the rest as many are, evenly (every
	// 1,000th under a budget that is no number of executions). In the end all in turn, until there are enough. The end
	// takes at most as long as the exploration did, or a second; the Result says what was left out. Findings are always
	// repeated.
	Recheck int
	// Blocked is the real time after which a handler that makes no progress is given up with an error; default 10 s.
	Blocked time.Duration
	// ShareMessages makes native actors share what messages refer to, instead of copying it on send.
	ShareMessages bool
	// KeepLogs lets the program print while it is explored.
	KeepLogs bool
	// CoverProfile is a file into which it is merged which messages actors were seen to receive in which order; a relative
	// path starts at the package's folder. Default "": none. `rehearse cover` reads it: docs/coverage.md.
	CoverProfile string
	// Corpus keeps the executions of a Check that add orders, as schedules below testdata/rehearse/<Test>/corpus, if
	// nothing was found. What is there is replayed first whether Corpus is set or not, as subtests. docs/coverage.md says
	// what is kept.
	Corpus bool
}

// Expectation describes a known bug. Empty fields match anything.
type Expectation struct {
	Kind    ViolationKind
	Actor   string // its type, with or without the package
	Message string // its type, with or without the package
	Text    string // a part of the text
}

func (e *Expectation) matches(v *trace.Violation) bool {
	sameType := func(want, got string) bool { return want == "" || want == got || want == trace.ShortType(got) }
	return e != nil && v.Kind == e.Kind && sameType(e.Actor, v.ActorType) && sameType(e.Message, v.MessageType) &&
		strings.Contains(v.Text, e.Text)
}

func (e *Expectation) String() string {
	s := e.Kind.String()
	if e.Actor != "" {
		s += " of " + e.Actor
	}
	if e.Message != "" {
		s += " on " + e.Message
	}
	if e.Text != "" {
		s += fmt.Sprintf(" with %q", e.Text)
	}
	return s
}

// The defaults of Config, where they are not zero.
const (
	defaultBudget   = "1000x"
	shortBudget     = "100x"
	defaultMaxSteps = 100_000
	defaultHorizon  = time.Minute
	defaultRecheck  = 32
	defaultBlocked  = 10 * time.Second
)
