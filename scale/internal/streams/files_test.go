package streams

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A file that is written in pieces goes over the line in few messages, and arrives as it was.
func TestFile(t *testing.T) {
	j := newJob(t, Options{})
	sent := bytes.Repeat([]byte("0123456789"), 60_000)
	must(t, j.PutFile(within(t), "bundle", iotest.OneByteReader(bytes.NewReader(sent))))
	info, err := j.objects.GetInfo(within(t), filePrefix+"bundle")
	must(t, err)
	if want := uint32((len(sent)-1)/maxChunk + 1); info.Chunks != want {
		t.Errorf("%d messages for %d bytes, want %d", info.Chunks, len(sent), want)
	}
	var got []byte
	must(t, j.GetFile(within(t), "bundle", func(r io.Reader) (err error) {
		got, err = io.ReadAll(r)
		return err
	}))
	if !bytes.Equal(got, sent) {
		t.Errorf("%d bytes arrived of %d, or others", len(got), len(sent))
	}
	broken := errors.New("the disk is gone")
	err = j.PutFile(within(t), "other", io.MultiReader(bytes.NewReader(sent), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	if _, err := j.objects.GetInfo(within(t), filePrefix+"other"); !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Errorf("half a file: %v", err)
	}
}

// However long a file takes: as long as something arrives, it is waited for. The client would give it five seconds.
func TestFileTakesLong(t *testing.T) {
	j := newJob(t, Options{})
	js, err := jetstream.New(j.nc, jetstream.WithDefaultTimeout(time.Second/5))
	must(t, err)
	j.objects, err = js.ObjectStore(within(t), j.names.objects())
	must(t, err)
	sent := bytes.Repeat([]byte("0123456789"), 200_000)
	must(t, j.PutFile(within(t), "bundle", bytes.NewReader(sent)))
	ctx, cancel := context.WithCancel(context.Background()) // without a deadline
	defer cancel()
	must(t, j.GetFile(ctx, "bundle", func(r io.Reader) error {
		first := make([]byte, 100)
		_, err := io.ReadFull(r, first)
		time.Sleep(time.Second / 2)
		rest, failed := io.ReadAll(r)
		if !bytes.Equal(append(first, rest...), sent) {
			t.Errorf("%d bytes arrived of %d, or others", len(first)+len(rest), len(sent))
		}
		return errors.Join(err, failed)
	}))
}
