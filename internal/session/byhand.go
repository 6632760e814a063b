package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/trace"
)

// This file shows positions of a program to somebody who steps through it by hand. Each is an execution of its own from
// the start: that takes milliseconds, and needs no way back.

// Stepper is this process, if `rehearse explore` has started it: it shows positions of one Check, or explores it.
type Stepper struct {
	*child.Line
	byhand.Hello
}

// TheStepper connects this process when its first Check begins; nil: it is an ordinary one.
var TheStepper = sync.OnceValues(func() (*Stepper, error) {
	told := os.Getenv(byhand.Variable)
	if told == "" {
		return nil, nil
	}
	line, err := child.Connect(byhand.Variable, told)
	if err != nil {
		return nil, err
	}
	p := &Stepper{Line: line}
	if err := p.Receive(&p.Hello); err != nil {
		return nil, fmt.Errorf("variable %s is set, but nobody says what to do: %w", byhand.Variable, err)
	}
	// A program that is executed may start processes, which are none of these.
	return p, os.Unsetenv(byhand.Variable)
})

// Is reports whether a Check is the one that is wanted.
func (p *Stepper) Is(test string, ordinal int) bool { return p.Test == test && p.Ordinal == ordinal }

// Fail tells of an operating problem before Serve.
func (p *Stepper) Fail(err error) { _ = p.Send(byhand.Answer{Error: err.Error(), Dead: true}) }

// Serve answers until nobody asks any more. The error is that of the session, which was told.
func (p *Stepper) Serve(s *Session) error {
	go p.endWithParent() // before the program: one that begins in a step would be taken for its own
	restore, err := s.mute()
	if err != nil {
		p.Fail(err)
		return err
	}
	defer restore()
	defer s.endAt(time.Time{})()
	if err := p.Send(byhand.Answer{Ready: s.about()}); err != nil {
		return nil // nobody is there
	}
	if p.Explore {
		return p.explore(s)
	}
	for {
		var r byhand.Request
		if err := p.Receive(&r); err != nil {
			return nil
		}
		a, err := s.answer(&r)
		if err != nil {
			a = &byhand.Answer{Error: err.Error(), Dead: true}
		}
		if p.Send(a) != nil || a.Dead {
			return err
		}
	}
}

// about says what the session is.
func (s *Session) about() *byhand.About {
	h := &s.Header
	a := &byhand.About{Package: h.Package, Test: h.Test, Ordinal: h.Ordinal, Model: h.Model.String(),
		Timers: h.Timers.String(), Faults: h.Faults.String(), Strategy: s.strategy.Name(), Budget: s.Budget.String(),
		Seed: h.Seed, Conditions: byhand.Under(h, &trace.Header{}), Numbered: s.numbers, Blocked: int64(s.Blocked), Saved: []byhand.Saved{}, Invariants: []string{}}
	for i := range s.Judge.Invariants {
		a.Invariants = append(a.Invariants, s.Judge.Invariants[i].Name)
	}
	files, _ := saved.Load(saved.Dir(h.Test)) // what cannot be read is told by go test
	for _, f := range files {
		if f.Schedule.Header.Ordinal != h.Ordinal {
			continue
		}
		of := byhand.Saved{File: filepath.ToSlash(f.Path), Steps: len(f.Schedule.Steps)}
		if v := f.Schedule.Header.Violation; v != nil {
			of.Violation = render.Shorten(v.String(), report.PictureText)
		}
		a.Saved = append(a.Saved, of)
	}
	return a
}

// answer goes to a position and tells of it. The error ends the process: the program can be executed no more.
func (s *Session) answer(r *byhand.Request) (*byhand.Answer, error) {
	h, c, err := s.chooser(r)
	if err != nil {
		return &byhand.Answer{Error: err.Error()}, nil
	}
	run, err := s.goThere(&h, c)
	if err != nil {
		return nil, err
	}
	if v := c.View(); c.Steps != nil || c.Onward || c.Fork || v.Left > 0 && v.Lost == "" {
		// Where it ends is only known now. To see how all stood one choice before, it is executed again.
		exact := &byhand.Chooser{To: c.Taken()}
		stale, left, lost := v.Stale, v.Left, v.Lost
		if run, err = s.goThere(&h, exact); err != nil {
			return nil, err
		}
		c = exact
		v = c.View()
		v.Stale, v.Left, v.Lost = stale, left, lost
	}
	return s.told(r, &h, c, run)
}

