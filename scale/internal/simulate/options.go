package simulate

import "time"

// Options are what is simulated.
type Options struct {
	Workers int
	Each    time.Duration // work for each worker, if it could be divided evenly
	Skew    float64       // exponent of the Pareto distribution of the sizes of tasks: the smaller, the less even
	Items   int           // that a worker has open, and so the most tasks that its rest can become
	Grain   time.Duration // a worker can be asked to split when it has executed its task for so long
	Report  time.Duration // a worker publishes a result after so long at the latest
	Rest    int           // tasks that the rest becomes then
	Poll    time.Duration // between two questions for the depth
	Again   time.Duration // between two times that workers are asked to split; 0: Poll
	Pieces  int           // tasks that the rest of who was asked becomes; 0: as many as are needed
	Reserve int           // a task is to wait for so many busy workers; 0: none
	Link    time.Duration // from one process to another, one way
	Costs   Costs
	Seed    uint64
}

// Default is a swarm of so many workers in one data centre, with the protocol of scale/internal/swarm.
func Default(workers int) Options {
	return Options{Workers: workers, Each: time.Minute, Skew: 1.1, Items: 100, Grain: 100 * time.Millisecond,
		Report: 10 * time.Second, Rest: 1, Poll: 50 * time.Millisecond, Reserve: 8,
		Link: 250 * time.Microsecond, Costs: Measured(), Seed: 1}
}

const (
	execution     = time.Millisecond // the least that a task can be
	progressEvery = 3 * time.Second
	beatEvery     = 5 * time.Second
)
