package rehearse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/draws"
	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/logcapture"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/trace"
)

// maxLog is the most that is shown of what the program printed, in bytes.
const maxLog = 16 << 10

// The longest executions that are explained, in steps. Looking for pairs takes more than quadratic time; in a livelock hardly any
// two deliveries can be swapped, so that it takes all of it.
const (
	maxExplained = 2000
	maxLivelock  = 300
)

// finding is what investigate makes: the Finding and what its report draws.
type finding struct {
	Finding
	run   *replay.Run // of the schedule
	pairs []explain.Pair
	draws []int32 // events: what Go chose by itself that decides
	steps string  // states at each step, if asked for
	phase string  // of the strategy that found it, "" if it has none
}

// investigate turns a violation, the first of so many, into a Finding: execute it once more, minimise, explain, replay with states and logs.
func (s *session) investigate(r raw, findings int) (*finding, error) {
	defer s.endAt(s.investigation(findings))()
	f, err := s.examine(r)
	if f != nil {
		f.phase = r.phase
	}
	return f, err
}

func (s *session) examine(r raw) (*finding, error) {
	restore, err := s.mute()
	if err != nil {
		return nil, err
	}
	defer restore()
	if r.died != nil {
		return r.died.finding(&r), nil
	}
	if r.violation.Kind == trace.Divergence {
		return s.diverged(r), nil
	}
	if r.excess {
		return s.excessive(r), nil
	}
	r = s.withDraws(r)
	if s.Checks.Of(trace.Divergence) == check.Error {
		if d, err := s.repeat(r); d != nil || err != nil {
			return d, err
		}
	}
	return s.shorten(&trace.Schedule{Header: *s.headerOf(&r), Steps: r.trace.Schedule()}, r)
}

// withDraws has the record of an execution hold all draws, also those that nobody was asked for: then they can be minimised.
func (s *session) withDraws(r raw) raw {
	h := s.headerOf(&r)
	if h.Layer != layerNumbers || h.Draws == draws.All.Draws || h.Choices == 0 {
		return r
	}
	o := s.lookFor(&r.violation, s.options(s.conditionsOf(h)))
	o.Record = true
	x, err := s.runner(o)(r.trace.Schedule())
	if err != nil || len(x.Stale) > 0 || x.With(r.violation.Key()) == nil {
		return r // which is looked at as it is
	}
	r.trace, r.choices.limits.Draws = x.Trace, draws.All.Draws
	return r
}

// repeat executes the schedule of r once more, strictly. It gives a finding if the program went another way.
func (s *session) repeat(r raw) (*finding, error) {
	o := s.lookFor(&r.violation, s.options(s.conditionsOf(s.headerOf(&r))))
	var d *finding
	o.Found = func(f explore.Found) bool {
		for _, v := range f.Violations {
			if v.Kind == trace.Divergence {
				v.Text = fmt.Sprintf("a finding could not be repeated (%s): %s", r.violation.String(), v.Text)
				d = s.diverged(raw{f.Trace.Clone(), v, r.execution, r.phase, r.trace, false, nil, r.choices})
			}
		}
		return false
	}
	_, err := explore.Run(s.sys, replay.NewRepeat(r.trace), o)
	s.journal.After()
	return d, err
}

// excessive is the finding for an execution that took too long, or too much memory: to execute it again would take as much.
func (s *session) excessive(r raw) *finding {
	f := &finding{Finding: Finding{Violation: r.violation, Execution: r.execution, Replay: s.searchAgain()}}
	f.Note = "It was not executed again, so it is neither minimised nor explained, and there is no schedule to save."
	f.run = &replay.Run{Trace: r.trace, Violations: []trace.Violation{r.violation}}
	f.draw()
	return f
}

// diverged is the finding for a divergence: there is no schedule that would bring it about again.
func (s *session) diverged(r raw) *finding {
	f := &finding{Finding: Finding{Violation: r.violation, Execution: r.execution}}
	f.Note = "There is no schedule to save: the same schedule does not lead to the same execution."
	if r.violation.Site != replay.TiedTimers {
		f.Note += "\nFirst suspect: package-level state (a variable, a cache, a counter, a pool) that one execution leaves to the next. " +
			"Make it part of what the test function builds, or reset it there."
	}
	f.Note += s.undrawn()
	if r.first != nil {
		f.sideBySide(r.first, r.trace)
	}
	f.Replay = s.searchAgain()
	return f
}

// sideBySide shows two executions of one schedule, from shortly before they part.
func (f *finding) sideBySide(a, b *trace.Trace) {
	from := 0
	for from < min(len(a.Events), len(b.Events)) && trace.SameEffects(a, b, from) == "" {
		from++
	}
	f.Diagram = report.SideBySide("first time\n"+stepList(a, from-5, from+10), "second time\n"+stepList(b, from-5, from+10))
}

func stepList(tr *trace.Trace, from, to int) string {
	var b strings.Builder
	for e := max(from, tr.Explored); e < min(to, len(tr.Events)); e++ {
		fmt.Fprintf(&b, "%d %s\n", e-tr.Explored+1, tr.StepName(tr.Events[e].Step))
	}
	return b.String()
}

