package sample

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// SURW is the selectively uniform random walk: of the steps that are of interest in an execution every order is equally
// likely, however many other steps lie between them.
//
// Of interest are the steps about one actor, drawn anew for every execution: those that it takes or, where mailboxes
// decide about that, those that put something into its mailbox. An earlier execution tells how many of them are to come
// below each step. One of the enabled steps is meant to bring the next: it is drawn in proportion to that weight. The
// others of interest wait; what is of no interest goes on in any order. When a step that was meant is taken and was not
// of interest itself, one that it made possible is meant in its place.
//
//	source:     [SURW25]; uniformity is that of choosing in proportion to what remains
//	differs:    there threads have counts, and what is spawned is a part of who spawns it; here a step has one, and the
//	            steps that it makes possible are parts of it: uniform if steps make the same ones possible in every
//	            order, as under bag without constraints. A step that waits for several others counts below the last, as
//	            the earlier execution had it. What is of interest is drawn in proportion to how many pairs of neighbours
//	            there are to turn round, where the paper takes one place at random. Values that the program chooses and
//	            faults are drawn uniformly
//	            With the option first all executions are drawn by what execution 0 tells. So each depends on the
//	            seed and its number alone, and processes can share them (first.go)
//	assumes:    the longest execution so far tells what a step leads to; a step that it does not have, what others of
//	            that message and receiver did there on average. The first execution is a random walk. explore.Binder was
//	            asked
//	invariants: I1 a step of interest is taken only if it is meant, or if nothing else is enabled
//	cost:       a number for every enabled step, and a hash and a logarithm where one is drawn by weight; a pass over the
//	            profile an execution
//	checked by: surw_test.go: all orders of small forests, and of the steps of interest in uneven ones, with equal
//	            frequencies
type SURW struct {
	sampler
	search.First
	all     bool // everything is of interest
	model   trace.Model
	profile profile
	target  int32  // number of the actor in the profile
	aims    bool   // there is a profile
	told    []byte // with First: the profile, if it was made here
	weights []uint32
	means   []uint32

	enabled []arrival // by message
	parents []int32   // by event
	meant   trace.ID  // zero: none yet
	last    trace.ID  // the step that was taken last
	was     bool      // which was of interest
	event   int32     // its event
}

// arrival is what is known of a step with a message.
type arrival struct {
	known    bool
	kind     trace.Kind
	interest bool
	weight   uint32
	parent   int32 // the event after which it was enabled first
}

var (
	_ explore.Binder   = (*SURW)(nil)
	_ explore.Numbered = (*SURW)(nil)
	_ explore.Sharer   = (*SURW)(nil)
	_ explore.Reporter = (*SURW)(nil)
)

// NewSURW makes the strategy. all: every step is of interest, as in the uniform random walk of the paper.
func NewSURW(all bool, seed uint64) *SURW { return &SURW{sampler: sampler{seed: seed}, all: all} }

// ParseSURW makes the strategy that the word behind "surw/" asks for.
func ParseSURW(words string, seed uint64) (*SURW, error) {
	word, first := search.CutFirst(words)
	if word != "" && word != "all" {
		return nil, fmt.Errorf("unknown option %q: want all, as in surw/all, first, as in surw/first, both, as in "+
			"surw/all/first, or none", words)
	}
	s := NewSURW(word == "all", seed)
	s.On, s.FirstAlone = first, first
	return s, nil
}

// SURWWords are what may follow the slash in the name.
func SURWWords() []string { return []string{"all", "first", "all/first"} }

// Name is "surw" and the options.
func (s *SURW) Name() string {
	if s.all {
		return "surw/all" + s.Suffix()
	}
	return "surw" + s.Suffix()
}

// Report is explore.Reporter.
func (s *SURW) Report() explore.Report {
	return s.ReportOf(strings.TrimSuffix(s.Name(), s.Suffix()), s.number)
}

// Tell is explore.Sharer: the profile.
func (s *SURW) Tell(all []byte) error {
	if all == nil {
		return nil
	}
	p, err := decodeProfile(all)
	if err == nil {
		s.profile, s.Known = *p, true
	}
	return err
}

// Learned is explore.Sharer.
func (s *SURW) Learned() []byte { return s.told }

// Merge is explore.Sharer.
func (*SURW) Merge(all, learned []byte) ([]byte, error) {
	_, err := decodeProfile(learned)
	return search.MergeFirst(all, learned), err
}

// Bind learns which steps are about an actor.
func (s *SURW) Bind(e explore.Env) error {
	s.model = e.Conditions.Model
	return nil
}

// Start draws what is of interest.
func (s *SURW) Start() bool {
	if !s.sampler.Start() {
		return false
	}
	s.enabled, s.parents = s.enabled[:0], s.parents[:0]
	s.meant, s.last, s.was = trace.ID{}, trace.ID{}, false
	s.aims = len(s.profile.parent) > 0
	if s.aims {
		s.target = s.draw()
		s.weights, s.means = s.profile.weigh(s.target, s.weights, s.means)
	}
	return true
}

