package session

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/trace"
)

// CorpusDir is the folder of the corpus.
func (s *Session) CorpusDir() string { return saved.CorpusDir(s.Header.Test, s.Header.Ordinal) }

// StillPasses takes a file of the corpus that was kept earlier, with the execution of its schedule.
func (s *Session) StillPasses(path string, x *replay.Run) { s.corpus.add(path, x.Trace) }

// TryCorpus executes what may be kept as it will be replayed: a beginning, then the default order. That may be an
// execution that nobody has seen; a violation is a finding as any other. It gives a text for people where the time was
// too short.
func (s *Session) TryCorpus(out *explore.Outcome) (text string, err error) {
	k := s.corpus
	if k == nil || len(s.Raws) > 0 {
		return "", nil
	}
	defer s.Share()()
	found := k.found
	k.found = nil
	err = s.muted(func() error {
		run := s.runner(s.options(s.conditionsOf(s.corpusHeader())))
		for _, f := range found {
			x, err := run(f.steps)
			if err != nil {
				return err
			}
			if v := s.firstError(x.Violations); v != nil {
				s.take(Raw{Violation: *v, trace: x.Trace, execution: s.done, cutShort: s.cutShort,
					choices: goChoices{s.Choices, chance.LimitsAll}})
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
		k.found = nil
		return "corpus: nothing was kept: " + replay.ErrTimeUp.Error(), nil
	}
	return "", err
}

// KeepCorpus writes the fewest schedules that show all, and deletes the others. It gives a text for people, "" where no
// corpus is kept or something was found.
func (s *Session) KeepCorpus() (text string, err error) {
	k := s.corpus
	if k == nil || len(s.Raws) > 0 {
		return "", nil
	}
	all := append(append([]corpusEntry(nil), k.old...), k.found...)
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
			_, err := saved.Save(s.CorpusDir(), &trace.Schedule{Header: *s.corpusHeader(), Steps: all[i].steps})
			added, errs = added+1, append(errs, err)
		case isOld:
			deleted, errs = deleted+1, append(errs, saved.Prune(all[i].path))
		}
	}
	text = fmt.Sprintf("corpus: %s in %s: %d new, %d deleted because the others show as much",
		render.Count(same+added, "schedule", "schedules"),
		filepath.ToSlash(s.CorpusDir()), added, deleted)
	if err := errors.Join(errs...); err != nil {
		return "", fmt.Errorf("corpus: what the executions show is not kept whole: %w", err)
	}
	return text, nil
}
