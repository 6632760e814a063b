package guide

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// Strategy follows an order: it executes until an execution follows the order to its end, or none can. The one that
// does is the last, and goes on in the default order to its natural end.
type Strategy struct {
	order trace.Order
	match *matcher
	tree  tree
	known knowledge
	conds explore.Conditions

	mode mode
	err  error // the order cannot be followed as it is written

	// of the current execution
	x      explore.Execution
	at     int // entries that happened
	fills  int // steps that were filled in before the last entry
	taken  []trace.ID
	dead   string // why it was ended, "" if it was not
	causes beginning

	plan    []trace.ID // modePolish and modeFinal: the steps of the first execution that followed the order
	planned int        // how many of them were fillers
	best    *attempt   // that came furthest, nil if none failed
	tries   int
	seen    sightings
}

// mode is what the next execution is for.
type mode uint8

const (
	modeSearch mode = iota // find an execution that follows the order
	modePolish             // and one with fewer fillers, now that causes are known
	modeFinal              // execute the plan
	modeDone
)

// New follows the order.
func New(o trace.Order) *Strategy {
	return &Strategy{order: o, match: newMatcher(o), known: newKnowledge(len(o)), tree: newTree(), seen: newSightings()}
}

// Name is "guide".
func (*Strategy) Name() string { return "guide" }

// Bind keeps the conditions, and fits all.
func (g *Strategy) Bind(e explore.Env) error {
	g.conds, g.match.model = e.Conditions, e.Conditions.Model
	return nil
}

// Open is told that an execution begins.
func (g *Strategy) Open(x explore.Execution) { g.x = x }

// Start wants another execution as long as there is something to try.
func (g *Strategy) Start() bool {
	if g.mode == modeDone || g.err != nil || g.mode == modeSearch && g.tree.closed() {
		return false
	}
	g.match.reset()
	g.tree.begin()
	g.at, g.fills, g.taken, g.dead = 0, 0, g.taken[:0], ""
	g.causes = beginning{order: causal.New(g.conds.Model, g.conds.Timers)}
	return true
}

// Followed reports whether the last execution has followed the order so far that nothing of it is left.
func (g *Strategy) Followed() bool { return g.at == len(g.order) && g.dead == "" }

// Entries is how many of the entries the last execution followed, and of how many; Filled how many steps it had filled
// in by then.
func (g *Strategy) Entries() (followed, of int) { return g.at, len(g.order) }

// Filled is the number of steps that no entry names before that of the last entry.
func (g *Strategy) Filled() int { return g.fills }

// Choose takes the step of the next entry, or fills in.
func (g *Strategy) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if g.dead != "" {
		return explore.Choice{Index: -1}
	}
	g.match.read(tr)
	if g.at == len(g.order) {
		return g.goOn(tr, enabled)
	}
	switch g.mode {
	case modePolish:
		if g.fills >= g.planned {
			g.dead = "longer"
			return explore.Choice{Index: -1}
		}
		return g.choose(tr, enabled, g.polish(tr, g.options(tr, enabled), enabled))
	case modeFinal:
		return g.choose(tr, enabled, g.planStep(enabled))
	}
	return g.search(tr, enabled)
}

// option is a step that may be taken: the one of the next entry, or a filler.
type option struct {
	index int
	take  bool
}

// options are the steps that keep to the order, least first in the default order, those of the next entry before.
func (g *Strategy) options(tr *trace.Trace, enabled []trace.Step) []option {
	g.seen.note(g.match, enabled)
	var list []option
	for i := range enabled {
		s := &enabled[i]
		switch e := g.named(s); {
		case e == g.at:
			list = append(list, option{i, true})
		case e >= 0:
			if s.Kind.Chooses() {
				g.known.tooEarly(tr, tr.StepOf(int32(len(tr.Events)-1)), e)
			}
		case s.Kind != trace.Fault || s.Nothing():
			list = append(list, option{i, false})
		}
	}
	sortOptions(list, enabled, tr)
	return list
}

