package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
)

// This file keeps programs apart that are only read together: several mains, the tests of packages. Each is a
// configuration of its own, since what one of them creates no other can reach. The graph is the union of theirs.
//
//	source:     [TAP18] 3.1: a configuration is what one driver makes
//	differs:    from an analysis of all entries at once, which takes an actor of one main for one of another of the same
//	            type
//	invariants: I1 the union is a subgraph of what an analysis of all entries at once gives
//	            I2 every edge of a configuration is an edge of the union, with the fewest conditions
//	cost:       the analysis of every entry; beyond mostApart entries they are analysed together, which is no less sound
//	checked by: configure_test.go; sound_test.go against executions

// mostApart bounds how many configurations are analysed by themselves.
const mostApart = 64

// configurations analyses a program once for every way to enter it. Where none creates actors, others may enter it by
// all exported functions.
func configurations(p *load.Program, c Config) ([]*builder, error) {
	var all []*builder
	creates := false
	run := func(entries []*ssa.Function) error {
		b, err := analyse(p, c, entries)
		if err == nil {
			all, creates = append(all, b), creates || len(b.order) > 1
		}
		return err
	}
	always, entries := drivers(p)
	if c.Entry != nil && !slices.Contains(entries, c.Entry) {
		return nil, fmt.Errorf("flow: the program is not entered by %s: want a test or main", c.Entry)
	}
	switch {
	case c.Entry != nil:
		entries = []*ssa.Function{c.Entry}
	case len(entries) == 0 || len(entries) > mostApart:
		if err := run(slices.Concat(always, entries)); err != nil {
			return nil, err
		}
		entries = nil
	}
	for _, fn := range entries {
		if err := run(append(before(p, always, fn), fn)); err != nil {
			return nil, err
		}
	}
	if !creates && c.Entry == nil {
		all = nil
		if err := run(slices.Concat(always, entries, exported(p))); err != nil {
			return nil, err
		}
	}
	return all, known(all, c.Receptionists)
}

// known refuses names of receptionists that no configuration has.
func known(all []*builder, receptionists []string) error {
	names := map[string]bool{}
	for _, b := range all {
		for _, c := range b.order[1:] {
			names[c.name] = true
		}
	}
	for _, name := range receptionists {
		switch {
		case names[name]:
		case len(names) == 0:
			return fmt.Errorf("flow: no actor %s to be a receptionist: what was read creates no actors; name packages whose tests or main do", name)
		default:
			return fmt.Errorf("flow: no actor %s to be a receptionist: there are %s", name,
				strings.Join(slices.Sorted(maps.Keys(names)), ", "))
		}
	}
	return nil
}

// union joins the graphs of several configurations.
func union(graphs []*Graph) *Graph {
	if len(graphs) == 1 {
		return graphs[0]
	}
	j := &joining{actors: map[actorKey]*Actor{}, edges: map[joinedEdge]*Edge{}, partial: map[string]bool{}, g: &Graph{}}
	complete := false
	for _, g := range graphs {
		complete = complete || len(g.Actors) > 1
	}
	for _, g := range graphs {
		if len(g.Actors) > 1 || !complete { // a test without actors lacks nothing
			j.add(g)
		}
	}
	return j.graph()
}

// actorKey and joinedEdge are what tells actors and edges of all configurations apart.
type (
	actorKey struct {
		pkg, name   string
		environment bool
	}
	joinedEdge struct {
		kind        EdgeKind
		from, to    *Actor
		message, in string
		pos         token.Pos
	}
)

// joining is a union that is being made.
type joining struct {
	g       *Graph
	actors  map[actorKey]*Actor
	edges   map[joinedEdge]*Edge
	partial map[string]bool
}

func (j *joining) add(g *Graph) {
	as := map[*Actor]*Actor{}
	for _, a := range g.Actors {
		key := actorKey{a.Pkg, a.Name, a.Environment}
		into := j.actors[key]
		if into == nil {
			into = &Actor{Name: a.Name, Pkg: a.Pkg, Pos: a.Pos, Environment: a.Environment}
			j.actors[key] = into
			j.g.Actors = append(j.g.Actors, into)
		}
		into.Default, into.Receptionist = into.Default || a.Default, into.Receptionist || a.Receptionist
		into.Around = cmp.Or(into.Around, a.Around)
		into.Made = sorted(into.Made, a.Made)
		for _, h := range a.Handlers {
			into.handle(h)
		}
		as[a] = into
	}
	for _, e := range g.Edges {
		key := joinedEdge{e.Kind, as[e.From], as[e.To], e.Message, e.In, e.pos}
		into := j.edges[key]
		if into == nil {
			into = &Edge{Kind: key.kind, From: key.from, To: key.to, Message: key.message, In: key.in, Pos: e.Pos, pos: e.pos,
				Conditions: e.Conditions}
			j.edges[key] = into
			j.g.Edges = append(j.g.Edges, into)
		}
		into.Conditions = min(into.Conditions, e.Conditions)
		into.Labels = sorted(into.Labels, e.Labels)
		into.Blocking, into.Timeout = into.Blocking || e.Blocking, into.Timeout || e.Timeout
	}
	for _, p := range g.Partial {
		j.partial[p] = true
	}
}

// handle adds a handler of the same actor in another configuration, without its sends.
func (a *Actor) handle(h Handler) {
	for i := range a.Handlers {
		if of := &a.Handlers[i]; of.Message == h.Message {
			if h.Known && !of.Known {
				of.Pos = h.Pos
			}
			of.Known = of.Known || h.Known
			return
		}
	}
	a.Handlers = append(a.Handlers, Handler{Message: h.Message, Pos: h.Pos, Known: h.Known})
}

// sorted joins two sorted lists.
func sorted(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// graph puts the union in order.
func (j *joining) graph() *Graph {
	g := j.g
	slices.SortStableFunc(g.Actors, func(a, b *Actor) int {
		if a.Environment != b.Environment {
			return map[bool]int{true: -1, false: 1}[a.Environment]
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Pkg, b.Pkg), cmp.Compare(a.Pos, b.Pos))
	})
	slices.SortStableFunc(g.Edges, func(x, y *Edge) int {
		return cmp.Or(cmp.Compare(sender(x), sender(y)), cmp.Compare(plainOf(x.In), plainOf(y.In)), cmp.Compare(x.Pos, y.Pos),
			cmp.Compare(x.pos, y.pos), cmp.Compare(x.Kind, y.Kind),
			cmp.Compare(plainOf(x.Message), plainOf(y.Message)), cmp.Compare(x.To.Name, y.To.Name),
			cmp.Compare(x.To.Pkg, y.To.Pkg))
	})
	for _, a := range g.Actors {
		slices.SortFunc(a.Handlers, func(x, y Handler) int { return cmp.Compare(x.Message, y.Message) })
	}
	for i, e := range g.Edges {
		for k := range e.From.Handlers {
			if h := &e.From.Handlers[k]; h.Message == e.In && e.In != "" {
				h.Sends = append(h.Sends, i)
			}
		}
	}
	g.Partial = slices.Sorted(maps.Keys(j.partial))
	return g
}

// sender is what edges are ordered by first.
func sender(e *Edge) string {
	if e.From.Environment {
		return "environment"
	}
	return e.From.Name + " " + e.From.Pkg
}

func plainOf(message string) string { return strings.TrimPrefix(message, "*") }
