package swarm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// agentOf starts an agent of this process with settings of its own.
func agentOf(t *testing.T, nc *nats.Conn, change func(*Agent)) {
	t.Helper()
	a := &Agent{Name: "agent", Hands: 1, Cache: t.TempDir(), Tool: "test", Most: time.Second,
		Log: func(line string) { t.Log(line) }}
	change(a)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Serve(ctx, nc) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// succeeds has a swarm explore a program as one process does.
func succeeds(t *testing.T, nc *nats.Conn, r *Run, program string) {
	t.Helper()
	out := &output{}
	r.Out, r.Err, r.Progress.W = out, out, out
	code, err := explored(t, nc, r, 2*time.Minute)
	if want := "RESULT " + alone(t, program) + "\n"; err != nil || code != 0 || !strings.Contains(out.String(), want) {
		t.Errorf("code %d, %v\n%s\nwant %s", code, err, out, want)
	}
}

// fails has a swarm explore a program, and wants it to say why that fails.
func fails(t *testing.T, nc *nats.Conn, r *Run, want ...string) {
	t.Helper()
	out := &output{}
	r.Out, r.Err, r.Progress.W = out, out, out
	code, err := explored(t, nc, r, time.Minute)
	if code == 0 && err == nil {
		t.Errorf("it succeeds:\n%s", out)
	}
	for _, w := range want {
		if !strings.Contains(out.String(), w) {
			t.Errorf("code %d, %v: %q is missing in\n%s", code, err, w, out)
		}
	}
}

// packed has the manifest of a run that was changed travel.
func packed(t *testing.T, r *Run) *Run {
	t.Helper()
	contents, err := bundle.Collect(bundle.Source{Root: r.Dir, Dir: r.Dir, Package: r.Manifest.Package,
		Test: r.Manifest.Test, Tool: r.Manifest.Tool, Binary: r.Binary, Env: r.Manifest.Env})
	if err != nil {
		t.Fatal(err)
	}
	r.Manifest, r.Pack = contents.Manifest, contents.Pack
	return r
}

// A worker runs nothing but what the job names: other bytes on the server are refused, and so are another version and a
// job that nobody vouches for.
func TestRefusedByWorkers(t *testing.T) {
	t.Parallel()
	public, err := bundle.NewKey(filepath.Join(t.TempDir(), "seed"))
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		agent func(*Agent)
		run   func(*Run)
		want  string
	}{
		"another version": {func(a *Agent) { a.Tool = "other" }, func(*Run) {},
			"the job is of Rehearse test and this worker of other"},
		"no signature": {func(a *Agent) { a.Trust = []string{public} }, func(r *Run) { r.Job = "mine" },
			"job mine: it is not signed, and this worker runs only what " + public},
		"another binary": {func(*Agent) {}, func(r *Run) {
			other := runOf(t, "pi4", nil)
			r.Pack = other.Pack
		}, "it is another bundle"},
	} {
		s := served(t)
		agentOf(t, connected(t, s, "agent"), c.agent)
		r := runOf(t, "pi6", nil)
		c.run(r)
		fails(t, connected(t, s, "coordinator"), r, c.want)
		if t.Failed() {
			t.Log(what)
		}
	}
}

