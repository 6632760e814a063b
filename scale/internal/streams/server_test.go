package streams

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/scale/internal/broker"
)

// serve names the folder of a server that this binary is to be, in the place of running tests.
const serve = "REHEARSE_STREAMS_SERVE"

func TestMain(m *testing.M) {
	folder := os.Getenv(serve)
	if folder == "" {
		os.Exit(m.Run())
	}
	s, err := broker.Start(broker.Options{Folder: folder})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(s.URL())
	io.Copy(io.Discard, os.Stdin) // until the test ends, however it does
	s.Close()
}

// process starts a server in a process of its own, which can be killed.
func process(t *testing.T, folder string) (kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serve+"="+folder)
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "nats://") {
		t.Fatalf("the server says %q, %v", line, err)
	}
	kill = sync.OnceFunc(func() {
		must(t, cmd.Process.Kill())
		in.Close()
		cmd.Wait()
	})
	t.Cleanup(kill)
	return kill
}

// work executes tasks until ctx is done.
func work(ctx context.Context, t *testing.T, j *Job) {
	for {
		task, err := j.PullTask(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			t.Errorf("pulling: %v", err)
			return
		}
		_, err = j.PublishResult(ctx, task.Name, task.Data)
		if err != nil && ctx.Err() == nil {
			t.Errorf("publishing: %v", err)
			return
		}
		_ = task.Ack(ctx) // if the server dies now it comes back
	}
}

// The server is killed while tasks are published, executed and counted. Nothing is lost, and nothing counted twice.
func TestServerIsKilled(t *testing.T) {
	t.Parallel()
	const tasks, kills = 1000, 3
	folder := t.TempDir()
	kill := process(t, folder)
	a, err := broker.Find(folder)
	must(t, err)
	j := createJob(t, connect(t, a), Options{AckWait: time.Second})
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { work(ctx, t, j) })
	}
	all := make([]Entry, tasks)
	for i := range all {
		all[i] = Entry{fmt.Sprintf("t.%d", i), fmt.Append(nil, i)}
	}
	wg.Go(func() {
		if err := j.PublishTasks(ctx, all); err != nil {
			t.Error(err)
		}
	})
	seen := map[string]int{}
	enough := errors.New("enough")
	err = j.FoldResults(ctx, 0, func(r Result) error {
		if seen[r.Name]++; r.Err != nil || "t."+string(r.Data) != r.Name || int(r.Seq) != len(seen) {
			t.Errorf("result %s with number %d holds %q: %v", r.Name, r.Seq, r.Data, r.Err)
		}
		if len(seen)%(tasks/(kills+1)) == 0 && len(seen) < tasks {
			kill()
			kill = process(t, folder)
		}
		if len(seen) == tasks {
			return enough
		}
		return nil
	})
	if err != enough || len(seen) != tasks {
		t.Fatalf("%d results, %v", len(seen), err)
	}
	if twice := slices.Max(slices.Collect(maps.Values(seen))); twice != 1 {
		t.Errorf("a result came %d times", twice)
	}
	cancel()
	wg.Wait()
}

// A server that comes back without its store is no reason to wait for ever: whoever waits is told.
func TestServerLosesItsStore(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := startServer(t, broker.Options{Folder: folder})
	j := createJob(t, connect(t, s.Access()), Options{})
	j.answer = time.Second // what is asked while the connection breaks is asked again soon
	ctx := within(t)
	_, err := j.PublishResult(ctx, "done", nil)
	must(t, err)
	told := make(chan error, 3)
	tell := func(what string, err error) { told <- fmt.Errorf("%s: %w", what, err) }
	go func() { _, err := j.PullTask(ctx); tell("pull", err) }()
	go func() { tell("fold", j.FoldResults(ctx, 0, func(Result) error { return nil })) }()
	depth(t, j, Depth{Waiting: 1})
	s.Close()
	must(t, os.RemoveAll(folder+"/nats"))
	startServer(t, broker.Options{Folder: folder})
	go func() { tell("publish", j.PublishTask(ctx, "next", nil)) }()
	for range 3 {
		if err := <-told; !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "the server's store was emptied") {
			t.Errorf("%v: want that the job is lost", err)
		}
	}
	if err := j.Check(ctx); !errors.Is(err, ErrLost) {
		t.Errorf("checked: %v", err)
	}
	if _, err := Open(ctx, j.nc, "job", j.ID()); !errors.Is(err, ErrLost) {
		t.Errorf("opened with its id: %v", err)
	}
	if _, err := Open(ctx, j.nc, "job", ""); !errors.Is(err, ErrNoJob) {
		t.Errorf("opened by its name: %v", err)
	}
}

