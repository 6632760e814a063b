package baseline

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/trace"
)

// Selection are the options of select. The zero value is ours: sound, and what the counts of [ASTS] come out with.
type Selection struct {
	Actors order.StableOptions
	Marks  Marks
	// Lemma1 adds no actor to a state whose first one is proven stable. Where the proof is sound none would be, so it
	// saves only looking; [ASTS] proves less than it takes for that.
	Lemma1 bool
}

// heeds reports whether declared effects count.
func (s *selecting) heeds() bool {
	return s.o.Marks != NoMarks && s.o.Marks != Unsound && !s.strays && s.conditions.HeedsEffects()
}

// sound reports whether nothing is left out that another order would show.
func (o *Selection) sound() bool { return o.Marks != Unsound && (!o.Lemma1 || o.Actors.Sound()) }

// Counts are what table 1 of [ASTS] counts besides executions, and what its text tells.
type Counts struct {
	States     int // reached first; the first choice is at one, and executions end in one
	Heuristic  int // of these, with something to do and no actor that is proven stable: H
	Backtracks int // actors that were tried at a state after another one
}

// selecting is what select has beyond a search.
type selecting struct {
	o       Selection
	judge   *order.Judge
	counts  Counts
	marks   bool          // there are declared effects to mark by
	printed *causal.Order // of bag: the relation of the printed marks

	conditions explore.Conditions // of the exploration
	strays     bool               // a handler did more than is declared: see stray
}

// Select is TransDPOR as figure 2 of [ASTS] has it, with its actor selection and its task selection.
//
//	source:     [ASTS] figures 2 and 6; [TransDPOR12]
//	differs:    see stable.go in internal/order for the choice of actors and mark.go for that of tasks. The flag that
//	            freezes a state needs dependency to be transitive, which it is not where effects are declared: there it
//	            is left out. Where a handler does more than is declared, the search begins again without marks
//	invariants: I1 to I3 of baseline.go
//	checked by: select_test.go: brute force, table 1 of [ASTS], and four programs with which the published rules lose
//	            executions
type Select struct{ *Search }

// NewSelect makes the strategy.
func NewSelect(o Selection) *Select {
	judge := order.NewJudge(o.Actors)
	s := newSearch("select", judge, nil, false)
	s.selects = &selecting{o: o, judge: judge}
	return &Select{s}
}

// Bind is explore.Binder.
func (s *Select) Bind(e explore.Env) error {
	c := e.Conditions
	s.selects.conditions = c
	bag := c
	bag.Model = trace.Bag
	s.selects.printed = causal.For(bag)
	s.prepare()
	return s.Search.Bind(e)
}

// prepare chooses the reduction.
func (s *Search) prepare() {
	sel := s.selects
	sel.marks = sel.heeds() || sel.o.Marks == Unsound && sel.conditions.HeedsEffects()
	s.reduction = trans{}
	if sel.heeds() {
		s.reduction = persistent{}
	}
	if sel.o.Lemma1 {
		s.reduction = lemma1{s.reduction}
	}
	s.reduction = counting{s.reduction, &sel.counts}
}

// stray looks for a step that accessed more than could be told before it: its handler was declared, and it panicked, or
// its actor had become another one. Tasks are marked by what can be told. So the search begins again, without marks.
//
// SUBTLE: no such step is missed. A marked task is also executed from the state above, where its actor has the same
// fields that it reads.
func (s *Search) stray(e int32) {
	sel := s.selects
	if sel == nil || !sel.heeds() || s.hb.Shares(e) {
		return
	}
	if st := s.hb.Step(e); st.Kind == trace.Deliver && s.hb.Declares(st.Message) {
		sel.strays, s.restart = true, true
	}
}

// Counts are those of all executions so far.
func (s *Select) Counts() Counts { return s.selects.counts }

// Report is explore.Reporter.
func (s *Select) Report() explore.Report {
	if s.selects.o.sound() {
		return explore.Report{}
	}
	return explore.Report{IncompleteReason: "executions of classes of their own: these rules of [ASTS] are unsound as " +
		"they are printed; use select without unsound, theorem1 and literal"}
}

// selectAt chooses the actor of figure 2's line 4 with an unmarked task; false: the branch is cut.
func (s *Search) selectAt(n *node, d int) bool {
	sel := s.selects
	sel.counts.States++
	n.aged = true
	if n.all {
		return n.begin()
	}
	if d > 0 && sel.marks {
		s.mark(n, &s.nodes[d-1])
	}
	n.stable = sel.judge.Stable(n.order[0])
	if !n.stable {
		sel.counts.Heuristic++
	}
	if first := n.order[0]; n.marked(first) {
		// All that begins with an actor to which nobody can send is explored elsewhere: nothing is left.
		if sel.o.Marks == Unsound || n.stable && sel.o.Actors.Sound() {
			return false
		}
		n.stable = false
	}
	return n.begin()
}

// marked reports whether all tasks of an actor that could run are marked.
func (n *node) marked(actor int32) bool {
	for _, o := range n.enabled {
		if o.actor == actor && !n.sleep.has(o.step) {
			return false
		}
	}
	return true
}

// lemma1 adds nothing to states at which a stable actor was chosen.
type lemma1 struct{ reduction }

func (l lemma1) race(n *node, a int32) {
	if !n.stable {
		l.reduction.race(n, a)
	}
}

// counting counts what is added.
type counting struct {
	reduction
	counts *Counts
}

func (c counting) race(n *node, a int32) {
	before := len(n.queue)
	c.reduction.race(n, a)
	c.added(n, before)
}

func (c counting) collision(n *node, a int32) {
	before := len(n.queue)
	c.reduction.collision(n, a)
	c.added(n, before)
}

func (c counting) added(n *node, before int) {
	if len(n.queue) > before {
		c.counts.Backtracks++
	}
}
