// Package nqueenk places queens on a board so that none attacks another. A master hands boards to workers in turn, and
// they send back boards with one more queen, or solutions. It is program 28 of Savina [IS14]. Its hazards: workers are
// told to stop at the limit of solutions, and once more when all boards are done. What lies behind the stop is lost.
// Where messages have no order, a board is done before those that it led to are known: too early an end.
package nqueenk

import (
	"fmt"
	"slices"
)

// Config sets the board and how it is divided.
type Config struct {
	Size      int  // of the board, at least 1
	Workers   int  // at least 1
	Threshold int  // a board with so many queens is searched at once; at least 0
	Limit     int  // of solutions, at least 1
	Repaired  bool // workers are told to stop once, when all is done that was announced or at the limit
}

// Small is a size to explore, Limited one that ends before all solutions are there. Published is that of the suite.
var (
	Small     = Config{Size: 4, Workers: 2, Threshold: 1, Limit: 1_000}
	Limited   = Config{Size: 4, Workers: 2, Threshold: 1, Limit: 1}
	Published = Config{Size: 12, Workers: 20, Threshold: 4, Limit: 1_500_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Size < 1 || c.Workers < 1 || c.Threshold < 0 || c.Limit < 1 {
		return fmt.Errorf("nqueenk: size %d, %d workers, threshold %d, limit %d: "+
			"want at least 1 of each, and a threshold not below 0", c.Size, c.Workers, c.Threshold, c.Limit)
	}
	return nil
}

// Board has a queen in the columns that it names, one in each row.
type Board []int

// Start has the master hand out the empty board.
type Start struct{}

// Work is a board to be filled.
type Work struct{ Board Board }

// Result is a solution.
type Result struct{ Board Board }

// Done says that a board is done. It led to a number of boards and solutions, which only the repaired master reads.
type Done struct{ Works, Results int }

// Stop ends a worker. A worker says the same to the master.
type Stop struct{}

// with is the board with one more queen, which attacks none.
func (b Board) with(column int) (Board, bool) {
	for row, c := range b {
		if c == column || c-column == len(b)-row || column-c == len(b)-row {
			return nil, false
		}
	}
	return append(slices.Clone(b), column), true
}

// next are the boards with one more queen.
func (b Board) next(size int) (boards []Board) {
	for column := range size {
		if n, ok := b.with(column); ok {
			boards = append(boards, n)
		}
	}
	return boards
}

// solutions are all that a board can be filled to.
func (b Board) solutions(size int) (found []Board) {
	if len(b) == size {
		return []Board{b}
	}
	for _, n := range b.next(size) {
		found = append(found, n.solutions(size)...)
	}
	return found
}

// fill is what a worker makes of a board: others, or solutions.
func (c Config) fill(b Board) (boards, solutions []Board) {
	if len(b) == c.Size || len(b) >= c.Threshold {
		return nil, b.solutions(c.Size)
	}
	return b.next(c.Size), nil
}

// tally is what the master counts.
type tally struct {
	config         Config
	sent, done     int // boards
	works, results int // that those boards led to
	found          int // solutions that came
	ending         bool
	stopped        int // workers
}

// give says whether a board is to be handed out.
func (t *tally) give() bool {
	if t.config.Repaired && t.ending {
		return false
	}
	t.sent++
	return true
}

// finish counts a board that is done, and says whether workers are to be told to stop.
func (t *tally) finish(d Done) bool {
	t.done++
	t.works += d.Works
	t.results += d.Results
	if t.config.Repaired {
		return t.complete()
	}
	return t.done == t.sent
}

// find counts a solution, and says the same.
func (t *tally) find() bool {
	t.found++
	if t.config.Repaired {
		return t.complete() || !t.ending && t.found == t.config.Limit
	}
	return t.found == t.config.Limit
}

// complete says whether all is there that was announced, for the first time. Nobody announces the first board.
func (t *tally) complete() bool {
	return !t.ending && t.done == t.sent && t.sent == 1+t.works && t.found == t.results
}

// Check says what is wrong with the end, nil if nothing is: the solutions were found, and all workers have ended. With
// a limit there may be more, up to all.
func (c Config) Check(found, stopped int) error {
	all := len(Board{}.solutions(c.Size))
	if found < min(c.Limit, all) || found > all {
		return fmt.Errorf("%d solutions, want %d to %d", found, min(c.Limit, all), all)
	}
	if stopped != c.Workers {
		return fmt.Errorf("%d workers have stopped, want %d", stopped, c.Workers)
	}
	return nil
}
