package source

import "time"

// This file divides the time of one command.

// fillCosts is what parts of the command have taken, as far as is known: so much time has to be left when searches end.
type fillCosts struct {
	profile time.Duration // a run of all tests
	confirm time.Duration // of a batch of tests
}

// shortest is what a run of a test may take, however little time is left: what was found is worth it.
const shortest = 10 * time.Second

// most is the time for the search for one block.
func (f *fillRun) most() time.Duration { return time.Duration(f.seconds * float64(time.Second)) }

// firstSlice is how long the search for each of so many blocks takes at first. It is all that a search may take, or a
// 16th of it if the time for everything may be too short for that.
func (f *fillRun) firstSlice(blocks int) time.Duration {
	if most := f.most(); time.Duration(blocks)*most > time.Until(f.deadline)-f.spare(0) {
		return max(most/16, time.Millisecond)
	}
	return f.most()
}

// spare is how long before the end searches stop. In that time what they have found is executed and counted, and orders
// of it are explored: as many as an eighth of the time is enough for. A batch is compiled about four times.
func (f *fillRun) spare(tests int) time.Duration {
	orders := min(time.Duration(tests)*(f.orders+f.costs.confirm/4), f.whole/8)
	return min(f.costs.profile+f.costs.confirm+orders, f.whole/2)
}
