package reachtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/trace"
)

// Goal is what the test has to execute.
type Goal struct {
	Blocks []*ssa.BasicBlock // one of them
	Kind   string            // of a violation that has to be found, "" if none has to be
	// of the violation: file.go:line; "" for any. It counts only if it is in the same file: a panic in a library has no
	// other place
	Where  string
	Passed bool              // a panic counts, too, that the Checks of the driver let pass
	Also   []*ssa.BasicBlock // of which the outcome tells whether they were executed, too
}

// Run says how a test is run.
type Run struct {
	Scratch string // a folder for what is overlaid
	// of each run of a test: a minute. Where several run together it is that of the first that does not end
	Timeout time.Duration
	// from then on no orders are explored, and no drivers run; zero: never. Nor are tests run by themselves of which
	// nothing was heard, since another one has ended the process.
	Until time.Time
	Flags []string // further flags of go test
}

// Outcome is what the real program says to a test.
type Outcome struct {
	Covered   bool
	Why       string // it is not covered
	Uncounted bool   // the order is followed, and whether the target is executed cannot be counted
	// the test did not run, or the program did not take the order: nothing is known of the target
	Unfollowed bool
	Finding    *record.Finding   // what goes wrong in the execution, nil if nothing does
	Guided     string            // how far the order was followed
	Diagram    string            // of the execution
	Content    []byte            // the file of the test
	Also       []*ssa.BasicBlock // those of Goal.Also that were executed
}

// Job is a test with what it has to execute.
type Job struct {
	Test *Test
	Goal Goal
}

