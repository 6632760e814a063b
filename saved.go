package rehearse

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/journal"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/internal/shrink"
	"github.com/rehearse-go/rehearse/trace"
)

// save writes a schedule to the test's folder and gives its path as people write it.
func (s *session) save(sched *trace.Schedule) (string, error) {
	path, err := saved.Save(saved.Dir(s.header.Test), sched)
	return filepath.ToSlash(path), err
}

// reportDeath reports an execution that an earlier run did not survive. known: its schedule is saved already, so replaying that will
// show whether it is still deadly. Where nothing had been chosen there is no schedule, and what is saved says nothing of it.
func (c *checking) reportDeath(r *Result, d *journal.Died) (known bool, err error) {
	c.t.Helper()
	sched := &trace.Schedule{Header: d.Header, Steps: d.Steps}
	where := "in the middle of an execution"
	if len(d.Steps) == 0 {
		where = "in set-up or before the first choice of an execution"
	}
	sched.Header.Violation = &trace.Violation{Kind: trace.RuntimeFatal,
		Text: "an earlier run of this test died " + where + ": a panic in a goroutine that the program started, " +
			"a fatal error of the runtime, os.Exit, a kill or -timeout"}
	f := &finding{Finding: Finding{Violation: *sched.Header.Violation}}
	if len(d.Steps) > 0 {
		f.Schedule = sched
		if path := c.savedAs(sched); path != "" {
			c.t.Log("rehearse: " + f.Violation.Text + "; its schedule is saved already and is replayed now: " + path)
			return true, nil
		}
	}
	c.keep(f)
	c.fail(f.obituary(d))
	r.add(f)
	return false, nil
}

// savedAs is the file of this Check that holds the schedule, "" if there is none.
func (s *session) savedAs(sched *trace.Schedule) string {
	files, _ := saved.Load(saved.Dir(s.header.Test))
	for i := range files {
		if o := files[i].Schedule; o.Header.Ordinal == s.header.Ordinal && o.ID() == sched.ID() {
			return filepath.ToSlash(files[i].Path)
		}
	}
	return ""
}

// obituary is the report of a death.
func (f *finding) obituary(d *journal.Died) string {
	var b strings.Builder
	b.WriteString("rehearse: " + report.Wrap(f.Violation.String(), ""))
	fmt.Fprintf(&b, "  model %s, timers %s%s; strategy %s, seed %d\n", d.Header.Model, d.Header.Timers, andFaults(d.Header.Faults), d.Header.Strategy, d.Header.Seed)
	if text := stepsOf(d); text != "" {
		b.WriteString("\n" + text)
	}
	if ends := d.Header.Ends; len(ends) > 0 {
		b.WriteString("\nwhat Go chose in the final checks was forced, draw by draw: values ")
		for i, e := range ends {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprint(&b, e.Value)
		}
		b.WriteString("\n")
	}
	if f.File != "" {
		b.WriteString("\nsaved:  " + f.File + "\n")
	}
	return b.String() + "\nreplay: " + f.Replay
}

// stepsOf lists the last steps before a death, "" if there are none.
func stepsOf(d *journal.Died) string {
	if len(d.Steps) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("it died in the last of these steps, or right after it:\n")
	from := max(0, len(d.Steps)-40)
	if from > 0 {
		fmt.Fprintf(&b, "  ... %s before\n", render.Count(from, "step", "steps"))
	}
	for i, step := range d.Steps[from:] {
		fmt.Fprintf(&b, "  %d %s\n", from+i+1, replay.Describe(step))
	}
	if d.Lost > 0 {
		fmt.Fprintf(&b, "  ... %s after that, for which the journal had no room\n", render.Count(d.Lost, "step", "steps"))
	}
	return b.String()
}

// replaySaved replays the schedules in the test's folder, each as a subtest. expected: one gave the known bug.
func (c *checking) replaySaved(r *Result) (expected bool) {
	c.t.Helper()
	for _, file := range c.load(saved.Dir(c.header.Test)) {
		if h := &file.Schedule.Header; h.Test != "" && saved.CorpusDir(h.Test, h.Ordinal) == filepath.Dir(file.Path) {
			continue // the corpus of a test of which this is a subtest of that name
		}
		expected = c.replayAsSubtest(r, file, nil) || expected
	}
	return expected
}

