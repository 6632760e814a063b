package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
)

// This file lets strategies be divided that learn from the executions before. With the option first they learn from
// execution 0 alone. It is made before all others, and what it shows is told to all of them (explore.Sharer).
//
//	invariants: I1 an execution depends on the seed, its number, and execution 0, whoever makes it
//	cost:       what is told is sent to each process now and then: MostTold bytes at most
//	checked by: divide_test.go of internal/sample: the executions of the undivided strategy, however it is divided

// firstWord is the option.
const firstWord = "first"

// CutFirst takes the option from the end of the words behind a strategy's name.
func CutFirst(words string) (before string, first bool) {
	if words == firstWord {
		return "", true
	}
	return strings.CutSuffix(words, "/"+firstWord)
}

// First is the option, and what became of it. The zero First is without.
type First struct {
	On    bool // see Range.FirstAlone
	Known bool // what execution 0 shows
	ours  bool // it was made here
}

// Learns reports whether an execution is one to learn from.
func (f *First) Learns(number uint64) bool { return !f.On || number == 0 }

// Learn says that an execution is over, and that what it showed is known.
func (f *First) Learn(number uint64) {
	if number == 0 {
		f.Known, f.ours = true, true
	}
}

// Suffix is what a name ends with.
func (f *First) Suffix() string {
	if f.On {
		return "/" + firstWord
	}
	return ""
}

// ReportOf says what keeps the strategy from being divided, or from being what its name says. It has made the execution
// of that number.
func (f *First) ReportOf(name string, number uint64) (r explore.Report) {
	switch {
	case !f.On:
		r.Undivided = "it learns from all that it has executed; " + name + "/" + firstWord +
			" learns from its first execution alone"
	case number > 0 && !f.Known:
		r.IncompleteReason = "nothing was learned of the first execution, which killed its process or was too long: the " +
			"others were drawn without that"
	}
	return r
}

// MostTold is how long what is told may be, in bytes.
const MostTold = 1 << 20

// ErrTold says that bytes are none that the strategy has written.
var ErrTold = errors.New("what was learned of other executions is not of this strategy")

// MergeFirst is explore.Sharer's Merge where all tell of execution 0.
func MergeFirst(all, learned []byte) []byte {
	if all == nil || bytes.Compare(learned, all) < 0 {
		return learned
	}
	return all
}

// FirstSteps is First of a strategy that learns how many steps executions have.
type FirstSteps struct {
	First
	Longest int // steps of an execution so far; 0: none is known
}

// Step says that an execution has so many steps at least.
func (f *FirstSteps) Step(number uint64, steps int) {
	if f.Learns(number) {
		f.Longest = max(f.Longest, steps)
	}
}

// Tell is explore.Sharer.
func (f *FirstSteps) Tell(all []byte) (err error) {
	if all != nil {
		f.Longest, err = stepsTold(all)
		f.Known = true
	}
	return err
}

// Learned is explore.Sharer.
func (f *FirstSteps) Learned() []byte {
	if !f.ours {
		return nil
	}
	return binary.AppendUvarint(nil, uint64(f.Longest))
}

// Merge is explore.Sharer.
func (*FirstSteps) Merge(all, learned []byte) ([]byte, error) {
	_, err := stepsTold(learned)
	return MergeFirst(all, learned), err
}

// stepsTold reads a number of steps.
func stepsTold(b []byte) (int, error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > math.MaxInt32 || !bytes.Equal(b, binary.AppendUvarint(nil, n)) {
		return 0, ErrTold
	}
	return int(n), nil
}
