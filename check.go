package rehearse

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/trace"
)

// errNothing is told to people whose test function does nothing that could happen in another order.
var errNothing = errors.New("the test sent no message and set no timer: there is nothing to explore; " +
	"send to an actor in the test function (what SetUp sends is delivered before the exploration starts)")

// tester is what Check needs of a testing.T, so that its verdicts can be tested. Fatal does not return.
type tester interface {
	Helper()
	Name() string
	Log(args ...any)
	Error(args ...any)
	Fatal(args ...any)
	Attr(key, value string)
	Cleanup(func())
	Deadline() (time.Time, bool)
	Run(name string, f func(tester)) bool
	Verbose() bool
	Short() bool
	Pattern() string // of -run
}

// goTest is the real tester.
type goTest struct{ *testing.T }

// What is told holds names and texts of the program.

func (t goTest) Log(args ...any) {
	t.T.Helper()
	t.T.Log(trace.Visible(fmt.Sprint(args...)))
}

func (t goTest) Error(args ...any) {
	t.T.Helper()
	t.T.Error(trace.Visible(fmt.Sprint(args...)))
}

func (t goTest) Fatal(args ...any) {
	t.T.Helper()
	t.T.Fatal(trace.Visible(fmt.Sprint(args...)))
}

func (t goTest) Run(name string, f func(tester)) bool {
	t.Helper()
	return t.T.Run(name, func(t *testing.T) {
		t.Helper() // so that a saved schedule that fails is told of at the user's Check
		f(goTest{t})
	})
}
func (goTest) Verbose() bool { return testing.Verbose() }
func (goTest) Short() bool   { return testing.Short() }
func (goTest) Pattern() string {
	if f := flag.Lookup("test.run"); f != nil {
		return f.Value.String()
	}
	return ""
}

// Check explores the program within the budget and fails the test at the first violation, with the shortest schedule that
// was found for it. The order of things: report a run that died, replay the schedules in testdata/rehearse/<Test> as
// subtests, explore, minimise, explain, save, report.
//
// It prints nothing when all is well; with -v a line that says what was executed and whether that is everything. Several
// Checks in one test are told apart by their order. The Checks of a process run one at a time.
func Check(t *testing.T, cfg Config, sys System) Result {
	t.Helper()
	return runCheck(goTest{t}, gotest.PackageOf(gotest.Outermost()), cfg, sys, os.Getenv)
}

// process is what the Checks of a process share: only one explores at a time, because what the program prints and the
// hooks into its framework are the process's. The Checks of a test are numbered.
var process struct {
	exploring sync.Mutex
	numbering sync.Mutex
	next      map[string]int
	explored  map[string]int    // by test function: calls of Explore
	results   map[string]Result // by call: what worker processes, which run a test again, need not explore again
}

// keepResult remembers the result of a call.
func keepResult(call string, r Result) {
	if process.results == nil {
		process.results = map[string]Result{}
	}
	process.results[call] = r
}

// ordinal numbers the Checks of a test from 0.
func ordinal(t tester) int {
	process.numbering.Lock()
	defer process.numbering.Unlock()
	if process.next == nil {
		process.next = map[string]int{}
	}
	name := t.Name()
	n := process.next[name]
	process.next[name] = n + 1
	if n == 0 {
		// A test that runs again (-count=2) numbers its Checks anew.
		t.Cleanup(func() {
			process.numbering.Lock()
			defer process.numbering.Unlock()
			delete(process.next, name)
		})
	}
	return n
}

