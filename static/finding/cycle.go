// Requests that can wait for each other.
//
//	source:     the wait-for graphs of textbooks, between actor types
//	differs:    an actor that waits stands still, so that who asks it waits too, whatever it asks for. Hence a link of a
//	            cycle is a blocking request, and the handler that has to answer is the one that waits next: it was asked
//	            (nested), it got the request passed on, or the actor is already waiting in another of its handlers
//	            (crossing: it takes two requests at the same time)
//	assumes:    an answer is given by the handler of the request, or by one that it is forwarded to
//	invariants: I1 every blocking request that lies on a cycle is in a finding, in the simplest cycle that it lies on:
//	               the one with the fewest crossings, then the fewest links
//	            I2 no two findings have the same edges
//	cost:       a shortest path for each blocking request; handlers times edges each
//	checked by: cycle_test.go, against all walks on random graphs

package finding

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/static/flow"
)

// link is an edge of a cycle. Crossing: its sender waits in another handler than the one that was asked.
type link struct {
	edge     int
	crossing bool
}

// cycle begins with a blocking request and leads back to its sender.
type cycle struct{ links []link }

func (c cycle) crossings() int {
	n := 0
	for _, l := range c.links {
		if l.crossing {
			n++
		}
	}
	return n
}

// key names the set of edges.
func (c cycle) key() string {
	edges := c.edges()
	slices.Sort(edges)
	return fmt.Sprint(edges)
}

func (c cycle) edges() []int {
	var es []int
	for _, l := range c.links {
		es = append(es, l.edge)
	}
	return es
}

// cycles finds for each blocking request the simplest cycle that it lies on.
func cycles(g *flow.Graph) []Finding {
	var found []cycle
	at := map[string]int{}
	for i, e := range g.Edges {
		if !waits(e) {
			continue
		}
		links, ok := back(g, i)
		if !ok {
			continue
		}
		c := cycle{append([]link{{edge: i}}, links...)}
		j, again := at[c.key()]
		switch {
		case !again:
			at[c.key()] = len(found)
			found = append(found, c)
		case c.crossings() < found[j].crossings():
			found[j] = c
		}
	}
	var fs []Finding
	for _, c := range found {
		fs = append(fs, c.finding(g))
	}
	return fs
}

// waits reports whether an edge is a request whose sender, an actor, does nothing until the answer is there.
func waits(e *flow.Edge) bool { return e.Blocking && carries(e) && !e.From.Environment }

// back finds the simplest way from the receiver of a request to its sender. It is Dijkstra's, on handlers, where a
// crossing costs more than all links together.
func back(g *flow.Graph, request int) ([]link, bool) {
	type visit struct {
		at   to
		cost int
		by   link
		from int // visit
	}
	dear := len(g.Edges) + 1
	first := g.Edges[request]
	visits := []visit{{at: to{first.To, first.Message}, from: -1}}
	done := map[to]bool{}
	for queue := []int{0}; len(queue) > 0; {
		best := 0
		for i, v := range queue {
			if visits[v].cost < visits[queue[best]].cost {
				best = i
			}
		}
		v := queue[best]
		queue = slices.Delete(queue, best, best+1)
		here := visits[v].at
		if here.actor == first.From {
			var links []link
			for ; visits[v].from >= 0; v = visits[v].from {
				links = append(links, visits[v].by)
			}
			slices.Reverse(links)
			return links, true
		}
		if done[here] {
			continue
		}
		done[here] = true
		for i, e := range g.Edges {
			crossing, ok := next(e, here)
			if !ok {
				continue
			}
			cost := visits[v].cost + 1
			if crossing {
				cost += dear
			}
			visits = append(visits, visit{to{e.To, e.Message}, cost, link{i, crossing}, v})
			queue = append(queue, len(visits)-1)
		}
	}
	return nil, false
}

// next reports whether who has to answer at here may depend on an edge, and whether it waits there in another handler.
func next(e *flow.Edge, here to) (crossing, ok bool) {
	switch {
	case e.From != here.actor:
		return false, false
	case waits(e):
		return e.In != here.message, true
	}
	return false, e.Kind == flow.Forward && e.In == here.message
}

// finding tells the cycle.
func (c cycle) finding(g *flow.Graph) Finding {
	first := g.Edges[c.links[0].edge]
	f := Finding{Kind: RequestCycle, Pos: first.Pos, Edges: c.edges()}
	timeout := false
	for _, l := range c.links {
		e := g.Edges[l.edge]
		timeout = timeout || waits(e) && e.Timeout
		f.Steps = append(f.Steps, Step{e.Pos, l.text(e)})
	}
	f.Text = c.summary(first)
	if timeout {
		f.Text += "; until a timeout ends it"
	}
	return f
}

// summary says in one line what can happen.
func (c cycle) summary(first *flow.Edge) string {
	asked := fmt.Sprintf("%s waits for %s to answer %s", first.From.Name, first.To.Name, first.Message)
	switch {
	case len(c.links) == 1 && first.From == first.To:
		return asked + ": an actor that asks itself waits for ever (other actors of its type may be asked)"
	case c.crossings() == 0:
		return asked + ", which needs " + first.From.Name + " in turn"
	}
	return asked + ", which may be waiting for " + first.From.Name + " at that moment"
}

// text is one link.
func (l link) text(e *flow.Edge) string {
	handler := "handling " + e.In
	if e.In == "" {
		handler = "starting"
	}
	if e.Kind == flow.Forward {
		return fmt.Sprintf("%s, %s, passes it on to %s", e.From.Name, handler, e.To.Name)
	}
	if l.crossing {
		handler = "if it is " + handler + " at that moment"
	}
	return fmt.Sprintf("%s, %s, asks %s for %s and waits", e.From.Name, handler, e.To.Name, e.Message)
}
