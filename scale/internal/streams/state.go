package streams

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	keyStop  = "stop"
	keyState = "state"
	maxWhy   = 1 << 10  // bytes of the reason of a stop
	maxState = 64 << 10 // bytes of the state of a job or a worker
)

// Stop tells all processes of the job to stop, and why. The first reason stays.
func (j *Job) Stop(ctx context.Context, why string) error {
	if len(why) > maxWhy {
		why = why[:maxWhy]
	}
	err := order(ctx, j, func(ctx context.Context) error {
		_, err := j.stateIn.Create(ctx, j.key(keyStop), []byte(why))
		return err
	})
	if err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return j.told(ctx, "stopping it", err)
	}
	return j.plain("stopping it", j.nc.Publish(j.subject(keyStop), nil)) // so that nobody has to look
}

// Stopped reports whether the job was told to stop, and why.
func (j *Job) Stopped(ctx context.Context) (why string, stopped bool, err error) {
	e, err := j.get(ctx, keyStop)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, j.told(ctx, "asking whether it was stopped", err)
	}
	return reason(e), true, nil
}

func (j *Job) get(ctx context.Context, key string) (jetstream.KeyValueEntry, error) {
	return ask(ctx, j, func(ctx context.Context) (jetstream.KeyValueEntry, error) {
		return j.stateIn.Get(ctx, j.key(key))
	})
}

func reason(e jetstream.KeyValueEntry) string {
	b := e.Value()
	if len(b) > maxWhy {
		b = b[:maxWhy]
	}
	return fmt.Sprintf("%s", b)
}

// Resume takes a stop back, for a job that goes on.
func (j *Job) Resume(ctx context.Context) error {
	return j.told(ctx, "letting it go on", order(ctx, j, func(ctx context.Context) error {
		return j.erase(ctx, j.key(keyStop))
	}))
}

// lookForStop is about how often WatchStop looks whether the job was stopped, in case that the message did not arrive.
const lookForStop = 5 * time.Second

// WatchStop gives a channel that gets the reason when the job is told to stop, at once if it was before. If the job is
// lost, that is the reason. Then, or when ctx is done, the channel is closed. A connection that is lost is waited for.
func (j *Job) WatchStop(ctx context.Context) (<-chan string, error) {
	told := make(chan *nats.Msg, 1)
	s, err := j.nc.ChanSubscribe(j.subject(keyStop), told)
	if err != nil {
		return nil, j.plain("watching for a stop", err)
	}
	stop := make(chan string, 1)
	go func() {
		defer close(stop)
		defer s.Unsubscribe()
		for {
			why, stopped, err := j.Stopped(ctx)
			if errors.Is(err, ErrLost) {
				why, stopped = err.Error(), true
			}
			if stopped {
				stop <- why
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-told:
			case <-time.After(lookForStop/2 + rand.N(lookForStop)):
			}
		}
	}()
	return stop, nil
}

// State gives what a coordinator keeps of the job, and its revision; both are zero if there is nothing.
func (j *Job) State(ctx context.Context) (data []byte, revision uint64, err error) {
	e, err := j.get(ctx, keyState)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, j.told(ctx, "reading its state", err)
	}
	if len(e.Value()) > maxState {
		return nil, 0, &BadError{What: "the state of job " + j.job, Why: fmt.Errorf("%d bytes: want at most %d",
			len(e.Value()), maxState)}
	}
	return e.Value(), e.Revision(), nil
}

// SetState replaces the state, if it has the revision still, and gives the new revision. 0 is for a job that has no
// state. Otherwise the error is ErrStale: another coordinator is at work. State has at most 64 kB.
func (j *Job) SetState(ctx context.Context, data []byte, revision uint64) (uint64, error) {
	if len(data) > maxState {
		return 0, fmt.Errorf("job %s: a state of %d bytes: %w, want at most %d", j.job, len(data), ErrTooLarge, maxState)
	}
	next, err := ask(ctx, j, func(ctx context.Context) (uint64, error) {
		return j.stateIn.Update(ctx, j.key(keyState), data, revision)
	})
	if there(err) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return 0, fmt.Errorf("job %s: %w", j.job, ErrStale)
	}
	return next, j.told(ctx, "writing its state", err)
}
