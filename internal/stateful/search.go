// Package stateful explores all states of a program, each once: a state that was met before is not explored again.
//
//	search.go    the strategy: what is done in a state, and which execution is next
//	path.go      the steps that lead to a state, found again in the next execution
//	loop.go      executions without end
//	sleep.go     sleep sets
//	persistent.go  persistent sets
//	options.go   variants by name
//	state.go     when two states are equal: names the files that tell
//
//	source:     [Basset11] figure 3.5 with 3.5.1 (comparison of states) and 3.5.3 (step granularity)
//	differs:    a state is reached again by executing its path, not by restoring it. What cannot be compared is refused
//	            (state.go). In the comparison Actors identities do not count, and what an actor in the middle of a
//	            handler was told does
//	assumes:    what state.go assumes; invariants and checks of the end look at the present state, and treat actors
//	            that the test did not create itself alike
//	invariants: I1 every step that is possible in a state is taken from it once (with sleep sets: from it, or from a
//	               state before it that it commutes with): all incidents of steps are seen
//	            I2 an execution is cut only in a state that was met before, or (breadth first) in a new one that is
//	               explored later
//	            I3 a state that was reached with a violation does not count as met: what follows it is explored by
//	               another path
//	cost:       one key a state met; executions as in a search without comparison, but for what is cut. Breadth first
//	            executes every path to a state from the start
//	checked by: toy_test.go (same final states and violations as the naive search), subjects_test.go (published counts)
package stateful

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// Search is the strategy.
type Search struct {
	o   Options
	rec Recorder

	visited map[trace.ID][]int // by state: the ranks of what slept when it was explored
	finals  int
	deepest int // most steps, Big ones if so, of an execution

	nodes []node  // of the current path
	queue []entry // breadth first: states whose steps are not all taken
	begun bool
	done  bool

	// of the current execution
	depth   int // choices so far
	grains  int // states on the way that were compared
	loop    loop
	diverge *trace.Incident

	// of persistent sets
	reducer *reducer // nil: without
	circle  bool     // a circle was met: the search starts anew, without
	natural bool     // the current execution came to its end
	left    bool     // ... or this strategy left it
	env     explore.Env

	diverged bool
	err      error
}

// entry is a state that waits for being explored, breadth first.
type entry struct {
	path []choice
	todo []choice
}

// New makes the strategy.
func New(o Options) *Search {
	s := &Search{o: o, visited: map[trace.ID][]int{}}
	if o.Persistent {
		s.reducer = newReducer(o.Sleep)
	}
	return s
}

// Name is the name with the options.
func (s *Search) Name() string {
	if o := s.o.String(); o != "" {
		return "stateful/" + o
	}
	return "stateful"
}

// Bind is explore.Binder: every model and every mode of timers does, but for sleep sets.
func (s *Search) Bind(e explore.Env) error {
	c := e.Conditions
	s.env = e
	if (s.o.Sleep || s.o.Persistent) && (!commutes(c.Model) || c.Faults.On()) {
		return fmt.Errorf("the strategy %s needs that steps of different actors can be exchanged, which model %s%s "+
			"does not allow; use stateful without sleep and persistent, or model bag, fifo or causal without "+
			"faults", s.Name(), c.Model,
			map[bool]string{true: " with faults"}[c.Faults.On()])
	}
	if s.o.Persistent && c.Timers == trace.Async {
		return fmt.Errorf("the strategy %s puts steps off until later, and with asynchronous timers the clock could "+
			"advance before them; use stateful without persistent, or quiescent timers", s.Name())
	}
	s.rec = Recorder{Comparison: s.o.Comparison, Model: c.Model}
	if s.reducer != nil {
		s.reducer.model = c.Model
	}
	return nil
}

// Open is explore.ExecutionObserver.
func (s *Search) Open(x explore.Execution) {
	s.fail(s.rec.Begin(x))
}

func (s *Search) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Report is explore.Reporter.
func (s *Search) Report() explore.Report {
	return explore.Report{States: s.States(), IncompleteReason: s.incomplete(), Err: s.err}
}

