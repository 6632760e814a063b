// Package finding reads from a message flow graph what looks wrong. That is actors, handlers and messages that nothing
// leads to, messages that end as dead letters, and requests that can wait for each other.
//
//	finding.go  what a finding is, and all of them
//	unused.go   nobody sends it, nobody handles it
//	cycle.go    requests in a circle
//
// The graph speaks of types, and holds every edge that an execution can take but also some that none does. So what is
// said never to happen is sure, if the graph is complete. What is said that it can happen may need conditions that
// never hold, or be said of two actors where there is only one.
package finding

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/static/flow"
)

// Kind says what is wrong.
type Kind string

// The kinds of findings.
const (
	UnusedActor   Kind = "unused-actor"   // nobody creates an actor of the type
	UnsentMessage Kind = "unsent-message" // nobody sends the message, though it is handled
	UnusedHandler Kind = "unused-handler" // the message is sent, but not to this actor
	Unhandled     Kind = "unhandled-send" // the receiver has no branch for the message
	RequestCycle  Kind = "request-cycle"  // actors can wait for each other's answers
)

// Finding is one of them.
type Finding struct {
	Kind   Kind
	Pos    string        // file:line of the first place to look at
	Text   string        // what is wrong, one line
	Steps  []Step        // how it comes about, in order; for cycles
	Edges  []int         // of the graph, that take part
	Actors []*flow.Actor // that it is about, if it is not about edges
	Doubt  []string      // why it may be wrong, where the graph is partial
}

// Step is one place of a chain.
type Step struct {
	Pos  string
	Text string
}

// Report is what was found, by kind and then in the order of the graph.
type Report struct {
	Findings []Finding
	// Missed says which kinds may have more than what was found, where the graph is partial.
	Missed []Kind
}

// Of looks for everything.
func Of(g *flow.Graph) *Report {
	r := &Report{}
	u := usageOf(g)
	r.Findings = append(r.Findings, cycles(g)...)
	r.Findings = append(r.Findings, u.unhandled()...)
	r.Findings = append(r.Findings, u.unusedActors()...)
	r.Findings = append(r.Findings, u.unsent()...)
	r.Findings = append(r.Findings, u.unusedHandlers()...)
	if len(g.Partial) > 0 {
		r.doubt(g.Partial)
	}
	return r
}

// doubt marks what a missing part of the graph could refute, and says what it could hide.
func (r *Report) doubt(partial []string) {
	for i := range r.Findings {
		switch f := &r.Findings[i]; f.Kind {
		case UnusedActor, UnsentMessage, UnusedHandler, Unhandled:
			f.Doubt = partial
		}
	}
	r.Missed = []Kind{RequestCycle, Unhandled}
}

// String is the finding as a compiler would tell it, with its steps on lines of their own.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s", orNowhere(f.Pos), f.Kind, f.Text)
	if len(f.Doubt) > 0 {
		b.WriteString(" (unreliable: the graph is partial)")
	}
	for _, s := range f.Steps {
		fmt.Fprintf(&b, "\n\t%s: %s", orNowhere(s.Pos), s.Text)
	}
	return b.String()
}

func orNowhere(pos string) string {
	if pos == "" {
		return "(no position)"
	}
	return pos
}
