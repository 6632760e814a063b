package streams

import (
	"context"
	"errors"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	keyBegun  = "begun"
	mostBegun = 100 // notes of a task that are read
)

// Begin notes that a worker begins a part of a task that may take its machine down. survived takes the note back. Notes
// that were not taken back others find with Begun. After an error there is no note, unless the server does not answer.
func (j *Job) Begin(ctx context.Context, task, worker string) (survived func(context.Context) error, err error) {
	if err := errors.Join(CheckTask(task), checkWorker(worker)); err != nil {
		return nil, err
	}
	nonce, err := newID()
	if err != nil {
		return nil, err
	}
	key, doing := j.key(keyBegun+"."+task+"."+nonce), "noting that task "+task+" is begun"
	remove := func(ctx context.Context) error {
		return order(ctx, j, func(ctx context.Context) error { return j.erase(ctx, key) })
	}
	err = j.again(ctx, doing, func() error {
		return order(ctx, j, func(ctx context.Context) error {
			_, err := j.stateIn.Put(ctx, key, []byte(worker))
			return err
		})
	})
	if err != nil {
		_ = remove(context.WithoutCancel(ctx)) // the server may have it, and nothing was begun
		return nil, err
	}
	return func(ctx context.Context) error {
		return j.again(ctx, doing+" no more", func() error { return remove(ctx) })
	}, nil
}

// erase takes a key out of the bucket of the state. SUBTLE: Delete and Purge of a bucket put a marker in the place of a
// value, which stays. A job that makes a million notes would fill the bucket with them. To purge the subject of the
// stream leaves nothing.
func (j *Job) erase(ctx context.Context, key string) error {
	return j.stateOf.Purge(ctx, jetstream.WithPurgeSubject("$KV."+j.state()+"."+key))
}

// Begun gives the workers whose notes about the task are there: they have vanished, are silent, or are at it. A worker
// with two notes comes twice. It gives 100 at most.
func (j *Job) Begun(ctx context.Context, task string) (workers []string, err error) {
	if err := CheckTask(task); err != nil {
		return nil, err
	}
	err = j.again(ctx, "asking who has begun task "+task, func() error {
		workers = nil
		return order(ctx, j, func(ctx context.Context) error {
			return each(ctx, j.stateIn, j.key(keyBegun+"."+task+".*"), func(e jetstream.KeyValueEntry) {
				if name := string(e.Value()); checkWorker(name) == nil && len(workers) < mostBegun {
					workers = append(workers, strings.Clone(name))
				}
			})
		})
	})
	return workers, err
}

// each calls f with the values of a bucket whose keys match.
func each(ctx context.Context, kv jetstream.KeyValue, keys string, f func(jetstream.KeyValueEntry)) error {
	w, err := kv.Watch(ctx, keys, jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer w.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e, ok := <-w.Updates():
			if !ok {
				return jetstream.ErrConnectionClosed
			}
			if e == nil { // what was there is complete
				return nil
			}
			f(e)
		}
	}
}