// load reads the schedules of this Check in a folder. One that cannot be read fails the test.
func (c *checking) load(dir string) (files []saved.File) {
	c.t.Helper()
	all, bad := saved.Load(dir)
	for _, err := range bad {
		c.fail("rehearse: " + err.Error())
	}
	for _, file := range all {
		if file.Schedule.Header.Ordinal == c.header.Ordinal { // else of another Check in this test
			files = append(files, file)
		}
	}
	return files
}

// replayAsSubtest replays a schedule. passed, if not nil, gets its execution if nothing is wrong with it.
func (c *checking) replayAsSubtest(r *Result, file saved.File, passed func(*replay.Run)) (expected bool) {
	c.t.Helper()
	ok := c.t.Run(file.Name(), func(t tester) {
		t.Helper()
		if why := c.unforced(file.Schedule); why != "" {
			t.Log("rehearse: warning: skipped, neither passed nor stale: " + filepath.ToSlash(file.Path) + "\n" + why)
			return
		}
		sub := &checking{session: c.session, t: t}
		f, run, err := sub.replayOne(file)
		switch {
		case err != nil:
			t.Fatal("rehearse: " + err.Error())
		case f != nil:
			r.add(f)
			expected = f.Expected
		case passed != nil:
			passed(run)
		}
	})
	c.failed = c.failed || !ok
	return expected
}

// replayOne replays a schedule and tells of what happens. It gives the finding, nil if there was none, and the execution.
func (c *checking) replayOne(file saved.File) (*finding, *replay.Run, error) {
	c.t.Helper()
	if why := c.unforced(file.Schedule); why != "" {
		return nil, nil, fmt.Errorf("%s cannot be replayed: %s", filepath.ToSlash(file.Path), why)
	}
	c.session.saved++
	sched := *file.Schedule
	sched.Header.Layer = layerOf(&sched)
	h := sched.Header
	h.Version = trace.ScheduleVersion // of what is executed
	c.journal.Header(h)
	defer c.journal.Header(c.header)
	f, run, err := c.replaySchedule(&sched)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", filepath.ToSlash(file.Path), err)
	}
	if f == nil {
		if why := c.chosenElsewhere(&h); why != "" {
			c.t.Log("rehearse: warning: the schedule passes, which may mean nothing: " + filepath.ToSlash(file.Path) + "\n" + why)
			return nil, run, nil // nor does it if a step is gone
		}
		c.tellStale(file, run)
		return nil, run, nil
	}
	f.File = filepath.ToSlash(file.Path)
	f.Replay = c.command(strings.TrimPrefix(c.t.Name(), c.header.Test+"/"), "")
	if c.values.Replay != "" {
		f.Replay = "REHEARSE_REPLAY=" + quote(c.values.Replay) + " " + c.command("", "")
	}
	if c.Expect.matches(&f.Violation) {
		f.Expected = true
		c.t.Log("rehearse: found as expected\n" + f.text(c.session))
		return f, run, nil
	}
	if v := file.Schedule.Header.Violation; v != nil && v.Key() != f.Violation.Key() {
		f.Note = strings.TrimSpace(f.Note + "\nThe schedule was saved for another violation: " + v.String())
	}
	if stale := staleSteps(run); stale != "" {
		f.Note = strings.TrimSpace(f.Note + "\nThe schedule has gone stale:\n" + stale)
	}
	c.fail(f.text(c.session))
	return f, run, nil
}

// replaySchedule executes a schedule under its own model and timers: under others its orders may not exist.
func (c *checking) replaySchedule(sched *trace.Schedule) (*finding, *replay.Run, error) {
	restore, err := c.mute()
	if err != nil {
		return nil, nil, err
	}
	defer restore()
	o := c.lookFor(sched.Header.Violation, c.options(c.conditionsOf(&sched.Header)))
	stale, err := c.split(o, sched)
	if err != nil {
		return nil, nil, err
	}
	run := c.runner(o)
	x, err := run(sched.Steps)
	if err != nil {
		return nil, nil, err
	}
	x.Stale = append(stale, x.Stale...)
	c.cover(x.Trace, sched.Header.Model)
	var v *trace.Violation
	for i := range x.Violations {
		o := &x.Violations[i]
		// The known bug must not hide what else is wrong.
		if c.Checks.Of(o.Kind) == Error && (v == nil || c.Expect.matches(v) && !c.Expect.matches(o)) {
			v = o
		}
	}
	if v == nil {
		return nil, x, nil
	}
	f := &finding{Finding: Finding{Violation: *v, Schedule: sched, Switches: shrink.Switches(x.Trace)}, run: x}
	return f, x, c.tell(f, run)
}

