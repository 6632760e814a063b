package streams

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Whoever publishes the result of a task at the same time as others: one wins, and its result is the one that is read.
func TestOneResultWins(t *testing.T) {
	t.Parallel()
	const tasks, publishers = 40, 8
	ctx, j := within(t), newJob(t, Options{})
	winners := make([]atomic.Int64, tasks)
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			for i := range tasks {
				won, err := j.PublishResult(ctx, fmt.Sprint(i), fmt.Append(nil, p))
				if err != nil {
					t.Error(err)
				}
				if won && !winners[i].CompareAndSwap(0, int64(p+1)) {
					t.Errorf("two publishers won task %d", i)
				}
			}
		})
	}
	wg.Wait()
	for _, r := range results(t, j, tasks) {
		var task int64
		fmt.Sscan(r.Name, &task)
		if fmt.Sprint(winners[task].Load()-1) != string(r.Data) {
			t.Errorf("publisher %d won task %s, and the result is of %s", winners[task].Load()-1, r.Name, r.Data)
		}
	}
	if n, last, err := j.Results(ctx); n != tasks || last != tasks || err != nil {
		t.Errorf("%d results, the last has number %d, %v", n, last, err)
	}
}

// A job with a bound takes no more on the server, and that is said. Each of its streams has the bound.
func TestMaxBytes(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{MaxBytes: 1 << 20})
	for n, want := range []error{nil, nil, ErrFull} {
		won, err := j.PublishResult(ctx, fmt.Sprint(n), make([]byte, 400<<10))
		if !errors.Is(err, want) || won != (want == nil) {
			t.Errorf("result %d: %v, %v, want %v", n, won, err, want)
		}
	}
	must(t, j.PublishTask(ctx, "t1", make([]byte, 400<<10)))
}

// A worker that vanishes loses its task to another one; one that says that it is at work does not.
func TestTaskComesBack(t *testing.T) {
	t.Parallel()
	const wait = time.Second
	ctx, j := within(t), newJob(t, Options{AckWait: wait})
	must(t, j.PublishTask(ctx, "a", nil))
	must(t, j.PublishTask(ctx, "b", nil))
	vanished, err := j.PullTask(ctx)
	must(t, err)
	kept, err := j.PullTask(ctx)
	must(t, err)
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(wait / 10):
				if err := kept.InProgress(); err != nil {
					t.Error(err)
				}
			}
		}
	})
	again, err := j.PullTask(ctx)
	close(stop)
	wg.Wait()
	must(t, err)
	if again.Name != vanished.Name || again.Deliveries != 2 {
		t.Errorf("task %s came, delivered %d times: want %s for the second time", again.Name, again.Deliveries, vanished.Name)
	}
	must(t, again.Nak(0))
	third, err := j.PullTask(ctx)
	must(t, err)
	if third.Name != vanished.Name || third.Deliveries != 3 {
		t.Errorf("task %s came, delivered %d times: it was given back", third.Name, third.Deliveries)
	}
	for _, task := range []*Task{third, kept} {
		must(t, task.Ack(ctx))
	}
	must(t, vanished.Ack(ctx)) // too late, and no harm
	depth(t, j, Depth{})
}

// A queue that is emptied has no task any more, also none that was handed out. Whoever has one is answered when it
// acknowledges that, or gives it back, and the same name can be published again.
func TestDropTasks(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	for round := range 2 {
		names := []string{"a", "b", "c", "d"}
		for _, name := range names {
			must(t, j.PublishTask(ctx, name, fmt.Append(nil, round)))
		}
		var tasks []*Task
		for range 3 {
			task, err := j.PullTask(ctx)
			must(t, err)
			if task.Deliveries != 1 || string(task.Data) != fmt.Sprint(round) {
				t.Fatalf("round %d: task %s of round %s, delivery %d", round, task.Name, task.Data, task.Deliveries)
			}
			tasks = append(tasks, task)
		}
		must(t, tasks[2].Nak(0)) // it waits to be handed out again
		must(t, j.DropTasks(ctx))
		depth(t, j, Depth{})
		began := time.Now()
		must(t, tasks[0].InProgress())
		must(t, tasks[0].Ack(ctx))
		must(t, tasks[1].Nak(0))
		if took := time.Since(began); took > j.answer/2 {
			t.Errorf("the acknowledgement of a task that is gone took %s", took)
		}
	}
	must(t, j.PublishTask(ctx, "last", nil))
	if task, err := j.PullTask(ctx); err != nil || task.Name != "last" || task.Deliveries != 1 {
		t.Errorf("%+v came, %v", task, err)
	}
	depth(t, j, Depth{InProgress: 1})
	other, err := Open(ctx, j.nc, j.Name(), j.ID())
	must(t, err)
	other.id = "0123456789abcdef"
	if err := other.DropTasks(ctx); !errors.Is(err, ErrLost) {
		t.Errorf("the tasks of another job were dropped: %v", err)
	}
}

