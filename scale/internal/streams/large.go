package streams

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

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
	meta := jetstream.ObjectMeta{Name: e.name()}
	if _, err := j.objects.Put(ctx, meta, bytes.NewReader(data)); err != nil {
		j.unwrap(ctx, e) // a message that refers to it was never sent
		return nil, j.told(ctx, doing, err)
	}
	return e, nil
}

// unwrap removes the object of an envelope that was not sent. What cannot be removed is removed with the job.
func (j *Job) unwrap(ctx context.Context, e *envelope) {
	if e.object {
		_ = j.objects.Delete(context.WithoutCancel(ctx), e.name())
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
	o, err := j.objects.Get(ctx, e.name())
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, &BadError{What: what, Why: fmt.Errorf("its object %s is not on the server", e.name())}
	}
	if err != nil {
		return nil, j.told(ctx, "reading "+what, err)
	}
	defer o.Close()
	// the size that the object claims is not believed: one byte more is read than the message told
	data, err := io.ReadAll(io.LimitReader(o, e.size+1))
	switch {
	case errors.Is(err, jetstream.ErrDigestMismatch), err == nil && int64(len(data)) != e.size,
		err == nil && sha256.Sum256(data) != e.digest:
		return nil, &BadError{What: what, Why: fmt.Errorf("its object %s has other bytes than the message says", e.name())}
	case err != nil:
		return nil, j.told(ctx, "reading "+what, err)
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
