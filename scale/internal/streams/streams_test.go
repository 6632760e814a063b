package streams

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/scale/internal/broker"
)

// bound is how long a test may take on a busy machine.
const bound = time.Minute

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	t.Cleanup(cancel)
	return ctx
}

func startServer(t *testing.T, o broker.Options) *broker.Server {
	t.Helper()
	if o.Folder == "" {
		o.Folder = t.TempDir()
	}
	s, err := broker.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func connect(t *testing.T, a broker.Access) *nats.Conn {
	t.Helper()
	nc, err := broker.Connect(context.Background(), a.Local(t.Name()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func createJob(t *testing.T, nc *nats.Conn, o Options) *Job {
	t.Helper()
	j, err := Create(within(t), nc, "job", o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// newJob gives a job on a server of its own.
func newJob(t *testing.T, o Options) *Job {
	t.Helper()
	s := startServer(t, broker.Options{})
	servers.Store(t, s.Access())
	return createJob(t, connect(t, s.Access()), o)
}

var servers sync.Map // of newJob, by test

func serverOf(t *testing.T) broker.Access {
	t.Helper()
	a, _ := servers.Load(t)
	return a.(broker.Access)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// results reads n results.
func results(t *testing.T, j *Job, n int) (all []Result) {
	t.Helper()
	if n == 0 {
		return nil
	}
	enough := errors.New("enough")
	err := j.FoldResults(within(t), 0, func(r Result) error {
		if all = append(all, r); len(all) == n {
			return enough
		}
		return nil
	})
	if err != enough {
		t.Fatalf("%d of %d results: %v", len(all), n, err)
	}
	return all
}

// depth waits until the queue has a depth.
func depth(t *testing.T, j *Job, want Depth) {
	t.Helper()
	for ctx := within(t); ; time.Sleep(time.Millisecond) {
		d, err := j.Depth(ctx)
		if err == nil && d == want {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("depth %+v, %v: want %+v", d, err, want)
		}
	}
}

// The life of a task, small and large, from its publisher over the worker to the tally.
func TestTask(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	for _, size := range []int{0, 1, 1000, maxInline, maxInline + 1, 3 << 20} {
		name, data := fmt.Sprintf("a.%d", size), bytes.Repeat([]byte{byte(size)}, size)
		for range 2 { // that it is there already is no error
			must(t, j.PublishTask(ctx, name, data))
		}
		depth(t, j, Depth{Pending: 1})
		task, err := j.PullTask(ctx)
		must(t, err)
		if task.Name != name || !bytes.Equal(task.Data, data) || task.Deliveries != 1 {
			t.Fatalf("task %s with %d bytes, delivered %d times", task.Name, len(task.Data), task.Deliveries)
		}
		must(t, task.InProgress())
		for i, want := range []bool{true, false} {
			won, err := j.PublishResult(ctx, task.Name, append(data, byte(i)))
			if won != want || err != nil {
				t.Fatalf("result %d of %s won: %v, %v", i, name, won, err)
			}
		}
		must(t, task.Ack(ctx))
	}
	for i, r := range results(t, j, 6) {
		if r.Err != nil || r.Seq != uint64(i+1) || r.Left != uint64(5-i) || r.Data[len(r.Data)-1] != 0 {
			t.Errorf("result %d is %s with number %d and %d behind it, %d bytes, %v", i, r.Name, r.Seq, r.Left, len(r.Data),
				r.Err)
		}
	}
	depth(t, j, Depth{})
}
