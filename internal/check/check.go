// Package check turns what happened in an execution into violations. Systems report incidents as they see them and how
// actors stand at the end; what is an error, a warning or nothing is decided here.
package check

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Level says how serious a finding of one kind is.
type Level uint8

// The levels.
const (
	ByDefault Level = iota // Warning for messages left for a stopped actor and for shared memory, Error for the rest
	Error                  // a violation
	Warning                // reported, not a violation
	Off
)

// Levels gives the level of each kind.
type Levels map[trace.ViolationKind]Level

// Of is the level that is in force for a kind.
func (l Levels) Of(k trace.ViolationKind) Level {
	if v := l[k]; v != ByDefault {
		return v
	}
	if k == trace.OrphanDead || k == trace.Isolation {
		return Warning
	}
	return Error
}

// End is what the end state must satisfy ([Basset11] 3.4.5).
type End uint8

// The environments.
const (
	Total End = iota // the environment can send any further message: only blocked actors are wrong
	Empty            // the environment sends nothing more: every actor must have stopped
)

// Invariant must hold after every step.
type Invariant struct {
	Name  string
	Holds func(State) error
}

// Checker judges executions. It implements explore.Checker.
type Checker struct {
	Levels     Levels
	Ends       End
	Final      func(State) error // the user's own environment; runs at every natural end
	Invariants []Invariant
	// Known says which violations are the known bug that the user expects; nil: none is.
	Known func(*trace.Violation) bool
	// Warned is told of what is only a warning; nil drops it.
	Warned func(trace.Violation)
}

// Step judges an event that is over.
func (c *Checker) Step(x explore.Execution, event int32) []trace.Violation {
	tr := x.Trace()
	var vs []trace.Violation
	for i := range tr.Events[event].Incidents {
		in := &tr.Events[event].Incidents[i]
		vs = c.addMild(vs, fromIncident(tr, int(event), in), in.Injected)
	}
	for i := range c.Invariants {
		inv := &c.Invariants[i]
		if err, broke := guarded(inv.Holds, State{x},
			explore.Check{Kind: explore.Invariant, Event: event, Index: i}); broke != nil {
			vs = c.add(vs, ownPanic("invariant "+inv.Name, int(event), broke))
		} else if err != nil {
			vs = c.add(vs, invariantViolation(tr, event, inv.Name, err))
		}
	}
	return vs
}

// Global says what the checker looks at that depends on how independent steps interleave, "" if nothing: a strategy
// that executes one of many equivalent executions may pass over it.
func (c *Checker) Global() string {
	if len(c.Invariants) == 0 {
		return ""
	}
	return "invariants hold between steps, and a reduction does not pass through all states between steps: use naive or " +
		"stateful to have them judged in every state"
}

// guarded calls a function of the user, whose panic would end the process: nothing of the program's is on the stack
// here. A FailNow of the execution's T has reported itself.
func guarded(f func(State) error, s State, c explore.Check) (err error, broke *trace.Incident) {
	if d, ok := s.x.(explore.CheckDrawer); ok {
		d.BeginCheck(c)
		defer d.EndCheck()
	}
	defer func() {
		if r := recover(); r != nil && !explore.IsFailNow(r) {
			in := explore.PanicIncident(r)
			broke = &in
		}
	}()
	return f(s), nil
}

// ownPanic is the violation for a check that panicked itself. No actor is to blame.
func ownPanic(what string, event int, in *trace.Incident) trace.Violation {
	return trace.Violation{Kind: trace.Assertion, Site: in.Site, Where: in.Where, Stack: in.Stack, Event: event,
		Text: fmt.Sprintf("%s itself panicked: %s", what, in.Text)}
}

// add keeps errors and tells of warnings.
func (c *Checker) add(vs []trace.Violation, v trace.Violation) []trace.Violation {
	return c.addMild(vs, v, false)
}

// Weigh gives a violation that somebody else has seen, if it is an error.
func (c *Checker) Weigh(v trace.Violation) []trace.Violation { return c.add(nil, v) }

// addMild is add; mild: an injected fault brings it about by itself, so that it says nothing about the program and is
// at most a warning.
func (c *Checker) addMild(vs []trace.Violation, v trace.Violation, mild bool) []trace.Violation {
	level := c.Levels.Of(v.Kind)
	if mild && level == Error {
		level = Warning
	}
	switch level {
	case Error:
		v.Known = c.Known != nil && c.Known(&v)
		return append(vs, v)
	case Warning:
		if c.Warned != nil {
			c.Warned(v)
		}
	}
	return vs
}

func fromIncident(tr *trace.Trace, event int, in *trace.Incident) trace.Violation {
	v := trace.Violation{Kind: in.Kind, Site: in.Site, Where: in.Where, Stack: in.Stack, Event: event,
		MessageType: in.Type}
	if in.Actor >= 0 {
		v.ActorType, v.Actor = tr.Actors[in.Actor].Type.Name, tr.ActorName(in.Actor)
	}
	if m := tr.MessageOf(event, in); m >= 0 {
		v.MessageType = tr.Messages[m].Type.Name
	}
	v.Text = tr.IncidentText(event, in)
	return v
}

