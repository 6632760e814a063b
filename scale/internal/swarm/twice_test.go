package swarm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/rehearse-go/rehearse/scale/internal/bundle"
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

// The same command, begun twice at the same moment: both give the result of one process, and nothing is left.
func TestSameCommandTwice(t *testing.T) {
	t.Parallel()
	s := served(t)
	agents(t, s, 1, 2)
	dir := t.TempDir()
	want := "RESULT " + alone(t, "pi6") + "\n"
	var running sync.WaitGroup
	for i := range 2 {
		nc := connected(t, s, fmt.Sprint("coordinator", i))
		out := &output{}
		r, err := newRun(binaryOf(t), dir, "pi6", out)
		if err != nil {
			t.Fatal(err)
		}
		running.Go(func() {
			if code, err := explored(t, nc, r, time.Minute); err != nil || code != 0 || !strings.Contains(out.String(), want) {
				t.Errorf("code %d, %v\n%s\nwant %s", code, err, out, want)
			}
		})
	}
	running.Wait()
	if left, err := streams.List(t.Context(), connected(t, s, "list")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", err, left)
	}
}

// twice gives a job with two coordinators, and the run of one of them.
func twice(t *testing.T) (j *streams.Job, me, other *streams.Coordinator, r *Run, said *output) {
	t.Helper()
	j = jobOf(t)
	var err error
	if me, err = j.Coordinate(); err == nil {
		other, err = j.Coordinate()
	}
	if err != nil {
		t.Fatal(err)
	}
	said = &output{}
	return j, me, other, &Run{Progress: &Progress{W: said}}, said
}

// Of two coordinators the one that has finished removes the job when the other one has read the results, too. One that
// has not in time hears that the job is finished, not that it is lost.
func TestOtherCoordinatorFinishes(t *testing.T) {
	t.Parallel()
	for _, reads := range []bool{true, false} {
		j, me, other, r, _ := twice(t)
		if !reads {
			r.othersRead = 50 * time.Millisecond
		}
		ended := make(chan error)
		go func() { ended <- r.end(t.Context(), j, me, true, nil) }()
		if reads {
			for other.Removed() == "" && t.Context().Err() == nil {
				time.Sleep(time.Millisecond)
			}
			if err := j.Check(t.Context()); err != nil {
				t.Errorf("while it is read: %v", err)
			}
			other.Leave()
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		lost := j.Check(t.Context())
		if !errors.Is(lost, streams.ErrLost) {
			t.Errorf("%v: want that the job is removed", lost)
		}
		const want = "job job: another run of the same command has finished and removed it, before this run had read all"
		err := r.end(t.Context(), j, other, false, lost)
		if err == nil || !strings.HasPrefix(err.Error(), want) || errors.Is(err, streams.ErrLost) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A coordinator that ends, for itself, leaves the workers to the other one. The last one stops the job.
func TestOtherCoordinatorGoesOn(t *testing.T) {
	t.Parallel()
	j, me, other, r, said := twice(t)
	tr := newTransport(t.Context(), j, epochsOf(t, j, 0))
	tr.alone = me.Alone
	tr.Stop()
	tr.running.Wait()
	for _, c := range []*streams.Coordinator{me, other} {
		if _, stopped, err := j.Stopped(t.Context()); err != nil || stopped {
			t.Errorf("before the last one has ended: stopped %v, %v", stopped, err)
		}
		if err := r.end(t.Context(), j, c, false, nil); err != nil {
			t.Error(err)
		}
	}
	if why, stopped, err := j.Stopped(t.Context()); err != nil || !stopped || why != "the coordinator has ended" {
		t.Errorf("stopped %v: %q, %v", stopped, why, err)
	}
	const want = "rehearse swarm: job job: another run of the same command goes on with it\n" +
		"rehearse swarm: job job is kept"
	if !strings.HasPrefix(said.String(), want) {
		t.Errorf("it says %s", said)
	}
}

// A job that is discarded while it is coordinated is not said to be kept.
func TestDiscarded(t *testing.T) {
	t.Parallel()
	j, me, other, r, said := twice(t)
	other.Leave()
	told := make(chan bool)
	go func() { j.Farewell(t.Context(), "somebody has removed it"); close(told) }()
	for me.Removed() == "" && t.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if err := r.end(t.Context(), j, me, false, nil); err != nil {
		t.Error(err)
	}
	<-told
	if want := "rehearse swarm: job job: somebody has removed it\n"; said.String() != want {
		t.Errorf("it says %s, want %s", said, want)
	}
}

// A job that is removed just when it was found is made anew.
func TestRemovedWhenFound(t *testing.T) {
	t.Parallel()
	nc := connected(t, served(t), "coordinator")
	before, err := streams.Create(t.Context(), nc, "job", streams.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var said output
	r := &Run{Manifest: &bundle.Manifest{}, Job: "job", Progress: &Progress{W: &said}}
	r.Pack = func(w io.Writer) error {
		if before != nil {
			err := before.Delete(t.Context())
			before = nil
			return err
		}
		_, err := io.WriteString(w, "bundle")
		return err
	}
	id := before.ID()
	j, epochs, err := r.open(t.Context(), nc, &record{})
	if err != nil || j.ID() == id || len(epochs) != 1 || !strings.Contains(said.String(), "removed it at this moment") {
		t.Errorf("%v, %v\n%s", err, epochs, &said)
	}
}
