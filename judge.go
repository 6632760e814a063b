package rehearse

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/session"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/trace"
)

// checking is one Check.
type checking struct {
	*task
	t      tester
	failed bool
}

// fail reports a finding or an error.
func (c *checking) fail(text string) {
	c.t.Helper()
	c.failed = true
	c.t.Error(text)
}

// conclude tells of what the exploration found.
func (c *checking) conclude(r *Result) error {
	c.t.Helper()
	if len(c.Raws) == 0 {
		return nil
	}
	ws := c.Raws
	if !c.All {
		ws = c.worthTelling()
	}
	for i, w := range ws {
		if err := c.tellOf(r, w, len(ws)-i); err != nil {
			return err
		}
	}
	return nil
}

// worthTelling is the expected violation, if the execution has it, and the first other one: the known bug must not hide
// what else is wrong in its execution.
func (c *checking) worthTelling() []session.Raw {
	expected := func(w session.Raw) bool { return c.expected(&w.Violation) }
	var ws []session.Raw
	if i := slices.IndexFunc(c.Raws, expected); i >= 0 {
		ws = append(ws, c.Raws[i])
	}
	if i := slices.IndexFunc(c.Raws, func(w session.Raw) bool { return !expected(w) }); i >= 0 {
		ws = append(ws, c.Raws[i])
	}
	return ws
}

// tellOf investigates a violation, the first of so many, passes judgement and adds it to the result.
func (c *checking) tellOf(r *Result, w session.Raw, left int) error {
	c.t.Helper()
	f, err := c.Investigate(w, left)
	if err != nil {
		return fmt.Errorf("%s was found, but replaying it failed: %w", w.Violation.String(), err)
	}
	if also := c.OtherTexts(&w.Violation); len(also) > 0 {
		f.Note = strings.TrimSpace(f.Note + "\nOther executions failed at the same place, which counts as the same " +
			"finding, with other texts: " + strings.Join(also, "; "))
	}
	if r.has(&f.Violation) {
		return nil // minimising ends at the same violation; a divergence may stand for several
	}
	if c.expected(&f.Violation) {
		f.Expected = true
		f.Replay = c.SearchAgain()
		c.t.Log("rehearse: found as expected\n" + c.Text(f))
	} else {
		c.keep(f)
		c.fail(c.Text(f))
	}
	r.add(f)
	return nil
}

// keep saves the schedule of a finding and says how to replay it.
func (c *checking) keep(f *session.Report) {
	f.Replay = c.SearchAgain()
	if f.Schedule == nil || c.values.Save == settings.SaveNothing {
		return
	}
	path, err := c.Save(f.Schedule)
	if err != nil {
		f.Note = strings.TrimSpace(f.Note + "\nThe schedule was not saved: " + err.Error())
		return
	}
	f.File = path
	f.Replay = c.Command(f.Schedule.Hash(), "")
}

// add takes a finding. A divergence that only repeating a finding brought to light takes the claim to be complete away.
func (r *Result) add(f *session.Report) {
	r.Findings = append(r.Findings, findingOf(f))
	if f.Violation.Kind == trace.Divergence {
		r.Diverged, r.Complete, r.OneOrder, r.ForOneSeed = true, false, false, false
		r.exact()
	}
}

func findingOf(f *session.Report) Finding {
	return Finding{Violation: f.Violation, Expected: f.Expected, Execution: f.Execution, CutShort: f.CutShort,
		Schedule: f.Schedule, Switches: f.Switches, Culprit: f.Culprit, Diagram: f.Diagram, Picture: f.Picture,
		Flipped: f.Flipped, States: f.States, Logs: f.Logs, Note: f.Note, File: f.File, Replay: f.Replay}
}

func hasExpected(fs []Finding) bool {
	for i := range fs {
		if fs[i].Expected {
			return true
		}
	}
	return false
}

// missing tells of a known bug that was not found: it may be fixed. A short run is too short to say so.
func (c *checking) missing(r *Result) {
	c.t.Helper()
	text := fmt.Sprintf("rehearse: the expected violation (%s) was not found: %s", c.expect, r)
	if c.t.Short() && !r.Complete {
		c.t.Log(text + "; not a failure under -short")
		return
	}
	c.fail(text + "\nIf it was fixed, remove Config.Expect; if not, raise Config.Budget or give the seed that found it.")
}

// summary is what -v and -json show of every Check.
func (c *checking) summary(r *Result) {
	c.t.Helper()
	c.t.Attr("rehearse.seed", fmt.Sprint(r.Seed))
	c.t.Attr("rehearse.strategy", r.Strategy)
	c.t.Attr("rehearse.executions", fmt.Sprint(r.Executions))
	c.t.Attr("rehearse.outcome", r.ending())
	c.t.Log("rehearse: " + r.String())
	for i := range r.Warnings {
		c.t.Log("rehearse: warning: " + r.Warnings[i].String())
	}
}

// keepWhatPasses saves executions that are worth to be replayed, where nothing is wrong: those of the corpus, and the
// one that followed the guide.
func (c *checking) keepWhatPasses() error {
	c.t.Helper()
	var errs []error
	if !c.failed && c.values.Save != settings.SaveNothing {
		text, err := c.KeepCorpus()
		c.logLine(text)
		errs = append(errs, err)
	}
	if c.Followed() != nil && len(c.Raws) == 0 && c.values.Save == settings.SaveGuided {
		path, err := c.KeepGuided()
		if err != nil {
			errs = append(errs, fmt.Errorf("the schedule of the guide was not saved: %w", err))
		} else {
			c.logLine("the guide was followed; its schedule is saved: " + path)
		}
	}
	return errors.Join(errs...)
}

// logLine shows a line with -v, if there is something to say.
func (c *checking) logLine(text string) {
	c.t.Helper()
	if text != "" {
		c.t.Log("rehearse: " + text)
	}
}
