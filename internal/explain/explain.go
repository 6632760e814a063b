// Package explain makes a failing schedule small, and finds the deliveries whose order decides between failing and
// passing, by executing the other order.
//
//	shrink.go   the shortest schedule; switches.go the one with the fewest switches of actor
//	explain.go  the search for the deliveries
//	clock.go    the swaps of which one half is an advance of the clock
//	words.go    names of the pairs, and the text
//	faults.go   the injected faults that it takes, and what Go chooses by itself
//	defaults.go the same where Go's default breaks it
//	graph.go    what must come before what in one execution
//	flip.go     the schedule that swaps two deliveries
//	source:     the idea of a failure-inducing difference: A. Zeller, Isolating cause-effect chains, FSE 2002
//	differs:    the difference is the order of two deliveries at one actor, or of an advance of the clock and a step.
//	            Every claim was executed: a pair is only named if the failing run took it in this order, and the run the
//	            other way round passed
//	assumes:    nothing about the delivery model; where it decides how to swap, the ways are tried one after the other
//	cost:       at most MaxReplays replays
//	checked by: explain_test.go on random programs, against the enumeration of all executions
package explain

import (
	"slices"
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

// Pair is two deliveries at one actor, in the order in which they break. For a dead letter it may be the delivery that
// stopped the receiver and the step of another actor that sends to it. One half may be an advance of the clock.
type Pair struct {
	First, Second int32 // events of the failing trace; Second is -1 if it ended before that delivery
	Message       int32 // message of the second in the failing trace; -1 if it was not sent there yet

	FirstName, SecondName, Actor string // for people; Actor is that of First
	Other                        string // the actor of Second where it is another

	first, second trace.ID // of the steps
}

// In gives the pair with the events of another execution: -1 where it has none.
func (p Pair) In(tr *trace.Trace) Pair {
	p.First, p.Second = int32(position(tr, p.first)), int32(position(tr, p.second))
	p.Message = -1
	return p
}

// Explanation says which order decides.
type Explanation struct {
	Pairs   []Pair // one or two; none if none was found
	Text    string // for people, one or two sentences
	Flipped *trace.Trace
	Instead []trace.Violation // where no swap lets it pass: what one gives in its place, mostly nothing
	Replays int
	Swapped int     // swaps that were executed
	InVain  bool    // nothing was found that decides
	Draws   []int32 // events of the failing trace: what Go chose by itself that decides
}

// Culprit looks for the pair of deliveries, or the two pairs, whose order decides whether v occurs. Pairs at the actors
// of the violation come first, nearest to the failure first. Texts call the driver as the test is called, Driver where
// that is "".
func Culprit(run replay.Runner, failing *trace.Trace, v trace.Violation, test string) (*Explanation, error) {
	s := &finder{run: run, failing: failing, test: test, cut: v.Event < len(failing.Events), key: v.Key(),
		most: min(MaxReplays, max(10, maxSteps/(len(failing.Events)+1)))}
	s.limit = s.most * 2 / 3 // the rest is for two pairs
	_, faults, err := s.needs(failing, injected)
	if err != nil {
		return nil, err
	}
	draws, ofGo, err := s.needs(failing, drawn)
	if err != nil {
		return nil, err
	}
	faults = strings.TrimSpace(faults + " " + ofGo)
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
	if len(swaps) == 0 && faults == "" {
		if draws, faults, err = s.defaults(failing); err != nil {
			return nil, err
		}
	}
	x := &Explanation{Draws: draws}
	for _, w := range swaps {
		x.Pairs = append(x.Pairs, s.pair(w))
		x.Flipped = w.run.Trace
	}
	if len(swaps) > 0 {
		x.Text = strings.TrimSpace(faults + " " + x.words())
	} else if faults != "" {
		x.Text = faults
	} else if x.Text, err = s.inVain(); err != nil {
		return nil, err
	} else if x.InVain = true; s.other != nil {
		x.Instead = s.other.run.Violations
	}
	x.Replays, x.Swapped = s.replays, s.swapped
	return x, nil
}

// finder holds what one Culprit has executed.
type finder struct {
	run           replay.Runner
	test          string // name of the driver, "": as the trace has it
	key           string
	replays, most int
	limit         int // of the phase
	swapped       int
	way           way // that worked last
	failing       *trace.Trace
	cut           bool    // the violation ended it
	vain          []*swap // the first swaps after which the violation occurs all the same
	other         *swap   // of the failing run, after which something else is wrong; nil: none
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

// single looks for one swap in tr after which nothing is wrong. Its steps came in that order in the failing run, too.
// avoid is a swap that is not to be undone.
func (s *finder) single(tr *trace.Trace, v trace.Violation, avoid *swap) (*swap, error) {
	g := newGraph(tr)
	var found *swap
	try := func(w *swap) bool {
		switch {
		case avoid != nil && w.first == avoid.second && w.second == avoid.first:
		case !w.happened(s.failing, s.cut):
		case w.run.With(s.key) != nil:
			if len(s.vain) < maxFirst { // each holds an execution
				s.vain = append(s.vain, w)
			}
		case len(w.run.Violations) == 0:
			found = w
		case s.other == nil && avoid == nil:
			s.other = w
		}
		return found == nil
	}
	if err := s.arrivals(g, v, try); err != nil || found != nil {
		return found, err
	}
	limit := s.limit
	if g.letsTimePass() {
		s.limit -= (s.limit - s.replays) / 4 // the rest is for the clock
	}
	for _, actor := range g.suspects(v) {
		for _, next := range []func(*graph, int32, func(*swap) bool) error{s.pairs, s.delays} {
			if err := next(g, actor, try); err != nil || found != nil {
				return found, err
			}
		}
	}
	s.limit = limit
	err := s.clock(g, try)
	return found, err
}

// arrivals is for dead letters: it moves the step that sent one before the deliveries of other actors, one of which
// stopped its receiver. The receiver's own come first where it is known.
func (s *finder) arrivals(g *graph, v trace.Violation, try func(*swap) bool) error {
	if v.Kind != trace.DeadLetter || v.Event >= len(g.tr.Events) {
		return nil
	}
	late := int32(v.Event)
	for _, first := range g.stops(late) {
		w := g.swapOf(first, late)
		if more, err := s.try(w, g.before(first, late), try); err != nil || !more {
			return err
		}
		// What it sends then may still arrive too late.
		if w.run == nil || w.run.With(s.key) == nil {
			continue
		}
		if more, err := s.try(g.swapOf(first, late), g.beforeAndHandled(first, late, newGraph(w.run.Trace)),
			try); err != nil || !more {
			return err
		}
	}
	return nil
}

// try executes a schedule that should swap two steps, and hands the swap on if it did. more: the search goes on.
func (s *finder) try(w *swap, forced []trace.Forced, try func(*swap) bool) (more bool, err error) {
	if forced == nil || s.replays >= s.limit {
		return true, nil
	}
	if w.run, err = s.execute(forced); err != nil {
		return false, err
	}
	if !w.swapped() {
		return true, nil
	}
	s.swapped++
	return try(w), nil
}

// double tries a second swap after one that changed nothing.
func (s *finder) double() ([]*swap, error) {
	firsts := s.vain
	for i, first := range firsts {
		// What is left is shared out evenly, so that an early dead end does not use it up.
		s.limit = s.replays + (s.most-s.replays)/(len(firsts)-i)
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
			if s.replays >= s.limit {
				return nil
			}
			if at[i] >= g.handledIn[m] {
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

// delays looks for a message that the failing run never sent, mostly because it ended first. It postpones each delivery
// in turn until nothing else is possible, and swaps it with the messages that show up then.
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
		if w.run = r; w.swapped() {
			s.way = how
			s.swapped++
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

// swapped reports whether the run has the steps the other way round, and whether it lets the same time pass if one of
// them is an advance of the clock.
func (w *swap) swapped() bool {
	return ordered(w.run.Trace, w.second, w.first) && samePassing(w.from, w.run.Trace, w.first) &&
		samePassing(w.from, w.run.Trace, w.second)
}

// happened reports whether the execution took the steps in the order that the swap undid: the second may have been
// under way when the execution ended.
func (w *swap) happened(failing *trace.Trace, cut bool) bool {
	first, second := position(failing, w.first), position(failing, w.second)
	if first < 0 || second >= 0 {
		return first >= 0 && first < second
	}
	tr, sent := w.run.Trace, newGraph(failing).sent
	for e := position(tr, w.second); e >= 0; e = int(tr.Messages[tr.Events[e].Step.Message].SentBy) {
		m := tr.Events[e].Step.Message
		switch {
		case position(failing, tr.Events[e].Step.ID) >= 0:
			return false // it happened, and did not lead to the second
		case m < 0:
			return cut && tr.Events[e].Step.Kind == trace.Advance // the failing execution ended before that much time had passed
		case sent(tr.Messages[m].ID):
			return true
		}
	}
	return false
}

// position is the index of the event with this step, -1 if there is none.
func position(tr *trace.Trace, id trace.ID) int {
	return slices.IndexFunc(tr.Events, func(e trace.Event) bool { return e.Step.ID == id })
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