// shorten minimises the schedule, explains it and fills in the Finding. Without time left the schedule stays as it is.
func (s *session) shorten(sched *trace.Schedule, r raw) (*finding, error) {
	key := r.violation.Key()
	s.fewerEnds(sched, &r)
	var failed error // of the system, as opposed to a program that does not repeat
	plain := s.runner(s.lookFor(&r.violation, s.options(s.conditionsOf(&sched.Header))))
	run := func(forced []trace.Forced) (*replay.Run, error) {
		x, err := plain(forced)
		failed = err
		return x, err
	}
	f := &finding{Finding: Finding{Violation: r.violation, Execution: r.execution, Schedule: sched}}
	m, err := s.minimise(run, sched.Steps, key)
	switch {
	case errors.Is(failed, replay.ErrTimeUp) && err != nil:
		f.Note = "Not minimised: " + replay.ErrTimeUp.Error() + "."
		f.run = &replay.Run{Trace: r.trace, Violations: []trace.Violation{r.violation}}
		f.draw()
		return f, nil
	case failed != nil && err != nil:
		return nil, failed
	case err != nil:
		v := trace.Violation{Kind: trace.Divergence, Text: fmt.Sprintf("a finding could not be repeated (%s): %v", r.violation.String(), err)}
		return s.diverged(raw{r.trace, v, r.execution, r.phase, nil, false, nil, r.choices}), nil
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
	f.noteEnds()
	s.noteGuide(f)
	return f, s.tell(f, run)
}

// tell adds which order decides, states, logs and the diagram.
func (s *session) tell(f *finding, run replay.Runner) error {
	if n := len(f.run.Trace.Events); n > maxExplained || n > maxLivelock && f.Violation.Kind == trace.Livelock {
		f.Culprit = fmt.Sprintf("Not looked for: an execution of %s steps is too long to swap its deliveries.", render.Thousands(n))
	} else if n := len(f.run.Trace.Messages); n > maxExplained && f.Violation.Kind == trace.Livelock {
		f.Culprit = fmt.Sprintf("Not looked for: %s messages were sent, which are too many to swap deliveries.", render.Thousands(n))
	} else if x, err := explain.Culprit(run, f.run.Trace, f.Violation); err == nil {
		f.Culprit, f.pairs, f.draws = x.Text, x.Pairs, x.Draws
		if x.InVain {
			f.Culprit += s.untoldChoices()
		}
	} else if errors.Is(err, replay.ErrTimeUp) {
		f.Culprit = "Not found before " + replay.ErrTimeUp.Error() + "."
	} else {
		return err
	}
	if err := s.observe(f); errors.Is(err, replay.ErrTimeUp) {
		f.Note = strings.TrimSpace(f.Note + "\nStates and logs are missing: " + replay.ErrTimeUp.Error() + ".")
	} else if err != nil {
		return err
	}
	f.draw()
	return nil
}

func (f *finding) draw() {
	f.Diagram = report.Diagram(f.run.Trace, report.DiagramOptions{Pairs: f.pairs, Draws: f.draws, Violation: &f.Violation})
}

// observe replays the schedule once more, looks at the actors and keeps what the program prints.
func (s *session) observe(f *finding) error {
	o := s.lookFor(&f.Violation, s.options(s.conditionsOf(&f.Schedule.Header)))
	w := &witness{Checker: s.checker(), before: f.Violation.Event - 1, each: s.values.States}
	o.Check = w
	logs, err := logcapture.Start()
	if err != nil {
		return err
	}
	defer logs.Stop(0)
	o.NewT = func() *explore.T {
		return explore.NewT(s.header.Test, func(text string) { logs.Print(text) })
	}
	run, err := s.runner(o)(f.Schedule.Steps)
	f.Logs = logs.Stop(maxLog)
	if err != nil {
		return err
	}
	f.run, f.States, f.steps = run, w.states, w.explored()
	return nil
}

// witness is a Checker that writes down the states of actors.
type witness struct {
	*check.Checker
	before int // the event after which the states are wanted
	each   bool
	setUp  int // events of set-up
	states string
	steps  []seenStep
}

// seenStep is what a witness saw after an event.
type seenStep struct{ name, states string }

// Step is explore.Checker.Step.
func (w *witness) Step(x explore.Execution, event int32) []trace.Violation {
	if int(event) == w.before {
		w.states = states(x)
	}
	if w.each {
		tr := x.Trace()
		for len(w.steps) < int(event) {
			w.steps = append(w.steps, seenStep{}) // nobody was told of it
		}
		w.steps = append(w.steps, seenStep{tr.StepName(tr.Events[event].Step), states(x)})
		w.setUp = tr.Explored
	}
	return w.Checker.Step(x, event)
}

// explored prints the steps after set-up. Where set-up ends is only known once it is over.
func (w *witness) explored() string {
	var b strings.Builder
	for i, s := range w.steps[min(w.setUp, len(w.steps)):] {
		if s.name != "" {
			fmt.Fprintf(&b, "after step %d, %s:\n%s", i+1, s.name, s.states)
		}
	}
	return b.String()
}

// states prints the actors that have not stopped, but for the driver. Where not all fit in, those come first that somebody has sent a message.
func states(x explore.Execution) string {
	tr := x.Trace()
	var list, idle []report.ActorState
	concerned := make([]bool, len(tr.Actors))
	for i := range tr.Messages {
		if m := &tr.Messages[i]; m.Class == trace.User && m.Receiver >= 0 {
			concerned[m.Receiver] = true
		}
	}
	for a := 1; a < len(tr.Actors); a++ {
		if v := x.State(int32(a)); v != nil && !x.Status(int32(a)).Stopped {
			state := report.ActorState{Name: tr.ActorName(int32(a)), Value: render.Value(v, 0)}
			if len(tr.Actors) > report.MaxStates && !concerned[a] {
				idle = append(idle, state)
			} else {
				list = append(list, state)
			}
		}
	}
	return report.States(append(list, idle...))
}
