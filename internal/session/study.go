package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/trace"
)

// study is the investigation of one violation: execute it once more, minimise, explain, replay with states and logs.
type study struct {
	*stage
	guided string // how the guide was followed whose schedule stays as it is; "": none
}

// Investigate turns a violation, the first of so many, into a finding.
func (s *Session) Investigate(r Raw, findings int) (*Report, error) {
	defer s.endAt(s.investigation(findings))()
	f, err := (&study{&s.stage, s.guided()}).examine(r)
	if f != nil {
		f.phase = r.phase
	}
	return f, err
}

func (s *study) examine(r Raw) (*Report, error) {
	restore, err := s.mute()
	if err != nil {
		return nil, err
	}
	defer restore()
	if r.died != nil {
		return r.died.finding(&r), nil
	}
	if r.Violation.Kind == trace.Divergence {
		return s.diverged(r), nil
	}
	if r.excess {
		return s.excessive(r), nil
	}
	r = s.withDraws(r)
	if s.levels.Of(trace.Divergence) == check.Error {
		if d, err := s.repeat(r); d != nil || err != nil {
			return d, err
		}
	}
	return s.shorten(&trace.Schedule{Header: *s.headerOf(&r), Steps: r.trace.Schedule()}, r)
}

// withDraws has the record of an execution hold all draws, also those that nobody was asked for: then they can be
// minimised.
func (s *study) withDraws(r Raw) Raw {
	h := s.headerOf(&r)
	if h.Layer != LayerNumbers || h.Draws == chance.LimitsAll.Draws || h.Choices == 0 || !s.drew() {
		return r
	}
	x, err := s.follow(&trace.Schedule{Header: *h, Steps: r.trace.Schedule()}, &r.Violation,
		func(o *explore.Options) { o.Record = true })
	if err != nil || len(x.Stale) > 0 || x.With(r.Violation.Key()) == nil {
		return r // which is looked at as it is
	}
	r.trace, r.choices.limits.Draws = x.Trace, chance.LimitsAll.Draws
	return r
}

// repeat executes the schedule of r once more, strictly. It gives a finding if the program went another way.
func (s *study) repeat(r Raw) (*Report, error) {
	o := s.optionsOf(s.headerOf(&r), &r.Violation)
	var d *Report
	o.Found = func(f explore.Found) bool {
		for _, v := range f.Violations {
			if v.Kind == trace.Divergence {
				v.Text = fmt.Sprintf("a finding could not be repeated (%s): %s", r.Violation.String(), v.Text)
				d = s.diverged(Raw{Violation: v, trace: f.Trace.Clone(), execution: r.execution, cutShort: r.cutShort,
					phase: r.phase, first: r.trace, choices: r.choices})
			}
		}
		return false
	}
	_, err := explore.Run(s.sys, replay.NewRepeat(r.trace), o)
	s.journal.After()
	return d, err
}

// excessive is the finding for an execution that took too long, or too much memory: to execute it again would take as
// much.
func (s *study) excessive(r Raw) *Report {
	f := &Report{Story: Story{Violation: r.Violation, Execution: r.execution, CutShort: r.cutShort,
		Replay: s.SearchAgain()}}
	f.Note = "It was not executed again, so it is neither minimised nor explained, and there is no schedule to save."
	f.run = &replay.Run{Trace: r.trace, Violations: []trace.Violation{r.Violation}}
	s.draw(&f.Story)
	return f
}

// diverged is the finding for a divergence: there is no schedule that would bring it about again.
func (s *study) diverged(r Raw) *Report {
	f := &Report{Story: Story{Violation: r.Violation, Execution: r.execution, CutShort: r.cutShort}}
	f.Note = "There is no schedule to save: the same schedule does not lead to the same execution."
	if r.Violation.Site != replay.TiedTimers {
		f.Note += "\nFirst suspect: package-level state (a variable, a cache, a counter, a pool) that one execution leaves " +
			"to the next. Make it part of what the test function builds, or reset it there."
	}
	f.Note += s.undrawn()
	if r.first != nil {
		f.sideBySide(r.first, r.trace)
	}
	f.Replay = s.SearchAgain()
	return f
}

// sideBySide shows two executions of one schedule, from shortly before they part.
func (f *Story) sideBySide(a, b *trace.Trace) {
	from := 0
	for from < min(len(a.Events), len(b.Events)) && trace.SameEffects(a, b, from) == "" {
		from++
	}
	f.Diagram = report.SideBySide("first time\n"+stepList(a, from-5, from+10),
		"second time\n"+stepList(b, from-5, from+10))
}