// chooser makes what goes to the position of a request.
func (s *Session) chooser(r *byhand.Request) (h trace.Header, c *byhand.Chooser, err error) {
	c = &byhand.Chooser{Onward: r.Onward, Fork: r.Fork}
	if r.Schedule != "" {
		sched, err := trace.DecodeSchedule(strings.NewReader(r.Schedule), "the schedule")
		if err != nil {
			return h, nil, err
		}
		if why := s.Unforced(sched); why != "" {
			return h, nil, fmt.Errorf("it cannot be followed: %s", why)
		}
		if sched.Joined() {
			return h, nil, fmt.Errorf("the schedule has format %d, in which a delivery is also a release: replay it with "+
				"REHEARSE_SAVE=refresh first", sched.Header.Version)
		}
		h = sched.Header
		h.Package, h.Test, h.Ordinal = s.Header.Package, s.Header.Test, s.Header.Ordinal
		c.Steps, c.Onward = append([]trace.Forced{}, sched.Steps...), true
		return h, c, nil
	}
	if h, err = byhand.Conditions(r.Under, s.Header); err != nil {
		return h, nil, err
	}
	if r.Path != nil {
		c.Steps, err = byhand.Path(r.Path)
		return h, c, err
	}
	c.To, err = byhand.Parse(r.Position)
	return h, c, err
}

// byHand is what one execution showed.
type byHand struct {
	violations, warnings []trace.Violation
	outcome              explore.Outcome
	printed              string
	judged               int // how many events there were when the invariants were asked last, 0: they never were
}

// handChecker judges an execution that is chosen by hand, and has it looked at where it ends.
type handChecker struct {
	*check.Checker
	chooser *byhand.Chooser
	judged  *int
}

// Step is explore.Checker.Step.
func (c *handChecker) Step(x explore.Execution, event int32) []trace.Violation {
	vs := c.Checker.Step(x, event)
	*c.judged = len(x.Trace().Events)
	if len(vs) > 0 {
		c.chooser.Broken()
	}
	return vs
}

// goThere executes the program up to the position of a chooser. The error says that it cannot be executed.
func (s *Session) goThere(h *trace.Header, c *byhand.Chooser) (*byHand, error) {
	c.Names = c.Steps == nil && !c.Onward && !c.Fork
	run := &byHand{}
	o := s.options(s.conditionsOf(h))
	judge := s.checker()
	judge.Warned = func(v trace.Violation) { run.warnings = append(run.warnings, v) }
	o.Check = &handChecker{judge, c, &run.judged}
	o.Budget = explore.Budget{Executions: 1}
	o.Found = func(f explore.Found) bool {
		run.violations = append(run.violations, f.Violations...)
		return false
	}
	logs, err := gotest.StartCapture()
	if err != nil {
		return nil, err
	}
	o.NewT = func() *explore.T {
		return explore.NewT(s.Header.Test, func(text string) { logs.Print(text) })
	}
	run.outcome, err = explore.Run(s.sys, c, o)
	run.printed = logs.Stop(maxLog)
	return run, err
}

// told puts together what is told of a position.
func (s *Session) told(r *byhand.Request, h *trace.Header, c *byhand.Chooser, run *byHand) (*byhand.Answer, error) {
	v := c.View()
	v.Under = byhand.Under(h, &s.Header)
	v.Printed = trace.Visible(strings.ToValidUTF8(run.printed, "\ufffd"))
	for i := range run.violations {
		v.Violations = append(v.Violations, wrong(c.Trace, &run.violations[i]))
	}
	for i := range run.warnings {
		v.Warnings = append(v.Warnings, wrong(c.Trace, &run.warnings[i]))
	}
	s.verdicts(v, c.Trace, run)
	v.Ended = ended(v, run)
	v.Limits = append(v.Limits, limits(&run.outcome)...)
	a := &byhand.Answer{View: v}
	var violation *trace.Violation
	if len(run.violations) > 0 {
		violation = &run.violations[0]
	}
	if r.Picture {
		a.Picture = report.NewPicture(c.Trace, report.PictureOptions{Title: pictureTitle(violation), Test: s.Header.Test,
			Violation: violation}).SVG()
	}
	if r.Save && v.Lost != "" {
		return &byhand.Answer{Error: "nothing was saved: " + v.Lost}, nil
	}
	if r.Save {
		file, err := s.saveByHand(h, c.Trace, violation)
		if err != nil {
			return &byhand.Answer{Error: "the schedule was not saved: " + err.Error()}, nil
		}
		a.File, a.Ready = file, s.about()
	}
	return a, nil
}

func pictureTitle(v *trace.Violation) string {
	if v == nil {
		return "an execution that was chosen by hand"
	}
	return v.String()
}

