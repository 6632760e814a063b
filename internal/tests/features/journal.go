package features

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Journal is what a program writes down in one execution. Tests state which journals there are over all schedules.
type Journal struct {
	mu    sync.Mutex // handlers that block may go on when another one runs
	lines []string
	over  bool
}

// Note writes a line. It is formatted as by fmt.Sprintf.
func (j *Journal) Note(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.over {
		return
	}
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

// Lines gives what was written so far.
func (j *Journal) Lines() []string { return slices.Clone(j.lines) }

// String gives the lines, with commas between them.
func (j *Journal) String() string { return strings.Join(j.lines, ", ") }

// ByActor is the journal without the order of lines of different actors, which begin with different words.
func (j *Journal) ByActor() string {
	lines := j.Lines()
	slices.SortStableFunc(lines, func(a, b string) int {
		a, _, _ = strings.Cut(a, " ")
		b, _, _ = strings.Cut(b, " ")
		return strings.Compare(a, b)
	})
	return strings.Join(lines, ", ")
}

// Reset makes the journal empty, for another execution.
func (j *Journal) Reset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines, j.over = nil, false
}

// Close has nothing more be written until Reset.
func (j *Journal) Close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.over = true
}
