package session

import (
	"errors"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/trace"
)

// Bounds of a corpus: schedules of a Check, and steps of one.
const (
	maxCorpus      = 100
	maxCorpusSteps = 1000
)

var errDividedCorpus = errors.New("corpus: the executions of worker processes, and those before a resumed " +
	"exploration, are not there to be kept; leave corpus, or workers and resume, away")

// corpus is the executions that are kept because they show orders: schedules that pass, each with orders that no other
// one has.
type corpus struct {
	goals *profile.Goals
	have  bitset.Set    // what old and found achieve
	old   []corpusEntry // in files; they were replayed
	found []corpusEntry // in this run
}

// corpusEntry is a schedule with what it achieves.
type corpusEntry struct {
	path  string // of the file of an old one
	steps []trace.Forced
	goals bitset.Set
}

func newCorpus() *corpus { return &corpus{goals: profile.NewGoals()} }

// observe takes the beginning of an execution, if it achieves what nothing before does. One with a violation becomes a
// finding instead.
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
		k.found = append(k.found, corpusEntry{steps: steps})
		k.have = k.have.Union(all)
	}
}

// add takes a schedule that was kept in a file earlier and still passes.
func (k *corpus) add(path string, tr *trace.Trace) {
	if k == nil {
		return
	}
	all, _ := k.goals.Of(tr, nil)
	k.old = append(k.old, corpusEntry{path: path, goals: all})
	k.have = k.have.Union(all)
}