func invariantViolation(tr *trace.Trace, event int32, name string, err error) trace.Violation {
	v := trace.Violation{Kind: trace.Assertion, Site: "invariant " + name, Event: int(event),
		Text: fmt.Sprintf("invariant %s does not hold: %v", name, err)}
	s := tr.Events[event].Step
	v.ActorType, v.Actor = tr.Actors[s.Actor].Type.Name, tr.ActorName(s.Actor)
	if s.Message >= 0 {
		v.MessageType = tr.Messages[s.Message].Type.Name
	}
	return v
}

// End judges the end of an execution.
func (c *Checker) End(x explore.Execution, natural bool, late []trace.Incident) []trace.Violation {
	tr := x.Trace()
	var vs []trace.Violation
	for i := range late {
		vs = c.add(vs, fromIncident(tr, len(tr.Events), &late[i]))
	}
	if !natural {
		return vs
	}
	vs = c.deadlock(vs, x)
	if w, ok := x.(interface{ Wedged() bool }); ok && w.Wedged() {
		return vs // it has ended in the middle
	}
	vs = c.orphans(vs, x)
	return c.environment(vs, x)
}

// deadlock reports the actors that are blocked now that nothing more can happen: those of a cycle of calls if there is
// one, else all.
func (c *Checker) deadlock(vs []trace.Violation, x explore.Execution) []trace.Violation {
	tr := x.Trace()
	var blocked []int32
	for a := range tr.Actors {
		if x.Status(int32(a)).Blocked {
			blocked = append(blocked, int32(a))
		}
	}
	if len(blocked) == 0 {
		return vs
	}
	how := "blocked for ever"
	if cycle := findCycle(x, blocked); cycle != nil {
		blocked, how = cycle, "blocked in a cycle of calls"
	}
	v := trace.Violation{Kind: trace.Deadlock, Event: len(tr.Events), Actor: tr.ActorName(blocked[0]), Text: how + ":"}
	var places []string
	if l, ok := x.(explore.Locator); ok {
		places, v.Stack = l.Locate(blocked)
	}
	for i, a := range blocked {
		st := x.Status(a)
		v.Waits = append(v.Waits, trace.Wait{Actor: tr.Actors[a].Type.Name, Awaits: st.Awaits})
		if i > 0 {
			v.Text += ";"
		}
		v.Text += fmt.Sprintf(" %s waits for %s", tr.ActorName(a), trace.ShortType(st.Awaits))
		if st.On >= 0 {
			v.Text += " from " + tr.ActorName(st.On)
		}
		if places != nil && places[i] != "" {
			v.Text += " (" + places[i] + ")"
		}
	}
	return c.add(vs, v)
}

// findCycle gives the actors of a cycle of calls among the blocked, nil if there is none.
func findCycle(x explore.Execution, blocked []int32) []int32 {
	for _, from := range blocked {
		path := []int32{from}
		for a := x.Status(from).On; a >= 0 && x.Status(a).Blocked && len(path) <= len(blocked); a = x.Status(a).On {
			if a == from {
				return path
			}
			path = append(path, a)
		}
	}
	return nil
}

// orphans reports messages that were sent and never handled. Those before a blocked actor are the deadlock's
// consequence.
func (c *Checker) orphans(vs []trace.Violation, x explore.Execution) []trace.Violation {
	tr := x.Trace()
	x.Pending(func(m int32) {
		msg := &tr.Messages[m]
		st := x.Status(msg.Receiver)
		if st.Blocked || msg.Kind != trace.User {
			return
		}
		v := trace.Violation{Kind: trace.Orphan, ActorType: tr.Actors[msg.Receiver].Type.Name, MessageType: msg.Type.Name,
			Event: len(tr.Events), Actor: tr.ActorName(msg.Receiver),
			Text: fmt.Sprintf("%s was never taken: %s refused it to the end", tr.MessageName(m), tr.ActorName(msg.Receiver))}
		if st.Stopped {
			v.Kind = trace.OrphanDead
			v.Text = fmt.Sprintf("%s was never handled: %s had stopped", tr.MessageName(m), tr.ActorName(msg.Receiver))
		}
		vs = c.addMild(vs, v, st.Crashed)
	})
	return vs
}

func (c *Checker) environment(vs []trace.Violation, x explore.Execution) []trace.Violation {
	tr := x.Trace()
	if c.Ends == Empty {
		for a := 1; a < len(tr.Actors); a++ {
			if st := x.Status(int32(a)); !st.Stopped && !st.Blocked {
				vs = c.add(vs, trace.Violation{Kind: trace.Environment, ActorType: tr.Actors[a].Type.Name, Event: len(tr.Events),
					Actor: tr.ActorName(int32(a)),
					Text:  tr.ActorName(int32(a)) + " has not stopped, and the environment sends nothing more"})
			}
		}
	}
	if c.Final != nil {
		if err, broke := guarded(c.Final, State{x}, explore.Check{Kind: explore.FinalCheck}); broke != nil {
			vs = c.add(vs, ownPanic("Config.Final", len(tr.Events), broke))
		} else if err != nil {
			vs = c.add(vs, trace.Violation{Kind: trace.Environment, Event: len(tr.Events), Site: "final state",
				Text: "the final state is not allowed: " + err.Error()})
		}
	}
	return vs
}