// Who is to work at one job ends when that is over, also if it was over before there was anything to do.
func TestOverBefore(t *testing.T) {
	t.Parallel()
	nc := connected(t, served(t), "coordinator")
	j, err := streams.Create(t.Context(), nc, "brief", streams.Options{})
	if err == nil {
		err = j.Delete(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	ended, ctx, began := make(chan error, 1), t.Context(), time.Now()
	a := &Agent{Name: "late", Hands: 1, Cache: t.TempDir(), Once: true, Only: "brief"}
	go func() { ended <- a.Serve(ctx, nc) }()
	for {
		if err := j.Announce(); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			return
		case <-time.After(10 * time.Millisecond): // it may not listen yet
		}
		if time.Since(began) > time.Minute {
			t.Fatal("it goes on")
		}
	}
}

// What a trusted key vouches for is run.
func TestSigned(t *testing.T) {
	t.Parallel()
	s := served(t)
	seed := filepath.Join(t.TempDir(), "seed")
	public, err := bundle.NewKey(seed)
	if err != nil {
		t.Fatal(err)
	}
	agentOf(t, connected(t, s, "agent"), func(a *Agent) { a.Trust = []string{public} })
	r := runOf(t, "pi6", nil)
	r.Sign = seed
	succeeds(t, connected(t, s, "coordinator"), r, "pi6")
}

// A server that starts again without its store has lost the job: that is said, and nothing is counted.
func TestEmptyStore(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	options := broker.Options{Folder: filepath.Join(folder, "server")}
	s, err := broker.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) // when the agent has ended: else that tries to tell the server for 10 s
	nc := connected(t, s, "coordinator")
	agentOf(t, connected(t, s, "agent"), func(*Agent) {})
	access := s.Access()
	list := connected(t, s, "list")
	emptied := make(chan error, 1)
	go func() {
		whenResults(list, 3)
		s.Close()
		err := os.RemoveAll(filepath.Join(options.Folder, "nats"))
		if err == nil {
			options.Port = portOf(access.URL)
			var again *broker.Server
			if again, err = broker.Start(options); err == nil {
				s = again
			}
		}
		emptied <- err
	}()
	r := runOf(t, "endless", nil)
	fails(t, nc, r, "the server has lost the job")
	if strings.Contains(r.Out.(*output).String(), "is kept") {
		t.Errorf("a job that is lost is said to be kept:\n%s", r.Out)
	}
	if err := <-emptied; err != nil {
		t.Fatal(err)
	}
}

// A full disk is said, and what was counted stays.
func TestFullStore(t *testing.T) {
	t.Parallel()
	s, err := broker.Start(broker.Options{Folder: t.TempDir(), MaxStore: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fails(t, connected(t, s, "coordinator"), runOf(t, "pi6", nil), "the server's store is full")
}

// A cluster goes on when one of its three servers is gone.
func TestCluster(t *testing.T) {
	t.Parallel()
	if !whole(t) {
		return
	}
	c, err := broker.StartCluster(3, broker.Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	connect := func(name string) *nats.Conn {
		nc, err := broker.Connect(context.Background(), c.Access().Local(name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		return nc
	}
	agentOf(t, connect("agent"), func(*Agent) {})
	r := runOf(t, "pi9", nil)
	r.Streams.Replicas = 3
	lost := make(chan struct{})
	go func() {
		defer close(lost)
		whenResults(connect("list"), 3)
		c.Stop(1)
	}()
	succeeds(t, connect("coordinator"), r, "pi9")
	<-lost
}

// A job that is stopped is kept. Started again it goes on, to what one process counts.
func TestStoppedAndGoneOnWith(t *testing.T) {
	if !whole(t) {
		return
	}
	t.Parallel()
	s := served(t)
	nc := connected(t, s, "coordinator")
	agents(t, s, 1, 2)
	dir := t.TempDir()
	make := func() *Run {
		out := &output{}
		r, err := newRun(binaryOf(t), dir, "pi9", out)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := make()
	go func() {
		j, err := streams.Open(context.Background(), nc, whenResults(nc, 10), "")
		if err == nil {
			err = j.Stop(context.Background(), "of the test")
		}
		if err != nil && !errors.Is(err, streams.ErrLost) {
			t.Error(err)
		}
	}()
	if code, err := explored(t, nc, first, time.Minute); err != nil || code != 0 {
		t.Errorf("code %d, %v\n%s", code, err, first.Out)
	}
	for _, want := range []string{"is kept", "complete false"} {
		if text := first.Out.(*output).String(); !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	succeeds(t, nc, make(), "pi9")
}

// whole reports whether long tests are run.
func whole(t *testing.T) bool {
	t.Helper()
	if os.Getenv("REHEARSE_TOY") == "" {
		t.Log("it takes ten seconds and more: REHEARSE_TOY=1")
		return false
	}
	return true
}

// whenResults waits until the job of a server has so many results, and gives its name.
func whenResults(nc *nats.Conn, n int) (job string) {
	for range 600 {
		time.Sleep(100 * time.Millisecond)
		if list, err := streams.List(context.Background(), nc); err == nil && len(list) > 0 && list[0].Results >= n {
			return list[0].Job
		}
	}
	return "none"
}

// What would wait for other machines is refused.
func TestWaitingStrategies(t *testing.T) {
	t.Parallel()
	fails(t, connected(t, served(t), "coordinator"), runOf(t, "waits", nil),
		"the parts of strategy optimal wait for each other")
}
