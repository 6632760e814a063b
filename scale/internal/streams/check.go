package streams

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// findID reads the id of the job that has the name now.
func (j *Job) findID(ctx context.Context) (string, error) {
	s, err := j.js.Stream(ctx, j.results())
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return "", fmt.Errorf("job %s: %w: `rehearse swarm status` lists those that it has", j.job, ErrNoJob)
	}
	if err != nil {
		return "", j.plain("looking for it", err)
	}
	id := s.CachedInfo().Config.Metadata[metaID]
	if !idText.MatchString(id) {
		return "", fmt.Errorf("job %s: the stream %s was not made by Rehearse: take another name", j.job, j.results())
	}
	return id, nil
}

// Check tells whether the server still has what was made for the job. The error is ErrLost if it has not: its store was
// emptied or replaced, or the job deleted. Other errors say that the server did not answer.
func (j *Job) Check(ctx context.Context) error {
	for _, name := range j.all() {
		s, err := j.js.Stream(ctx, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("job %s: %w: there is no stream %s (it was never made in whole, somebody deleted it, or the "+
				"server's store was emptied): delete the job and start again", j.job, ErrLost, name)
		}
		if err != nil {
			return j.plain("looking at it", err)
		}
		meta := s.CachedInfo().Config.Metadata
		switch {
		case meta[metaID] != j.id:
			return fmt.Errorf("job %s: %w: the stream %s is of another job of the same name (id %q, want %q)", j.job,
				ErrLost, name, cut(meta[metaID]), j.id)
		case meta[metaFormat] != format:
			return fmt.Errorf("job %s: it was made by another version of Rehearse (format %q, want %q): use that one",
				j.job, cut(meta[metaFormat]), format)
		}
	}
	_, err := j.js.Consumer(ctx, j.tasks(), consumer)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("job %s: %w: nobody can pull its tasks, the consumer %s is missing: delete the job and start "+
			"again", j.job, ErrLost, consumer)
	}
	return j.plain("looking at it", err)
}

// told gives an error in plain words. If the job may be gone, it says whether it is.
func (j *Job) told(ctx context.Context, doing string, err error) error {
	if code(err) == jetstream.JSErrCodeStreamNotFound || Passing(err) {
		if lost := j.Check(ctx); errors.Is(lost, ErrLost) {
			return lost
		}
	}
	return j.plain(doing, err)
}

// pause bounds the time between two attempts.
const pause = 2 * time.Second

// wait waits before attempt n, from 1, with jitter: what failed for a thousand must not be tried by all at once.
func wait(ctx context.Context, n int) error {
	most := min(pause, 50*time.Millisecond<<min(n, 6))
	t := time.NewTimer(most/2 + rand.N(most/2))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
