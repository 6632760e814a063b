package cover

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Star is our strategy. Every execution that shows something new becomes a base that schedules are made from; a
// schedule goes on with the steps that achieve most, or in the default order. Between schedules random executions give
// new bases, and goals that look impossible are tried.
//
//	source:     [Bita13] for the schedules; the rest is ours
//	differs:    a goal is achieved when an execution shows it, not when a schedule has it. One in five scheduled goals
//	            does not come about, and what follows a schedule achieves goals too
//	invariants: I1 a goal is scheduled at most once from each base
//	            I2 memory is bounded: by maxKept numbers in bases, by what Achieved keeps
//	cost:       greedy.go a step, base.go a base, generate.go a schedule
//	checked by: star_test.go: coverage after 50 and 200 executions on random programs
type Star struct {
	initial, random explore.Strategy
	env             explore.Env

	o     *Achieved
	bases []*usedBase
	turn  explore.Strategy // initial or random, nil while a schedule is followed
	turns int
	tries tries

	follower  follower
	steps     []trace.ID
	watch     watch
	choices   choices
	drawn     uint64 // of the schedule's base
	execution uint64
	begun     bool
	anyBase   bool // as long as there is none, an execution becomes a base that shows nothing new
	seed      uint64
}

var (
	_ explore.Strategy          = (*Star)(nil)
	_ explore.Binder            = (*Star)(nil)
	_ explore.ExecutionObserver = (*Star)(nil)
)

// purpose is what an execution is for.
type purpose uint8

const (
	walk purpose = iota
	pairs
	neighbours
	speculation
)

// cycle is whose turn it is; who has nothing to do is passed over. Random executions take part from early on, since all
// that is made from one base looks alike. The newest base comes first, since it is the most different one. With bases
// taken in turn, the oldest first, and walks last, the programs of `rehearse reproduce bita` take twice as many
// executions until their bugs are found.
var cycle = [...]purpose{walk, pairs, pairs, neighbours, pairs, speculation, pairs}

// usedBase is a base with what was made of it.
type usedBase struct {
	*base
	gens    [criteria]*generator
	done    [criteria]bool
	choices choices
	drawn   uint64 // seed of what Go chose in it, 0 if that was asked for
	guess   int    // where the search for impossible goals is
}

// maxKept bounds the memory of all bases: 2 Mi numbers, 8 MiB. The oldest go first; there is always one.
const maxKept = 2 << 20

// NewStar makes the strategy: initial executes first, random now and then.
func NewStar(seed uint64, initial, random explore.Strategy) *Star {
	return &Star{seed: seed, initial: initial, random: random, o: NewAchieved(), tries: tries{}}
}

// Name is "cover".
func (*Star) Name() string { return "cover" }

// Bind is explore.Binder: it fits everything, and needs to know the model.
func (c *Star) Bind(e explore.Env) error {
	c.env, c.follower.model = e, e.Conditions.Model
	for _, s := range []explore.Strategy{c.initial, c.random} {
		if err := explore.BindTo(s, e); err != nil {
			return err
		}
	}
	return nil
}

// Open hands the execution on.
func (c *Star) Open(x explore.Execution) {
	if o, ok := c.turn.(explore.ExecutionObserver); ok {
		o.Open(x)
	}
}

// Close hands the end of an execution on.
func (c *Star) Close() {
	if o, ok := c.turn.(explore.ExecutionObserver); ok {
		o.Close()
	}
}

// Start decides what the next execution is for.
func (c *Star) Start() bool {
	c.execution++
	c.watch.begin(c.o, c.env.Conditions.Model)
	c.turn = nil
	if !c.begun {
		c.begun = true
		c.turn = c.initial
		return c.turn.Start()
	}
	if c.anyBase && len(c.bases) == 0 {
		c.turn = c.random
		return c.turn.Start()
	}
	for {
		c.turns++
		switch cycle[c.turns%len(cycle)] {
		case pairs:
			if c.scheduled(PR) {
				return true
			}
		case neighbours:
			if c.scheduled(PMR) || c.scheduled(PCR) {
				return true
			}
		case speculation:
			if c.speculate() {
				return true
			}
		case walk:
			c.turn = c.random
			return c.turn.Start()
		}
	}
}

// DrawSeed is explore.DrawSampler: an execution that follows a schedule draws what its base has drawn, so that its
// steps are there.
func (c *Star) DrawSeed() uint64 {
	if c.turn == nil {
		return c.drawn
	}
	if s, ok := c.turn.(explore.DrawSampler); ok {
		return s.DrawSeed()
	}
	return 0
}

