package trace

import (
	"fmt"
	"slices"
)

// Effect declares what the handler of one type of message does: it accesses these fields of its actor, sends if it says
// so, and does nothing else. Two deliveries to one actor whose effects do not meet, neither write and write nor read
// and write, may be handled in either order without a difference.
type Effect struct {
	Actor   string   // type of the actor, with or without its package
	Message string   // type of the message, with or without its package
	Reads   []string // fields of the actor that decide what the handler does, also by way of others that it writes
	Writes  []string // fields that it may change, and may read too
	Sends   bool     // it may send messages and reply
	Replies bool     // what it sends goes to who sent the message that it handles, and to nobody else

	// Of effects that an analysis found, not somebody declared:
	Origin    string   // file:line of the claim, "" if it was declared
	At        string   // file:line of the handler
	Announced []string // types of all messages that it may send
	Package   string   // import path of the actor's type
}

// Effects are what was declared; a handler of which nothing was declared may read and write everything.
type Effects []Effect

// Validate says what is wrong with what was declared, as far as that shows without a program.
func (s Effects) Validate() error {
	for i := range s {
		e := &s[i]
		who := fmt.Sprintf("effect %d (of %q by %q)", i, e.Message, e.Actor)
		if e.Actor == "" || e.Message == "" {
			return fmt.Errorf("%s: want the type of an actor and the type of a message", who)
		}
		if slices.Contains(e.Reads, "") || slices.Contains(e.Writes, "") {
			return fmt.Errorf("%s: want names of fields, and one is empty", who)
		}
		if e.Replies && !e.Sends {
			return fmt.Errorf("%s: it replies and does not send; set Sends too", who)
		}
		for _, f := range s[:i] {
			if f.Actor == e.Actor && f.Message == e.Message {
				return fmt.Errorf("%s: it was declared before; declare it once", who)
			}
		}
	}
	return nil
}

// Of gives what was declared of the handling of a type of message by a type of actor, nil if nothing was.
func (s Effects) Of(actor, message *Type) *Effect {
	for i := range s {
		if e := &s[i]; calls(e.Message, message.Name) && calls(e.Actor, actor.Name) {
			return e
		}
	}
	return nil
}

// EffectIndex finds effects fast, for who asks at every step.
type EffectIndex struct {
	of    Effects
	known map[[2]*Type]*Effect
}

// Index makes an index.
func (s Effects) Index() *EffectIndex { return &EffectIndex{of: s, known: map[[2]*Type]*Effect{}} }

// Len is the number of effects.
func (x *EffectIndex) Len() int {
	if x == nil {
		return 0
	}
	return len(x.of)
}

// Declared reports whether somebody declared one of the effects; the others an analysis found.
func (x *EffectIndex) Declared() bool {
	return slices.ContainsFunc(x.of, func(e Effect) bool { return e.Origin == "" })
}

// Is reports whether the index is of these very effects.
func (x *EffectIndex) Is(s Effects) bool {
	return len(x.of) == len(s) && (len(s) == 0 || &x.of[0] == &s[0])
}

// Of is Effects.Of.
func (x *EffectIndex) Of(actor, message *Type) *Effect {
	if x == nil {
		return nil
	}
	key := [2]*Type{actor, message}
	e, ok := x.known[key]
	if !ok {
		e = x.of.Of(actor, message)
		x.known[key] = e
	}
	return e
}

// calls reports whether a name with or without its package is that of a type.
func calls(name, full string) bool { return name == full || name == ShortType(full) }

// Meets reports whether one of two effects writes a field that the other reads or writes.
func (e *Effect) Meets(f *Effect) bool {
	return overlap(e.Writes, f.Writes) || overlap(e.Writes, f.Reads) || overlap(e.Reads, f.Writes)
}

func overlap(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}
