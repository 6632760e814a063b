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

// meet adds what the message flow graph knows: who may get what handlers send, and which actors have middleware around their handlers. A graph that is partial
// knows of nobody who may not.
func (r *Result) meet(p *load.Program) error {
	g, err := flow.Build(p, flow.Config{})
	if err != nil {
		return err
	}
	around, to := map[string]string{}, map[edge]map[string]bool{}
	known := map[string]map[string]bool{} // messages with handlers of their own, by actor
	for i := range r.Handlers {
		h := &r.Handlers[i]
		if known[h.Actor] == nil {
			known[h.Actor] = map[string]bool{}
		}
		known[h.Actor][h.Message] = true
	}
	for _, a := range g.Actors {
		if a.Around != "" {
			around[a.Name] = a.Around
		}
	}
	for _, e := range g.Edges {
		in := e.In
		if !known[e.From.Name][in] {
			in = facts.Rest
		}
		at := edge{e.From.Name, in, e.Message}
		if to[at] == nil {
			to[at] = map[string]bool{}
		}
		name := e.To.Name
		if e.To.Environment {
			name = driver
		}
		to[at][name] = true
	}
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
				s.To = slices.Sorted(maps.Keys(to[edge{h.Actor, h.Message, message}]))
			}
		}
	}
	return nil
}

// edge is a type of message that leaves a handler.
type edge struct{ actor, in, message string }
