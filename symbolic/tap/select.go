package tap

import "slices"

// This file: which transitions of a configuration are possible, and which of those are left out because others lead to
// the same.
//
// Differs: in the print, all transitions of all actors are possible. But each open request has to be met in the end,
// and each actor has to leave alpha, in whichever order. So of what idle actors may do, only that is listed which leads
// to one such end. That is the request that came up last, or, if there is none, the creation of an actor. Who may send
// the message, or create the actor, may have to handle others before, backwards, so all its loops are listed.
// Config.Literal has all that the print has.

// transitions lists what is possible. With H1 a handler that is explored is the only one to go on.
func (e *Engine) transitions(c *configuration) (list []transition) {
	to := e.end(c)
	for i, a := range c.actors {
		if c.alone != 0 && a.id != c.alone {
			continue
		}
		for _, r := range rules {
			if !e.config.Literal && !to.needs(r, a) {
				continue
			}
			for _, t := range r.transitions(e, c, i) {
				if t.meets == (meeting{}) || !slices.Contains(c.asleep, t.meets) {
					list = append(list, t)
				}
			}
		}
	}
	return list
}

// end is what idle actors are to lead to: that a request is met, or that an actor is created.
type end struct {
	actor   *actor   // whose request, or creation
	request bool     // there is one that is open
	by      []*Class // may send it, or create the actor
}

// end chooses one.
func (e *Engine) end(c *configuration) (n end) {
	last := 0
	for _, a := range c.actors {
		if len(a.open) > 0 && a.open[0].nth > last {
			last = a.open[0].nth
			n = end{a, true, e.sendersOf(a, a.open[0])}
		}
	}
	if n.request {
		return n
	}
	for _, a := range c.actors {
		if a.at == nil {
			return end{a, false, e.program.creators(a.class)}
		}
	}
	return n
}

// needs reports whether a rule for an actor may lead to the end. What an actor does inside of a handler always may.
func (n end) needs(r Rule, a *actor) bool {
	switch r.(type) {
	case EventMatchingInternal, EventMatchingExternal:
		return n.actor == a
	case CreationMatching:
		return n.actor == a && !n.request
	case OnReceiveLooping:
		return n.actor == a && !n.request || slices.Contains(n.by, a.class) || len(a.tasks) > 0
	}
	return true
}
