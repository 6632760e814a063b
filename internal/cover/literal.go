package cover

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Literal is the paper's strategy: one initial execution, then a schedule for each of its goals that neither it nor an
// earlier schedule achieves, one criterion after the other. After a schedule the default order goes on.
//
//	source:     [Bita13] sections IV, V and VI-B (PR, then PMR, then PCR)
//	differs:    a schedule is made when its turn comes; that does not change it, since goals are those of schedules, not
//	            of executions. What an execution chooses within a step (T.Choose) is what the initial one chose. No fault
//	            is injected
//	assumes:    the order of messages is all that a program depends on; else a schedule may not go as it should
//	            (follow.go)
//	checked by: literal_test.go: on pure actors no schedule ever needs help, and each achieves a new goal
type Literal struct {
	initial  explore.Strategy // executes the initial schedule
	criteria []Criterion
	model    trace.Model

	first    *trace.Trace // the initial execution
	gen      *generator
	seqs     []sequence
	follower follower
	steps    []trace.ID
	phase    int // 0: nothing was executed; 1: the initial execution was begun; 2: schedules
	choices  choices
	// Stalled counts schedules that could not be followed step by step.
	Stalled int
	// Schedules counts those that were begun.
	Schedules int
}

var (
	_ explore.Strategy = (*Literal)(nil)
	_ explore.Binder   = (*Literal)(nil)
)

// NewLiteral makes the strategy, whose first execution is one of initial. No criteria: all, one after the other.
func NewLiteral(initial explore.Strategy, only ...Criterion) *Literal {
	if len(only) == 0 {
		only = []Criterion{PR, PMR, PCR}
	}
	return &Literal{initial: initial, criteria: only}
}

// Name is "cover/literal".
func (*Literal) Name() string { return "cover/literal" }

// Bind is explore.Binder: it fits everything, and needs to know the model.
func (l *Literal) Bind(e explore.Env) error {
	l.model, l.follower.model = e.Conditions.Model, e.Conditions.Model
	return nil
}

// Start wants the initial execution, then one for each schedule.
func (l *Literal) Start() bool {
	if l.phase == 0 {
		l.phase = 1
		return l.initial.Start()
	}
	for ; len(l.criteria) > 0; l.criteria, l.gen = l.criteria[1:], nil {
		if l.gen == nil {
			l.begin()
		}
		if out := l.gen.next(); out != nil {
			l.schedule(out)
			return true
		}
	}
	return false
}

// begin begins with a criterion.
func (l *Literal) begin() {
	o := NewAchieved()
	o.Observe(l.first)
	l.gen = newGenerator(newBase(l.first, l.model, o), o, l.criteria[0])
}

// schedule begins to follow a schedule, whose goals count as achieved from now on.
func (l *Literal) schedule(out []int32) {
	l.Schedules++
	l.seqs = l.gen.achieve(out, l.seqs)
	l.steps = l.gen.stepsOf(out, l.steps[:0])
	l.follower.follow(l.steps)
}

// Choose follows the schedule, then the default order.
func (l *Literal) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if l.phase == 1 {
		return l.initial.Choose(tr, enabled)
	}
	if enabled[0].Kind.Chooses() {
		return explore.Choice{Index: l.choices.repeat(enabled)}
	}
	pick := func(deciding []int) int {
		best := deciding[0]
		for _, i := range deciding[1:] {
			if enabled[i].Before(&enabled[best]) {
				best = i
			}
		}
		return best
	}
	if i := l.follower.choose(enabled, pick); i >= 0 {
		return explore.Choice{Index: i}
	}
	return explore.Choice{Index: trace.First(enabled)}
}

// Pick is explore.Picker: the initial execution may know without a list.
func (l *Literal) Pick(tr *trace.Trace, o explore.Offer) (trace.Step, explore.Choice, bool) {
	if l.phase != 1 {
		return trace.Step{}, explore.Choice{}, false
	}
	return explore.PickBy(l.initial, tr, o)
}

// Learn keeps the initial execution.
func (l *Literal) Learn(tr *trace.Trace, cut bool) {
	switch l.phase {
	case 1:
		l.initial.Learn(tr, cut)
		l.first, l.phase = tr.Clone(), 2
		l.choices.note(tr)
	case 2:
		if l.follower.Helped+l.follower.Dropped > 0 || !cut && l.follower.next < len(l.steps) {
			l.Stalled++
		}
		l.follower.Helped, l.follower.Dropped = 0, 0
	}
}

// Complete is false: not every order was executed.
func (*Literal) Complete() bool { return false }

// Report is explore.Reporter.
func (*Literal) Report() explore.Report { return explore.Report{Undivided: undivided} }

// choices are the values that an execution chose within its steps.
type choices map[trace.ID]bool

// note keeps those of an execution.
func (c *choices) note(tr *trace.Trace) {
	*c = choices{}
	for e := range tr.Events {
		if s := &tr.Events[e].Step; s.Kind.Chooses() {
			(*c)[s.ID] = true
		}
	}
}

// repeat gives the value that was chosen, else the first: of a fault, nothing.
func (c choices) repeat(enabled []trace.Step) int {
	for i := range enabled {
		if c[enabled[i].ID] {
			return i
		}
	}
	return 0
}
