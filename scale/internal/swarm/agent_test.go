package swarm

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// A stopped job that has tasks does not keep an agent from the others. One that could not be worked at is looked at
// again after some time.
func TestFindsJobs(t *testing.T) {
	t.Parallel()
	nc := connected(t, served(t), "agent")
	var jobs []named
	for _, name := range []string{"a", "b", "c"} {
		j, err := streams.Create(t.Context(), nc, name, streams.Options{})
		if err == nil {
			err = j.PublishTask(t.Context(), "t1", nil)
		}
		if err == nil && name == "a" {
			err = j.Stop(t.Context(), "of the test")
		}
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, named{name, j.ID()})
	}
	f := &finder{Agent: &Agent{}, nc: nc, announced: make(chan named, 1), look: time.NewTimer(0)}
	if got := f.next(t.Context()); got != jobs[0] {
		t.Errorf("found %v, want %v", got, jobs[0])
	}
	f.announce(jobs[2].job, jobs[2].id)
	for _, want := range []named{jobs[2], jobs[1]} { // an announced one has somebody who waits
		if got := f.next(t.Context()); got != want {
			t.Errorf("found %v, want %v", got, want)
		}
	}
	for ago, want := range map[time.Duration]bool{0: false, refusedFor + time.Second: true} {
		f.refused.Store(jobs[1], time.Now().Add(-ago))
		if f.wants(jobs[1]) != want {
			t.Errorf("refused %v ago: wanted %v", ago, !want)
		}
	}
}

// An agent does not copy the files of a job again and again for a task whose epoch never comes.
func TestNextEpoch(t *testing.T) {
	if first, later := nextEpoch(0), nextEpoch(1000); first > 200*time.Millisecond || later < 2*time.Second ||
		later > 5*time.Second {
		t.Errorf("it waits %s at first, and %s later", first, later)
	}
}

// That a worker cannot say that it is alive is logged once, until it can again.
func TestSilentBeats(t *testing.T) {
	t.Parallel()
	s := served(t)
	nc := connected(t, s, "agent")
	j, err := streams.Create(t.Context(), nc, "job", streams.Options{Alive: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
	lines := 0
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	(&Agent{Name: "agent", Log: func(string) { lines++ }}).beat(ctx, j)
	if lines != 1 {
		t.Errorf("%d lines", lines)
	}
}

// Others can ask for a part of a task before its time is up, however short that is.
func TestListensInTime(t *testing.T) {
	for most, want := range map[time.Duration]time.Duration{
		0: leastWork, time.Second: leastWork, leastWork: leastWork / 2,
	} {
		if got := (&Agent{Most: most}).listensAfter(); got != want {
			t.Errorf("tasks of %s: it listens after %s, want %s", most, got, want)
		}
	}
}

// An agent that is interrupted says so, and waits for no server that is away, neither with a task nor without.
func TestInterruptedAgent(t *testing.T) {
	t.Parallel()
	for _, away := range []bool{false, true} {
		s := served(t)
		nc, list := connected(t, s, "agent"), connected(t, s, "list")
		ctx, interrupt := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		a := &Agent{Name: "agent", Hands: 1, Cache: t.TempDir(), Tool: "test", Most: time.Minute}
		go func() { ended <- a.Serve(ctx, nc) }()
		r := runOf(t, "endless", &output{})
		over := make(chan bool)
		running, stop := context.WithCancel(t.Context())
		go func() { _, _ = r.Coordinate(running, connected(t, s, "coordinator")); close(over) }()
		job := whenAtWork(t, list)
		if away {
			s.Close()
			for nc.IsConnected() && t.Context().Err() == nil {
				time.Sleep(time.Millisecond)
			}
		}
		began := time.Now()
		interrupt()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if took := time.Since(began); away && took > answerWithin/2 {
			t.Errorf("it ends after %v", took)
		}
		if !away {
			if left, err := job.Workers(t.Context()); err != nil || len(left) > 0 {
				t.Errorf("%v, %v are there", err, left)
			}
		}
		stop()
		<-over
	}
}

// whenAtWork waits until a job of a server has a task that is executed.
func whenAtWork(t *testing.T, nc *nats.Conn) *streams.Job {
	t.Helper()
	for t.Context().Err() == nil {
		time.Sleep(10 * time.Millisecond)
		all, err := streams.List(t.Context(), nc)
		if err != nil || len(all) == 0 {
			continue
		}
		j, err := streams.Open(t.Context(), nc, all[0].Job, "")
		if err != nil {
			continue
		}
		if d, err := j.Depth(t.Context()); err == nil && d.InProgress > 0 {
			return j
		}
	}
	t.FailNow()
	return nil
}
