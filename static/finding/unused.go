package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/flow"
)

// Who gets what, and what nobody does: sends that are not handled, actors, messages and handlers that nothing leads to.
//
//	source:     none; what compilers do for unused variables, on the message flow graph
//	assumes:    the graph is complete; where it says that it is not, the findings say so too
//	invariants: I1 a place that sends is told of once for each message, with all its receivers
//	            I2 an actor that nobody uses is told of, its handlers are not
//	cost:       actors times edges
//	checked by: unused_test.go

// to is one message type at one receiver.
type to struct {
	actor   *flow.Actor
	message string
}

// usage is who gets what.
type usage struct {
	g       *flow.Graph
	created map[*flow.Actor]bool
	arrives map[to]bool
	sentTo  map[string][]*flow.Actor // receivers of a message, without repetition
	ignores map[to]bool              // it arrives where no branch is for it
}

func usageOf(g *flow.Graph) *usage {
	u := &usage{g: g, created: map[*flow.Actor]bool{}, arrives: map[to]bool{}, sentTo: map[string][]*flow.Actor{},
		ignores: map[to]bool{}}
	for _, a := range g.Actors {
		for _, h := range a.Handlers {
			u.ignores[to{a, h.Message}] = !h.Known && len(h.Sends) == 0
		}
		for _, m := range a.Made {
			u.arrives[to{a, m}] = true
			u.sentTo[m] = append(u.sentTo[m], a)
		}
	}
	for _, e := range g.Edges {
		if e.Kind == flow.Create {
			u.created[e.To] = true
		}
		if !carries(e) {
			continue
		}
		u.arrives[to{e.To, e.Message}] = true
		if !slices.Contains(u.sentTo[e.Message], e.To) {
			u.sentTo[e.Message] = append(u.sentTo[e.Message], e.To)
		}
	}
	return u
}

// carries reports whether an edge brings a message.
func carries(e *flow.Edge) bool { return e.Kind != flow.Create && e.Kind != flow.Watch }

// place is where the same message is sent, to one or several types of actors.
type place struct {
	pos, message string
	edges        []int
	lack, have   []*flow.Actor // a branch for it
}

// unhandled are the sends to receivers that have no branch for what they get: one finding for each place and message.
// The environment takes everything. An answer that ends in a future has no handler at all.
func (u *usage) unhandled() []Finding {
	var places []*place
	at := map[[2]string]*place{}
	for i, e := range u.g.Edges {
		if !carries(e) || flow.HandledByFramework(e.Message) {
			continue
		}
		p := at[[2]string{e.Pos, e.Message}]
		if p == nil {
			p = &place{pos: e.Pos, message: e.Message}
			at[[2]string{e.Pos, e.Message}] = p
			places = append(places, p)
		}
		switch {
		case e.To.Environment || e.To.Default || !u.ignores[to{e.To, e.Message}]:
			p.have = append(p.have, e.To)
		default:
			p.edges = append(p.edges, i)
			p.lack = append(p.lack, e.To)
		}
	}
	var fs []Finding
	for _, p := range places {
		if len(p.lack) > 0 {
			fs = append(fs, p.finding())
		}
	}
	return fs
}

func (p *place) finding() Finding {
	lack, have := once(p.lack), once(p.have)
	f := Finding{Kind: Unhandled, Pos: p.pos, Edges: p.edges}
	if len(lack) == 1 {
		f.Text = fmt.Sprintf("%s goes to %s, which has no branch for it (%s)", p.message, lack[0].Name,
			orNowhere(lack[0].Pos))
	} else {
		f.Text = fmt.Sprintf("%s goes to %d types of actors that have no branch for it", p.message, len(lack))
		for _, a := range lack {
			f.Steps = append(f.Steps, Step{a.Pos, a.Name + " has none"})
		}
	}
	if len(have) > 0 {
		f.Text += fmt.Sprintf("; it may go to %s too, where there is one", listed(have))
	}
	return f
}

// once leaves out repetitions.
func once(as []*flow.Actor) []*flow.Actor {
	var out []*flow.Actor
	for _, a := range as {
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// unusedActors are types that handle messages, and that nobody creates or sends anything.
func (u *usage) unusedActors() []Finding {
	var fs []Finding
	for _, a := range u.g.Actors {
		if u.idle(a) {
			fs = append(fs, Finding{Kind: UnusedActor, Pos: a.Pos, Actors: []*flow.Actor{a},
				Text: "nobody creates an actor of type " + a.Name})
		}
	}
	return fs
}

func (u *usage) idle(a *flow.Actor) bool {
	return !a.Environment && !u.created[a] && !slices.ContainsFunc(u.g.Edges, func(e *flow.Edge) bool { return e.To == a })
}

// unsent are messages with handlers and without senders: one finding a message, at its first handler.
func (u *usage) unsent() []Finding {
	var fs []Finding
	at := map[string]int{}
	for _, a := range u.g.Actors {
		for _, h := range a.Handlers {
			if u.idle(a) || !h.Known || flow.HandledByFramework(h.Message) || len(u.sentTo[h.Message]) > 0 {
				continue
			}
			step := Step{h.Pos, a.Name + " handles it here"}
			if j, again := at[h.Message]; again {
				fs[j].Steps, fs[j].Actors = append(fs[j].Steps, step), append(fs[j].Actors, a)
				continue
			}
			at[h.Message] = len(fs)
			fs = append(fs, Finding{Kind: UnsentMessage, Pos: h.Pos, Actors: []*flow.Actor{a}, Steps: []Step{step},
				Text: fmt.Sprintf("nobody sends %s, which %s handles", h.Message, a.Name)})
		}
	}
	for i := range fs {
		if len(fs[i].Steps) == 1 {
			fs[i].Steps = nil // the finding's own position says it
		}
	}
	return fs
}

// unusedHandlers are branches for messages that go to others only.
func (u *usage) unusedHandlers() []Finding {
	var fs []Finding
	for _, a := range u.g.Actors {
		for _, h := range a.Handlers {
			others := u.sentTo[h.Message]
			if u.idle(a) || !h.Known || flow.HandledByFramework(h.Message) || len(others) == 0 || u.arrives[to{a, h.Message}] {
				continue
			}
			fs = append(fs, Finding{Kind: UnusedHandler, Pos: h.Pos, Actors: []*flow.Actor{a},
				Text: fmt.Sprintf("nobody sends %s to %s; it goes to %s only", h.Message, a.Name, listed(others))})
		}
	}
	return fs
}

// listed names actors.
func listed(as []*flow.Actor) string {
	var names []string
	for _, a := range as {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
