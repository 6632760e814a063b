package rehearse

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/session"
	"github.com/rehearse-go/rehearse/internal/startstate"
)

// Check explores the program within the budget and fails the test at the first violation, with the shortest schedule
// that was found for it. The order of things: report a run that died, replay the schedules in testdata/rehearse/<Test>
// as subtests, explore, minimise, explain, save, report.
//
// It prints nothing when all is well; with -v a line that says what was executed and whether that is everything.
// Several Checks in one test are told apart by their order. The Checks of a process run one at a time.
func Check(t *testing.T, cfg Config, sys System) Result {
	t.Helper()
	return runCheck(goTest{t}, gotest.PackageOf(gotest.Outermost()), cfg, sys, os.Getenv)
}

// runCheck is Check for any tester.
func runCheck(t tester, pkg string, cfg Config, sys System, getenv func(string) string) Result {
	t.Helper()
	number := ordinal(t)
	process.exploring.Lock()
	defer process.exploring.Unlock()
	call := fmt.Sprintf("Check %d of %s", number+1, t.Name())
	create := func() (*task, error) {
		k, err := cfg.resolve(t.Name(), t.Short(), sys, getenv)
		if err != nil {
			return nil, err
		}
		k.plan.CountOrders = k.plan.CountOrders || wantsArtifacts(t)
		k.begin(sys, session.ID{Package: pkg, Test: t.Name(), Ordinal: number, Call: call,
			Pattern: gotest.PatternOf(t.Name()),
			Earlier: process.results})
		return k, nil
	}
	mine, err := showPositions(t.Name(), number, create, func() { leave(t) })
	mustSucceed(t, err)
	if mine {
		return Result{}
	}
	r, mine, err := takePart(call, create, func() { leave(t) })
	mustSucceed(t, err)
	if mine {
		return r
	}
	k, err := create()
	if err != nil {
		if failed := recordRefusal(getenv("REHEARSE_REPORT"), pkg, t.Name(), number); !strings.Contains(err.Error(),
			"REHEARSE_REPORT: ") {
			err = errors.Join(err, failed)
		}
	}
	mustSucceed(t, err)
	if path := getenv(startstate.Variable); path != "" {
		mustSucceed(t, k.TellStart(path))
		return Result{}
	}
	r, err = k.check(t)
	mustSucceed(t, err)
	keepResult(call, r)
	return r
}

// mustSucceed ends the test if Check cannot do what it is for.
func mustSucceed(t tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatal("rehearse: " + err.Error())
	}
}

// check explores, judges, and writes down what is to be kept.
func (k *task) check(t tester) (Result, error) {
	t.Helper()
	if k.plan.Corpus {
		k.KeepNew()
	}
	if deadline, ok := t.Deadline(); ok {
		k.EndBefore(deadline)
	}
	r, err := (&checking{task: k, t: t}).run()
	err = errors.Join(err, k.Late.Close(func(text string) { tellLate(t, text) }), k.WriteCoverage())
	if k.values.Report != "" {
		err = errors.Join(err, k.record(r))
	}
	err = errors.Join(err, k.leavePage(t, &r))
	return r, err
}

// run does what Check is for. The error is an operating problem.
func (c *checking) run() (Result, error) {
	c.t.Helper()
	if c.values.Replay != "" {
		defer c.UntilTimeout()()
		return c.replayFile(c.values.Replay)
	}
	died, warning := c.OpenJournal()
	defer c.CloseJournal()
	if warning != "" {
		c.t.Log(warning)
	}
	r := c.result(explore.Outcome{Reason: "replayed"})
	if died != nil {
		if known, err := c.reportDeath(&r, died); err != nil || !known {
			return r, err
		}
	}
	expected := c.replayKept(&r)
	if c.failed && !c.All {
		r.Saved = c.replayed
		return r, nil
	}
	if c.selected() {
		r.Saved = c.replayed
		c.t.Log("rehearse: nothing was explored: -run " + render.ShellWord(c.t.Pattern()) + " names a subtest")
		return r, nil
	}
	return c.search(r.Findings, expected)
}

// replayKept replays what earlier runs left: schedules of bugs, then the corpus.
func (c *checking) replayKept(r *Result) (expected bool) {
	c.t.Helper()
	defer c.Share()()
	expected = c.replaySaved(r)
	if !c.failed {
		expected = c.replayCorpus(r) || expected
	}
	return expected
}

// selected reports whether -run names a subtest of this test: then people want that replayed, and no exploration.
func (c *checking) selected() bool { return gotest.NamesSubtest(c.t.Pattern(), c.t.Name()) }

// search explores and judges. told are the findings of saved schedules; expected: the known bug was among them.
func (c *checking) search(known []Finding, expected bool) (Result, error) {
	c.t.Helper()
	for i := range known {
		c.Know(&known[i].Violation)
	}
	if every := c.values.Progress; every >= 0 {
		c.ShowProgress(c.t.Verbose(), every)
	}
	out, err := c.Session.Explore()
	if err == nil {
		var text string
		text, err = c.TryCorpus(&out)
		c.logLine(text)
	}
	if err != nil {
		return c.result(out), c.broken(err, out)
	}
	unfollowed := c.Settle(&out)
	r := c.result(out)
	r.Findings = known
	if unfollowed != nil {
		c.refused = true
		return r, unfollowed
	}
	if none := c.nothing(); none != nil {
		return r, none
	}
	if err := c.conclude(&r); err != nil {
		return r, err
	}
	if c.expect != nil && !c.failed && !expected && !hasExpected(r.Findings) {
		c.missing(&r)
	}
	err = c.keepWhatPasses()
	c.summary(&r)
	return r, err
}
