package streams

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// wrap makes an envelope of data. What is too large for a message is stored as an object first.
func (j *Job) wrap(ctx context.Context, doing string, data []byte) (*envelope, error) {
	if len(data) > MaxData {
		return nil, fmt.Errorf("job %s: %s: %w: %d bytes, at most %d are sent", j.job, doing, ErrTooLarge, len(data), MaxData)
	}
	e, err := newEnvelope(data, len(data) > j.maxInline)
	if err != nil || !e.object {
		return e, err
	}
	err = j.again(ctx, doing, func() error {
		_, err := askWithin(ctx, j, j.answer+slowly(len(data)), func(ctx context.Context) (*jetstream.ObjectInfo, error) {
			return j.objects.Put(ctx, jetstream.ObjectMeta{Name: e.name()}, bytes.NewReader(data))
		})
		return err
	})
	if err != nil {
		j.unwrap(ctx, e) // a message that refers to it was never sent
		return nil, err
	}
	return e, nil
}

// slowly is how long a slow line takes for an object: a second for a megabyte.
func slowly(size int) time.Duration { return time.Duration(size) * time.Second >> 20 }

// unwrap removes the object of an envelope that was not sent. What cannot be removed is removed with the job.
func (j *Job) unwrap(ctx context.Context, e *envelope) {
	if e.object {
		_ = order(context.WithoutCancel(ctx), j, func(ctx context.Context) error { return j.objects.Delete(ctx, e.name()) })
	}
}

// open gives the data of a message. An error of type *BadError is about the message, others about the connection.
func (j *Job) open(ctx context.Context, what string, b []byte) ([]byte, error) {
	e, err := decode(b)
	if err != nil {
		return nil, &BadError{What: what, Why: err}
	}
	if !e.object {
		return e.data, nil
	}
	var data []byte
	err = j.again(ctx, "reading "+what, func() (err error) {
		data, err = askWithin(ctx, j, j.answer+slowly(int(e.size)), func(ctx context.Context) ([]byte, error) {
			return j.fetch(ctx, e)
		})
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound), errors.Is(err, jetstream.ErrBadObjectMeta):
		return nil, &BadError{What: what, Why: fmt.Errorf("its object %s is not on the server", e.name())}
	case errors.Is(err, jetstream.ErrDigestMismatch), errors.Is(err, jetstream.ErrInvalidDigestFormat):
		return nil, &BadError{What: what, Why: fmt.Errorf("its object %s has other bytes than the message says", e.name())}
	}
	return data, err
}

// fetch reads an object. The size that it claims is not believed: one byte more is read than the message told.
func (j *Job) fetch(ctx context.Context, e *envelope) ([]byte, error) {
	o, err := j.objects.Get(ctx, e.name())
	if err != nil {
		return nil, err
	}
	defer o.Close()
	data, err := io.ReadAll(io.LimitReader(o, e.size+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != e.size || sha256.Sum256(data) != e.digest {
		return nil, jetstream.ErrDigestMismatch
	}
	return data, nil
}

// BadError says that a message on the server is none that this version of Rehearse wrote, or not what it was.
type BadError struct {
	What string // "task a.b" or "result a.b"
	Why  error
}

func (e *BadError) Error() string { return e.What + " cannot be used: " + e.Why.Error() }

// Unwrap gives what is wrong with it.
func (e *BadError) Unwrap() error { return e.Why }