// A handle does nothing to a job that was made later under the same name.
func TestAnotherJobOfTheSameName(t *testing.T) {
	t.Parallel()
	ctx, old := within(t), newJob(t, Options{})
	must(t, old.Delete(ctx))
	j := createJob(t, old.nc, Options{})
	_, result := old.PublishResult(ctx, "a", nil)
	_, pulled := old.PullTask(ctx)
	_, depth := old.Depth(ctx)
	for what, err := range map[string]error{
		"task": old.PublishTask(ctx, "a", nil), "result": result, "pull": pulled, "depth": depth, "delete": old.Delete(ctx),
		"fold": old.FoldResults(ctx, 0, func(Result) error { return nil }), "check": old.Check(ctx),
	} {
		if !errors.Is(err, ErrLost) {
			t.Errorf("%s: %v, want that the job is lost", what, err)
		}
	}
	must(t, old.Stop(ctx, "old"))
	if _, stopped, err := j.Stopped(ctx); stopped || err != nil {
		t.Errorf("another job was stopped: %v", err)
	}
	if n, _, err := j.Results(ctx); n != 0 || err != nil {
		t.Errorf("%d results, %v", n, err)
	}
	must(t, j.Check(ctx))
}

// A server whose space is used up says so, keeps nothing of what it refused, and goes on when there is space.
func TestFullStore(t *testing.T) {
	t.Parallel()
	const megabyte = 1 << 20
	s := startServer(t, broker.Options{MaxStore: 8 * megabyte})
	j := createJob(t, connect(t, s.Access()), Options{})
	ctx := within(t)
	stored := 0
	var err error
	for ; stored < 100 && err == nil; stored++ {
		_, err = j.PublishResult(ctx, fmt.Sprint(stored), make([]byte, 400<<10))
	}
	stored--
	for what, err := range map[string]error{"result": err, "task": j.PublishTask(ctx, "t", make([]byte, 300<<10)),
		"large task": j.PublishTask(ctx, "large", make([]byte, 3*megabyte))} {
		if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "make room there") {
			t.Errorf("%s: %v, want that the store is full", what, err)
		}
	}
	if n, _, err := j.Results(ctx); n != stored || err != nil {
		t.Errorf("%d results, %v: want %d", n, err, stored)
	}
	infos, err := List(ctx, j.nc)
	must(t, err)
	if len(infos) != 1 || infos[0].Tasks != 0 || infos[0].Bytes > int64(stored)*401<<10+64<<10 {
		t.Errorf("%+v: want only %d results", infos, stored)
	}
	must(t, Delete(ctx, j.nc, "job"))
	must(t, createJob(t, j.nc, Options{}).PublishTask(ctx, "large", make([]byte, 3*megabyte)))
}

// Three servers with a copy each go on when one is lost: the leader, which everything has to be taken over from.
func TestClusterLosesOne(t *testing.T) {
	t.Parallel()
	const tasks = 60
	c, err := broker.StartCluster(3, broker.Options{Folder: t.TempDir()})
	must(t, err)
	defer c.Close()
	a := c.Access()
	j := createJob(t, connect(t, a), Options{Replicas: 3, AckWait: time.Second})
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { work(ctx, t, j) })
	}
	wg.Go(func() {
		for i := range tasks {
			if err := j.PublishTask(ctx, fmt.Sprint(i), nil); err != nil {
				t.Error(err)
			}
		}
	})
	info, err := j.resultsIn.Info(ctx)
	must(t, err)
	n, enough := 0, errors.New("enough")
	err = j.FoldResults(ctx, 0, func(r Result) error {
		if n++; n == tasks/3 {
			var leader int
			fmt.Sscanf(info.Cluster.Leader, "rehearse-%d", &leader)
			c.Stop(leader - 1)
		}
		if n == tasks {
			return enough
		}
		return r.Err
	})
	if err != enough {
		t.Fatalf("%d of %d results: %v", n, tasks, err)
	}
	cancel()
	wg.Wait()
}