// draw draws an actor in proportion to the neighbours among the steps about it; where nobody has two, everything is of
// interest.
func (s *SURW) draw() int32 {
	pairs := uint64(0)
	for _, n := range s.profile.often[everybody+1:] {
		pairs += uint64(n - 1)
	}
	if s.all || pairs == 0 {
		return everybody
	}
	at, actor := s.base.With(forTarget).Hi%pairs, int32(everybody+1)
	for at >= uint64(s.profile.often[actor]-1) {
		at -= uint64(s.profile.often[actor] - 1)
		actor++
	}
	return actor
}

// Choose takes the step that is meant, or one of no interest.
func (s *SURW) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if enabled[0].Kind.Chooses() {
		return explore.Choice{Index: s.uniform(enabled)}
	}
	at := s.next()
	s.follow(tr, enabled)
	if s.aims {
		s.aim(at, enabled)
	}
	best := s.least(at, enabled, false)
	if best < 0 {
		best = s.least(at, enabled, true)
	}
	step := &enabled[best]
	s.last, s.was = step.ID, s.of(step).interest
	s.parents = append(s.parents, s.of(step).parent)
	return explore.Choice{Index: best}
}

// least draws for each step that may be taken, and for those that wait too if they have to.
func (s *SURW) least(at trace.ID, enabled []trace.Step, waiting bool) int {
	at = at.With(forPriority)
	best, least := -1, trace.ID{}
	for i := range enabled {
		if !waiting && s.aims && enabled[i].ID != s.meant && s.of(&enabled[i]).interest {
			continue
		}
		if draw := at.WithID(enabled[i].ID); best < 0 || draw.Less(least) {
			best, least = i, draw
		}
	}
	return best
}

// aim says which step is meant to bring the next one of interest.
func (s *SURW) aim(at trace.ID, enabled []trace.Step) {
	from := int32(-1) // any
	switch {
	case s.last == s.meant && !s.was && !s.meant.IsZero():
		from = s.event
	case trace.Find(enabled, s.meant) >= 0:
		return
	}
	s.meant = trace.ID{}
	best := weighted(at, enabled, func(i int) uint32 {
		a := s.of(&enabled[i])
		if from >= 0 && a.parent != from {
			return 0
		}
		return a.weight
	})
	if best < 0 && from >= 0 {
		best = weighted(at, enabled, func(i int) uint32 { return s.of(&enabled[i]).weight })
	}
	if best >= 0 {
		s.meant = enabled[best].ID
	}
}

// of gives what is known of an enabled step. Those without a message are the advances of the clock.
func (s *SURW) of(step *trace.Step) arrival {
	if step.Message < 0 {
		return arrival{parent: s.event}
	}
	return s.enabled[step.Message]
}

// follow notes which steps are enabled for the first time, and what is to be expected of them.
func (s *SURW) follow(tr *trace.Trace, enabled []trace.Step) {
	for e := len(s.parents); e < len(tr.Events); e++ {
		s.parents = append(s.parents, int32(e)-1) // the system took it by itself, or it is a part of the one before
	}
	for len(s.enabled) < len(tr.Messages) {
		s.enabled = append(s.enabled, arrival{})
	}
	s.event = tr.StepOf(int32(len(tr.Events)) - 1)
	for i := range enabled {
		step := &enabled[i]
		if step.Message < 0 {
			continue
		}
		if a := &s.enabled[step.Message]; !a.known || a.kind != step.Kind {
			*a = arrival{known: true, kind: step.Kind, parent: s.event}
			if s.aims {
				a.interest, a.weight = s.expect(tr, step)
			}
		}
	}
}

// expect says what the profile knows of a step: whether it is of interest, and how many are from it down.
func (s *SURW) expect(tr *trace.Trace, step *trace.Step) (interest bool, weight uint32) {
	if i, ok := s.profile.steps[step.ID]; ok {
		return s.profile.isAbout(i, s.target), s.weights[i]
	}
	if s.target == everybody {
		interest = true
	} else if step.Kind.Handles() != s.model.Queues() {
		a, ok := s.profile.actors[tr.Actors[tr.Messages[step.Message].Receiver].ID]
		interest = ok && a == s.target
	}
	if k, ok := s.profile.kinds[kindOf(tr, step)]; ok && (!interest || s.means[k] > 0) {
		return interest, s.means[k]
	}
	return interest, 1
}

// Learn keeps the longest execution, with the option execution 0.
func (s *SURW) Learn(tr *trace.Trace, _ bool) {
	for e := len(s.parents); e < len(tr.Events); e++ {
		s.parents = append(s.parents, int32(e)-1)
	}
	s.parents = s.parents[:len(tr.Events)] // a step that was chosen last may not have happened
	if s.Learns(s.number) && len(s.parents) > len(s.profile.parent) {
		s.profile.build(s.model, tr, s.parents)
	}
	if s.On && s.number == 0 {
		s.noteFirst()
	}
}

// noteFirst makes what is told to others. Where that is too long, this process does not use it either: an execution is
// the same whoever makes it.
func (s *SURW) noteFirst() {
	if s.told = s.profile.encode(); len(s.told) > search.MostTold {
		s.told, s.profile = nil, profile{}
		return
	}
	s.First.Learn(s.number)
}