// scheduled finds a base with a schedule for an open goal, the newest base first.
func (c *Star) scheduled(by Criterion) bool {
	for _, k := range slices.Backward(c.bases) {
		if k.done[by] {
			continue
		}
		if k.gens[by] == nil {
			k.gens[by] = newGenerator(k.base, c.o, by)
		}
		if out := k.gens[by].next(); out != nil {
			c.begin(k, out)
			return true
		}
		k.done[by], k.gens[by] = true, nil
	}
	return false
}

// begin begins to follow a schedule.
func (c *Star) begin(k *usedBase, out []int32) {
	c.steps = k.stepsOf(out, c.steps[:0])
	c.choices, c.drawn = k.choices, k.drawn
	c.follower.follow(c.steps)
}

// Choose follows the schedule, then takes what achieves most, every second time what the default order says.
func (c *Star) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if c.turn != nil {
		return c.turn.Choose(tr, enabled)
	}
	if enabled[0].Kind.Chooses() {
		return explore.Choice{Index: c.choices.repeat(enabled)}
	}
	c.watch.follow(tr)
	if i := c.follower.choose(enabled, func(deciding []int) int { return c.most(tr, enabled, deciding) }); i >= 0 {
		return explore.Choice{Index: i}
	}
	if c.execution%2 == 0 {
		// What achieves most looks alike every time; the default order makes other executions of similar beginnings.
		return explore.Choice{Index: trace.First(enabled)}
	}
	return explore.Choice{Index: c.most(tr, enabled, nil)}
}

// Pick is explore.Picker: another strategy may know without a list.
func (c *Star) Pick(tr *trace.Trace, o explore.Offer) (trace.Step, explore.Choice, bool) {
	if c.turn == nil {
		return trace.Step{}, explore.Choice{}, false
	}
	return explore.PickBy(c.turn, tr, o)
}

// most gives the step that achieves most, of those with the given indices, nil for all; of equals, by a draw.
func (c *Star) most(tr *trace.Trace, enabled []trace.Step, of []int) int {
	n := len(enabled)
	if of != nil {
		n = len(of)
	}
	best, gain, draw := -1, 0, uint64(0)
	for k := range n {
		i := k
		if of != nil {
			i = of[k]
		}
		g, d := c.watch.gain(tr, &enabled[i]), trace.ID{Hi: c.seed, Lo: c.execution}.WithID(enabled[i].ID).Hi
		if best < 0 || g > gain || g == gain && d > draw {
			best, gain, draw = i, g, d
		}
	}
	return best
}

// Learn keeps an execution that achieved something as a base.
func (c *Star) Learn(tr *trace.Trace, cut bool) {
	if c.turn != nil {
		c.turn.Learn(tr, cut)
	}
	c.Witness(tr)
}

// Witness tells of an execution, also of one that another strategy has chosen. It is to be a base if anything in it is
// new, and if there is time: making a long execution ready for schedules takes as long as some executions.
func (c *Star) Witness(tr *trace.Trace) {
	fresh := c.Observe(tr) || c.anyBase && len(c.bases) == 0
	if fresh && !c.env.GivesUp() { // a base is for later executions
		c.keep(tr)
	}
}

// Observe tells of an execution that is not to be a base. It reports whether anything in it is new.
func (c *Star) Observe(tr *trace.Trace) bool {
	fresh := c.o.Observe(tr)
	return fresh[PR]+fresh[PMR]+fresh[PCR] > 0
}

// keep makes a base of an execution.
func (c *Star) keep(tr *trace.Trace) {
	k := &usedBase{base: newBase(tr, c.env.Conditions.Model, c.o)}
	k.choices.note(tr)
	k.drawn = tr.Drawn
	c.bases = append(c.bases, k)
	numbers := 0
	for _, k := range c.bases {
		numbers += k.size
	}
	for numbers > maxKept && len(c.bases) > 1 {
		numbers -= c.bases[0].size
		c.bases[0] = nil
		c.bases = c.bases[1:]
	}
}

// Complete is false: not every order was executed.
func (*Star) Complete() bool { return false }

// Report is explore.Reporter.
func (*Star) Report() explore.Report { return explore.Report{Undivided: undivided} }

// undivided is why the others are not divided.
const undivided = "what it executes next depends on all that it has executed; cover/" + sharedWord +
	" begins anew after some executions, and is told what others have covered"
