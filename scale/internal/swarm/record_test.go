package swarm

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
)

// Another budget makes another record. The one before is there until the state names the new one, and the bundle is not
// stored again.
func TestRecordChanges(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	unsigned := func(string) (*bundle.Signature, error) { return nil, nil }
	packs := 0
	pack := func(w io.Writer) error {
		packs++
		_, err := io.WriteString(w, "bundle")
		return err
	}
	for n := range 3 {
		r := &record{Bundle: "digest", Job: parallel.Job{Executions: n}}
		epochs, err := publishRecord(t.Context(), j, r, pack, unsigned)
		if err != nil || len(epochs) != n+1 {
			t.Fatalf("%v, %v", epochs, err)
		}
		d, err := j.Depth(t.Context())
		if err != nil || d.Pending > 0 {
			t.Errorf("%+v, %v: tasks of an earlier epoch", d, err)
		}
		for range 2 { // the second time by whoever starts it again: that changes nothing
			if err := j.PublishTask(t.Context(), nameOf(seedTask(), n+1), nil); err != nil {
				t.Fatal(err)
			}
			again, err := publishRecord(t.Context(), j, r, pack, unsigned)
			if err != nil || !slices.Equal(again, epochs) {
				t.Errorf("%v, %v, want %v", again, err, epochs)
			}
		}
		_, digest, err := (&record{Bundle: "digest", Job: parallel.Job{Executions: n + 1}}).encode()
		if err == nil { // of a coordinator that dies before it has written the state
			err = j.PutFile(t.Context(), recordFile+digest, strings.NewReader("half"))
		}
		s, failed := readSeal(t.Context(), j)
		if err = errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		if got, err := fetchRecord(t.Context(), j, s); err != nil || got.Job.Executions != n {
			t.Errorf("%v, %v, want %d executions", got, err, n)
		}
	}
	if packs != 1 {
		t.Errorf("the bundle was packed %d times", packs)
	}
}

// A bundle that cannot be stored is not packed for ever.
func TestPackingEnds(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	err := putBundle(ctx, j, func(w io.Writer) error {
		var err error
		for err == nil {
			cancel()
			_, err = w.Write(make([]byte, 1<<20))
		}
		ended <- err
		return err
	})
	if err == nil {
		t.Error("it was stored")
	}
	<-ended
}
