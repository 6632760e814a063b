package target

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// graph says what precedes what in all ways that a node stands for: receives of steps, their events, and sends of the
// driver.
//
// A step is its receive, its events in their order, and its end. The driver's sends are a point each: their order is
// chosen, so only what follows from the model orders them.
type graph struct {
	n      *node
	list   []system.Message // of the start
	model  trace.Model
	first  []int // of each step the number of its receive; its events follow, and its end
	driver int   // the first point that is a send of the driver
	fixed  []int // of what the driver sends, where it sends all of its own messages in its order
	next   [][]int
	sends  []int        // of each step the point at which its message is sent, -1 if that is not known
	refuse []bool       // of each agent whether others may overtake a message that it refuses
	sets   []bitset.Set // of each point those that come after it, nil: not asked for yet
}

// receive, point and end give the numbers of the points of a step.
func (g *graph) receive(k int) int      { return g.first[k] }
func (g *graph) point(k, event int) int { return g.first[k] + 1 + event }
func (g *graph) end(k int) int          { return g.first[k] + 1 + len(g.n.steps[k].route.path.Events) }

// edge says that one point precedes another one.
func (g *graph) edge(from, to int) { g.next[from] = append(g.next[from], to) }

// order makes the graph of a node: histories, messages and creations, and then what the model demands of messages that
// are received.
func (e *Engine) order(n *node) *graph {
	g := &graph{n: n, model: e.config.Model, list: e.start.Sent, refuse: e.refusers(n)}
	g.number(e.config.Own)
	g.start(e.start.Sent)
	g.within()
	g.deliveries()
	return g
}

// number gives the points their numbers: those of the steps, then what is sent in an order that is known, then what
// else comes from the driver.
func (g *graph) number(own bool) {
	points := 0
	for _, s := range g.n.steps {
		g.first = append(g.first, points)
		points += len(s.route.path.Events) + 2
	}
	g.driver = points
	for _, m := range g.list {
		at := -1
		if own || m.Always {
			at = points
			points++
		}
		g.fixed = append(g.fixed, at)
	}
	for _, s := range g.n.steps {
		at := -1
		switch {
		case s.from.kind == driver && g.fixed[s.from.event] >= 0:
			at = g.fixed[s.from.event]
		case s.from.kind == outside || s.from.kind == driver:
			at = points
			points++
		case s.from.kind == sent:
			at = g.point(s.from.step, s.from.event)
		}
		g.sends = append(g.sends, at)
	}
	g.next = make([][]int, points)
}

// within orders the points of each step, the steps of each agent, and what is sent or created before what comes of it.
func (g *graph) within() {
	for k := range g.n.steps {
		for i := g.receive(k); i < g.end(k); i++ {
			g.edge(i, i+1)
		}
		if g.sends[k] >= 0 {
			g.edge(g.sends[k], g.receive(k))
		}
	}
	for a, h := range g.n.history {
		for i := 1; i < len(h); i++ {
			g.edge(g.end(h[i-1]), g.receive(h[i]))
		}
		if by := g.n.agents[a].by; g.n.agents[a].start < 0 && by.kind == sent && len(h) > 0 {
			g.edge(g.point(by.step, g.n.steps[by.step].route.born(by.event)), g.receive(h[0]))
		}
	}
}

// start orders what is on its way at the start: messages of the driver, and of each actor, in their order.
func (g *graph) start(list []system.Message) {
	last := map[int]int{}
	for i, m := range list {
		if g.fixed[i] < 0 {
			continue
		}
		from := -1
		if m.Always {
			from = m.From
		}
		if at, ok := last[from]; ok {
			g.edge(at, g.fixed[i])
		}
		last[from] = g.fixed[i]
	}
	for from, at := range last {
		if a := g.n.agentOf(from); from >= 0 && a >= 0 && len(g.n.history[a]) > 0 {
			g.edge(at, g.receive(g.n.history[a][0]))
		}
	}
}

// exempt reports whether the message of a step is in no order with others.
func (g *graph) exempt(k int) bool {
	switch s := g.n.steps[k]; s.from.kind {
	case sent:
		return g.n.steps[s.from.step].route.path.Events[s.from.event].Op == "timer"
	case driver:
		return g.list[s.from.event].Timer
	case told:
		return true
	}
	return false
}

// channel gives who sends the message of a step: an agent, -1 for the driver, or below for an actor of the start that
// is no agent.
func (g *graph) channel(k int) int {
	switch s := g.n.steps[k]; s.from.kind {
	case sent:
		return g.emitter(s.from.step, s.from.event)
	case driver:
		return g.sender(s.from.event)
	}
	return -1
}

