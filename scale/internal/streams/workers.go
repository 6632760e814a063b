package streams

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Worker is one that is alive.
type Worker struct {
	Name string
	Beat time.Time // the last one, by the clock of the server
	Data []byte    // what it told of itself
}

// Beat says that a worker is alive, and what it tells of itself: at most 64 kB. It is to be called about every third of
// Alive.
func (j *Job) Beat(ctx context.Context, worker string, data []byte) error {
	if err := checkWorker(worker); err != nil {
		return err
	}
	if len(data) > maxState {
		return fmt.Errorf("worker %s tells %d bytes: %w, want at most %d", worker, len(data), ErrTooLarge, maxState)
	}
	return j.told(ctx, "telling that a worker is alive", order(ctx, j, func(ctx context.Context) error {
		_, err := j.aliveIn.Put(ctx, j.key("worker."+worker), data)
		return err
	}))
}

// Bye says that a worker ends.
func (j *Job) Bye(ctx context.Context, worker string) error {
	if err := checkWorker(worker); err != nil {
		return err
	}
	return j.told(ctx, "telling that a worker ends", order(ctx, j, func(ctx context.Context) error {
		return j.aliveIn.Delete(ctx, j.key("worker."+worker))
	}))
}

// Workers gives the workers that are alive, in the order of their last beats.
func (j *Job) Workers(ctx context.Context) ([]Worker, error) {
	all, err := ask(ctx, j, j.workers)
	return all, j.told(ctx, "asking who is alive", err)
}

func (j *Job) workers(ctx context.Context) (all []Worker, err error) {
	err = each(ctx, j.aliveIn, j.key("worker.*"), func(e jetstream.KeyValueEntry) {
		name := strings.TrimPrefix(e.Key(), j.key("worker."))
		if checkWorker(name) == nil && len(e.Value()) <= maxState {
			all = append(all, Worker{Name: name, Beat: e.Created(), Data: e.Value()})
		}
	})
	return all, err
}
