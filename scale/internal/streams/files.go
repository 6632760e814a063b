package streams

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/nats-io/nats.go/jetstream"
)

// filePrefix tells files of a job from data that were too large for a message.
const filePrefix = "file."

// PutFile stores a file of the job under a name, in the place of what was there. What it must be is told elsewhere, by
// its digest.
func (j *Job) PutFile(ctx context.Context, name string, r io.Reader) error {
	if err := CheckTask(name); err != nil {
		return err
	}
	_, err := j.objects.Put(ctx, jetstream.ObjectMeta{Name: filePrefix + name}, r)
	return j.told(ctx, "storing "+name, err)
}

// GetFile gives a file of the job to f, and f's error. What f reads is not to be believed.
func (j *Job) GetFile(ctx context.Context, name string, f func(io.Reader) error) error {
	if err := CheckTask(name); err != nil {
		return err
	}
	o, err := j.objects.Get(ctx, filePrefix+name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return &BadError{What: name + " of job " + j.job, Why: errors.New("it is not on the server")}
	}
	if err != nil {
		return j.told(ctx, "fetching "+name, err)
	}
	defer o.Close()
	if err := f(o); err != nil {
		return fmt.Errorf("job %s: %s: %w", j.job, name, err)
	}
	return nil
}