// emitter gives who does an event of a step, as channel does: the agent of the step, or the actor whose start hook does
// it. If that is no agent it gets a number of its own, below those of all actors of the start.
func (g *graph) emitter(k, event int) int {
	by := g.n.steps[k].route.hooks[event]
	if by < 0 {
		return g.n.steps[k].agent
	}
	if a := slices.IndexFunc(g.n.agents,
		func(a agent) bool { return a.start < 0 && a.by == (source{sent, k, by}) }); a >= 0 {
		return a
	}
	return -2 - firstSpawned - g.point(k, by)
}

// sender gives who sends a message of the start, as channel does.
func (g *graph) sender(i int) int {
	m := g.list[i]
	if !m.Always {
		return -1
	}
	if a := g.n.agentOf(m.From); a >= 0 {
		return a
	}
	return -2 - m.From
}

// deliveries adds what the model demands of messages to one actor that are received one after the other.
func (g *graph) deliveries() {
	if g.model == trace.Bag {
		return
	}
	for agent, h := range g.n.history {
		if g.refuse[agent] {
			continue
		}
		for j := range h {
			for i := range j {
				a, b := h[i], h[j]
				if g.sends[a] < 0 || g.sends[b] < 0 || g.exempt(a) || g.exempt(b) {
					continue
				}
				if g.model.Queues() || g.channel(a) == g.channel(b) {
					g.edge(g.sends[a], g.sends[b])
				}
			}
		}
	}
	if g.model == trace.MailboxSerial {
		g.serial()
	}
	if g.model == trace.Causal {
		g.causal()
	}
}

// serial has each step be one point, and all sends of the driver come before all steps.
func (g *graph) serial() {
	for k := range g.n.steps {
		for i := g.receive(k); i <= g.end(k); i++ {
			for _, to := range slices.Clone(g.next[i]) {
				if to < g.receive(k) || to > g.end(k) {
					g.edge(g.end(k), to)
				}
			}
		}
		for at := g.driver; at < len(g.next); at++ {
			g.edge(at, g.receive(k))
		}
	}
	for k := range g.n.steps { // what comes before a part of a step comes before all of it
		for from := range g.next {
			if from >= g.receive(k) && from <= g.end(k) {
				continue
			}
			if slices.ContainsFunc(g.next[from], func(to int) bool { return to > g.receive(k) && to <= g.end(k) }) {
				g.edge(from, g.receive(k))
			}
		}
	}
}

// causal orders the driver's sends so that none comes before one that its receiver gets earlier, as far as others
// depend on it.
func (g *graph) causal() {
	for changed := true; changed; {
		changed = false
		g.sets = nil
		for _, h := range g.n.history {
			for j := range h {
				for i := range j {
					a, b := h[i], h[j]
					if g.sends[a] < 0 || g.sends[b] < g.driver || g.exempt(a) {
						continue
					}
					for y := g.driver; y < len(g.next); y++ {
						if y != g.sends[b] && g.before(y, g.sends[a]) && !slices.Contains(g.next[y], g.sends[b]) {
							g.edge(y, g.sends[b])
							g.sets, changed = nil, true
						}
					}
				}
			}
		}
	}
	g.sets = nil
}

// before reports whether one point precedes another one.
func (g *graph) before(from, to int) bool {
	if g.sets == nil {
		g.sets = make([]bitset.Set, len(g.next))
	}
	if g.sets[from] == nil {
		seen := make(bitset.Set, (len(g.next)+63)/64)
		work := []int{from}
		for len(work) > 0 {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			for _, to := range g.next[at] {
				if !seen.Has(int32(to)) {
					seen = seen.With(int32(to))
					work = append(work, to)
				}
			}
		}
		g.sets[from] = seen
	}
	return g.sets[from].Has(int32(to))
}

// possible reports whether there is an order of all points, and whether the model allows the order of the receives.
func (g *graph) possible() bool {
	for _, h := range g.n.history {
		for i, k := range h {
			if i < len(h)-1 && g.n.steps[k].route.stops {
				return false // it has stopped by itself
			}
		}
	}
	if g.sorted() == nil {
		return false
	}
	if g.model != trace.Causal {
		return true
	}
	for _, h := range g.n.history {
		for j := range h {
			for i := range j {
				a, b := h[i], h[j]
				if g.sends[a] >= 0 && g.sends[b] >= 0 && !g.exempt(a) && !g.exempt(b) && g.before(g.sends[b], g.sends[a]) {
					return false
				}
			}
		}
	}
	return true
}

// sorted gives the points in a possible order, always the same; nil if there is none.
func (g *graph) sorted() []int {
	waits := make([]int, len(g.next))
	for _, list := range g.next {
		for _, to := range list {
			waits[to]++
		}
	}
	list := make([]int, 0, len(g.next))
	var ready []int
	for i, n := range waits {
		if n == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		at := slices.Min(ready)
		ready = slices.DeleteFunc(ready, func(i int) bool { return i == at })
		list = append(list, at)
		for _, to := range g.next[at] {
			if waits[to]--; waits[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	if len(list) < len(g.next) {
		return nil
	}
	return list
}