func stepList(tr *trace.Trace, from, to int) string {
	var b strings.Builder
	for e := max(from, tr.Explored); e < min(to, len(tr.Events)); e++ {
		fmt.Fprintf(&b, "%d %s\n", tr.StepNumber(e), tr.StepName(tr.Events[e].Step))
	}
	return b.String()
}

// shorten minimises the schedule, explains it and fills in the Finding. Without time left the schedule stays as it is.
func (s *study) shorten(sched *trace.Schedule, r Raw) (*Report, error) {
	key := r.Violation.Key()
	s.forceFewerEnds(sched, &r.Violation)
	var failed error // of the system, as opposed to a program that does not repeat
	plain := s.runner(s.optionsOf(&sched.Header, &r.Violation))
	run := func(forced []trace.Forced) (*replay.Run, error) {
		x, err := plain(forced)
		failed = err
		return x, err
	}
	f := &Report{Story: Story{Violation: r.Violation, Execution: r.execution, CutShort: r.cutShort}, Schedule: sched}
	m, err := s.minimise(run, sched.Steps, key)
	switch {
	case errors.Is(failed, replay.ErrTimeUp) && err != nil:
		f.Note = "Not minimised: " + replay.ErrTimeUp.Error() + "."
		f.run = &replay.Run{Trace: r.trace, Violations: []trace.Violation{r.Violation}}
		s.draw(&f.Story)
		return f, nil
	case failed != nil && err != nil:
		return nil, failed
	case err != nil:
		v := trace.Violation{Kind: trace.Divergence,
			Text: fmt.Sprintf("a finding could not be repeated (%s): %v", r.Violation.String(), err)}
		return s.diverged(Raw{Violation: v, trace: r.trace, execution: r.execution, cutShort: r.cutShort,
			phase: r.phase, choices: r.choices}), nil
	}
	sched.Steps, f.Switches, f.run = m.Forced, m.Switches, m.Run
	if len(sched.Header.Ends) > 0 {
		sched.Header.Ends = m.Run.Trace.Forces() // with what they mean by now
	}
	s.strip(&sched.Header)
	if !sched.Injects() {
		sched.Header.Faults = trace.Faults{} // it needs none: whoever replays it need not allow any
	}
	if v := m.Run.With(key); v != nil {
		f.Violation, sched.Header.Violation = *v, v
	}
	if m.TimeUp {
		f.Note = "Not minimised to the end: " + replay.ErrTimeUp.Error() + "."
	} else if m.Bounded {
		f.Note = "The bound on replays was reached: the schedule may not be the shortest."
	}
	f.noteEnds(sched.Header.Ends)
	s.noteGuide(&f.Story)
	return f, s.tell(&f.Story, run, s.following(f))
}

// minimise makes a schedule small. That of a guide stays as it is: its order was asked for.
func (s *study) minimise(run replay.Runner, forced []trace.Forced, key string) (explain.Minimal, error) {
	if s.guide == nil {
		return explain.Minimise(run, forced, key)
	}
	x, err := run(forced)
	if err != nil {
		return explain.Minimal{}, err
	}
	if x.With(key) == nil {
		return explain.Minimal{}, errors.New("the same steps do not give it again")
	}
	return explain.Minimal{Forced: forced, Run: x, Switches: explain.Switches(x.Trace)}, nil
}

// noteGuide says of a finding how it came about.
func (s *study) noteGuide(f *Story) {
	if s.guide == nil {
		return
	}
	f.Note = strings.TrimSpace(f.Note +
		"\nThe schedule is that of Config.Guide as it was followed, not minimised (" + s.guided + ").")
}

// Unreplayed is what is left of a finding when replaying it ends in an error. It is f, if it came that far, else the
// violation with the schedule as it was met.
func (s *Session) Unreplayed(f *Report, w Raw, err error) *Report {
	if f == nil {
		h := s.Header
		h.Violation = &w.Violation
		f = &Report{Story: Story{Violation: w.Violation, Execution: w.execution, CutShort: w.cutShort},
			Schedule: &trace.Schedule{Header: h, Steps: w.trace.Schedule()}}
	}
	why, _, _ := strings.Cut(err.Error(), "\n")
	f.Note = strings.TrimSpace(f.Note + "\nReplaying it failed: " + why)
	return f
}

// Text is the report of a finding for people, complete: what is not here nobody will look up.
func (s *Session) Text(f *Report) string {
	if f.Schedule == nil {
		return f.text(f.origin(&s.stage, &s.Header), s.Width)
	}
	schedule := "; schedule: " + lengthOf(len(f.Schedule.Steps), f.Switches)
	return f.text(f.origin(&s.stage, &f.Schedule.Header)+schedule, s.Width)
}