// named gives the first entry still to come that names the step, -1 if none does.
func (g *Strategy) named(s *trace.Step) int {
	for e := g.at; e < len(g.order); e++ {
		if g.match.matches(g.match.patterns[e], s) {
			return e
		}
	}
	return -1
}

// search takes a step of the tree.
func (g *Strategy) search(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	n := g.tree.at
	if !n.met {
		list := g.options(tr, enabled)
		if g.isKnown(tr, enabled, len(list)) {
			g.dead = "known"
			return explore.Choice{Index: -1}
		}
		n.expand(list, enabled)
		if len(list) == 0 {
			g.stuck(tr, enabled)
			return explore.Choice{Index: -1}
		}
	}
	k := n.pick(func(k *kid) int { return g.cost(tr, k, enabled) })
	i := trace.Find(enabled, k.id)
	if i < 0 {
		g.dead = "diverged"
		return explore.Choice{Index: -1}
	}
	g.tree.descend(k)
	return g.choose(tr, enabled, option{i, k.take})
}

// choose takes the option, and refuses if it is not the only step that its entry may mean.
func (g *Strategy) choose(tr *trace.Trace, enabled []trace.Step, o option) explore.Choice {
	if o.index < 0 {
		g.dead = "lost"
		return explore.Choice{Index: -1}
	}
	s := &enabled[o.index]
	if o.take {
		if err := g.ambiguity(tr, s, enabled); err != nil {
			g.err, g.dead = err, "ambiguous"
			return explore.Choice{Index: -1}
		}
		g.at++
	} else if !s.Nothing() {
		g.fills++
	}
	g.taken = append(g.taken, s.ID)
	return explore.Choice{Index: o.index}
}

// goOn is what happens after the last entry: the default order. The first execution that comes here ends if one with
// fewer fillers may be found.
func (g *Strategy) goOn(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if g.mayBeShorter(tr) {
		g.dead = "followed"
		return explore.Choice{Index: -1}
	}
	if g.mode == modePolish && g.fills >= g.planned {
		g.dead = "longer"
		return explore.Choice{Index: -1}
	}
	return explore.Choice{Index: trace.First(enabled)}
}

// mayBeShorter reports whether this execution is the first to follow the order, and one with fewer fillers may do so.
func (g *Strategy) mayBeShorter(tr *trace.Trace) bool {
	return g.mode == modeSearch && g.plan == nil && g.fills > 0 && len(tr.Events) <= maxCauses
}

// planStep is the next step of the plan.
func (g *Strategy) planStep(enabled []trace.Step) option {
	if len(g.taken) >= len(g.plan) {
		return option{-1, false}
	}
	i := trace.Find(enabled, g.plan[len(g.taken)])
	return option{i, i >= 0 && g.named(&enabled[i]) == g.at}
}

// Close is told that nothing more can happen.
func (g *Strategy) Close() {
	if g.at < len(g.order) && g.dead == "" {
		tr := g.x.Trace()
		g.match.read(tr)
		g.stuck(tr, nil)
	}
}

// Learn takes in how the execution ended.
func (g *Strategy) Learn(tr *trace.Trace, cut bool) {
	g.tries++
	if g.Followed() && !cut && g.mayBeShorter(tr) {
		g.dead = "followed" // to its natural end; it is executed again if there is none with fewer
	}
	switch {
	case g.Followed():
		g.mode = modeDone
	case g.dead == "followed":
		g.plan, g.planned = append(g.plan, g.taken...), g.fills
		g.match.read(tr)
		g.known.learn(g.match, tr, 0)
		g.mode = modePolish
	case g.mode == modePolish:
		g.mode = modeFinal
	case g.mode == modeFinal:
		g.mode = modeDone
		g.err = errLost
	default:
		g.fail(tr)
	}
}

// fail takes in a try of the search that did not follow the order to its end.
func (g *Strategy) fail(tr *trace.Trace) {
	g.tree.close()
	if g.dead == "known" {
		return
	}
	g.match.read(tr)
	g.known.learn(g.match, tr, g.at)
	if g.dead == "" {
		g.note("the execution ended there with a violation", true)
	}
}

// Complete is false: one execution proves nothing.
func (*Strategy) Complete() bool { return false }
