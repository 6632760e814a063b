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
	meta := jetstream.ObjectMeta{Name: filePrefix + name,
		Opts: &jetstream.ObjectMetaOptions{ChunkSize: uint32(min(maxChunk, j.nc.MaxPayload()/2))}}
	_, err := j.objects.Put(ctx, meta, whole{r})
	return j.told(ctx, "storing "+name, err)
}

// maxChunk is how much of a file goes into a message, in bytes. The client has at most 4,000 messages on their way and
// waits 0.2 s for one of them: 2 GiB in all do not make it wait.
const maxChunk = 512 << 10

// whole reads as much as there is room for. The client sends each read as a message of its own, and a compressor writes
// some hundred bytes at a time.
type whole struct{ r io.Reader }

func (w whole) Read(p []byte) (int, error) {
	n, err := io.ReadFull(w.r, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
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
