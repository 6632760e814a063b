package swarm

import (
	"context"
	"testing"
	"time"

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
