package rehearse

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/internal/session"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/trace"
)

// reportDeath reports an execution that an earlier run did not survive. known: its schedule is saved already, so
// replaying that will show whether it is still deadly. Where nothing had been chosen there is no schedule, and what is
// saved says nothing of it.
func (c *checking) reportDeath(r *Result, d *saved.Died) (known bool, err error) {
	c.t.Helper()
	sched := &trace.Schedule{Header: d.Header, Steps: d.Steps}
	where := "in the middle of an execution"
	if len(d.Steps) == 0 {
		where = "in set-up or before the first choice of an execution"
	}
	sched.Header.Violation = &trace.Violation{Kind: trace.RuntimeFatal,
		Text: "an earlier run of this test died " + where + ": a panic in a goroutine that the program started, " +
			"a fatal error of the runtime, os.Exit, a kill or -timeout"}
	f := &session.Report{Story: session.Story{Violation: *sched.Header.Violation}}
	if len(d.Steps) > 0 {
		f.Schedule = sched
		if path := c.SavedAs(sched); path != "" {
			c.t.Log("rehearse: " + f.Violation.Text + "; its schedule is saved already and is replayed now: " + path)
			return true, nil
		}
	}
	c.keep(f)
	c.fail(f.Obituary(d))
	r.add(f)
	return false, nil
}

// replaySaved replays the schedules in the test's folder, each as a subtest. expected: one gave the known bug.
func (c *checking) replaySaved(r *Result) (expected bool) {
	c.t.Helper()
	for _, file := range c.load(saved.Dir(c.Header.Test)) {
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
		if file.Schedule.Header.Ordinal == c.Header.Ordinal { // else of another Check in this test
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
		if why := c.Unforced(file.Schedule); why != "" {
			t.Log("rehearse: warning: skipped, neither passed nor stale: " + filepath.ToSlash(file.Path) + "\n" + why)
			return
		}
		sub := &checking{task: c.task, t: t}
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

// replayOne replays a schedule and tells of what happens. It gives the finding, nil if there was none, and the
// execution.
func (c *checking) replayOne(file saved.File) (*session.Report, *replay.Run, error) {
	c.t.Helper()
	if why := c.Unforced(file.Schedule); why != "" {
		return nil, nil, fmt.Errorf("%s cannot be replayed: %s", filepath.ToSlash(file.Path), why)
	}
	c.replayed++
	f, run, err := c.Replay(file.Schedule, c.expected)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", filepath.ToSlash(file.Path), err)
	}
	if f == nil {
		if why := c.ChosenElsewhere(file.Schedule); why != "" {
			c.t.Log("rehearse: warning: the schedule passes, which may mean nothing: " +
				filepath.ToSlash(file.Path) + "\n" + why)
			return nil, run, nil // nor does it if a step is gone
		}
		c.tellStale(file, run)
		return nil, run, nil
	}
	f.File = filepath.ToSlash(file.Path)
	f.Replay = c.Command(strings.TrimPrefix(c.t.Name(), c.Header.Test+"/"), "")
	if c.values.Replay != "" {
		f.Replay = "REHEARSE_REPLAY=" + render.ShellWord(c.values.Replay) + " " + c.Command("", "")
	}
	if c.expected(&f.Violation) {
		f.Expected = true
		c.t.Log("rehearse: found as expected\n" + c.Text(f))
		return f, run, nil
	}
	if v := file.Schedule.Header.Violation; v != nil {
		was := *v
		was.Known = f.Violation.Known // Config.Expect may have changed since
		if was.Key() != f.Violation.Key() {
			f.Note = strings.TrimSpace(f.Note + "\nThe schedule was saved for another violation: " + v.String())
		}
	}
	if stale := staleSteps(run); stale != "" {
		f.Note = strings.TrimSpace(f.Note + "\nThe schedule has gone stale:\n" + stale)
	}
	c.fail(c.Text(f))
	return f, run, nil
}

// tellStale says which steps of a schedule that passes are gone, and refreshes or prunes the file if it was asked to.
func (c *checking) tellStale(file saved.File, run *replay.Run) {
	c.t.Helper()
	if len(run.Stale) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rehearse: warning: the schedule passes, but it has gone stale, which is often the sign of a fix: "+
		"%s\n%s",
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
		b.WriteString(outcome("pruned: deleted", saved.Prune(file.Path)))
	default:
		b.WriteString(howToRefresh)
	}
	c.t.Log(b.String())
}

const howToRefresh = "To drop these steps run with REHEARSE_SAVE=refresh; to delete stale schedules run with " +
	"REHEARSE_SAVE=prune, or delete the file."

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
	if h.Test != c.Header.Test || h.Ordinal != c.Header.Ordinal {
		c.t.Log(fmt.Sprintf("rehearse: nothing done: REHEARSE_REPLAY is for Check %d of %s, this is Check %d of %s",
			h.Ordinal+1, h.Test, c.Header.Ordinal+1, c.Header.Test))
		return r, nil
	}
	// No journal: what dies here dies before the eyes of those who asked for it.
	f, run, err := c.replayOne(file)
	if err != nil {
		return r, err
	}
	r.Saved = c.replayed
	if f != nil {
		r.Findings = []Finding{findingOf(f)}
		return r, nil
	}
	text, err := c.Passing(file.Schedule, run)
	if err != nil {
		return r, err
	}
	c.t.Log("rehearse: the schedule passes\n" + text)
	if len(run.Stale) > 0 && c.values.Save != settings.SaveRefresh && c.values.Save != settings.SavePrune {
		// Whoever names a schedule wants it followed.
		c.refused = true
		err = fmt.Errorf("REHEARSE_REPLAY: %s could not be followed; what happened instead passes:\n%s%s",
			filepath.ToSlash(path), staleSteps(run), howToRefresh)
	}
	return r, err
}

// replayCorpus replays what was kept, each as a subtest of the subtest "corpus", whether more is to be kept or not.
func (c *checking) replayCorpus(r *Result) (expected bool) {
	c.t.Helper()
	files := notOfSubtest(c.load(c.CorpusDir()))
	if len(files) == 0 {
		return false
	}
	ok := c.t.Run("corpus", func(t tester) {
		t.Helper()
		sub := &checking{task: c.task, t: t}
		for _, file := range files {
			expected = sub.replayAsSubtest(r, file, func(run *replay.Run) { c.StillPasses(file.Path, run) }) || expected
		}
	})
	c.failed = c.failed || !ok
	return expected
}

// notOfSubtest leaves out the findings of a subtest that is called corpus: they are in the same folder.
func notOfSubtest(files []saved.File) (rest []saved.File) {
	for _, f := range files {
		if filepath.Dir(f.Path) != saved.Dir(f.Schedule.Header.Test) {
			rest = append(rest, f)
		}
	}
	return rest
}
