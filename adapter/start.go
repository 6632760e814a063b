package adapter

import "github.com/rehearse-go/rehearse/explore"

// This file is for who wants to know where an execution stands before its first choice. internal/startstate asks.

// Identity is the name by which the framework finds an actor, "" if that is not known.
func (p *inspection) Identity(actor int32) string {
	f, ok := p.sys.framework.(interface{ Identity(Actor) string })
	if a := p.cast.actors[actor].Actor; ok && a != nil {
		return f.Identity(a)
	}
	return ""
}

// Beside says what else than its value decides what an actor does, "" if nothing.
func (p *inspection) Beside(actor int32) string {
	f, ok := p.sys.framework.(interface{ Beside(Actor) string })
	if a := p.cast.actors[actor].Actor; ok && a != nil {
		return f.Beside(a)
	}
	return ""
}

// Open says what there is now beside the values of actors and messages on their way, "" if nothing. Disclosed answers
// for all executions, and reckons with timers that any of them sets.
func (p *inspection) Open() string {
	switch {
	case p.inspecting() == nil:
		return "the adapter of this framework does not tell the state of its actors"
	case p.sys.opaque || p.sys.setsOwn:
		return "timers of the program's own may be set"
	case p.timers.ofFramework > 0:
		return "timers of the framework are set"
	}
	if f, ok := p.sys.framework.(interface{ Listens() string }); ok && f.Listens() != "" {
		return f.Listens()
	}
	switch d, why := p.disclosed(); d {
	case explore.Hidden:
		return why
	case explore.ByHistory:
		return "there are futures, or names that were used before"
	}
	return ""
}
