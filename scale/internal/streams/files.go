package streams

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// filePrefix tells files of a job from data that were too large for a message.
const filePrefix = "file."

// PutFile stores a file of the job under a name, in the place of what was there. What it must be is told elsewhere, by
// its digest. If the connection is lost meanwhile, that is an error that passes.
func (j *Job) PutFile(ctx context.Context, name string, r io.Reader) error {
	if err := CheckTask(name); err != nil {
		return err
	}
	meta := jetstream.ObjectMeta{Name: filePrefix + name,
		Opts: &jetstream.ObjectMetaOptions{ChunkSize: uint32(min(maxChunk, j.nc.MaxPayload()/2))}}
	look, end := j.untilReconnected(ctx)
	defer end()
	_, err := j.objects.Put(look, meta, whole{r})
	if look.Err() != nil && ctx.Err() == nil {
		// SUBTLE: the client sends again what nobody took, and has read the next part into its place by then.
		err = errReconnected
	}
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

// silence is how long the server may send nothing of a file.
const silence = 15 * time.Second

// unlessSilent has a deadline that is always ahead. The client asks for it before each read. SUBTLE: without one it
// gives the whole file five seconds.
type unlessSilent struct{ context.Context }

// Deadline is context.Context.
func (c unlessSilent) Deadline() (time.Time, bool) {
	next := time.Now().Add(silence)
	if d, ok := c.Context.Deadline(); ok && d.Before(next) {
		return d, true
	}
	return next, true
}

// GetFile gives a file of the job to f, and f's error. What f reads is not to be believed.
func (j *Job) GetFile(ctx context.Context, name string, f func(io.Reader) error) error {
	if err := CheckTask(name); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o, err := j.objects.Get(unlessSilent{ctx}, filePrefix+name)
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
