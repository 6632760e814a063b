package effects

import (
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// driver is what traces call who is no actor.
const driver = "Driver"

// meet adds what the message flow graph knows: who may get what handlers send, and which actors have middleware around
// their handlers. A graph that is partial knows of nobody who may not.
func (r *Result) meet(p *load.Program) error {
	g, err := flow.Build(p, flow.Config{})
	if err != nil {
		return err
	}
	around := map[string]string{}
	for _, a := range g.Actors {
		if a.Around != "" { // two actors may have one name
			around[a.Name] = a.Around
		}
	}
	to := r.receivers(g)
	for i := range r.Handlers {
		h := &r.Handlers[i]
		if why := around[h.Actor]; why != "" && h.Unknown == "" {
			*h = facts.Handler{Actor: h.Actor, Message: h.Message, At: h.At, Unknown: "its actor has " + why}
		}
		for j := range h.Sends {
			s, message := &h.Sends[j], h.Sends[j].Message
			if message == facts.Same {
				message = h.Message
			}
			if message != "?" && len(g.Partial) == 0 {
				s.To = slices.Sorted(maps.Keys(to[edge{h.Actor, facts.Plain(h.Message), facts.Plain(message)}]))
			}
		}
	}
	return nil
}

// receivers gives the actors that get what leaves each handler. A message and a pointer to it count as one here, since
// either half of the tool may know of both forms where the other knows of one.
func (r *Result) receivers(g *flow.Graph) map[edge]map[string]bool {
	type handling struct{ actor, message string }
	own := map[handling]bool{} // those that facts tell of by themselves
	for i := range r.Handlers {
		own[handling{r.Handlers[i].Actor, r.Handlers[i].Message}] = true
	}
	to := map[edge]map[string]bool{}
	for _, e := range g.Edges {
		name := e.To.Name
		if e.To.Environment {
			name = driver
		}
		note := func(in string) {
			at := edge{e.From.Name, in, facts.Plain(e.Message)}
			if to[at] == nil {
				to[at] = map[string]bool{}
			}
			to[at][name] = true
		}
		note(facts.Plain(e.In))
		if !own[handling{e.From.Name, e.In}] {
			note(facts.Rest)
		}
	}
	return to
}

// edge is a type of message that leaves a handler.
type edge struct{ actor, in, message string }
