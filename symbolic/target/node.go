package target

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// kind says where the message of a step comes from.
type kind uint8

const (
	open    kind = iota // nothing is known yet
	outside             // a message from outside, whose values are to be found
	driver              // what the driver sends: event is an index of Start.Sent
	sent                // by an event of a step of the node
	told                // the framework says so, such as Started
)

// source says where the message of a step comes from.
type source struct {
	kind        kind
	step, event int
}

// step is one message that an actor handles.
type step struct {
	agent int
	route *route
	from  source
}

// begins reports whether the step is the first of its actor: it handles Started.
func (s step) begins() bool { return s.from.kind == told && !isTold(s.route.msg) }

// agent is an actor of a node.
type agent struct {
	start int // index of Start.Actors, -1: a step creates it
	fn    *ssa.Function
	by    source // of an actor that a step creates: kind is open or sent
}

// distinct demands that a message is not for an actor.
type distinct struct{ step, event, agent int }

// node is a part of ways to the target. Its first step is the one that reaches the target.
type node struct {
	steps    []step
	agents   []agent
	history  [][]int // of each agent its steps, in their order
	distinct []distinct
	least    int // steps of ways for which the node stands
	outside  int // messages from outside
	seq      int // in the order of creation
}

// clone copies a node, to be changed.
func (n *node) clone() *node {
	m := &node{steps: slices.Clone(n.steps), agents: slices.Clone(n.agents), distinct: slices.Clone(n.distinct),
		outside: n.outside}
	m.history = make([][]int, len(n.history))
	for i, h := range n.history {
		m.history[i] = slices.Clone(h)
	}
	return m
}

// insert puts a step into the history of an agent, and gives its number.
func (n *node) insert(a, at int, r *route) int {
	k := len(n.steps)
	n.steps = append(n.steps, step{agent: a, route: r})
	n.history[a] = slices.Insert(n.history[a], at, k)
	return k
}

// add puts an agent into the node, and gives its number.
func (n *node) add(a agent) int {
	n.agents = append(n.agents, a)
	n.history = append(n.history, nil)
	return len(n.agents) - 1
}

// started gives the agent of an actor of the start, which is added if it is not there.
func (n *node) started(i int, fn *ssa.Function) int {
	if a := n.agentOf(i); a >= 0 {
		return a
	}
	return n.add(agent{start: i, fn: fn})
}

// agentOf gives the agent of an actor of the start, -1 if it is not there.
func (n *node) agentOf(start int) int {
	return slices.IndexFunc(n.agents, func(a agent) bool { return a.start == start })
}

// position gives the place of a step in the history of its agent.
func (n *node) position(k int) int { return slices.Index(n.history[n.steps[k].agent], k) }

// taken reports whether an event is the source of some step, or of an agent.
func (n *node) taken(from source) bool {
	return slices.ContainsFunc(n.steps, func(s step) bool { return s.from == from }) ||
		slices.ContainsFunc(n.agents, func(a agent) bool { return a.start < 0 && a.by == from })
}

// request is something of a node that has no source yet: the message of a step, or who creates an agent.
type request struct {
	step, agent int // the other one is -1
}

// answers reports whether an operation of a step answers a call: then the answer is no message to an actor.
func (n *node) answers(j int, op string) bool {
	from := n.steps[j].from
	return op == "respond" && from.kind == sent && isCall(n.steps[from.step].route.path.Events[from.event].Op)
}

func isCall(op string) bool { return op == "call" || op == "ask" }

// requests lists what has no source.
func (n *node) requests() (list []request) {
	for k, s := range n.steps {
		if s.from.kind == open {
			list = append(list, request{k, -1})
		}
	}
	for i, a := range n.agents {
		if a.start < 0 && a.by.kind == open {
			list = append(list, request{-1, i})
		}
	}
	return list
}

// key tells nodes apart whatever the order was in which they came about, and whichever of actors that nothing tells
// apart they are about.
func (n *node) key(twins []int) string {
	labels := make([]string, len(n.agents))
	n.rank(twins, labels)
	for i := range n.agents {
		n.label(i, labels)
	}
	at := func(from source) string {
		if from.kind != sent {
			return fmt.Sprintf("%d.%d", from.kind, from.event)
		}
		s := n.steps[from.step]
		return fmt.Sprintf("%s.%d.%d", labels[s.agent], n.position(from.step), from.event)
	}
	var parts []string
	for i, h := range n.history {
		var b strings.Builder
		b.WriteString(labels[i])
		for _, k := range h {
			fmt.Fprintf(&b, " %d<%s", n.steps[k].route.id, at(n.steps[k].from))
		}
		parts = append(parts, b.String())
	}
	for _, d := range n.distinct {
		parts = append(parts, fmt.Sprintf("!%s %s", at(source{sent, d.step, d.event}), labels[d.agent]))
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// label names an agent by its creation.
func (n *node) label(i int, labels []string) string {
	a := n.agents[i]
	switch {
	case labels[i] != "":
	case a.by.kind == open:
		labels[i] = fmt.Sprintf("?%d", i)
	default:
		labels[i] = fmt.Sprintf("(%s.%d.%d)", n.label(n.steps[a.by.step].agent, labels), n.position(a.by.step), a.by.event)
	}
	return labels[i]
}
