package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/trace"
)

// Replay executes a schedule, whatever it is written for: the journal names it meanwhile. It gives the finding, nil if
// nothing is wrong, and the execution. known tells which violation is expected: it must not hide what else is wrong.
func (s *Session) Replay(of *trace.Schedule, known func(*trace.Violation) bool) (*Report, *replay.Run, error) {
	sched := *of
	sched.Header.Layer = layerOf(&sched)
	h := sched.Header
	h.Version = trace.ScheduleVersion // of what is executed
	s.journal.Header(h)
	defer s.journal.Header(s.Header)
	return (&study{&s.stage, s.guided()}).replay(&sched, known)
}

// replay executes a schedule under its own model and timers: under others its orders may not exist.
func (s *study) replay(sched *trace.Schedule, known func(*trace.Violation) bool) (*Report, *replay.Run, error) {
	restore, err := s.mute()
	if err != nil {
		return nil, nil, err
	}
	defer restore()
	o := s.lookFor(sched.Header.Violation, s.options(s.conditionsOf(&sched.Header)))
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
	f := &Report{Finding: Finding{Violation: *v, Schedule: sched, Switches: explain.Switches(x.Trace)}, run: x}
	return f, x, s.tell(f, run)
}

// split gives a schedule that was written when releases were no steps of their own the steps that it has now. stale are
// those that were gone.
func (s *study) split(o explore.Options, sched *trace.Schedule) (stale []replay.Stale, err error) {
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
func (s *Session) Passing(of *trace.Schedule, run *replay.Run) (text string, err error) {
	sched := *of
	sched.Steps = run.Trace.Schedule()
	f := &Report{Finding: Finding{Schedule: &sched, Violation: trace.Violation{Event: -1}}, run: run}
	err = s.muted(func() error { return (&study{stage: &s.stage}).observe(f) })
	if err != nil {
		return "", err
	}
	return report.Diagram(f.run.Trace, report.DiagramOptions{Test: s.Header.Test, Rows: -1, Width: s.Width}) + f.steps, nil
}
