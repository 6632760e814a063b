package trace

import (
	"fmt"
	"slices"
)

// Caller declares all that the handler of one type of message may send, directly: calls, in the terms of [ASTS]. A
// handler that nothing is declared of may send anything to anybody.
type Caller struct {
	Actor   string    // type of the actor, with or without its package
	Message string    // type of the message, with or without its package
	May     []MaySend // empty: it sends nothing
	Origin  string    // file:line of the claim if an analysis found it, "" if it was declared
}

// MaySend is a message that a handler may send.
type MaySend struct {
	Actor   string // type of the receiver, with or without its package; or Anybody
	Message string // type of the message, with or without its package
	Depth   int    // under how many conditions of the handler, at least
}

// Anybody is the type of a receiver that is not known.
const Anybody = "*"

// To reports whether an actor of the type may be the receiver.
func (c *MaySend) To(actor string) bool { return c.Actor == Anybody || SameType(c.Actor, actor) }

// Calls are what was declared.
type Calls []Caller

// Validate says what is wrong with what was declared, as far as that shows without a program.
func (s Calls) Validate() error {
	for i := range s {
		c := &s[i]
		who := fmt.Sprintf("caller %d (%q by %q)", i, c.Message, c.Actor)
		if c.Actor == "" || c.Message == "" {
			return fmt.Errorf("%s: want the type of an actor and the type of a message", who)
		}
		for _, d := range c.May {
			if d.Actor == "" || d.Message == "" || d.Depth < 0 {
				return fmt.Errorf("%s: it may call %q by %q under %d conditions: want two types and a number of conditions, 0 or "+
					"more",
					who, d.Message, d.Actor, d.Depth)
			}
		}
		if slices.ContainsFunc(s[:i], func(d Caller) bool { return d.Actor == c.Actor && d.Message == c.Message }) {
			return fmt.Errorf("%s: it was declared before; declare it once, with all that it may call", who)
		}
	}
	return nil
}

// Of gives what was declared of the handling of a type of message by a type of actor, -1 if nothing was.
func (s Calls) Of(actor, message string) int {
	return slices.IndexFunc(s, func(c Caller) bool { return SameType(c.Message, message) && SameType(c.Actor, actor) })
}

// SameType reports whether two names, each with or without its package, are those of one type.
func SameType(a, b string) bool { return a == b || a == ShortType(b) || ShortType(a) == b }

// Breach says what the event did against the declarations, "" if nothing. What a declared handler sends was declared;
// it neither stops actors nor sets timers nor lets a task wait, since what follows from that nobody declared.
func (s Calls) Breach(tr *Trace, event int32) string {
	e := &tr.Events[event]
	if e.Step.Message < 0 || e.Step.Kind != Deliver {
		return ""
	}
	msg := &tr.Messages[e.Step.Message]
	actor := tr.Actors[msg.Receiver].Type.Name
	i := s.Of(actor, msg.Type.Name)
	if i < 0 || msg.Kind != User {
		return ""
	}
	who := "Config.Calls: the handler of " + msg.Type.Name + " by " + actor
	if s[i].Origin != "" {
		who = "a broken fact (" + s[i].Origin + "; a bug of the analysis, -facts off does without): the handler of " +
			msg.Type.Name + " by " + actor
	}
	switch {
	case !e.Completed && len(e.Incidents) == 0:
		return who + " waits, which no handler with declared calls may; leave it out of Calls"
	case e.Changes:
		return who + " changes its actor's behaviour, which no handler with declared calls may; leave it out of Calls"
	}
	for _, m := range e.Sent {
		sent := &tr.Messages[m]
		if !sent.Kind.Handled() {
			continue // of a future, say
		}
		to := tr.Actors[sent.Receiver].Type.Name
		if sent.Kind != User && sent.Kind != Answer {
			return who + " sends " + sent.Type.Name + " to " + to +
				", which is a system message or a timer; no handler with declared calls may: leave it out of Calls"
		}
		if !slices.ContainsFunc(s[i].May, func(c MaySend) bool { return SameType(c.Message, sent.Type.Name) && c.To(to) }) {
			return who + " sent " + sent.Type.Name + " to " + to + " and is not declared to; add that to its May"
		}
	}
	return ""
}
