package flow

// The analysis.
//
//	configure.go   each way to enter a program by itself, and the union of what comes of it
//	build.go       algorithm 1: what handles messages runs on the messages that may come, until nothing new comes
//	operate.go     what a call means for actors; spawn.go: creation, send.go: messages
//	props.go       what actors are made from, with options; layer.go: middleware; route.go: routers
//	frameworks.go  what frameworks do by themselves; wrap.go: batches, and messages to nobody
//	goakt.go       what is different in GoAkt: names in place of references, answers that only an Ask gets
//	hollywood.go   what is different in Hollywood: producers, options that are functions, the event stream
//	class.go       abstract actors and their state machines; named.go: the messages that their code asks for
//	drivers.go     where a program is entered; lifecycle.go: what frameworks send and take themselves
//	collapse.go    the graph that comes of it, which is in graph.go; unspawned.go: types of actors that nobody makes
//	pattern.go     how many handlers are as the paper's optimisations want them
//
//	source:     [TAP18] section 4, algorithm 1, figures 7 and 8
//	differs:    one state machine for every type of actor and type of message (Instances), which subsumes the paper's two
//	            optimisations; state machines share one memory, since Go's actors may, so a machine can make others run
//	            again. Handlers know their senders by type of message. Actors may be functions, and may change what
//	            handles the next message
//	assumes:    what package points assumes; nobody but the driver makes references out of thin air; several middlewares
//	            of one kind come in any order; an actor stops only where the program says so, not because it was
//	            restarted too often; nobody sends on the nil of a request that was not answered
//	invariants: I1 facts only grow. I2 when the worklist is empty, every machine has run on its last facts
//	cost:       see BenchmarkGraph
//	checked by: flow_test.go by hand, sound_test.go against executions

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/points"
)

// Precisions are the names of the analyses, the default first.
const (
	Instances = "instances" // one state machine a type of actor and type of message
	Branches  = "branches"  // one state machine a type of actor, with the two optimisations of [TAP18] section 4.3
	Baseline  = "baseline"  // one state machine a type of actor, which takes every branch
)

// Config says how to analyse.
type Config struct {
	Precision string // "" is Instances

	// Receptionists are actors that the environment may send anything that they have a branch for, by name as in
	// Actor.Name, beside those that the driver (tests, main) sends to.
	Receptionists []string

	// Entry is the only way to enter the program, one of Entries. nil: each of these by itself, and the union.
	Entry *ssa.Function
}

// Build makes the graph of a program.
func Build(p *load.Program, c Config) (*Graph, error) {
	g, _, err := Measure(p, c)
	return g, err
}

// Measure makes the graph of a program, and counts what that took.
func Measure(p *load.Program, c Config) (*Graph, points.Work, error) {
	builders, err := configurations(p, c)
	if err != nil {
		return nil, points.Work{}, err
	}
	var work points.Work
	twofold := twofold(builders)
	var graphs []*Graph
	for _, b := range builders {
		b.twofold = twofold
		graphs = append(graphs, b.collapse())
		work = work.Plus(b.solver.Work())
	}
	g := union(graphs)
	g.Precision = cmp.Or(c.Precision, Instances)
	return g, work, nil
}

// analyse finds out who sends what to whom where a program is entered by these functions.
func analyse(p *load.Program, c Config, entries []*ssa.Function) (*builder, error) {
	b := &builder{program: p, classes: map[string]*class{}, edges: map[edgeKey]*edge{}, notes: map[string]bool{},
		spellings: map[types.Type]spelling{}, pointers: map[string]string{}, fields: map[[3]string]int{},
		answering: map[*points.Function]*machine{},
		labelled:  map[points.Loc][]string{}, standins: map[string]types.Type{},
		byClass: map[*class][]*points.Function{}, copied: map[points.Loc]string{}}
	var precision points.Precision
	switch c.Precision {
	case "", Instances:
		b.perMessage = true
		precision = points.Precision{Casts: true, Constants: true, Branches: func(*ssa.Function) bool { return true }}
	case Branches:
		precision.Branches = isReceive
	case Baseline:
	default:
		return nil, fmt.Errorf("flow: no precision %q: want %s, %s or %s", c.Precision, Instances, Branches, Baseline)
	}
	b.solver = points.New(p, precision, b)
	b.system = b.solver.Special(kindSystem, "system", 0, nil)
	b.system.Atom = true
	b.stream, b.roots = b.solver.Special(kindSystem, "stream", 0, nil), b.solver.Special(kindSystem, "roots", 0, nil)
	b.nobody = b.solver.Special(kindNobody, "nobody", 0, nil)
	b.nobody.Atom = true
	b.environment = b.newClass("", nil, "environment")
	b.environment.environment = true
	b.drive(entries)
	b.construct()
	b.receive(c.Receptionists)
	b.unresolved()
	return b, nil
}

// isReceive reports whether a function is where messages are handled first: there the paper looks for a type switch.
func isReceive(fn *ssa.Function) bool { return fn.Name() == "Receive" }

