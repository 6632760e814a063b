package streams

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Of two that need no more executions at the same moment at least one hears that it is alone, and stops the job. Before
// that each hears of the other.
func TestAlone(t *testing.T) {
	t.Parallel()
	j := newJob(t, Options{})
	other, err := Open(within(t), connect(t, serverOf(t)), "job", j.ID())
	must(t, err)
	for range 20 {
		first, err := j.Coordinate()
		must(t, err)
		second, err := other.Coordinate()
		must(t, err)
		must(t, other.nc.Flush())
		alone := make(chan bool)
		go func() { alone <- first.Alone(within(t)) }()
		if second, first := second.Alone(within(t)), <-alone; !first && !second {
			t.Fatal("nobody is alone")
		}
		first.Leave()
		second.Leave()
	}
	one, err := j.Coordinate()
	must(t, err)
	two, err := other.Coordinate()
	must(t, err)
	must(t, other.nc.Flush())
	if one.Alone(within(t)) || !two.Alone(within(t)) {
		t.Error("the first one is alone, or the last one is not")
	}
}

// Who removes a job waits for those that read its results, and for nobody else.
func TestFarewell(t *testing.T) {
	t.Parallel()
	j := newJob(t, Options{})
	other, err := Open(within(t), connect(t, serverOf(t)), "job", j.ID())
	must(t, err)
	me, err := j.Coordinate()
	must(t, err)
	me.Leave()
	me.Leave()
	j.Farewell(within(t), "of the test") // nobody is there
	var reading []*Coordinator
	for range 2 {
		c, err := other.Coordinate()
		must(t, err)
		reading = append(reading, c)
	}
	must(t, other.nc.Flush())
	over := make(chan bool)
	ctx := within(t)
	go func() { j.Farewell(ctx, "of the test"); close(over) }()
	for _, c := range reading {
		for c.Removed() == "" && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		select {
		case <-over:
			t.Fatal("it does not wait for the other one")
		default:
		}
		if c.Removed() != "of the test" {
			t.Errorf("it is removed because of %q", c.Removed())
		}
		c.Leave()
	}
	<-over
	stays, err := other.Coordinate()
	must(t, err)
	must(t, other.nc.Flush())
	soon, cancel := context.WithTimeout(within(t), 50*time.Millisecond)
	defer cancel()
	j.Farewell(soon, "of the test")
	if soon.Err() == nil {
		t.Error("it does not wait")
	}
	stays.Leave()
}

// Two processes may remove a job at the same time. What another one has made meanwhile stays.
func TestDeletedTwice(t *testing.T) {
	t.Parallel()
	j := newJob(t, Options{})
	must(t, j.Delete(within(t)))
	must(t, j.Delete(within(t)))
	next := createJob(t, j.nc, Options{})
	if err := j.Delete(within(t)); !errors.Is(err, ErrLost) {
		t.Errorf("%v: want that it is another job", err)
	}
	// One that is being made has no results yet where the other one looks.
	must(t, next.js.DeleteStream(within(t), next.results()))
	must(t, j.Delete(within(t)))
	if _, err := next.js.Stream(within(t), next.tasks()); err != nil {
		t.Errorf("the other job: %v", err)
	}
}
