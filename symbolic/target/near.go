package target

import (
	"fmt"
	"strings"
)

// near notes a node in which all messages have a source and whose links do not fit, if it is the one with the fewest links against it so far.
func (e *Engine) near(n *node, core []variable) {
	if e.answer.Nearest != nil && e.nearest <= len(core) {
		return
	}
	e.nearest = len(core)
	near := &Nearest{}
	for _, k := range n.sequence(e.order(n)) {
		near.Steps = append(near.Steps, e.stepText(n, k))
	}
	for _, at := range core {
		near.Blocks = append(near.Blocks, e.partText(n, at))
	}
	near.Help = e.help(n, core)
	e.answer.Nearest = near
}

// stepText tells of a step.
func (e *Engine) stepText(n *node, k int) string {
	s := n.steps[k]
	text := fmt.Sprintf("%s handles %s", e.agentText(n.agents[s.agent]), typeText(s.route.msg))
	switch s.from.kind {
	case outside:
		text += " from outside"
	case driver:
		text += " of the driver"
	case sent:
		text += " of " + e.agentText(n.agents[n.steps[s.from.step].agent])
	}
	return text
}

// agentText names an agent.
func (e *Engine) agentText(g agent) string {
	if g.start >= 0 {
		return e.start.Actors[g.start].Name
	}
	if recv := g.fn.Signature.Recv(); recv != nil {
		return "a new " + typeText(pointed(recv.Type()))
	}
	return "a new " + g.fn.Name()
}

// partText names a part of the state before a step.
func (e *Engine) partText(n *node, at variable) string {
	s := n.steps[at.step]
	return fmt.Sprintf("%s%s when it handles %s", e.agentText(n.agents[s.agent]), strings.TrimPrefix(at.name, state), typeText(s.route.msg))
}

// help says what would be needed.
func (e *Engine) help(n *node, core []variable) string {
	for _, at := range core {
		if len(e.before(n, at)) > 0 {
			return fmt.Sprintf("more than %d messages, if that is possible at all: handlers write %s", e.config.Steps, e.partText(n, at))
		}
	}
	if len(core) > 0 {
		return "another start: no message that can come makes a difference to " + e.partText(n, core[0])
	}
	return ""
}
