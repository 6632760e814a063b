// Package chain says which handlers may lead to which: the call facts of [ASTS] 4.2, read from a message flow graph.
//
//	source:     [ASTS] 4.2 (Ch, the chains of method calls) and the weights of conditions that its stability levels may
//	            use
//	differs:    a method is a handler, an actor type and a message type; a call is an edge of the graph. Handlers of a
//	            chain must differ among its inner ones only, so that a chain may come back to where it began: read
//	            literally, the definition excludes the chain Fib::res, Fib::res, Fib::res of its own Example 4
//	assumes:    the graph is complete; Facts.Complete is false where it says that it is not
//	invariants: I1 calls of a handler are in the order of the graph's edges, one for each handler that is called
//	            I2 chains come shortest first, then by those with the fewest conditions, then in the order of calls
//	cost:       Of is linear in edges. Between visits at most maxVisits handlers, since chains can be exponentially many;
//	            what it leaves out is told
//	checked by: chain_test.go, against the definition by brute force on random graphs
package chain

import (
	"github.com/rehearse-go/rehearse/static/flow"
)

// Handler is what an actor type does with a message type. Message is empty for what it does when it starts, and for the
// driver.
type Handler struct {
	Actor   *flow.Actor
	Message string
}

// Call says that a handler may send what another one handles.
type Call struct {
	To         Handler
	Conditions int // branches above the send, the fewest if there are several sends
	Edge       int // that send, as an index into the graph's edges
}

// Method is a handler with the calls it may make.
type Method struct {
	Handler
	Calls []Call
}

// Facts are all methods of a program.
type Facts struct {
	Methods  []Method
	Complete bool // nothing of the program is missing; otherwise a method may make calls that are not listed
	index    map[Handler]int
}

// Of reads the call facts from a graph. The driver and handlers that send nothing are among the methods.
func Of(g *flow.Graph) *Facts {
	f := &Facts{Complete: len(g.Partial) == 0, index: map[Handler]int{}}
	for _, a := range g.Actors {
		for _, h := range a.Handlers {
			f.method(Handler{a, h.Message})
		}
	}
	for _, e := range g.Edges {
		f.method(Handler{e.From, e.In})
	}
	for i, e := range g.Edges {
		m := f.method(Handler{e.From, e.In})
		for _, to := range f.called(e) {
			m.add(Call{to, e.Conditions, i})
		}
	}
	return f
}

// method gives the entry of a handler, a new one if there is none. The pointer is valid until the next new one.
func (f *Facts) method(h Handler) *Method {
	i, ok := f.index[h]
	if !ok {
		i = len(f.Methods)
		f.index[h] = i
		f.Methods = append(f.Methods, Method{Handler: h})
	}
	return &f.Methods[i]
}

// called lists what an edge makes its receiver do: for a message its handler, for a creation what the new actor does by
// itself.
func (f *Facts) called(e *flow.Edge) []Handler {
	switch e.Kind {
	case flow.Watch:
		return nil
	case flow.Create:
		var own []Handler
		for _, message := range append([]string{""}, flow.AtStart()...) {
			if _, ok := f.index[Handler{e.To, message}]; ok {
				own = append(own, Handler{e.To, message})
			}
		}
		return own
	}
	h := Handler{e.To, e.Message}
	f.method(h)
	return []Handler{h}
}

// add keeps the call with the fewest conditions.
func (m *Method) add(c Call) {
	for i := range m.Calls {
		if old := &m.Calls[i]; old.To == c.To {
			if c.Conditions < old.Conditions {
				*old = c
			}
			return
		}
	}
	m.Calls = append(m.Calls, c)
}

// Calls gives the calls of a handler, and whether the handler is known at all. An unknown one may call anything.
func (f *Facts) Calls(h Handler) ([]Call, bool) {
	i, ok := f.index[h]
	if !ok {
		return nil, false
	}
	return f.Methods[i].Calls, true
}
