package target

import (
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// pending is a message of a node that no step receives, and that would have to be received before a step does receive
// its message.
type pending struct {
	step, event int // step -1: event is an index of Start.Sent
	before      int // the step
}

// overtaken gives a message that is not received although the model wants that, with the values of a model of the
// node's conditions; nil if there is none.
func (e *Engine) overtaken(x *evaluation, values *term.Model) *pending {
	if e.config.Model == trace.Bag {
		return nil
	}
	n := x.n
	g := e.order(n)
	eval := values.Evaluator()
	for j := 1; j < len(n.steps); j++ { // what the target's step sends comes too late
		r := n.steps[j].route
		for i := range r.path.Events {
			ev := &r.path.Events[i]
			// a request is taken back when its time is over
			if r.roles[i] != message || ev.Lost || ev.To == nil || isCall(ev.Op) ||
				n.taken(source{sent, j, i}) || n.answers(j, ev.Op) {
				continue
			}
			to := eval.Eval(x.term(j, ev.To)).Uint()
			for a := range n.history {
				if eval.Eval(x.ref(a)).Uint() != to {
					continue
				}
				if k := e.tooEarly(g, a, g.point(j, i), g.emitter(j, i)); k >= 0 {
					return &pending{j, i, k}
				}
			}
		}
	}
	for i := range g.fixed {
		m := e.start.Sent[i]
		if a := n.agentOf(m.To); g.fixed[i] >= 0 && !m.Timer && m.To >= 0 && a >= 0 &&
			!n.taken(source{kind: driver, event: i}) {
			if k := e.tooEarly(g, a, g.fixed[i], g.sender(i)); k >= 0 {
				return &pending{-1, i, k}
			}
		}
	}
	return nil
}

// tooEarly gives a step of an agent that receives its message too early, as long as the message that is sent at a point
// is not received. It gives -1 if there is none.
func (e *Engine) tooEarly(g *graph, a, at, channel int) int {
	var ordered []int
	for _, k := range g.n.history[a] {
		if g.sends[k] >= 0 && !g.exempt(k) {
			ordered = append(ordered, k)
		}
	}
	if len(ordered) == 0 || g.refuse[a] {
		return -1
	}
	if e.config.Model.Queues() { // it is sent after all that are received
		h := e.order(g.n)
		for _, k := range ordered {
			h.edge(h.sends[k], at)
		}
		if e.config.Model == trace.MailboxSerial {
			h.serial()
		}
		if h.sorted() == nil {
			return ordered[len(ordered)-1]
		}
		return -1
	}
	for _, k := range ordered {
		if g.before(at, g.sends[k]) && (e.config.Model == trace.Causal || g.channel(k) == channel) {
			return k
		}
	}
	return -1
}

// deliver gives the nodes in which a pending message is not for that actor, or is received by it before.
func (e *Engine) deliver(n *node, p pending) (list []*node) {
	a := n.steps[p.before].agent
	from := source{sent, p.step, p.event}
	var handlers []*handler
	if p.step < 0 {
		from = source{kind: driver, event: p.event}
		handlers = e.flow.handlers(e.flow.classOf(n.agents[a]), e.start.Sent[p.event].Type)
	} else {
		handlers = e.flow.handlers(e.flow.classOf(n.agents[a]), n.steps[p.step].route.path.Events[p.event].Type)
		m := n.clone()
		m.distinct = append(m.distinct, distinct{p.step, p.event, a})
		list = append(list, m)
	}
	if n.counted() >= e.most {
		return list
	}
	for _, through := range routesOf(handlers) {
		if !through.passes() || through.broken || !e.flow.may(n.agents[a], through) {
			continue
		}
		for at := range slices.Index(n.history[a], p.before) + 1 {
			if n.steps[n.history[a][at]].begins() {
				continue
			}
			m := n.clone()
			k := m.insert(a, at, through)
			m.steps[k].from = from
			list = append(list, m)
		}
	}
	return list
}
