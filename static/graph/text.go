package graph

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rehearse-go/rehearse/static/chain"
	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/trace"
)

// writeText lists actors with their handlers, and in each handler what it creates and sends.
func writeText(d Document) ([]byte, error) {
	var b strings.Builder
	g := d.Graph
	if d.Chains != nil {
		textChains(&b, d.Chains, g)
		return trimmed(b.String()), nil
	}
	fmt.Fprintf(&b, "message flow graph, precision %s: %s\n", g.Precision, counts(g))
	textPartial(&b, g)
	for _, a := range g.Actors {
		b.WriteString("\n")
		textActor(&b, g, a)
	}
	if d.Findings != nil {
		b.WriteString("\n")
		textFindings(&b, d.Findings)
	}
	return trimmed(b.String()), nil
}

func counts(g *flow.Graph) string {
	actors, handlers, creates := 0, 0, 0
	for _, a := range g.Actors {
		if !a.Environment {
			actors++
			handlers += len(a.Handlers)
		}
	}
	for _, e := range g.Edges {
		if e.Kind == flow.Create {
			creates++
		}
	}
	return strings.Join([]string{plural(actors, "actor type"), plural(handlers, "handler"), plural(creates, "creation"),
		plural(len(g.Edges)-creates, "message edge")}, ", ")
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func partialTitle(g *flow.Graph) string {
	return "partial graph: " + strings.Join(g.Partial, "; ")
}

func textPartial(w io.Writer, g *flow.Graph) {
	if len(g.Partial) == 0 {
		return
	}
	fmt.Fprintln(w, "PARTIAL: actors and edges may be missing, because")
	for _, p := range g.Partial {
		fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(p, "\n", "\n    "))
	}
}

func textActor(w io.Writer, g *flow.Graph, a *flow.Actor) {
	tw := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	defer tw.Flush()
	place := a.Pos
	if notes := notesOn(g, a); len(notes) > 0 {
		place += "\t" + strings.Join(notes, ", ")
	}
	row(tw, title(a), place)
	own, in := leaving(g, a)
	indent := "  "
	if !a.Environment && len(own[""]) > 0 {
		row(tw, "  "+unnamed(g), "")
		indent = "    "
	}
	textEdges(tw, indent, own[""])
	for _, h := range a.Handlers {
		what := "  on " + h.Message
		if !h.Known {
			what += " (no branch)"
		}
		row(tw, what, h.Pos)
		textEdges(tw, "    ", own[h.Message])
		delete(own, h.Message)
	}
	for _, message := range in {
		if edges, left := own[message]; left && message != "" {
			row(tw, "  on "+message+" (as on any other message)", "")
			textEdges(tw, "    ", edges)
		}
	}
	if a.Default {
		row(tw, "  on any other message", "")
	}
}

// notesOn gives what is to be known of an actor beside its handlers.
func notesOn(g *flow.Graph, a *flow.Actor) (notes []string) {
	switch {
	case a.Receptionist:
		notes = append(notes, "receptionist")
	case !a.Environment && !slices.ContainsFunc(g.Edges, func(e *flow.Edge) bool { return e.To == a }):
		notes = append(notes, "nobody creates it")
	}
	if a.Around != "" {
		notes = append(notes, a.Around)
	}
	return notes
}

// unnamed says where edges are that name no handler.
func unnamed(g *flow.Graph) string {
	if g.Precision == flow.Instances {
		return "at start"
	}
	return "in its handlers" // this precision does not tell which
}

// leaving gives an actor's edges by the message of their handler, and these messages in the order of the graph.
func leaving(g *flow.Graph, a *flow.Actor) (own map[string][]*flow.Edge, in []string) {
	own = map[string][]*flow.Edge{}
	for _, e := range g.Edges {
		if e.From != a {
			continue
		}
		if own[e.In] == nil {
			in = append(in, e.In)
		}
		own[e.In] = append(own[e.In], e)
	}
	return own, in
}

func textEdges(w io.Writer, indent string, edges []*flow.Edge) {
	for _, e := range edges {
		rest := e.Pos
		if e.Conditions > 0 {
			rest += "\tunder " + plural(e.Conditions, "condition")
		}
		row(w, indent+sentence(e), rest)
	}
}

// row writes cells that tabwriter aligns: a row of one cell would end the column.
func row(w io.Writer, first, rest string) { fmt.Fprintf(w, "%s\t%s\n", first, rest) }

// trimmed has no blanks at the ends of lines.
func trimmed(s string) []byte {
	var b strings.Builder
	for line := range strings.Lines(trace.Visible(s)) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return []byte(b.String())
}

// sentence says what an edge does, without its subject.
func sentence(e *flow.Edge) string {
	to := title(e.To)
	switch e.Kind {
	case flow.Create:
		return "creates " + to
	case flow.Watch:
		return "watches " + to
	case flow.Request:
		wait := ""
		if e.Blocking {
			wait = " and waits"
			if e.Timeout {
				wait += " until a timeout"
			}
		}
		return fmt.Sprintf("requests %s from %s%s", e.Message, to, wait)
	case flow.Respond:
		return fmt.Sprintf("responds %s to %s", e.Message, to)
	case flow.Forward:
		return fmt.Sprintf("forwards %s to %s", e.Message, to)
	case flow.Timer:
		return fmt.Sprintf("sets a timer: %s to %s", e.Message, to)
	}
	return fmt.Sprintf("%ss %s to %s", e.Kind, e.Message, to)
}

// textFindings lists findings by kind.
func textFindings(w io.Writer, r *finding.Report) {
	if len(r.Findings) == 0 {
		fmt.Fprintln(w, "no findings")
	} else {
		fmt.Fprintln(w, plural(len(r.Findings), "finding"))
	}
	for _, f := range r.Findings {
		fmt.Fprintln(w, f)
	}
	if len(r.Missed) > 0 {
		fmt.Fprintf(w, "the graph is partial: there may be more of %v\n", r.Missed)
	}
}

// textChains lists chains, each send with its place and what it is under.
func textChains(w io.Writer, c *Chains, g *flow.Graph) {
	textPartial(w, g)
	n := plural(len(c.Found), "chain")
	if !c.All {
		n = "the first " + n
	}
	fmt.Fprintf(w, "%s from %s to %s\n", n, names(c.From), names(c.To))
	for _, found := range c.Found {
		fmt.Fprintf(w, "\n%s, %s\n", plural(len(found.Calls), "send"), plural(found.Conditions(), "condition"))
		tw := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
		row(tw, "  "+handlerName(found.From), "")
		for _, call := range found.Calls {
			rest := g.Edges[call.Edge].Pos
			if call.Conditions > 0 {
				rest += "\tunder " + plural(call.Conditions, "condition")
			}
			row(tw, "  -> "+handlerName(call.To), rest)
		}
		tw.Flush()
	}
}

func names(hs []chain.Handler) string {
	var ns []string
	for _, h := range hs {
		ns = append(ns, handlerName(h))
	}
	return strings.Join(ns, " or ")
}

func handlerName(h chain.Handler) string {
	switch {
	case h.Actor.Environment:
		return "environment"
	case h.Message == "":
		return h.Actor.Name + " at start"
	}
	return h.Actor.Name + ":" + h.Message
}
