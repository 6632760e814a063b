package streams

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
)

// Depth is what the queue holds.
type Depth struct {
	Pending     int // tasks that nobody has
	InProgress  int // tasks that workers have; those of dead workers count until AckWait is over
	Waiting     int // workers that wait for a task
	Redelivered int // tasks in progress that were handed out before
}

// Depth asks how many tasks and workers wait. It is one request and may be asked 20 times a second. What was published
// or pulled in the last milliseconds may not be in it: an empty queue is no proof that nothing is left, results are.
func (j *Job) Depth(ctx context.Context) (Depth, error) {
	i, err := ask(ctx, j, func(ctx context.Context) (*jetstream.ConsumerInfo, error) { return j.tasksOf.Info(ctx) })
	if err != nil {
		return Depth{}, j.told(ctx, "asking for the depth of the queue", err)
	}
	return Depth{Pending: int(min(i.NumPending, 1<<31-1)), InProgress: i.NumAckPending, Waiting: i.NumWaiting,
		Redelivered: i.NumRedelivered}, nil
}