// A handle that is closed holds nothing on the connection any more.
func TestClose(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	before := j.nc.NumSubscriptions()
	for range 3 { // one pull serves all of them
		must(t, j.PublishTask(ctx, "a", nil))
		task, err := j.PullTask(ctx)
		must(t, err)
		must(t, task.Ack(ctx))
	}
	if n := j.nc.NumSubscriptions(); n != before+1 {
		t.Errorf("%d subscriptions, want %d", n, before+1)
	}
	j.Close()
	for j.nc.NumSubscriptions() != before && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if n := j.nc.NumSubscriptions(); n != before {
		t.Errorf("%d subscriptions, want %d", n, before)
	}
}

// Waits that are given up at the moment in which a task comes do not keep it from others.
func TestGivenUpPullsKeepNothing(t *testing.T) {
	t.Parallel()
	const tasks = 100
	ctx, j := within(t), newJob(t, Options{AckWait: bound})
	var done atomic.Int64
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 0; done.Load() < tasks && ctx.Err() == nil; i++ {
				short, cancel := context.WithTimeout(ctx, time.Duration(i*(w+1)%7)*time.Millisecond)
				task, err := j.PullTask(short)
				cancel()
				if errors.Is(err, context.DeadlineExceeded) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if err := task.Ack(ctx); err != nil {
					t.Error(err)
				}
				done.Add(1)
			}
		})
	}
	for i := range tasks {
		must(t, j.PublishTask(ctx, fmt.Sprint(i), nil))
		time.Sleep(time.Duration(i%3) * time.Millisecond)
	}
	wg.Wait()
	if done.Load() != tasks {
		t.Errorf("%d of %d tasks were done: the others wait for %s", done.Load(), tasks, j.AckWait())
	}
	depth(t, j, Depth{})
}

// A pull waits at the server only while somebody waits for a task, and shows in the depth.
func TestDepth(t *testing.T) {
	t.Parallel()
	ctx, j := within(t), newJob(t, Options{})
	pulled := make(chan *Task)
	for range 2 {
		go func() {
			task, err := j.PullTask(ctx)
			if err != nil {
				t.Error(err)
			}
			pulled <- task
		}()
	}
	depth(t, j, Depth{Waiting: 2})
	must(t, j.PublishTasks(ctx, []Entry{{"a", nil}, {"b", nil}, {"c", nil}}))
	a, b := <-pulled, <-pulled
	depth(t, j, Depth{Pending: 1, InProgress: 2})
	must(t, a.Ack(ctx))
	must(t, b.Ack(ctx))
	depth(t, j, Depth{Pending: 1})
}

// Requests to split go to busy workers, each to one, and to nobody who is idle.
func TestSplit(t *testing.T) {
	t.Parallel()
	const requests = 200
	ctx, j := within(t), newJob(t, Options{})
	other := connect(t, serverOf(t))
	theirs, err := Open(ctx, other, j.Name(), j.ID())
	must(t, err)
	var got [3]atomic.Int64
	for i, job := range []*Job{j, theirs, theirs} {
		cancel, err := job.OnSplit(func(idle int) {
			if idle != 7 {
				t.Errorf("%d are idle, want 7", idle)
			}
			got[i].Add(1)
		})
		must(t, err)
		if i == 2 {
			cancel()
		}
	}
	must(t, other.Flush())
	must(t, j.Split(ctx, requests, 7))
	for got[0].Load()+got[1].Load() < requests && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if a, b, c := got[0].Load(), got[1].Load(), got[2].Load(); a+b != requests || a < 20 || b < 20 || c != 0 {
		t.Errorf("the workers got %d, %d and %d requests: want %d in all, a part each, and none for the idle one", a, b, c,
			requests)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{"a": true, "a.b-c.D_9": true, "": false, ".": false, "a.": false, ".a": false,
		"a..b": false, "a*": false, "a.>": false, "a b": false, "ä": false, strings.Repeat("a", 200): true,
		strings.Repeat("a", 201): false} {
		if err := CheckTask(name); (err == nil) != ok {
			t.Errorf("task %q: %v", name, err)
		}
	}
	for name, ok := range map[string]bool{"a": true, "a-b_C9": true, "": false, "a.b": false, "-a": false, "a/b": false,
		strings.Repeat("a", 65): false, "a\n": false} {
		if err := CheckJob(name); (err == nil) != ok {
			t.Errorf("job %q: %v", name, err)
		}
	}
	ctx, j := within(t), newJob(t, Options{})
	_, won := j.PublishResult(ctx, "a b", nil)
	for what, err := range map[string]error{"task": j.PublishTask(ctx, "a.*", nil), "result": won,
		"worker": j.Beat(ctx, "a.b", nil)} {
		if err == nil || !strings.Contains(err.Error(), "is no name for a") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := j.PublishTask(ctx, "a", make([]byte, MaxData+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too much: %v", err)
	}
}
