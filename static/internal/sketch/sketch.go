// Package sketch writes message flow graphs down in a few lines, and makes random ones, for tests.
package sketch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/static/flow"
)

// Parse reads a graph: a line for an actor,
//
//	actor bank.Account receptionist default: bank.Deposit bank.Withdraw
//
// or for an edge, in the handler of a message (- for none), with marks behind it,
//
//	bank.Client bank.Pay -> bank.Account bank.Withdraw request blocking timeout if 2 label x
//
// A message that arrives where no handler is named gets one without a branch, unless the mark "future" says that it is
// an answer that ends in a future. "env" is the environment, which needs no line. The n-th line is at s.go:n; a line
// "partial why" makes the graph partial, and "package path" begins another package. It panics on anything else, being
// for tests.
func Parse(text string) *flow.Graph {
	g := &flow.Graph{Precision: "instances"}
	s := &sketch{g: g, pkg: "example.com/s", actors: map[string]*flow.Actor{}}
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			s.line(line, fmt.Sprintf("s.go:%d", i+1))
		}
	}
	for _, e := range g.Edges {
		if e.Message != "" && !e.To.Environment && !slices.Contains(s.future, e) {
			arrive(e.To, e.Message)
		}
	}
	link(g)
	return g
}

type sketch struct {
	g      *flow.Graph
	pkg    string
	actors map[string]*flow.Actor
	future []*flow.Edge
}

func (s *sketch) line(line, pos string) {
	fields := strings.Fields(line)
	switch fields[0] {
	case "package":
		s.pkg = fields[1]
	case "partial":
		s.g.Partial = append(s.g.Partial, strings.Join(fields[1:], " "))
	case "actor":
		head, messages, _ := strings.Cut(line, ":")
		head, marks := strings.Fields(head)[1], strings.Fields(head)[2:]
		a := &flow.Actor{Name: head, Pkg: s.pkg, Pos: pos, Receptionist: slices.Contains(marks, "receptionist"),
			Default: slices.Contains(marks, "default")}
		for _, m := range strings.Fields(messages) {
			a.Handlers = append(a.Handlers, flow.Handler{Message: m, Pos: pos, Known: true})
		}
		s.actors[head] = a
		s.g.Actors = append(s.g.Actors, a)
	default:
		s.edge(fields, pos)
	}
}

func (s *sketch) edge(f []string, pos string) {
	if len(f) < 6 || f[2] != "->" {
		panic(fmt.Sprintf("sketch: %s: %q is no edge", pos, f))
	}
	e := &flow.Edge{From: s.actor(f[0]), In: dash(f[1]), To: s.actor(f[3]), Message: dash(f[4]), Kind: flow.EdgeKind(f[5]),
		Pos: pos}
	for rest := f[6:]; len(rest) > 0; rest = rest[1:] {
		switch rest[0] {
		case "blocking":
			e.Blocking = true
		case "timeout":
			e.Timeout = true
		case "future":
			s.future = append(s.future, e)
		case "if":
			rest = rest[1:]
			n, err := strconv.Atoi(rest[0])
			if err != nil {
				panic(err)
			}
			e.Conditions = n
		case "label":
			rest = rest[1:]
			e.Labels = append(e.Labels, rest[0])
		default:
			panic(fmt.Sprintf("sketch: %s: unknown mark %q", pos, rest[0]))
		}
	}
	s.g.Edges = append(s.g.Edges, e)
}

func dash(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

func (s *sketch) actor(name string) *flow.Actor {
	if a, ok := s.actors[name]; ok {
		return a
	}
	if name != "env" {
		panic("sketch: no line for actor " + name)
	}
	a := &flow.Actor{Name: "environment", Environment: true}
	s.actors[name] = a
	s.g.Actors = append([]*flow.Actor{a}, s.g.Actors...)
	return a
}

// arrive makes sure that an actor has a handler.
func arrive(a *flow.Actor, message string) {
	if !slices.ContainsFunc(a.Handlers, func(h flow.Handler) bool { return h.Message == message }) {
		a.Handlers = append(a.Handlers, flow.Handler{Message: message, Pos: a.Pos})
	}
}

// link fills in what handlers send.
func link(g *flow.Graph) {
	for _, a := range g.Actors {
		for h := range a.Handlers {
			for i, e := range g.Edges {
				if e.From == a && e.In == a.Handlers[h].Message {
					a.Handlers[h].Sends = append(a.Handlers[h].Sends, i)
				}
			}
		}
	}
}

// Random makes a graph of up to four actors and up to eight edges of all kinds between their handlers, with the
// environment.
func Random(r *rand.Rand) *flow.Graph {
	messages := []string{"m.A", "m.B", "m.C"}
	g := &flow.Graph{Precision: "instances", Actors: []*flow.Actor{{Name: "environment", Environment: true}}}
	for i := range 1 + r.IntN(4) {
		a := &flow.Actor{Name: fmt.Sprintf("p.T%d", i), Pkg: fmt.Sprintf("x/p%d", r.IntN(2)), Pos: fmt.Sprintf("t.go:%d", i),
			Default: r.IntN(4) == 0}
		for _, m := range messages[:r.IntN(4)] {
			a.Handlers = append(a.Handlers, flow.Handler{Message: m, Pos: a.Pos, Known: r.IntN(5) > 0})
		}
		g.Actors = append(g.Actors, a)
	}
	kinds := []flow.EdgeKind{flow.Create, flow.Send, flow.Request, flow.Request, flow.Request, flow.Respond, flow.Forward,
		flow.Timer, flow.Watch}
	for i := range r.IntN(9) {
		e := &flow.Edge{Kind: kinds[r.IntN(len(kinds))], From: g.Actors[r.IntN(len(g.Actors))],
			To:  g.Actors[1+r.IntN(len(g.Actors)-1)],
			Pos: fmt.Sprintf("e.go:%d", i), Conditions: r.IntN(3)}
		if e.Kind != flow.Create && e.Kind != flow.Watch {
			e.Message = messages[r.IntN(len(messages))]
		}
		if !e.From.Environment {
			e.In = append([]string{""}, messages...)[r.IntN(4)]
		}
		if e.Kind == flow.Request {
			e.Blocking = r.IntN(4) > 0
			e.Timeout = e.Blocking && r.IntN(2) == 0
		}
		g.Edges = append(g.Edges, e)
	}
	link(g)
	return g
}
