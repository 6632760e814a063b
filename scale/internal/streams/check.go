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

// findID reads the id of the job that has the name now.
func (j *Job) findID(ctx context.Context) (string, error) {
	s, err := j.stream(ctx, j.results())
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
		s, err := j.stream(ctx, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("job %s: %w: there is no stream %s (another run of the same command has finished it, somebody "+
				"removed it, it was never made in whole, or the server's store was emptied)", j.job, ErrLost, name)
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
			return fmt.Errorf("job %s: %w (format %q, want %q): use that one", j.job, ErrVersion, cut(meta[metaFormat]), format)
		}
	}
	_, err := ask(ctx, j, func(ctx context.Context) (jetstream.Consumer, error) {
		return j.js.Consumer(ctx, j.tasks(), j.consumer())
	})
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("job %s: %w: nobody can pull its tasks, the consumer %s is missing", j.job, ErrLost, j.consumer())
	}
	return j.plain("looking at it", err)
}

// Connected reports whether there is a connection to the server now. A lost one is made again by itself.
func (j *Job) Connected() bool { return j.nc.IsConnected() }

// errReconnected says that a request is not answered, since the connection was lost meanwhile.
var errReconnected = errors.New("the connection was lost")

// ask makes one request. SUBTLE: a request that is sent when the connection is lost is never answered, and the client
// waits for the deadline of ctx then, which may be hours away.
func ask[T any](ctx context.Context, j *Job, request func(context.Context) (T, error)) (T, error) {
	return askWithin(ctx, j, j.answer, request)
}

// askWithin is ask for a request that takes longer.
func askWithin[T any](ctx context.Context, j *Job, d time.Duration,
	request func(context.Context) (T, error)) (T, error) {
	look, end := j.untilReconnected(ctx)
	defer end()
	bounded, cancel := context.WithTimeout(look, d)
	defer cancel()
	got, err := request(bounded)
	if err != nil && look.Err() != nil && ctx.Err() == nil {
		err = errReconnected
	}
	return got, err
}

// order is ask for a request without an answer but an error.
func order(ctx context.Context, j *Job, request func(context.Context) error) error {
	_, err := ask(ctx, j, func(ctx context.Context) (struct{}, error) { return struct{}{}, request(ctx) })
	return err
}

// stream asks for a stream.
func (j *Job) stream(ctx context.Context, name string) (jetstream.Stream, error) {
	return ask(ctx, j, func(ctx context.Context) (jetstream.Stream, error) { return j.js.Stream(ctx, name) })
}

// again calls f until it succeeds, or fails for a reason that will stay, or ctx is done. A connection that is lost is
// waited for.
func (j *Job) again(ctx context.Context, doing string, f func() error) error {
	var p patience
	for n := 1; ; n++ {
		err := f()
		if err == nil || !Passing(err) {
			return j.told(ctx, doing, err)
		}
		if err := p.with(ctx, j, doing, err); err != nil {
			return err
		}
		if wait(ctx, n) != nil {
			return fmt.Errorf("job %s: %s: %w (%w)", j.job, doing, ctx.Err(), err)
		}
	}
}

// mute is how many attempts may remain without an answer, one after the other, while the server answers everything
// else. A cluster that elects leaders needs some.
const mute = 4

// patience tells whether to try again.
type patience struct{ silent int }

// with gives an error if there is no reason to try again after an error that may pass.
func (p *patience) with(ctx context.Context, j *Job, doing string, err error) error {
	checked := j.Check(ctx)
	switch p.silent++; {
	case errors.Is(checked, ErrLost):
		return checked
	case checked != nil || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout):
		p.silent = 0
	case p.silent >= mute:
		return fmt.Errorf("job %s: %s: %w: look at its log, make room and start it again, and go on", j.job, doing,
			ErrNotStored)
	}
	return nil
}

// untilReconnected gives a context that is done when ctx is, or when a lost connection was made again. Then the server
// may be another one.
func (j *Job) untilReconnected(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	status := j.nc.StatusChanged(nats.CONNECTED)
	go func() {
		select {
		case <-status:
			cancel()
		case <-ctx.Done():
		}
		j.nc.RemoveStatusListener(status)
	}()
	return ctx, cancel
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
