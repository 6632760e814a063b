package swarm

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// Another coordinator makes the job at this moment: it is waited for, and nothing is deleted.
func TestJobIsBeingMade(t *testing.T) {
	t.Parallel()
	nc := connected(t, served(t), "coordinator")
	whole, err := streams.Create(t.Context(), nc, "job", streams.Options{})
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := js.Stream(t.Context(), "rehearse-job-tasks")
	if err != nil {
		t.Fatal(err)
	}
	consumer, err := tasks.Consumer(t.Context(), "workers-"+whole.ID())
	if err == nil {
		err = js.DeleteStream(t.Context(), "rehearse-job-tasks")
	}
	if err != nil {
		t.Fatal(err)
	}
	made := make(chan error, 1)
	go func() {
		time.Sleep(beingMade / 8)
		_, err := js.CreateStream(t.Context(), tasks.CachedInfo().Config)
		if err == nil {
			_, err = js.CreateConsumer(t.Context(), "rehearse-job-tasks", consumer.CachedInfo().Config)
		}
		made <- err
	}()
	r := &Run{Job: "job", Progress: &Progress{W: io.Discard}}
	j, err := r.job(t.Context(), nc, &record{})
	if failed := <-made; err != nil || failed != nil || j.ID() != whole.ID() {
		t.Errorf("%v, %v, %v: want the job that the other one makes", j, err, failed)
	}
}

// Of two coordinators that write the state at the same moment the later one looks again.
func TestStateIsStale(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	r, times := &Run{Progress: &Progress{W: &said}}, 0
	err := r.persistently(t.Context(), func(context.Context) error {
		if times++; times == 1 {
			return fmt.Errorf("job: %w", streams.ErrStale)
		}
		return nil
	})
	if err != nil || times != 2 || !strings.Contains(said.String(), "by another process: trying again") {
		t.Errorf("%v after %d times, %q", err, times, said.String())
	}
}
