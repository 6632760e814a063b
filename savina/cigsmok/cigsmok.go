// Package cigsmok is an arbiter that has one smoker after the other smoke. A smoker says that it has started before it
// smokes, so two may smoke at the same time; no message shows that. It is program 13 of Savina [IS14]. It has no
// hazards: one message is on its way at any time, until the smokers are told to end.
package cigsmok

import (
	"fmt"
	"math/rand/v2"
)

// Config sets the size of the program.
type Config struct {
	Rounds  int
	Smokers int
	Chosen  []int // the smoker of each round; nil: drawn
	Twice   bool  // a mutant: a smoker says twice that it has started
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Rounds: 2, Smokers: 2, Chosen: []int{1, 0}}
	Published = Config{Rounds: 1_000, Smokers: 200}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Rounds < 1 || c.Smokers < 1 {
		return fmt.Errorf("cigsmok: %d rounds, %d smokers: want at least 1 of each", c.Rounds, c.Smokers)
	}
	if c.Chosen != nil && len(c.Chosen) != c.Rounds {
		return fmt.Errorf("cigsmok: %d smokers are chosen for %d rounds", len(c.Chosen), c.Rounds)
	}
	for _, smoker := range c.Chosen {
		if smoker < 0 || smoker >= c.Smokers {
			return fmt.Errorf("cigsmok: smoker %d is chosen of %d, which are numbered from 0", smoker, c.Smokers)
		}
	}
	return nil
}

// chosen is the smoker of each round.
func (c Config) chosen() []int {
	if c.Chosen != nil {
		return c.Chosen
	}
	draw := rand.New(rand.NewPCG(1, 1))
	chosen := make([]int, c.Rounds)
	for i := range chosen {
		chosen[i] = draw.IntN(c.Smokers)
	}
	return chosen
}

// Start has the arbiter choose the first smoker.
type Start struct{}

// StartSmoking has a smoker smoke for a time.
type StartSmoking struct{ Time int }

// Started says that a smoker is about to smoke.
type Started struct{}

// Exit ends a smoker.
type Exit struct{}

// Check says what is wrong with the end, nil if nothing is: every smoker has smoked as often as it was chosen. smoked
// says how often that was, rounds how many the arbiter counted.
func (c Config) Check(rounds int, smoked []int) error {
	if rounds != c.Rounds {
		return fmt.Errorf("%d rounds, want %d", rounds, c.Rounds)
	}
	want := make([]int, c.Smokers)
	for _, smoker := range c.chosen() {
		want[smoker]++
	}
	for smoker := range want {
		if smoked[smoker] != want[smoker] {
			return fmt.Errorf("smoker %d has smoked %d times, want %d", smoker, smoked[smoker], want[smoker])
		}
	}
	return nil
}
