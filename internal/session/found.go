package session

import (
	"regexp"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/trace"
)

// Raw is a violation as the exploration met it.
type Raw struct {
	Violation trace.Violation
	trace     *trace.Trace // a copy
	execution int
	cutShort  int          // of the executions before it
	phase     string       // of the strategy, "" if it has none
	first     *trace.Trace // of a divergence: the execution that was repeated, nil if unknown
	// the execution was ended because it took too long, or too much memory: it is not executed again
	excess  bool
	died    *death    // the execution killed its process; trace is nil then
	choices goChoices // how Go chose in it
}

// goChoices says how Go chose in an execution.
type goChoices struct {
	seed   uint64
	limits chance.Limits
}

func choicesUnder(c *explore.Conditions) goChoices {
	return goChoices{c.Choices, chance.Limits{Draws: c.Draws, Preemptions: c.Preemptions}}
}

// found is what a session has met so far, each kind of violation once.
type found struct {
	Raws     []Raw
	Warnings []trace.Violation
	levels   check.Levels
	known    map[string]bool     // keys of raws and warnings
	texts    map[string][]string // of violations by their keys, as far as they differ in more than numbers
}

func newFound(levels check.Levels) found {
	return found{levels: levels, known: map[string]bool{}, texts: map[string][]string{}}
}

// mostTexts bounds the texts that are kept of violations with one key.
const mostTexts = 9

// numbers are what texts of one failure mostly differ in.
var numbers = regexp.MustCompile(`[0-9]+`)

// noteText keeps the text of a violation, if it is another one.
func (f *found) noteText(v *trace.Violation) {
	key := v.Key()
	plain := func(s string) string { return numbers.ReplaceAllString(s, "0") }
	same := func(o string) bool { return plain(o) == plain(v.Text) }
	if t := f.texts[key]; len(t) < mostTexts && !slices.ContainsFunc(t, same) {
		f.texts[key] = append(t, v.Text)
	}
}

// OtherTexts gives the texts of violations that count as v, and say something else: eight at most.
func (f *found) OtherTexts(v *trace.Violation) []string {
	t := f.texts[v.Key()]
	return t[min(1, len(t)):]
}

// Know has a violation count as met: it was told of.
func (f *found) Know(v *trace.Violation) { f.known[v.Key()] = true }

// isNew reports whether a violation was not met before, and has it count as met.
func (f *found) isNew(v *trace.Violation) bool {
	key := v.Key()
	if f.known[key] {
		return false
	}
	f.known[key] = true
	return true
}

// warn keeps what is only a warning.
func (f *found) warn(v trace.Violation) {
	if key := "warning " + v.Key(); !f.known[key] {
		f.known[key] = true
		f.Warnings = append(f.Warnings, v)
	}
}

// take adds a violation by its level.
func (f *found) take(r Raw) {
	switch f.levels.Of(r.Violation.Kind) {
	case check.Off:
	case check.Warning:
		f.warn(r.Violation)
	default:
		if f.isNew(&r.Violation) {
			f.Raws = append(f.Raws, r)
		}
	}
}

// firstError is the first violation that is not let pass, nil if there is none.
func (f *found) firstError(vs []trace.Violation) *trace.Violation {
	for i := range vs {
		if f.levels.Of(vs[i].Kind) == check.Error {
			return &vs[i]
		}
	}
	return nil
}

// death is an execution that killed its process.
type death struct {
	saved.Died
	output string // its last words
}

// halfway is a violation of an execution that did not follow the guide to its end.
type halfway struct {
	Raw
	at int // entries that it followed
}
