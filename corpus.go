package rehearse

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/draws"
	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/trace"
)

// Bounds of a corpus: schedules of a Check, and steps of one.
const (
	maxCorpus      = 100
	maxCorpusSteps = 1000
)

var errDividedCorpus = errors.New("corpus: the executions of worker processes, and those before a resumed exploration, are not there to be kept; " +
	"leave corpus, or workers and resume, away")

// corpus is the executions that are kept because they show orders: schedules that pass, each with orders that no other one has.
type corpus struct {
	goals *profile.Goals
	have  bitset.Set // what old and found achieve
	old   []kept     // in files; they were replayed
	found []kept     // in this run
}

// kept is a schedule with what it achieves.
type kept struct {
	file  saved.File // of an old one
	steps []trace.Forced
	goals bitset.Set
}

func newCorpus() *corpus { return &corpus{goals: profile.NewGoals()} }

// observe takes the beginning of an execution, if it achieves what nothing before does. One with a violation becomes a finding instead.
func (k *corpus) observe(tr *trace.Trace, violates bool) {
	if k == nil || violates || len(k.found) == maxCorpus {
		return
	}
	all, events := k.goals.Of(tr, k.have)
	if events == 0 {
		return
	}
	head := *tr
	head.Events = tr.Events[:events]
	if steps := head.Schedule(); len(steps) <= maxCorpusSteps {
		k.found = append(k.found, kept{steps: steps})
		k.have = k.have.Union(all)
	}
}

// replayCorpus replays what was kept, each as a subtest of the subtest "corpus", whether more is to be kept or not.
func (c *checking) replayCorpus(r *Result) (expected bool) {
	c.t.Helper()
	files := notOfSubtest(c.load(c.corpusDir()))
	if len(files) == 0 {
		return false
	}
	ok := c.t.Run("corpus", func(t tester) {
		t.Helper()
		sub := &checking{session: c.session, t: t}
		for _, file := range files {
			expected = sub.replayAsSubtest(r, file, func(run *replay.Run) { c.corpus.add(file, run.Trace) }) || expected
		}
	})
	c.failed = c.failed || !ok
	return expected
}

// corpusDir is the folder of the corpus.
func (s *session) corpusDir() string { return saved.CorpusDir(s.header.Test, s.header.Ordinal) }

// notOfSubtest leaves out the findings of a subtest that is called corpus: they are in the same folder.
func notOfSubtest(files []saved.File) (rest []saved.File) {
	for _, f := range files {
		if filepath.Dir(f.Path) != saved.Dir(f.Schedule.Header.Test) {
			rest = append(rest, f)
		}
	}
	return rest
}

// add takes a schedule that was kept earlier and still passes.
func (k *corpus) add(file saved.File, tr *trace.Trace) {
	if k == nil {
		return
	}
	all, _ := k.goals.Of(tr, nil)
	k.old = append(k.old, kept{file: file, goals: all})
	k.have = k.have.Union(all)
}

// tryCorpus executes what may be kept as it will be replayed: a beginning, then the default order. That may be an execution that
// nobody has seen; a violation is a finding as any other.
func (c *checking) tryCorpus(out *explore.Outcome) error {
	k := c.corpus
	if k == nil || len(c.raws) > 0 {
		return nil
	}
	defer c.endAt(c.shared())()
	found := k.found
	k.found = nil
	err := c.muted(func() error {
		run := c.runner(c.options(c.conditionsOf(c.corpusHeader())))
		for _, f := range found {
			x, err := run(f.steps)
			if err != nil {
				return err
			}
			if v := c.firstError(x.Violations); v != nil {
				c.take(raw{trace: x.Trace, violation: *v, execution: c.done, choices: goChoices{c.choices, draws.All}})
				out.Reason, out.Complete, k.found = "found", false, nil
				return nil
			}
			if len(x.Stale) == 0 { // else the program does not repeat itself, which is looked for elsewhere
				f.goals, _ = k.goals.Of(x.Trace, nil)
				k.found = append(k.found, f)
			}
		}
		return nil
	})
	if errors.Is(err, replay.ErrTimeUp) {
		k.found, err = nil, nil
		c.t.Log("rehearse: corpus: nothing was kept: " + replay.ErrTimeUp.Error())
	}
	return err
}

// firstError is the first violation that is not let pass, nil if there is none.
func (s *session) firstError(vs []trace.Violation) *trace.Violation {
	for i := range vs {
		if s.Checks.Of(vs[i].Kind) == check.Error {
			return &vs[i]
		}
	}
	return nil
}

// keepCorpus writes the fewest schedules that show all, and deletes the others. It leaves everything as it is where something is wrong.
func (c *checking) keepCorpus() error {
	c.t.Helper()
	k := c.corpus
	if k == nil || c.failed || len(c.raws) > 0 || c.values.Save == settings.SaveNothing {
		return nil
	}
	all := append(append([]kept(nil), k.old...), k.found...)
	sets := make([]bitset.Set, len(all))
	for i := range all {
		sets[i] = all[i].goals
	}
	needed := make([]bool, len(all))
	for _, i := range profile.Choose(sets, maxCorpus) {
		needed[i] = true
	}
	var added, deleted, same int
	var errs []error
	for i := range all {
		isOld := i < len(k.old)
		switch {
		case needed[i] && isOld:
			same++
		case needed[i]:
			_, err := saved.Save(c.corpusDir(), &trace.Schedule{Header: *c.corpusHeader(), Steps: all[i].steps})
			added, errs = added+1, append(errs, err)
		case isOld:
			deleted, errs = deleted+1, append(errs, saved.Prune(all[i].file))
		}
	}
	text := fmt.Sprintf("rehearse: corpus: %s in %s: %d new, %d deleted because the others show as much", render.Count(same+added, "schedule", "schedules"),
		filepath.ToSlash(c.corpusDir()), added, deleted)
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("corpus: what the executions show is not kept whole: %w", err)
	}
	c.t.Log(text)
	return nil
}
