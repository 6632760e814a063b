package simulate

import "time"

// Rule is how many workers the coordinator asks to split.
type Rule int

const (
	// EachIdle asks one busy worker for each that waits, every time that it looks.
	EachIdle Rule = iota
	// ByParts asks fewer: a worker that splits feeds as many as it makes parts.
	ByParts
	// ByPartsOnce asks as ByParts does, and takes into account what it asked for before and is not answered yet.
	ByPartsOnce
)

func (r Rule) String() string { return [...]string{"each idle", "by parts", "by parts, once"}[r] }

// Options are what is simulated.
type Options struct {
	Workers int
	Each    time.Duration // work for each worker, if it could be divided evenly
	Parts   int           // tasks that a worker makes of its rest
	Skew    float64       // exponent of the Pareto distribution of their sizes: the smaller, the less even
	Grain   time.Duration // a worker executes for so long before it splits
	Report  time.Duration // a worker publishes a result after so long at the latest
	Poll    time.Duration // between two questions for the depth
	Link    time.Duration // from one process to another, one way
	Rule    Rule
	Costs   Costs
	Seed    uint64
}

// Default is a swarm of so many workers in one data centre.
func Default(workers int) Options {
	return Options{Workers: workers, Each: time.Minute, Parts: 8, Skew: 1.1, Grain: 100 * time.Millisecond,
		Report: 10 * time.Second, Poll: 50 * time.Millisecond, Link: 250 * time.Microsecond, Rule: ByPartsOnce,
		Costs: Measured(), Seed: 1}
}

const (
	execution     = time.Millisecond // the least that a task can be
	progressEvery = 3 * time.Second
	beatEvery     = 5 * time.Second
)
