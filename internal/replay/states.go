package replay

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// StatesBefore replays the schedule and prints, with show, the states of the actors as they stand before the given event, or at
// the end if there is no such event. Actors that have stopped, and those whose state is unknown, are left out. A state must be
// printed while the execution stands there; later the actor has gone on.
func StatesBefore(sys explore.System, o explore.Options, forced []trace.Forced, event int, show func(tr *trace.Trace, state any) string) (map[int32]string, error) {
	c := &camera{Checker: o.Check, event: event, show: show}
	o.Check = c
	if _, err := NewRunner(sys, o)(forced); err != nil {
		return nil, err
	}
	return c.states, nil
}

// camera is a checker that takes a picture before it checks.
type camera struct {
	explore.Checker
	event  int
	show   func(*trace.Trace, any) string
	states map[int32]string
}

// Step takes the picture after the event before the one asked for.
func (c *camera) Step(x explore.Execution, event int32) []trace.Violation {
	if int(event) == c.event-1 {
		c.take(x)
	}
	if c.Checker == nil {
		return nil
	}
	return c.Checker.Step(x, event)
}

// End takes it at the end, if it was not taken before.
func (c *camera) End(x explore.Execution, natural bool, late []trace.Incident) []trace.Violation {
	if c.states == nil && c.event >= len(x.Trace().Events) {
		c.take(x)
	}
	if c.Checker == nil {
		return nil
	}
	return c.Checker.End(x, natural, late)
}

func (c *camera) take(x explore.Execution) {
	c.states = map[int32]string{}
	for a := range x.Trace().Actors {
		n := int32(a)
		if x.Status(n).Stopped {
			continue
		}
		if state := x.State(n); state != nil {
			c.states[n] = c.show(x.Trace(), state)
		}
	}
}
