package streams

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

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
