package streams

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	foldAhead    = 64          // results that are on their way before they are asked for
	foldInactive = time.Minute // the server forgets who reads results if nobody does
)

// Result is what came of a task.
type Result struct {
	Name string
	Data []byte // nil with Err
	Seq  uint64 // its number: the first one has 1, each further one is one more
	Left uint64 // how many there were behind it when it was sent
	// Err says that it is no result that a worker of this version wrote, or that its data are not what they were. It is
	// of type *BadError.
	Err error
}

// FoldResults calls f with each result in the order of their numbers, from the one with the number from; 0 and 1 are
// the first one. It waits for more until ctx is done or f returns an error, and gives that error. A connection that is
// lost is waited for, and no result comes twice or is left out. If the server has fewer results than it had, the error
// is ErrLost.
func (j *Job) FoldResults(ctx context.Context, from uint64, f func(Result) error) error {
	r := reader{job: j, next: max(from, 1), f: f}
	for n := 1; ; n++ {
		before := r.next
		err := r.read(ctx)
		switch {
		case r.done != nil:
			return r.done
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrLost) || !Passing(err) && !errors.Is(err, errAgain):
			return j.told(ctx, "reading results", err)
		}
		if lost := j.Check(ctx); errors.Is(lost, ErrLost) {
			return lost
		}
		if r.next > before {
			n = 1
		}
		if wait(ctx, n) != nil {
			return ctx.Err()
		}
	}
}

// errAgain says that reading begins again at the next result.
var errAgain = errors.New("reading results begins again")

// reader reads results.
type reader struct {
	job  *Job
	next uint64 // the number of the next result
	f    func(Result) error
	done error // of f
}

// read reads until something is wrong with the connection or with the consumer, which the server may forget.
func (r *reader) read(ctx context.Context) error {
	// SUBTLE: another connection may be to a server that lost what comes next, and would say nothing.
	look, cancel := r.job.untilReconnected(ctx)
	defer cancel()
	if err := r.notShorter(ctx); err != nil {
		return err
	}
	c, err := ask(ctx, r.job, func(ctx context.Context) (jetstream.Consumer, error) {
		return r.job.js.CreateConsumer(ctx, r.job.results(), jetstream.ConsumerConfig{
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: r.next, AckPolicy: jetstream.AckNonePolicy,
			MemoryStorage: true, Replicas: 1, InactiveThreshold: foldInactive})
	})
	if err != nil {
		return err
	}
	it, err := c.Messages(jetstream.PullMaxMessages(foldAhead), jetstream.PullHeartbeat(r.job.heartbeat),
		jetstream.PullExpiry(pullExpiry), jetstream.WithMessagesErrOnMissingHeartbeat(true))
	if err != nil {
		return err
	}
	defer it.Stop()
	for {
		// SUBTLE: each Next waits for heartbeats anew. It must be longer than it takes to miss them.
		quiet, end := context.WithTimeout(look, 3*r.job.heartbeat)
		m, err := it.Next(jetstream.NextContext(quiet))
		over := quiet.Err() != nil
		end()
		switch {
		case err == nil:
			err = r.take(ctx, m)
		case over:
			err = r.notMissed(ctx)
		}
		if look.Err() != nil {
			return errAgain
		}
		if err != nil {
			return err
		}
	}
}

// notMissed gives errAgain if there are results that did not come: between two servers of a cluster they can be lost,
// while heartbeats come.
func (r *reader) notMissed(ctx context.Context) error {
	_, last, err := r.job.Results(ctx)
	if err == nil && last >= r.next {
		err = errAgain
	}
	return err
}

// notShorter gives ErrLost if there were more results than there are.
func (r *reader) notShorter(ctx context.Context) error {
	n, last, err := r.job.Results(ctx)
	switch {
	case err != nil:
		return err
	case last+1 < r.next:
		return fmt.Errorf("job %s: %w: results up to number %d were read, and the server has %d: its store is older than "+
			"that", r.job.job, ErrLost, r.next-1, last)
	case uint64(n) != last:
		return fmt.Errorf("job %s: %w: %d of %d results are missing", r.job.job, ErrLost, last-uint64(n), last)
	}
	return nil
}

// take hands a message to f, if it is the next one.
func (r *reader) take(ctx context.Context, m jetstream.Msg) error {
	meta, err := m.Metadata()
	if err != nil {
		return errAgain
	}
	if meta.Sequence.Stream != r.next {
		return errAgain // notShorter tells whether the ones between are missing
	}
	result := Result{Seq: r.next, Left: meta.NumPending, Name: cut(m.Subject())}
	name, ours := strings.CutPrefix(m.Subject(), r.job.subject("result."))
	if !ours || CheckTask(name) != nil {
		result.Err = &BadError{What: fmt.Sprintf("result %q", result.Name), Why: errors.New("no task has this name")}
	} else {
		result.Name = name
		result.Data, result.Err = r.job.open(ctx, "result "+name, m.Data())
	}
	if bad := (*BadError)(nil); result.Err != nil && !errors.As(result.Err, &bad) {
		return result.Err // of the connection
	}
	r.next++
	r.done = r.f(result)
	return r.done
}
