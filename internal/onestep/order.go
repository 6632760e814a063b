package onestep

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// order is the strategy of one execution: the message reaches the actor, and while its handler waits, the others
// answer. Nothing goes on after its end.
type order struct {
	plan    *Plan
	started bool
	chosen  int
}

func (*order) Name() string             { return "step" }
func (*order) Learn(*trace.Trace, bool) {}
func (*order) Complete() bool           { return false }

func (o *order) Start() (first bool) {
	first, o.started = !o.started, true
	if first && o.plan.Starts != nil {
		o.plan.Starts()
	}
	return first
}

func (o *order) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if enabled[0].Kind == trace.Choose {
		return explore.Choice{Index: o.value(enabled)}
	}
	if o.plan.Ended() {
		return explore.Choice{Index: -1}
	}
	best := 0
	for i := range enabled {
		if a, b := o.rank(tr, &enabled[i]), o.rank(tr, &enabled[best]); a < b || a == b && enabled[i].Before(&enabled[best]) {
			best = i
		}
	}
	if s := &enabled[best]; o.rank(tr, s) == last { // another message, while the handler waits
		return explore.Choice{Index: -1}
	}
	return explore.Choice{Index: best}
}

// value picks what the test has said that Choose gives.
func (o *order) value(enabled []trace.Step) int {
	want := 0
	if o.chosen < len(o.plan.Choices) {
		want = o.plan.Choices[o.chosen]
	}
	o.chosen++
	for i := range enabled {
		if int(enabled[i].Value) == want {
			return i
		}
	}
	return 0
}

// rank orders steps: what starts, what the actor goes on with, what others do, further messages of the actor, and those
// that are not due.
func (o *order) rank(tr *trace.Trace, s *trace.Step) int {
	switch {
	case s.Kind == trace.Start:
		return 0
	case s.Actor == o.plan.Tested && s.Kind == trace.Deliver && !o.plan.Begun() && o.plan.Due != nil &&
		!o.plan.Due(&tr.Messages[s.Message]):
		return last
	case s.Actor == o.plan.Tested && (s.Kind != trace.Deliver || !o.plan.Begun() || tr.Messages[s.Message].EndsCall):
		return 1
	case s.Actor != o.plan.Tested:
		return 2
	}
	return last
}

const last = 3

// DueFrom has the messages of one actor reach the tested one, and of all others only answers that it waits for, and
// what starts it.
func DueFrom(actor int32) func(*trace.Message) bool {
	return func(m *trace.Message) bool {
		switch m.Kind {
		case trace.User:
			return m.Sender == actor
		case trace.System:
			return m.Starts
		}
		return m.Kind != trace.Timeout || m.EndsCall
	}
}
