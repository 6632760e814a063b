// Package explain finds the deliveries whose order decides between failing and passing, by executing the other order.
//
//	explain.go  the search and its words
//	faults.go   the injected faults that it takes
//	graph.go    what must come before what in one execution
//	flip.go     the schedule that swaps two deliveries
//	source:     the idea of a failure-inducing difference: A. Zeller, Isolating cause-effect chains, FSE 2002
//	differs:    the difference is the order of two deliveries at one actor, and every claim was executed: a pair is only named
//	            if the run with that pair the other way round did not give the violation
//	assumes:    nothing about the delivery model; where it decides how to swap, the ways are tried one after the other
//	cost:       at most MaxReplays replays
//	checked by: explain_test.go on random programs, against the enumeration of all executions
package explain

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/trace"
)

// MaxReplays bounds the replays of one Culprit.
const MaxReplays = 600

// maxSteps bounds the steps of all replays together.
const maxSteps = 2_000_000

// maxFirst is the number of swaps that are tried as the first of two.
const maxFirst = 8

// Pair is two deliveries at one actor, in the order in which they break. For a dead letter it may be the delivery that stopped
// the receiver and the step of another actor that sends to it.
type Pair struct {
	First, Second int32 // events of the failing trace; -1 if it ended before that delivery
	Message       int32 // message of the second in the failing trace; -1 if it was never sent there

	FirstName, SecondName, Actor string // for people; Actor is that of First
	Other                        string // the actor of Second where it is another
}

// Explanation says which order decides.
type Explanation struct {
	Pairs   []Pair // one or two; none if none was found
	Text    string // for people, one or two sentences
	Flipped *trace.Trace
	Instead []trace.Violation // what the flipped run gives, mostly nothing
	Replays int
	Swapped int // swaps that were executed
}

// Culprit looks for the pair of deliveries, or the two pairs, whose order decides whether v occurs. Pairs at the actors of
// the violation come first, nearest to the failure first.
func Culprit(run replay.Runner, failing *trace.Trace, v trace.Violation) (*Explanation, error) {
	s := &finder{run: run, key: v.Key(), most: min(MaxReplays, max(10, maxSteps/(len(failing.Events)+1)))}
	s.limit = s.most * 2 / 3 // the rest is for two pairs
	faults, err := s.faults(failing)
	if err != nil {
		return nil, err
	}
	found, err := s.single(failing, v, nil)
	if err != nil {
		return nil, err
	}
	var swaps []*swap
	if found != nil {
		swaps = []*swap{found}
	} else if swaps, err = s.double(); err != nil {
		return nil, err
	}
	x := &Explanation{}
	for _, w := range swaps {
		x.Pairs = append(x.Pairs, w.pair(failing))
		x.Flipped, x.Instead = w.run.Trace, w.run.Violations
	}
	if len(swaps) > 0 {
		x.Text = strings.TrimSpace(faults + " " + x.words())
	} else if faults != "" {
		x.Text = faults
	} else if x.Text, err = s.inVain(); err != nil {
		return nil, err
	}
	x.Replays, x.Swapped = s.replays, s.swapped
	return x, nil
}

// finder holds what one Culprit has executed.
type finder struct {
	run           replay.Runner
	key           string
	replays, most int
	limit         int // of the phase
	swapped       int
	way           way     // that worked last
	vain          []*swap // swaps after which the violation occurs all the same
}

// swap is two deliveries that were executed in the other order.
type swap struct {
	first, second trace.ID // first came first in the failing run
	from          *trace.Trace
	run           *replay.Run
}

func (s *finder) execute(forced []trace.Forced) (*replay.Run, error) {
	s.replays++
	return s.run(forced)
}