// runCheck is Check for any tester.
func runCheck(t tester, pkg string, cfg Config, sys System, getenv func(string) string) Result {
	t.Helper()
	number := ordinal(t)
	process.exploring.Lock()
	defer process.exploring.Unlock()
	call := fmt.Sprintf("Check %d of %s", number+1, t.Name())
	create := func() (*session, error) {
		p, err := cfg.resolve(t.Name(), t.Short(), sys, getenv)
		if err != nil {
			return nil, err
		}
		s := newSession(p, sys, pkg, t.Name(), number)
		s.call, s.pattern = call, gotest.PatternOf(t.Name())
		return s, nil
	}
	w, err := theWorker()
	mustSucceed(t, err)
	if w != nil {
		r, err := w.serve(call, create, func() { leave(t) })
		mustSucceed(t, err)
		return r
	}
	s, err := create()
	if err != nil {
		if failed := recordRefusal(getenv("REHEARSE_REPORT"), pkg, t.Name(), number); !strings.Contains(err.Error(), "REHEARSE_REPORT: ") {
			err = errors.Join(err, failed)
		}
	}
	mustSucceed(t, err)
	if path := getenv(startstate.Variable); path != "" {
		mustSucceed(t, s.tellStart(path))
		return Result{}
	}
	r, err := s.check(t)
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
func (s *session) check(t tester) (Result, error) {
	t.Helper()
	if s.Corpus {
		s.corpus = newCorpus()
	}
	if deadline, ok := t.Deadline(); ok {
		s.endBefore(deadline)
	}
	r, err := (&checking{session: s, t: t}).run()
	err = errors.Join(err, s.tooLate.close(func(text string) { tellLate(t, text) }), s.writeCoverage())
	if s.values.Report != "" {
		err = errors.Join(err, s.record(r))
	}
	return r, err
}

// checking is one Check.
type checking struct {
	*session
	t      tester
	failed bool
}

// fail reports a finding or an error.
func (c *checking) fail(text string) {
	c.t.Helper()
	c.failed = true
	c.t.Error(text)
}

// run does what Check is for. The error is an operating problem.
func (c *checking) run() (Result, error) {
	c.t.Helper()
	s, t := c.session, c.t
	if s.values.Replay != "" {
		defer s.endAt(s.limit)()
		return c.replayFile(s.values.Replay)
	}
	died, warning := s.openJournal()
	defer s.close()
	if warning != "" {
		t.Log(warning)
	}
	r := s.result(explore.Outcome{Reason: "replayed"})
	if died != nil {
		if known, err := c.reportDeath(&r, died); err != nil || !known {
			return r, err
		}
	}
	expected := c.replayKept(&r)
	if c.failed && !c.KeepGoing {
		r.Saved = s.saved
		return r, nil
	}
	if c.selected() {
		r.Saved = s.saved
		t.Log("rehearse: nothing was explored: -run " + quote(t.Pattern()) + " names a subtest")
		return r, nil
	}
	return c.search(r.Findings, expected)
}

// replayKept replays what earlier runs left: schedules of bugs, then the corpus.
func (c *checking) replayKept(r *Result) (expected bool) {
	c.t.Helper()
	defer c.endAt(c.shared())()
	expected = c.replaySaved(r)
	if !c.failed {
		expected = c.replayCorpus(r) || expected
	}
	return expected
}

// selected reports whether -run names a subtest of this test: then people want that replayed, and no exploration.
func (c *checking) selected() bool { return gotest.NamesSubtest(c.t.Pattern(), c.t.Name()) }

// search explores and judges. replayed are the findings of saved schedules; expected: the known bug was among them.
func (c *checking) search(replayed []Finding, expected bool) (Result, error) {
	c.t.Helper()
	s, t := c.session, c.t
	s.chosen = 0
	for i := range replayed {
		s.known[replayed[i].Violation.Key()] = true // it was told of
	}
	s.progress = newProgress(realStderr(), t.Verbose(), time.Now)
	s.progress.divided = s.isDivided()
	s.progress.estimate = func() explore.Estimate { return explore.ReportOf(s.strategy).Estimate }
	out, err := s.explore()
	if err == nil {
		err = c.tryCorpus(&out)
	}
	if err != nil {
		return s.result(out), s.broken(err, out)
	}
	unfollowed := s.settle(&out)
	r := s.result(out)
	r.Findings = replayed
	if unfollowed != nil {
		s.refused = true
		return r, unfollowed
	}
	if len(s.raws) == 0 && s.chosen == 0 && !s.late {
		return r, errNothing
	}
	if err := c.conclude(&r); err != nil {
		return r, err
	}
	if c.Expect != nil && !c.failed && !expected && !hasExpected(r.Findings) {
		c.missing(&r)
	}
	err = errors.Join(c.keepCorpus(), c.keepGuided())
	c.summary(&r)
	return r, err
}

// broken adds to an operating problem where the exploration stood, unless it was refused before anything was executed.
func (s *session) broken(err error, out explore.Outcome) error {
	if !s.executes {
		s.refused = true
		return err
	}
	return fmt.Errorf("%w\n(in execution %d of strategy %s, seed %d, model %s, timers %s)",
		err, out.Executions+out.Blocked+1, s.strategy.Name(), s.Seed, s.Model, s.Timers)
}

// conclude tells of what the exploration found.
func (c *checking) conclude(r *Result) error {
	c.t.Helper()
	if len(c.raws) == 0 {
		return nil
	}
	ws := c.raws
	if !c.KeepGoing {
		ws = c.worthTelling()
	}
	for i, w := range ws {
		if err := c.tellOf(r, w, len(ws)-i); err != nil {
			return err
		}
	}
	return nil
}

// worthTelling is the expected violation, if the execution has it, and the first other one: the known bug must not hide what else is wrong
// in its execution.
func (c *checking) worthTelling() []raw {
	expected := func(w raw) bool { return c.Expect.matches(&w.violation) }
	var ws []raw
	if i := slices.IndexFunc(c.raws, expected); i >= 0 {
		ws = append(ws, c.raws[i])
	}
	if i := slices.IndexFunc(c.raws, func(w raw) bool { return !expected(w) }); i >= 0 {
		ws = append(ws, c.raws[i])
	}
	return ws
}

// tellOf investigates a violation, the first of so many, passes judgement and adds it to the result.
func (c *checking) tellOf(r *Result, w raw, left int) error {
	c.t.Helper()
	f, err := c.investigate(w, left)
	if err != nil {
		return fmt.Errorf("%s was found, but replaying it failed: %w", w.violation.String(), err)
	}
	if r.has(&f.Violation) {
		return nil // minimising ends at the same violation; a divergence may stand for several
	}
	if c.Expect.matches(&f.Violation) {
		f.Expected = true
		f.Replay = c.searchAgain()
		c.t.Log("rehearse: found as expected\n" + f.text(c.session))
	} else {
		c.keep(f)
		c.fail(f.text(c.session))
	}
	r.add(f)
	return nil
}

// keep saves the schedule of a finding and says how to replay it.
func (c *checking) keep(f *finding) {
	f.Replay = c.searchAgain()
	if f.Schedule == nil || c.values.Save == settings.SaveNothing {
		return
	}
	path, err := c.save(f.Schedule)
	if err != nil {
		f.Note = strings.TrimSpace(f.Note + "\nThe schedule was not saved: " + err.Error())
		return
	}
	f.File = path
	f.Replay = c.command(f.Schedule.Hash(), "")
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
	text := fmt.Sprintf("rehearse: the expected violation (%s) was not found: %s", c.Expect, r)
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