// builder is the analysis of one program. The names of the paper: classes is gamma, edges is G.
type builder struct {
	program     *load.Program
	solver      *points.Solver
	perMessage  bool
	environment *class
	classes     map[string]*class
	order       []*class // in the order of discovery; the environment first
	machines    []*machine
	edges       map[edgeKey]*edge
	list        []*edge
	notes       map[string]bool
	worklist    []*class
	system      *points.Object
	stream      *points.Object // of events
	roots       *points.Object // what the contexts of those that are no actors are configured with
	nobody      *points.Object
	spellings   map[types.Type]spelling
	pointers    map[string]string // names of pointers that are messages: what traces call them
	twofold     map[string]bool   // types of messages that come as values and by pointer
	fields      map[[3]string]int
	answering   map[*points.Function]*machine // messages that answer themselves, by who handles them
	answers     []*points.Function            // the same, in the order of discovery
	labelled    map[points.Loc][]string
	byClass     map[*class][]*points.Function // see running
	indexed     int                           // functions that are in it
	copied      map[points.Loc]string         // places that hold references by themselves, and where one is used
	standins    map[string]types.Type         // for types of a framework that are not exported
}

// drive runs the driver in the environment: it makes the raw graph that algorithm 1 begins with.
func (b *builder) drive(entries []*ssa.Function) {
	in := b.machine(b.environment, "", nil)
	for _, fn := range entries {
		b.solver.Enter(fn, points.Context{In: in.index}, b.strangers(fn))
	}
	b.solver.Run()
}

// strangers gives arguments for a function that the analysis enters without a caller.
func (b *builder) strangers(fn *ssa.Function) []points.Set {
	args := make([]points.Set, len(fn.Params))
	for i := range args {
		args[i] = b.solver.Opaque()
	}
	return args
}

// construct is algorithm 1. Differs: when it is done, frameworks do their part, after which it goes on.
func (b *builder) construct() {
	factStore := map[*class]int{}
	b.worklist = append(b.worklist, b.order...)
	for grown := true; grown; grown = b.frameworks() || b.late(factStore) {
		for len(b.worklist) > 0 {
			r := b.worklist[0]
			b.worklist = b.worklist[1:]
			beforeFacts := b.inEdges(r)
			if factStore[r] == beforeFacts {
				continue
			}
			factStore[r] = beforeFacts
			b.createStateMachines(r)
			b.solver.Run()
			b.worklist = append(b.worklist, b.successors()...)
		}
	}
}

// inEdges gives the facts of an actor as a number: they only grow, so their size tells whether they have changed.
func (b *builder) inEdges(r *class) int {
	n := len(r.behaviors) + len(b.solver.Read(nil, r.decorated)) + len(b.solver.Read(nil, r.props))
	for _, behavior := range r.behaviors {
		if b.solver.Object(behavior).Kind == points.Box {
			n += len(b.solver.Unboxed(nil, behavior))
		}
	}
	for _, m := range r.machines {
		n += 1 + m.facts(b.solver)
	}
	return n
}

// late puts the actors on the worklist about whom more is known than when they were last looked at, and reports whether
// there are any. A place that they are made from may hold another object since.
func (b *builder) late(factStore map[*class]int) bool {
	for _, c := range b.order {
		if factStore[c] != b.inEdges(c) {
			b.worklist = append(b.worklist, c)
		}
	}
	return len(b.worklist) > 0
}

// successors gives the actors that have got something since they were last asked for. Differs: not those of one actor,
// since with memory in common the machines of others may have run too.
func (b *builder) successors() []*class {
	var out []*class
	for _, c := range b.order {
		if c.touched {
			c.touched = false
			out = append(out, c)
		}
	}
	return out
}

// createStateMachines enters what handles messages, for every kind of message that may have come.
func (b *builder) createStateMachines(r *class) {
	for _, m := range r.machines {
		if m.start {
			continue
		}
		b.receives(m)
		for _, behavior := range r.behaviors {
			b.handle(m, behavior)
		}
		b.answersItself(m)
	}
}

// note adds to what is missing.
func (b *builder) note(at string, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if at != "" {
		text = at + ": " + text
	}
	b.notes[text] = true
}

// receive lets the environment send to the actors that the user names, whatever they have a branch for. What they do
// then may make actors of other names.
func (b *builder) receive(names []string) {
	for i := 1; i < len(b.order); i++ {
		c := b.order[i]
		if !slices.Contains(names, c.name) {
			continue
		}
		c.receptionist = true
		for _, branch := range b.named(c) {
			if SentByFramework(b.plain(branch.name)) {
				continue // not by the environment
			}
			box := b.solver.NewBox("receptionist "+branch.name+c.key, 0, branch.typ)
			b.solver.Write(b.solver.Part(box, points.Content), b.solver.Opaque())
			b.deliver(&delivery{kind: Send, from: b.environment, in: b.machines[0], to: c, message: box})
		}
		b.worklist = append(b.worklist, c)
		b.construct()
	}
}