// single looks for one swap in tr that makes the violation go away; one after which nothing is wrong is preferred. avoid is a
// swap that is not to be undone.
func (s *finder) single(tr *trace.Trace, v trace.Violation, avoid *swap) (*swap, error) {
	g := newGraph(tr)
	var found, other *swap
	try := func(w *swap) bool {
		switch {
		case avoid != nil && w.first == avoid.second && w.second == avoid.first:
		case w.run.With(s.key) != nil:
			s.vain = append(s.vain, w)
		case len(w.run.Violations) == 0:
			found = w
		case other == nil:
			other = w
		}
		return found == nil
	}
	if err := s.arrivals(g, v, try); err != nil || found != nil {
		return found, err
	}
	for _, actor := range g.suspects(v) {
		for _, next := range []func(*graph, int32, func(*swap) bool) error{s.pairs, s.delays} {
			if err := next(g, actor, try); err != nil || found != nil {
				return found, err
			}
		}
	}
	return other, nil
}

// arrivals is for dead letters: it moves the step that sent one before the deliveries of other actors, one of which stopped its
// receiver. The receiver's own come first where it is known.
func (s *finder) arrivals(g *graph, v trace.Violation, try func(*swap) bool) error {
	if v.Kind != trace.DeadLetter || v.Event >= len(g.tr.Events) {
		return nil
	}
	late := int32(v.Event)
	for _, first := range g.stops(late) {
		forced := g.before(first, late)
		if forced == nil {
			continue
		}
		if s.replays >= s.limit {
			return nil
		}
		r, err := s.execute(forced)
		if err != nil {
			return err
		}
		w := &swap{first: g.tr.Events[first].Step.ID, second: g.tr.Events[late].Step.ID, from: g.tr, run: r}
		if ordered(r.Trace, w.second, w.first) {
			if s.swapped++; !try(w) {
				return nil
			}
		}
	}
	return nil
}

// double tries a second swap after one that changed nothing.
func (s *finder) double() ([]*swap, error) {
	firsts := s.vain
	for i, first := range firsts[:min(len(firsts), maxFirst)] {
		// What is left is shared out evenly, so that an early dead end does not use it up.
		s.limit = s.replays + (s.most-s.replays)/(min(len(firsts), maxFirst)-i)
		second, err := s.single(first.run.Trace, *first.run.With(s.key), first)
		if err != nil {
			return nil, err
		}
		if second != nil && ordered(second.run.Trace, first.second, first.first) {
			return []*swap{first, second}, nil
		}
	}
	return nil, nil
}

// pairs swaps deliveries of one actor with messages that came later or not at all, nearest to each other first.
func (s *finder) pairs(g *graph, actor int32, try func(*swap) bool) error {
	at := g.deliveries(actor)
	for _, m := range g.seconds(actor) {
		for i := len(at) - 1; i >= 0; i-- {
			if at[i] >= g.handledAt(m) {
				continue
			}
			w, err := s.swap(g, at[i], g, m)
			if err != nil || w != nil && !try(w) {
				return err
			}
		}
	}
	return nil
}

// delays looks for a message that the failing run never sent, mostly because it ended first: it postpones each delivery in
// turn until nothing else is possible, and swaps it with the messages that show up then.
func (s *finder) delays(g *graph, actor int32, try func(*swap) bool) error {
	at := g.deliveries(actor)
	for i := len(at) - 1; i >= 0; i-- {
		for _, forced := range g.postponed(at[i]) {
			if s.replays >= s.limit {
				return nil
			}
			r, err := s.execute(forced)
			if err != nil {
				return err
			}
			p := newGraph(r.Trace)
			for _, m := range p.seconds(g.indexIn(r.Trace, actor)) {
				if g.sent(r.Trace.Messages[m].ID) {
					continue
				}
				w, err := s.swap(g, at[i], p, m)
				if err != nil || w != nil && !try(w) {
					return err
				}
			}
		}
	}
	return nil
}

// swap executes message m of p before the event first of g in the ways that might do it; nil if none did.
func (s *finder) swap(g *graph, first int32, p *graph, m int32) (*swap, error) {
	w := &swap{first: g.tr.Events[first].Step.ID, second: p.tr.Messages[m].ID, from: p.tr}
	for _, how := range s.ways(g) {
		if s.replays >= s.limit {
			break
		}
		forced := g.flip(how, first, p, m)
		if forced == nil {
			continue
		}
		r, err := s.execute(forced)
		if err != nil {
			return nil, err
		}
		if ordered(r.Trace, w.second, w.first) {
			s.way = how
			s.swapped++
			w.run = r
			return w, nil
		}
	}
	return nil, nil
}