// States is the number of different states.
func (s *Search) States() int { return len(s.visited) }

// Finals is the number of different final states.
func (s *Search) Finals() int { return s.finals }

// Depth is the greatest number of steps from the first state, steps being Big ones where those are taken.
func (s *Search) Depth() int { return s.deepest }

// Start moves on to the next step that was not taken; false when there is none.
func (s *Search) Start() bool {
	s.depth, s.grains, s.diverge, s.loop.following, s.natural, s.left = 0, 0, nil, false, false, false
	if s.err != nil {
		return false
	}
	if s.circle {
		s.anew()
		return true
	}
	if !s.begun {
		s.begun = true
		return true
	}
	if s.o.Breadth && s.dequeue() || !s.o.Breadth && s.backtrack() {
		return true
	}
	s.done = true
	return false
}

// backtrack moves the last node that has steps left to the next one.
//
// Depth first, a node is left when all states below it are done. Persistent sets need that order (complete).
func (s *Search) backtrack() bool {
	for len(s.nodes) > 0 {
		last := &s.nodes[len(s.nodes)-1]
		if len(last.todo) == 0 {
			s.complete(last)
		}
		if len(last.todo) > 0 {
			last.take()
			return true
		}
		s.nodes = s.nodes[:len(s.nodes)-1]
	}
	return false
}

// dequeue takes the next step of the oldest state that waits.
func (s *Search) dequeue() bool {
	for len(s.queue) > 0 && len(s.queue[0].todo) == 0 {
		s.queue = s.queue[1:]
	}
	if len(s.queue) == 0 {
		return false
	}
	e := &s.queue[0]
	s.nodes = s.nodes[:0]
	for _, c := range e.path {
		s.nodes = append(s.nodes, node{cur: c})
	}
	s.nodes = append(s.nodes, node{todo: e.todo[:1]})
	e.todo = e.todo[1:]
	s.nodes[len(s.nodes)-1].take()
	return true
}

// Choose repeats the path to the step that is to be taken, and judges the state to which it leads.
func (s *Search) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	i := s.depth
	s.depth++
	if s.err != nil {
		return explore.Choice{Index: -1}
	}
	if i < len(s.nodes) {
		return s.repeat(i, tr, enabled)
	}
	if !s.arrive(tr, enabled) {
		s.left = true
		return explore.Choice{Index: -1}
	}
	return s.follow(i, enabled, false)
}

// repeat takes the step of node i again. The last one is new: it was chosen by Start and never taken before.
func (s *Search) repeat(i int, tr *trace.Trace, enabled []trace.Step) explore.Choice {
	c := &s.nodes[i].cur
	k := c.place(tr, enabled)
	if k < 0 {
		s.diverge = c.missing(i, tr, enabled)
		return explore.Choice{Index: -1}
	}
	if c.compared {
		s.grains++
	}
	s.fail(s.rec.Step(enabled[k]))
	return explore.Choice{Index: k, Replayed: i < len(s.nodes)-1, First: c.released}
}

// follow takes the step that node i says, which was just made.
func (s *Search) follow(i int, enabled []trace.Step, replayed bool) explore.Choice {
	k := trace.Find(enabled, s.nodes[i].cur.id)
	s.fail(s.rec.Step(enabled[k]))
	return explore.Choice{Index: k, Replayed: replayed}
}

// arrive judges a state in which the path has ended, and makes it a node if its steps are to be taken now.
func (s *Search) arrive(tr *trace.Trace, enabled []trace.Step) bool {
	if s.loop.following {
		return s.goRound(tr, enabled)
	}
	n, compared := node{}, s.compares(enabled)
	if compared {
		st, err := s.rec.Key()
		if err != nil {
			s.fail(err)
			return false
		}
		n.state = st
		s.grain()
	}
	all := choices(tr, enabled, n.state.Rank, compared)
	fresh := compared && s.reducer != nil && s.meets(tr, &n)
	if s.circle {
		return false
	}
	if fresh {
		n.all = slices.Clone(all)
	}
	if n.todo, n.sleep = s.awake(tr, &n, all, compared); compared && n.todo == nil {
		return s.meetsItself(tr, enabled, n.state)
	}
	if fresh {
		s.choose(tr, &n)
	}
	if len(n.todo) == 0 {
		return false // all sleep: what follows was explored in another order
	}
	if s.o.Breadth && compared && s.depth > 1 {
		s.enqueue(tr, n.todo)
		return false
	}
	n.take()
	if s.o.Breadth && len(n.todo) > 0 {
		s.enqueue(tr, n.todo)
	}
	s.nodes = append(s.nodes, n)
	return true
}

