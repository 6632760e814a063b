package session

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has what a session does to a schedule: it is followed, forces less, is written and found again. The
// investigation of a violation (study.go) makes one, and makes it shorter.

// Report is a violation with the shortest schedule that was found for it.
type Report struct {
	Story
	Schedule *trace.Schedule // nil where there is nothing to replay
}

// optionsOf are those under which a schedule with this header is executed: its own model, timers and choices of Go.
// Under others its orders may not exist. v is what the schedule is to show, nil if nothing is known.
func (s *stage) optionsOf(h *trace.Header, v *trace.Violation) explore.Options {
	return s.lookFor(v, s.options(s.conditionsOf(h)))
}

// follow executes a schedule, under options that change has changed; nil: as they are.
func (s *stage) follow(sched *trace.Schedule, v *trace.Violation, change func(*explore.Options)) (*replay.Run, error) {
	o := s.optionsOf(&sched.Header, v)
	if change != nil {
		change(&o)
	}
	return s.runner(o)(sched.Steps)
}

// following executes the schedule of a finding once more, or under its conditions another execution.
func (s *stage) following(f *Report) following {
	return func(other *trace.Trace, change func(*explore.Options)) (*replay.Run, error) {
		sched := *f.Schedule
		if other != nil {
			sched.Steps = other.Schedule()
		}
		return s.follow(&sched, &f.Violation, change)
	}
}

// Replay executes a schedule, whatever it is written for: the journal names it meanwhile. It gives the finding, nil if
// nothing is wrong, and the execution. known tells which violation is expected: it must not hide what else is wrong.
func (s *stage) Replay(of *trace.Schedule, known func(*trace.Violation) bool) (*Report, *replay.Run, error) {
	sched := *of
	sched.Header.Layer = layerOf(&sched)
	h := sched.Header
	h.Version = trace.ScheduleVersion // of what is executed
	s.journal.Header(h)
	defer s.journal.Header(s.Header)
	return s.replay(&sched, known)
}

// replay executes a schedule under its own model and timers: under others its orders may not exist.
func (s *stage) replay(sched *trace.Schedule, known func(*trace.Violation) bool) (*Report, *replay.Run, error) {
	restore, err := s.mute()
	if err != nil {
		return nil, nil, err
	}
	defer restore()
	o := s.optionsOf(&sched.Header, sched.Header.Violation)
	stale, err := s.split(o, sched)
	if err != nil {
		return nil, nil, err
	}
	run := s.runner(o)
	x, err := run(sched.Steps)
	if err != nil {
		return nil, nil, err
	}
	x.Stale = append(stale, x.Stale...)
	s.orders.observe(x.Trace, sched.Header.Model)
	var v *trace.Violation
	for i := range x.Violations {
		o := &x.Violations[i]
		if s.levels.Of(o.Kind) == check.Error && (v == nil || known(v) && !known(o)) {
			v = o
		}
	}
	if v == nil {
		return nil, x, nil
	}
	f := &Report{Story: Story{Violation: *v, Switches: explain.Switches(x.Trace), run: x}, Schedule: sched}
	return f, x, s.tell(&f.Story, run, s.following(f))
}

// split gives a schedule that was written when releases were no steps of their own the steps that it has now. stale are
// those that were gone.
func (s *stage) split(o explore.Options, sched *trace.Schedule) (stale []replay.Stale, err error) {
	if !sched.Joined() {
		return nil, nil
	}
	x, err := replay.Split(s.sys, o, sched.Steps)
	s.journal.After()
	if err != nil {
		return nil, err
	}
	sched.Steps, sched.Header.Version = x.Trace.Schedule(), trace.ScheduleVersion
	return x.Stale, nil
}

// Passing draws a schedule that passes, as it was followed.
func (s *stage) Passing(of *trace.Schedule, run *replay.Run) (text string, err error) {
	sched := *of
	sched.Steps = run.Trace.Schedule()
	f := &Report{Story: Story{Violation: trace.Violation{Event: -1}, run: run}, Schedule: &sched}
	err = s.muted(func() error { return s.observe(&f.Story, s.following(f)) })
	if err != nil {
		return "", err
	}
	return report.Diagram(f.run.Trace, report.DiagramOptions{Test: s.Header.Test, Rows: -1, Width: s.Width}) + f.steps, nil
}