// ways lists the ways to swap, the one that worked last first.
func (s *finder) ways(g *graph) []way {
	list := []way{s.way}
	for _, w := range []way{direct, ordering, releases} {
		if w != s.way {
			list = append(list, w)
		}
	}
	if g.captures {
		return []way{releases, direct}
	}
	return list
}

// ordered reports whether the trace has a before b, or a and no b.
func ordered(tr *trace.Trace, a, b trace.ID) bool {
	for e := range tr.Events {
		switch tr.Events[e].Step.ID {
		case a:
			return true
		case b:
			return false
		}
	}
	return false
}

// pair finds the swap's deliveries in the failing trace. Names come from it where it has them.
func (w *swap) pair(failing *trace.Trace) Pair {
	p := Pair{First: -1, Second: -1, Message: -1}
	p.FirstName, p.Actor = w.describe(failing, w.first, &p.First)
	p.SecondName, p.Other = w.describe(failing, w.second, &p.Second)
	if p.Other == p.Actor {
		p.Other = ""
	}
	for m := range failing.Messages {
		if failing.Messages[m].ID == w.second {
			p.Message = int32(m)
		}
	}
	if p.FirstName == p.SecondName {
		p.FirstName += place(failing, p.First)
		p.SecondName += place(failing, p.Second)
	}
	return p
}

// describe names the step with this identity and its actor, and sets its event in the failing trace.
func (w *swap) describe(failing *trace.Trace, id trace.ID, event *int32) (name, actor string) {
	for _, tr := range []*trace.Trace{failing, w.run.Trace, w.from} {
		for e := range tr.Events {
			if s := tr.Events[e].Step; s.ID == id {
				if tr == failing {
					*event = int32(e)
				}
				return stepName(tr, s), tr.ActorName(s.Actor)
			}
		}
	}
	return id.String(), "nobody"
}

func stepName(tr *trace.Trace, s trace.Step) string {
	switch s.Kind {
	case trace.Reply:
		return "the reply " + tr.MessageName(s.Message)
	case trace.Resume:
		return "the resumption of " + trace.ShortType(tr.Messages[s.Message].Type.Name)
	case trace.Send:
		return "the send of " + tr.MessageName(s.Message)
	case trace.Deliver:
		return tr.MessageName(s.Message)
	}
	return tr.StepName(s)
}

func place(failing *trace.Trace, event int32) string {
	if event < 0 {
		return " (not handled here)"
	}
	return fmt.Sprintf(" (step %d)", int(event)-failing.Explored+1)
}

// words says what was found.
func (x *Explanation) words() string {
	var parts []string
	for _, p := range x.Pairs {
		if p.Other != "" {
			parts = append(parts, fmt.Sprintf("%s at %s before %s at %s", p.FirstName, p.Actor, p.SecondName, p.Other))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s before %s at %s", p.FirstName, p.SecondName, p.Actor))
	}
	verb, other := " breaks; ", "the other way round "
	if len(parts) > 1 {
		verb, other = " break; ", "with both the other way round "
	}
	text := strings.Join(parts, " together with ") + verb + other
	if len(x.Instead) > 0 {
		return text + "this does not happen, but something else goes wrong: " + x.Instead[0].Text + "."
	}
	return text + "it passes."
}

// inVain says what was tried, and whether the default order gives the violation, too.
func (s *finder) inVain() (string, error) {
	r, err := s.execute(nil)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("No pair of deliveries decides alone, and no two pairs that were tried do: %s swapped in %s, and the violation occurred every time.",
		count(s.swapped, "pair was", "pairs were"), count(s.replays, "replay", "replays"))
	if s.swapped == 0 {
		text = "No two deliveries at one actor could be swapped."
	}
	if r.With(s.key) != nil {
		return text + " The default order gives it as well: it may not depend on the order at all.", nil
	}
	return text + " The default order passes: several orders decide together, or a choice of the test does.", nil
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