// split gives a schedule that was written when releases were no steps of their own the steps that it has now. stale are those that were gone.
func (c *checking) split(o explore.Options, sched *trace.Schedule) (stale []replay.Stale, err error) {
	if !sched.Joined() {
		return nil, nil
	}
	x, err := replay.Split(c.sys, o, sched.Steps)
	c.journal.After()
	if err != nil {
		return nil, err
	}
	sched.Steps, sched.Header.Version = x.Trace.Schedule(), trace.ScheduleVersion
	return x.Stale, nil
}

// tellStale says which steps of a schedule that passes are gone, and refreshes or prunes the file if it was asked to.
func (c *checking) tellStale(file saved.File, run *replay.Run) {
	c.t.Helper()
	if len(run.Stale) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rehearse: warning: the schedule passes, but it has gone stale, which is often the sign of a fix: %s\n%s",
		filepath.ToSlash(file.Path), staleSteps(run))
	drop := map[int]bool{}
	for _, st := range run.Stale {
		drop[st.Number] = true
	}
	switch c.values.Save {
	case settings.SaveRefresh:
		path, err := saved.Refresh(file, drop)
		b.WriteString(outcome("refreshed: "+filepath.ToSlash(path), err))
	case settings.SavePrune:
		b.WriteString(outcome("pruned: deleted", saved.Prune(file)))
	default:
		b.WriteString(howToRefresh)
	}
	c.t.Log(b.String())
}

const howToRefresh = "To drop these steps run with REHEARSE_SAVE=refresh; to delete stale schedules run with REHEARSE_SAVE=prune, or delete the file."

// staleSteps says which steps of a schedule could not be taken, and why; "" if all were.
func staleSteps(run *replay.Run) string {
	var b strings.Builder
	for _, st := range run.Stale[:min(5, len(run.Stale))] {
		b.WriteString("  " + st.String() + "\n")
	}
	if n := len(run.Stale) - 5; n > 0 {
		fmt.Fprintf(&b, "  and %s\n", render.Count(n, "more step", "more steps"))
	}
	return b.String()
}

func outcome(done string, err error) string {
	if err != nil {
		return "that failed: " + err.Error()
	}
	return done
}

// replayFile is for REHEARSE_REPLAY: one schedule, nothing else.
func (c *checking) replayFile(path string) (Result, error) {
	c.t.Helper()
	file, err := saved.Read(path)
	if err != nil {
		c.refused = true
		where := ""
		if errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(path) {
			wd, _ := os.Getwd()
			where = "; a relative path starts at the package's folder, " + wd
		}
		return c.result(explore.Outcome{}), fmt.Errorf("REHEARSE_REPLAY: %w%s", err, where)
	}
	r := c.result(explore.Outcome{Reason: "replayed"})
	h := file.Schedule.Header
	if h.Test != c.header.Test || h.Ordinal != c.header.Ordinal {
		c.t.Log(fmt.Sprintf("rehearse: nothing done: REHEARSE_REPLAY is for Check %d of %s, this is Check %d of %s",
			h.Ordinal+1, h.Test, c.header.Ordinal+1, c.header.Test))
		return r, nil
	}
	// No journal: what dies here dies before the eyes of those who asked for it.
	f, run, err := c.replayOne(file)
	if err != nil {
		return r, err
	}
	r.Saved = c.session.saved
	if f != nil {
		r.Findings = []Finding{f.Finding}
		return r, nil
	}
	if err := c.drawPassing(file, run); err != nil {
		return r, err
	}
	if len(run.Stale) > 0 && c.values.Save != settings.SaveRefresh && c.values.Save != settings.SavePrune {
		// Whoever names a schedule wants it followed.
		c.refused = true
		err = fmt.Errorf("REHEARSE_REPLAY: %s could not be followed; what happened instead passes:\n%s%s", filepath.ToSlash(path), staleSteps(run), howToRefresh)
	}
	return r, err
}

// drawPassing shows a schedule that passes, because somebody asked for it by name.
func (c *checking) drawPassing(file saved.File, run *replay.Run) error {
	c.t.Helper()
	sched := *file.Schedule
	sched.Steps = run.Trace.Schedule()
	f := &finding{Finding: Finding{Schedule: &sched, Violation: trace.Violation{Event: -1}}}
	err := c.muted(func() error { return c.observe(f) })
	if err != nil {
		return err
	}
	c.t.Log("rehearse: the schedule passes\n" + report.Diagram(f.run.Trace, report.DiagramOptions{Rows: -1}) + f.steps)
	return nil
}
