// Package philosopher is the dining philosophers with an arbitrator that has the forks. A philosopher whose fork is
// taken is denied, and asks again at once. It is program 11 of Savina [IS14]. Its hazards: a philosopher may be denied
// without end, while the message that lets another eat is on its way. In the model bag the last Done may come behind
// Exit, when the arbitrator has ended.
package philosopher

import (
	"fmt"
	"slices"
)

// Config sets the size of the program.
type Config struct {
	Philosophers int
	Rounds       int  // that each eats
	Repaired     bool // the hungry wait at the arbitrator, which ends when all forks are back
	Misplaced    bool // a mutant: the second fork is put back in the place of its neighbour
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Philosophers: 2, Rounds: 1}
	Published = Config{Philosophers: 20, Rounds: 10_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Philosophers < 2 || c.Rounds < 1 {
		return fmt.Errorf("philosopher: %d philosophers, %d rounds: want at least 2 philosophers and 1 round",
			c.Philosophers, c.Rounds)
	}
	return nil
}

// Start makes a philosopher hungry.
type Start struct{}

// Hungry asks for two forks. R refers to an actor of a framework.
type Hungry[R any] struct {
	Philosopher R
	ID          int
}

// Denied says that a fork is taken.
type Denied struct{}

// Eat says that both forks were taken.
type Eat struct{}

// Done gives the forks back.
type Done struct{ ID int }

// Exit says that a philosopher has eaten all rounds.
type Exit struct{}

// Table is what the arbitrator knows.
type Table struct {
	forks     []bool // that are taken
	eating    []bool
	together  bool // neighbours ate at the same time
	misplaced bool
	gone      int
}

func newTable(c Config) Table {
	return Table{make([]bool, c.Philosophers), make([]bool, c.Philosophers), false, c.Misplaced, 0}
}

// right is the number of the philosopher, or of the fork, so many places to the right.
func (t *Table) right(id, places int) int { return (id + places) % len(t.forks) }

// take takes both forks, if they are there.
func (t *Table) take(id int) bool {
	if t.forks[id] || t.forks[t.right(id, 1)] {
		return false
	}
	t.forks[id], t.forks[t.right(id, 1)] = true, true
	t.together = t.together || t.eating[t.right(id, 1)] || t.eating[t.right(id, len(t.forks)-1)]
	t.eating[id] = true
	return true
}

// putBack puts both forks back.
func (t *Table) putBack(id int) {
	t.eating[id] = false
	second := t.right(id, 1)
	if t.misplaced {
		second = t.right(id, 2)
	}
	t.forks[id], t.forks[second] = false, false
}

// left reports whether all philosophers are gone; in the repaired version also whether all forks are back.
func (t *Table) left(repaired bool) bool {
	return t.gone == len(t.forks) && !(repaired && slices.Contains(t.forks, true))
}

// Check says what is wrong with the end, nil if nothing is: all have eaten all rounds, never two neighbours at the same
// time, and the forks are back. rounds are those of each philosopher.
func (c Config) Check(t Table, rounds []int) error {
	if t.together {
		return fmt.Errorf("neighbours ate at the same time")
	}
	for id, n := range rounds {
		if n != c.Rounds {
			return fmt.Errorf("philosopher %d ate %d times, want %d", id, n, c.Rounds)
		}
	}
	if i := slices.Index(t.forks, true); i >= 0 {
		return fmt.Errorf("fork %d is taken in the end", i)
	}
	return nil
}
