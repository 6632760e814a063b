package target

import (
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file tells how far a search came that has found nothing. It tells the node against which least speaks, the
// conditions that do not hold there, in the words of the source, and what would help.

// The ranks of nodes that are no way: against a plan that cannot be followed nothing speaks but its execution. Links
// that do not fit count one each.
const (
	rankRefused  = 0
	rankUnsent   = 1000
	rankExcluded = 2000
)

// nearer reports whether a rank is less than all before, and notes it.
func (e *Engine) nearer(rank int) bool {
	if e.answer.Nearest != nil && e.nearest <= rank {
		return false
	}
	e.nearest = rank
	return true
}

// near notes a node in which all messages have a source and whose links do not fit.
func (e *Engine) near(n *node, core []variable) {
	if !e.nearer(1 + len(core)) {
		return
	}
	x := e.tighten(n, nil)
	near := &Nearest{Steps: e.stepTexts(n), Help: e.help(n, core)}
	for _, at := range core {
		near.Blocks = append(near.Blocks, e.linkText(x, at))
	}
	e.answer.Nearest = near
}

// nearRefused notes a node whose plan cannot be followed.
func (e *Engine) nearRefused(n *node, why string) {
	if e.nearer(rankRefused) {
		e.answer.Nearest = &Nearest{Steps: e.stepTexts(n), Blocks: []string{"executed in this order, " + why},
			Help: "a test by hand in this order, to see what really happens"}
	}
}

// nearUnsent notes a node in which nothing sends the message of a step, or creates its actor.
func (e *Engine) nearUnsent(n *node, r request) {
	if n.counted() >= e.most || !e.nearer(rankUnsent-len(n.steps)) {
		return
	}
	near := &Nearest{Steps: e.stepTexts(n)}
	if r.step < 0 {
		near.Blocks = []string{"no handler that may run here creates " + e.agentText(n.agents[r.agent])}
		near.Help = "a start with such an actor"
	} else {
		s := n.steps[r.step]
		near.Blocks = []string{fmt.Sprintf("no handler that may run here sends %s to %s", typeText(s.route.msg),
			e.agentText(n.agents[s.agent]))}
		near.Help = "a driver that sends it"
		if g := n.agents[s.agent]; g.start >= 0 {
			near.Help = fmt.Sprintf("messages from outside to it (-receptionist %s)", e.start.Actors[g.start].Name)
		}
	}
	e.answer.Nearest = near
}

// nearExcluded tells what the target asks of its handler, where no actor comes as far as that.
func (e *Engine) nearExcluded() {
	for i, c := range e.flow.classes {
		g := agent{start: -1, fn: c.fn}
		if i < len(e.start.Actors) {
			g.start = i
		}
		for _, h := range e.flow.handlers(c, nil) {
			for _, r := range h.routes {
				if r.reaches(e.target) && e.last(r) && (g.start >= 0 || e.lib.makesAny(c.fn)) {
					e.excluded(g, c, r)
				}
			}
		}
	}
}

// excluded notes a path to the target that an actor does not take: it does not get the message, or conditions never
// hold.
func (e *Engine) excluded(g agent, c *class, r *route) {
	near := &Nearest{Steps: []string{fmt.Sprintf("%s handles %s", e.agentText(g), typeText(r.msg))},
		Help: "another start, or a driver that sends other messages"}
	box := c.boxes[e.lib.number(r.msg)]
	if box == nil {
		if e.nearer(rankExcluded + 100) {
			near.Blocks, near.Help = []string{fmt.Sprintf("no handler that may run here, and no driver, sends %s to %s",
				typeText(r.msg), e.agentText(g))}, "a driver that sends it"
			e.answer.Nearest = near
		}
		return
	}
	v := &view{e.flow, c, box, r}
	fixed, all := v.constants(), []string(nil)
	for _, cond := range r.path.PC {
		text := e.condText(cond.Term) + e.at(cond.Pos)
		if v.never(fixed, cond.Term) {
			near.Blocks = append(near.Blocks,
				fmt.Sprintf("%s, when it handles %s wants %s%s", e.agentText(g), typeText(r.msg), text, e.always(v, cond.Term)))
		} else if !cond.Given {
			all = append(all, text)
		}
	}
	rank := rankExcluded + len(near.Blocks)
	if rank == rankExcluded { // each of them may hold, but not all of them together
		near.Blocks, rank = all, rankExcluded+50
	}
	if e.nearer(rank) {
		e.answer.Nearest = near
	}
}

// always tells the constants that parts of the state in a condition have at all times.
func (e *Engine) always(v *view, cond *term.Term) (text string) {
	for _, t := range term.Vars(cond) {
		if at, held := v.r.held(t.Name); held && stable(at) {
			if c := v.c.held.get(at).only(); c != nil && e.valueText(at, c) != "" {
				text += fmt.Sprintf(", and %s is %s at all times", sourceName(v.r, at), e.valueText(at, c))
			}
		}
	}
	return text
}

// helped adds what would help against a budget.
func (e *Engine) helped(ctx context.Context) {
	near, budget := e.answer.Nearest, ""
	switch c := e.answer.Counts; {
	case near == nil || e.answer.Verdict != GaveUp:
		return
	case ctx.Err() != nil:
		budget = "more time (-seconds)"
	case e.solver.Stats().Checks >= e.config.Queries, c.Nodes >= e.config.Nodes, c.Followed >= e.config.Follows:
		budget = "a larger budget"
	default:
		return
	}
	if near.Help != "" {
		budget += "; "
	}
	near.Help = budget + near.Help
}

// stepTexts tells of the steps of a node in a possible order.
func (e *Engine) stepTexts(n *node) (list []string) {
	for _, k := range n.sequence(e.order(n)) {
		list = append(list, e.stepText(n, k))
	}
	return list
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

// linkText tells what is asked of a part of the state before a step, and what the part is there.
func (e *Engine) linkText(x *evaluation, at variable) string {
	s := x.n.steps[at.step]
	text := fmt.Sprintf("%s, when it handles %s", e.agentText(x.n.agents[s.agent]), typeText(s.route.msg))
	var wants []string
	var sample *term.Term
	for _, c := range s.route.path.PC {
		for _, v := range term.Vars(c.Term) {
			if name, held := s.route.held(v.Name); held && name == at.name {
				sample = v
				if text := e.condText(c.Term) + e.at(c.Pos); !slices.Contains(wants, text) {
					wants = append(wants, text)
				}
			}
		}
	}
	if len(wants) == 0 {
		return fmt.Sprintf("%s: what it sends or leaves there depends on %s", text, sourceName(s.route, at.name))
	}
	text += " wants " + strings.Join(wants, " and ")
	if v := e.valueText(at.name, x.before(at.step, at.name, sample)); v != "" {
		text += fmt.Sprintf(", and %s is %s there", sourceName(s.route, at.name), v)
	}
	return text
}

// condText writes a condition in the words of the source.
func (e *Engine) condText(c *term.Term) string { return e.summaries.Exec().Readable(c) }

// at gives a place in brackets.
func (e *Engine) at(pos token.Pos) string {
	if at := e.loaded.Position(pos); at != "" {
		return " (" + at + ")"
	}
	return ""
}

// sourceName gives the name of a part of the state as the source has it.
func sourceName(r *route, at string) string {
	best, text := -1, at
	for first, name := range r.roots {
		if rest, ok := strings.CutPrefix(at, name); ok && len(name) > best {
			best, text = len(name), first+rest
		}
	}
	name, aspect, _ := strings.Cut(text, "!")
	switch aspect {
	case "len":
		return "len(" + name + ")"
	case "isNil":
		return name + " == nil"
	case "type":
		return "the type of " + name
	}
	return name
}

// valueText writes a constant of the state; "" for what has no words.
func (e *Engine) valueText(at string, v *term.Term) string {
	switch {
	case !v.Const():
		return ""
	case !strings.HasSuffix(at, "!ref") && !strings.HasSuffix(at, "!type"):
		return v.String()
	case v.Val == 0:
		return "nil"
	}
	for _, a := range e.start.Actors {
		if a.Ref == v {
			return a.Name
		}
	}
	return ""
}

// help says what would be needed.
func (e *Engine) help(n *node, core []variable) string {
	for _, at := range core {
		if by := e.writersOf(n, at); len(by) > 0 {
			return fmt.Sprintf("more than %d messages (-steps), if it can be reached at all: %s is written when %s handles %s",
				e.config.Steps, sourceName(n.steps[at.step].route, at.name),
				e.agentText(n.agents[n.steps[at.step].agent]), strings.Join(by, ", "))
		}
	}
	if len(core) > 0 {
		return "another start: no message that can come writes " + sourceName(n.steps[core[0].step].route, core[0].name)
	}
	return ""
}

// writersOf lists the messages by which the actor of a link's step writes what the link is about.
func (e *Engine) writersOf(n *node, at variable) (list []string) {
	g := n.agents[n.steps[at.step].agent]
	for _, r := range routesOf(e.flow.handlers(e.flow.classOf(g), nil)) {
		if text := typeText(r.msg); r.passes() && r.changes(at.name) && e.flow.may(g, r) && !e.isStarted(r.msg) &&
			!slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