// wrong tells of a violation.
func wrong(tr *trace.Trace, v *trace.Violation) byhand.Wrong {
	w := byhand.Wrong{Kind: v.Kind.String(), Text: render.Shorten(v.Text, 2*report.PictureText), Where: v.Where,
		Key: v.Key(), Stack: trace.Visible(ownStack(v.Stack))}
	if v.Event < len(tr.Events) {
		w.Step = tr.StepNumber(v.Event)
	}
	return w
}

// verdicts says of each invariant whether it holds. All were asked after the last step, which ends the execution where
// one does not hold. None was before the first step, nor in the middle of one.
func (s *Session) verdicts(v *byhand.View, tr *trace.Trace, run *byHand) {
	for i := range s.Judge.Invariants {
		name := s.Judge.Invariants[i].Name
		d := byhand.Verdict{Name: name, Holds: true, Asked: true}
		switch {
		case s.Judge.Levels.Of(trace.Assertion) == check.Off:
			d = byhand.Verdict{Name: name, Text: "violations of this kind are off"}
		case run.judged == 0:
			d = byhand.Verdict{Name: name, Text: "no step is over yet"}
		case run.judged < len(tr.Events):
			d = byhand.Verdict{Name: name, Text: "the last step is not over"}
		}
		for _, o := range append(run.violations, run.warnings...) {
			if o.Site == "invariant "+name || strings.HasPrefix(o.Text, "invariant "+name+" itself panicked") {
				d.Holds, d.Asked, d.Text = false, true, render.Shorten(o.Text, report.PictureText)
			}
		}
		v.Invariants = append(v.Invariants, d)
	}
}

// ended says why nothing can be chosen any more, "" if something can.
func ended(v *byhand.View, run *byHand) string {
	switch {
	case len(run.violations) > 0:
		return "Something is wrong, and an execution ends there: what follows would be its consequence."
	case v.Over:
		return "Nothing more can happen: the execution is over, and all checks were made."
	case v.Question != "":
		return ""
	case run.outcome.Ended:
		return "FailNow ended the execution, and its failure counts as no violation."
	case run.outcome.Bounded:
		return "The execution was cut at a bound (Config.MaxSteps, time or memory)."
	}
	return "The execution was ended by the program or by a check."
}

// limits says what was not under control.
func limits(out *explore.Outcome) (list []string) {
	for _, l := range []struct{ what, text string }{
		{out.Uncontrolled, "not under control: "}, {out.Bypassed, "not run by Rehearse: "},
		{out.Beyond, "a timer is due after Config.Horizon, and never fires: "}, {out.PassedOver, "left out: "},
	} {
		if l.what != "" {
			list = append(list, render.Shorten(l.text+l.what, report.PictureText))
		}
	}
	for _, r := range strings.Split(out.Remarks, explore.RemarkSeparator) {
		if r != "" {
			list = append(list, render.Shorten(r, report.PictureText))
		}
	}
	if out.Draws {
		list = append(list,
			"steps draw from what Go chooses by itself (maps, select, random numbers), which follows a seed here")
	}
	return list
}

// saveByHand saves an execution as a schedule that `rehearse replay` and the test follow.
func (s *Session) saveByHand(h *trace.Header, tr *trace.Trace, v *trace.Violation) (string, error) {
	sched := &trace.Schedule{Header: s.handHeader(h, tr), Steps: tr.Schedule()}
	sched.Header.Violation = v
	if !sched.Injects() {
		sched.Header.Faults = trace.Faults{}
	}
	return s.Save(sched)
}

// handHeader is that of the schedule of an execution under the conditions of h.
func (s *Session) handHeader(h *trace.Header, tr *trace.Trace) trace.Header {
	of := *h
	of.Version, of.Tool, of.Strategy = trace.ScheduleVersion, toolVersion, "by hand"
	if of.Layer == LayerNumbers {
		of.Draws, of.Preemptions = chance.LimitsAll.Draws, chance.LimitsAll.Preemptions
		if c := s.conditionsOf(h); c.Draws < chance.LimitsAll.Draws {
			of.Draws, of.Preemptions = c.Draws, c.Preemptions
		}
		of.Ends, of.Go = tr.Forces(), ThisGo()
	} else if d, ok := s.sys.(explore.Drawer); ok && of.Layer == 0 && d.Draws() {
		of.Layer, of.Go = LayerSeeds, ThisGo()
	}
	s.strip(&of)
	return of
}

// endWithParent is a guard: nothing of this process is wanted once its starter is gone.
func (p *Stepper) endWithParent() {
	parent := os.Getppid()
	for range time.Tick(time.Second) {
		if os.Getppid() != parent {
			os.Exit(0)
		}
	}
}