// Confirm executes a test in an overlay: no file is written beside those of the package. It is executed twice if
// something goes wrong, the second time with the Expectation of it. The places that count are those of the last
// execution, which repeats the one that followed the order.
func (t *Test) Confirm(ctx context.Context, r Run, g Goal) (*Outcome, error) {
	list, err := ConfirmAll(ctx, r, []Job{{t, g}})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// ConfirmAll is Confirm of many tests, whose functions and files have different names. Those of one package are
// compiled and run together.
func ConfirmAll(ctx context.Context, r Run, jobs []Job) ([]*Outcome, error) {
	outcomes := make([]*Outcome, len(jobs))
	groups, order := map[string][]int{}, []string(nil)
	for i, j := range jobs {
		key := j.Test.Dir + "\x00" + j.Test.Package
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	for _, key := range order {
		var group []Job
		for _, i := range groups[key] {
			group = append(group, jobs[i])
		}
		found, err := confirmGroup(ctx, r, group)
		if err != nil {
			return nil, err
		}
		for k, i := range groups[key] {
			outcomes[i] = found[k]
		}
	}
	return outcomes, nil
}

// confirmGroup confirms tests of one package.
func confirmGroup(ctx context.Context, r Run, jobs []Job) ([]*Outcome, error) {
	files := map[string]bool{}
	for _, j := range jobs {
		for _, b := range slices.Concat(j.Goal.Blocks, j.Goal.Also) {
			files[j.Test.w.d.program.Fset.PositionFor(b.Parent().Pos(), false).Filename] = true
		}
	}
	first := jobs[0].Test
	c, err := gentest.Count(ctx, first.w.d.program, r.Scratch, first.Dir, first.Package, files)
	if err != nil {
		return nil, err
	}
	states := filepath.Join(r.Scratch, "states")
	os.Remove(states) // of those before
	often := func(jobs []Job, flags ...string) ([]*Outcome, error) {
		r, env := r, []string{statesVariable + "=" + states}
		if len(flags) > 0 {
			r.Flags, r.Until = slices.Concat(r.Flags, flags), time.Now() // what does not come to its end has told enough
			env = append(env, choicesVariable+"=1")
		}
		return attempts(ctx, r, c, jobs, env...)
	}
	attempt := func(jobs []Job) ([]*Outcome, error) { return often(jobs) }
	outcomes, err := attempt(jobs)
	if err == nil {
		err = asks(outcomes, jobs, attempt)
	}
	if err == nil {
		err = panics(outcomes, jobs, attempt)
	}
	if err == nil {
		err = larger(outcomes, jobs, attempt)
	}
	if err == nil {
		err = pins(outcomes, jobs, states, often)
	}
	if err != nil {
		return nil, err
	}
	return outcomes, stated(outcomes, jobs, attempt)
}

// stated has tests that end with a finding state it, and executes them again: they have to find it again.
func stated(outcomes []*Outcome, jobs []Job, attempt func([]Job) ([]*Outcome, error)) error {
	var wrong []Job
	var at []int
	for i, o := range outcomes {
		if o.Covered && o.Finding != nil {
			jobs[i].Test.Expect = expected(o.Finding)
			wrong, at = append(wrong, jobs[i]), append(at, i)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	again, err := attempt(wrong)
	for k, o := range again {
		if outcomes[at[k]] = o; o.Covered && (o.Finding == nil || !o.Finding.Expected) {
			o.not("executed again, it does something else")
		}
	}
	return err
}

// asks has messages be requests in tests that end with an answer to nobody, perhaps before they reach their target: who
// asks wants one. The test stays as it was where that is not all that is wrong, or is what is looked for.
func asks(outcomes []*Outcome, jobs []Job, attempt func([]Job) ([]*Outcome, error)) error {
	dead := func(o *Outcome) bool { return o.Finding != nil && o.Finding.Kind == trace.DeadLetter.String() }
	return otherwise(outcomes, jobs, attempt, func(j Job, o *Outcome) (want Wanted, is bool) {
		want = j.Test.Wanted
		want.Asks = true
		return want, dead(o) && j.Goal.Kind != trace.DeadLetter.String()
	}, func(before, o *Outcome) bool { return !before.Covered || !dead(o) })
}

// panics has panics be errors in tests that look for one and whose driver lets them pass: a supervisor restarts the
// actor, and nobody sees that there was one.
func panics(outcomes []*Outcome, jobs []Job, attempt func([]Job) ([]*Outcome, error)) error {
	return otherwise(outcomes, jobs, attempt, func(j Job, o *Outcome) (want Wanted, is bool) {
		want = j.Test.Wanted
		want.Panics = true
		return want, !o.Covered && j.Goal.Passed && j.Goal.Kind == trace.Panic.String() &&
			(o.Finding == nil || o.Finding.Kind != j.Goal.Kind)
	}, func(*Outcome, *Outcome) bool { return true })
}

// larger has numbers of any size be large in tests that were followed and do not reach their target: what their methods
// give is not modelled.
func larger(outcomes []*Outcome, jobs []Job, attempt func([]Job) ([]*Outcome, error)) error {
	return otherwise(outcomes, jobs, attempt, func(j Job, o *Outcome) (want Wanted, is bool) {
		want = j.Test.Wanted
		want.Large = true
		return want, !o.Covered
	}, func(*Outcome, *Outcome) bool { return true })
}

// otherwise executes some tests once more, written in another way, and takes that where it covers the target and is
// better.
func otherwise(outcomes []*Outcome, jobs []Job, attempt func([]Job) ([]*Outcome, error),
	other func(Job, *Outcome) (Wanted, bool), better func(before, after *Outcome) bool) error {
	var again []Job
	var at []int
	for i, j := range jobs {
		want, is := other(j, outcomes[i])
		if !is {
			continue
		}
		t, err := New(j.Test.program, j.Test.exec, want)
		var no *Unwritable
		if errors.As(err, &no) || err == nil && slices.Equal(t.Sends, j.Test.Sends) && t.panics() == j.Test.panics() {
			continue
		} else if err != nil {
			return err
		}
		again, at = append(again, Job{t, j.Goal}), append(at, i)
	}
	if len(again) == 0 {
		return nil
	}
	tried, err := attempt(again)
	for k, o := range tried {
		if o.Covered && better(outcomes[at[k]], o) {
			outcomes[at[k]] = o
			*jobs[at[k]].Test = *again[k].Test
		}
	}
	return err
}

// expected is the Expectation of a finding. Its text is left out where it is long or has several lines: what is printed
// may be another one each time.
func expected(f *record.Finding) *Expected {
	x := &Expected{Kind: f.Kind}
	if !strings.Contains(f.Text, "\n") && len(f.Text) <= longestText {
		x.Text = f.Text
	}
	return x
}

// longestText bounds texts of violations that tests have.
const longestText = 160

// attempts runs tests once, together; those of which nothing is heard once more by themselves, since another one may
// not compile, or end the process.
func attempts(ctx context.Context, r Run, c *gentest.Counters, jobs []Job, env ...string) ([]*Outcome, error) {
	counted, variable := c.Overlay()
	counted = maps.Clone(counted)
	laid, err := layStates(r.Scratch, jobs[0].Test)
	if err != nil {
		return nil, err
	}
	maps.Copy(counted, laid)
	os.Remove(strings.SplitN(variable, "=", 2)[1]) // of the run before
	records, said, err := goTest(ctx, r, jobs, func(t *Test) ([]byte, error) { return t.instrumented(c) }, counted,
		append(env, variable)...)
	if err != nil {
		return nil, err
	}
	outcomes := make([]*Outcome, len(jobs))
	for i, j := range jobs {
		if records[j.Test.Func] != nil {
			outcomes[i], err = j.outcome(records[j.Test.Func], part(said, j.Test.Func), c)
			if err != nil {
				return nil, err
			}
		}
	}
	for i, j := range jobs {
		switch {
		case outcomes[i] != nil:
		case len(jobs) > 1 && !r.Until.IsZero() && time.Now().After(r.Until):
			outcomes[i], err = j.outcome(nil, "", c)
			if err == nil {
				outcomes[i].unfollowed("a test that ran beside it has not come to an end, and the time to run it alone was over")
			}
		case len(jobs) == 1:
			outcomes[i], err = j.outcome(nil, said, c)
		default:
			var alone []*Outcome
			if alone, err = attempts(ctx, r, c, []Job{j}, env...); err == nil {
				outcomes[i] = alone[0]
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// outcome judges a run of a test, by its record, nil if there is none, and what it has printed.
func (j Job) outcome(rec *record.Record, said string, c *gentest.Counters) (*Outcome, error) {
	content, err := j.Test.Source()
	if err != nil {
		return nil, err
	}
	o := &Outcome{Content: content}
	if rec == nil {
		if why := j.Test.missing(said); why != "" {
			return o.unfollowed("the test did not run: %s", why), nil
		}
		return o.unfollowed("the test did not run: %s", lines(said, 6)), nil
	}
	o.Guided, o.Diagram = rec.Guided, rec.Order
	if len(rec.Findings) > 0 {
		o.Finding = &rec.Findings[0]
		o.Diagram = o.Finding.Diagram
	}
	if len(j.Test.w.ordered()) > 0 && !strings.HasPrefix(rec.Guided, "guide followed") {
		why := rec.Guided
		if i := strings.Index(said, "Config.Guide: "); i >= 0 {
			why = lines(said[i+len("Config.Guide: "):], 3)
		} else if why == "" {
			why = broken(said)
		}
		return o.unfollowed("the program does not go the way that was found: %s", why), nil
	}
	o.reached(j.Test, j.Goal, c)
	return o, nil
}

// reached decides whether an execution that followed the order has reached the target.
func (o *Outcome) reached(t *Test, g Goal, c *gentest.Counters) {
	switch {
	case g.Kind != "" && o.Finding == nil:
		o.not("the order is followed, and there is no %s", g.Kind)
		return
	case g.Kind != "" && o.Finding.Kind != g.Kind: // one step may do both, and a record has the first
		o.not("the order is followed, and the finding is of kind %s, not %s", o.Finding.Kind, g.Kind)
		return
	}
	if g.Where != "" && o.Finding != nil && elsewhere(o.Finding.Where, g.Where) {
		o.not("the order is followed, and the %s is at %s", g.Kind, o.Finding.Where)
		return
	}
	o.Covered = len(g.Blocks) == 0
	for _, b := range g.Blocks {
		been, err := c.Executed(t.Func, b)
		if err != nil {
			o.not("%v", err).Uncounted = true
			return
		}
		o.Covered = o.Covered || been
	}
	if !o.Covered {
		o.not("the order is followed, and the target is not executed")
		return
	}
	for _, b := range g.Also {
		if been, err := c.Executed(t.Func, b); err == nil && been {
			o.Also = append(o.Also, b)
		}
	}
}

// elsewhere reports whether a place is another line of the same file.
func elsewhere(at, wanted string) bool {
	file, _, _ := cutLast(at, ":")
	of, _, _ := cutLast(wanted, ":")
	return file == of && at != wanted
}

func (o *Outcome) not(format string, args ...any) *Outcome {
	o.Covered, o.Why = false, fmt.Sprintf(format, args...)
	return o
}

// unfollowed notes why the order says nothing about the target.
func (o *Outcome) unfollowed(format string, args ...any) *Outcome {
	o.not(format, args...).Unfollowed = true
	return o
}