// Unforced says why a schedule cannot be followed here, "" if it can: it forces what Go chooses by itself.
func (p *Plan) Unforced(sched *trace.Schedule) string {
	if !sched.Draws() || p.numbers {
		return ""
	}
	return "it forces what Go chooses by itself (steps of kind draw, or draws of final checks), which takes `rehearse " +
		"test`; it was found with " + cmp.Or(sched.Header.Go, "an unknown version of Go")
}

// ChosenElsewhere says why a schedule that passes may do so only because Go chooses otherwise here than where it was
// saved, "" if it does not.
func (s *stage) ChosenElsewhere(sched *trace.Schedule) string {
	h := &sched.Header
	if h.Go == "" {
		return ""
	}
	if why := s.undrawn(); why != "" {
		return strings.TrimSpace(why)
	}
	if layerOf(sched) == LayerNumbers && !s.numbers {
		return fmt.Sprintf("It was saved by a test that `rehearse test` had built (%s). What Go chooses by itself is "+
			"something else in this one: use that command.", h.Go)
	}
	if withoutPatch(h.Go) == withoutPatch(ThisGo()) {
		return ""
	}
	return fmt.Sprintf("It was saved with %s. What Go chooses by itself may be something else with %s: find the bug "+
		"anew, or delete the file.", h.Go, ThisGo())
}

// layerOf tells the layer of a schedule, also of one that is older than the field; 0 if it makes no difference.
func layerOf(s *trace.Schedule) int {
	switch h := &s.Header; {
	case h.Layer > 0:
		return h.Layer
	case s.Draws():
		return LayerNumbers
	case h.Go != "" || h.Choices > 0:
		return LayerSeeds
	}
	return 0
}

// forceFewerEnds has a schedule force no draws of final checks on which its violation does not depend.
func (s *stage) forceFewerEnds(sched *trace.Schedule, v *trace.Violation) {
	h := &sched.Header
	if len(h.Ends) == 0 {
		return
	}
	h.Ends = fewerEnds(h.Choices, h.Ends, func(seed uint64, ends []trace.ForcedEnd) bool {
		tried := *sched
		tried.Header.Choices, tried.Header.Ends = seed, ends
		x, err := s.follow(&tried, v, nil)
		return err == nil && len(x.Stale) == 0 && x.With(v.Key()) != nil
	})
}

// Save writes a schedule to the test's folder and gives its path as people write it.
func (s *stage) Save(sched *trace.Schedule) (string, error) {
	path, err := saved.Save(saved.Dir(s.Header.Test), sched)
	return filepath.ToSlash(path), err
}

// SavedAs is the file of this Check that holds the schedule, "" if there is none.
func (s *stage) SavedAs(sched *trace.Schedule) string {
	files, _ := saved.Load(saved.Dir(s.Header.Test))
	for i := range files {
		if o := files[i].Schedule; o.Header.Ordinal == s.Header.Ordinal && o.ID() == sched.ID() {
			return filepath.ToSlash(files[i].Path)
		}
	}
	return ""
}

// encoded gives a schedule as text.
func encoded(sched *trace.Schedule, v *trace.Violation) (string, error) {
	sched.Header.Violation = v
	var b bytes.Buffer
	err := trace.EncodeSchedule(&b, sched)
	return b.String(), err
}

// reproduce executes the schedule that a worker process found. Where it does not show the violation, the program does
// not do the same in every process.
func (s *stage) reproduce(w *Raw, sched *trace.Schedule) error {
	return s.muted(func() error {
		run, err := s.follow(sched, &w.Violation, nil)
		if err != nil {
			return err
		}
		if v := run.With(w.Violation.Key()); v != nil {
			w.trace, w.Violation = run.Trace, *v
			return nil
		}
		w.Violation = trace.Violation{Kind: trace.Divergence,
			Text: fmt.Sprintf("a finding of a worker process could not be repeated in this one (%s)", w.Violation.String())}
		return nil
	})
}