// enqueue lets the steps of the present point wait.
func (s *Search) enqueue(tr *trace.Trace, todo []choice) {
	s.note(tr)
	path := make([]choice, len(s.nodes))
	for i := range s.nodes {
		path[i] = s.nodes[i].cur
	}
	s.queue = append(s.queue, entry{path, todo})
}

// compares reports whether this point is a state: not in the middle of a step, and with Big steps not where there is
// only one message.
func (s *Search) compares(enabled []trace.Step) bool {
	if enabled[0].Kind.Chooses() {
		return false
	}
	return !s.o.Big || len(enabled) > 1
}

func (s *Search) grain() {
	s.deepest = max(s.deepest, s.grains)
	s.grains++
}

// Close is explore.ExecutionObserver: the final state is one too.
func (s *Search) Close() {
	if s.err != nil || s.loop.following {
		return
	}
	st, err := s.rec.Key()
	if err != nil {
		s.fail(err)
		return
	}
	s.natural = true
	s.grain()
	if _, met := s.visited[st.Key]; !met {
		s.finals++
		s.visited[st.Key] = nil
	}
}

// Learn closes the execution.
func (s *Search) Learn(tr *trace.Trace, cut bool) {
	s.loop.end(s)
	if s.diverge == nil && s.err == nil && s.depth < len(s.nodes) {
		s.diverge = ended(s.depth, len(s.nodes))
	}
	s.diverged = s.diverged || s.diverge != nil
	s.nodes = s.nodes[:min(len(s.nodes), s.depth)]
	s.note(tr)
	if s.reducer != nil {
		s.reducer.learn(tr)
		if !s.natural && !s.left {
			s.endedAt()
		}
	}
}

// note remembers what the steps released, to lead the program on by name when they are taken again.
func (s *Search) note(tr *trace.Trace) {
	i := 0
	for e := tr.Explored; e < len(tr.Events) && i < len(s.nodes); e++ {
		ev := &tr.Events[e]
		if ev.Auto {
			continue
		}
		for s.nodes[i].cur.nothing() {
			if i++; i == len(s.nodes) {
				return
			}
		}
		if ev.Released >= 0 {
			s.nodes[i].cur.released = tr.Messages[ev.Released].ID
		}
		if s.o.Sleep {
			c := &s.nodes[i].cur
			c.foot = causal.Accesses{}.Of(s.rec.Model, tr, int32(e), int32(e)+1, nil)
			c.varies = e+1 < len(tr.Events) && tr.Events[e+1].Step.Kind.Chooses()
		}
		i++
	}
}

// Divergence is explore.Diverger.
func (s *Search) Divergence() *trace.Incident { return s.diverge }

// Complete reports whether every state was explored.
func (s *Search) Complete() bool { return s.done && !s.diverged && s.err == nil }

// incomplete says what is passed over. With persistent sets not every state is met, so what looks at several actors at
// a time may miss something. What instances hold that the program's supervision has replaced is compared nowhere. And
// the system may leave something out of its states.
func (s *Search) incomplete() string {
	if s.o.Persistent {
		if why := s.env.PassesOver(); why != "" {
			return why
		}
	}
	if s.rec.Omitted != "" {
		return s.rec.Omitted + ": use naive if something looks at that at the end"
	}
	if s.rec.Replaced == "" {
		return ""
	}
	return "a supervisor restarted " + s.rec.Replaced +
		", and what its old instance holds is not compared: use naive if something looks at it at the end"
}
