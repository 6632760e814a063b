package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// This file makes of facts what the dynamic half reckons with: declared effects. They are checked as if somebody had
// declared them by hand.
//
//	source:     ours (docs/effects.md)
//	differs:    an access path counts as the field that it begins at: comparing keys is not worth what it costs
//	assumes:    the facts are not stale
//	invariants: what is unknown, or more than changing fields and sending, has no effect here, so that nobody relies on
//	            it; a field that nobody can compare is written by every handler of its actor
//	checked by: effects_test.go; static/effects runs all subjects

// Effects gives the effects of all handlers that the dynamic half can hold to them. name is that of the file, for
// messages about claims that turn out to be false.
func (f *File) Effects(name string) trace.Effects {
	var all trace.Effects
	f.each(func(a *Actor, h *Handler, message string) { all = append(all, h.effect(a, message, name)) })
	return all
}

// Usable counts the handlers that have effects, which are those that save executions.
func (f *File) Usable() int {
	seen := map[[2]string]bool{}
	f.each(func(a *Actor, h *Handler, _ string) { seen[[2]string{a.Name, h.Message}] = true })
	return len(seen)
}

// each calls do for every actor and type of message whose handling has effects.
func (f *File) each(do func(*Actor, *Handler, string)) {
	for i := range f.Actors {
		a := &f.Actors[i]
		if a.Function || a.Constraints || a.Ambiguous || slices.Contains(a.Opaque, WholeState) {
			continue
		}
		for _, m := range f.messagesOf(a.Name) {
			if h := f.Of(a.Name, m); h != nil && h.plainOf(a, m) {
				do(a, h, m)
			}
		}
	}
}

// messagesOf lists the types of messages that something is said about for an actor, as traces name them.
func (f *File) messagesOf(actor string) []string {
	var list []string
	add := func(message string) {
		if message = Plain(message); !slices.Contains(list, message) {
			list = append(list, message)
		}
	}
	for _, message := range f.Sent {
		add(message)
	}
	for i := range f.Handlers {
		if h := &f.Handlers[i]; h.Actor == actor && h.Message != Rest {
			add(h.Message)
		}
	}
	return list
}

// plain reports whether a handler does nothing but read and write fields and send messages whose types are known.
func (h *Handler) plain() bool {
	unknown := func(s Send) bool { return s.Message == "?" }
	return h.Unknown == "" && len(h.Spawns)+len(h.Other) == 0 && !h.Becomes && !h.Stops && !h.Blocks &&
		!slices.ContainsFunc(h.Sends, unknown)
}

// plainOf is plain for an actor of any framework: those that are not ours handle some messages themselves, and hand
// memory over instead of copying it.
func (h *Handler) plainOf(a *Actor, message string) bool {
	return h.plain() && (a.Framework == Native || !h.Shares && !strings.HasPrefix(message, "actor."))
}

func (h *Handler) effect(a *Actor, message, name string) trace.Effect {
	e := trace.Effect{Actor: a.Name, Message: message, Sends: len(h.Sends) > 0, Announced: []string{},
		Origin: fmt.Sprintf("%s:%d", name, h.Line), At: h.At, Package: a.Package}
	for _, p := range h.Writes {
		e.Writes = a.roots(e.Writes, p)
	}
	for _, field := range a.Opaque {
		e.Writes = a.roots(e.Writes, field)
	}
	for _, p := range h.Reads {
		e.Reads = a.roots(e.Reads, p)
	}
	e.Reads = slices.DeleteFunc(e.Reads, func(r string) bool { return slices.Contains(e.Writes, r) })
	e.Replies = e.Sends
	for i := range h.Sends {
		e.Replies = e.Replies && h.Sends[i].Reply
		m := Plain(h.Sends[i].Message)
		if m == Same {
			m = message
		}
		if !slices.Contains(e.Announced, m) {
			e.Announced = append(e.Announced, m)
		}
	}
	return e
}

// roots adds the field that a path begins at, or all fields.
func (a *Actor) roots(list []string, path string) []string {
	of := []string{Root(path)}
	if path == WholeState {
		of = a.Fields
	}
	for _, r := range of {
		// What is no field belongs to a behaviour that the actor may change to, and then nobody relies on this.
		if slices.Contains(a.Fields, r) && !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// PackageVariables says which of them the handlers of an actor use, or may use, and may change: memory that actors
// share, which no actor's value leads to. "" if there is none.
func (f *File) PackageVariables(actor string) string {
	known, unclear := false, false
	for i := range f.Handlers {
		switch h := &f.Handlers[i]; {
		case h.Actor != actor:
			continue
		case h.usesVariable():
			return "the package variables that " + actor + " uses"
		default:
			known, unclear = true, unclear || h.Unknown != ""
		}
	}
	if known && !unclear {
		return ""
	}
	return "the package variables that " + actor + " may use"
}

// PackageVariable says how an actor's handler of a message is known to use package variables that may change, "" if it
// is not known to.
func (f *File) PackageVariable(actor, message string) string {
	if h := f.Of(actor, message); h != nil && h.usesVariable() {
		return h.Unknown
	}
	return ""
}

// usesVariable reports whether a package variable is what makes a handler unknown.
func (h *Handler) usesVariable() bool { return strings.Contains(h.Unknown, "package variable") }
