package swarm

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/internal/targets"
	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// binary is a test binary of the programs.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "swarm-programs")
	if err != nil {
		return "", err
	}
	removed = dir
	path := filepath.Join(dir, "programs.test")
	out, err := exec.Command("go", "test", "-c", "-o", path, "./programs").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

var removed string // by TestMain

func TestMain(m *testing.M) {
	if value := os.Getenv(targets.Variable); value != "" {
		if err := read(value); err != nil {
			fmt.Fprintln(os.Stderr, "READER", err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	if role := os.Getenv("REHEARSE_TEST_ROLE"); role != "" {
		if err := play(role); err != nil {
			fmt.Println("ROLE", role, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	code := m.Run()
	if removed != "" {
		os.RemoveAll(removed)
	}
	os.Exit(code)
}

func binaryOf(t *testing.T) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// alone is what one process makes of a program.
func alone(t *testing.T, program string) string {
	t.Helper()
	if known, ok := single.Load(program); ok {
		return known.(string)
	}
	cmd := exec.Command(binaryOf(t), "-test.run=^TestProgram$")
	cmd.Env = append(os.Environ(), "REHEARSE_TEST_PROGRAM="+program)
	out, err := cmd.Output()
	_, result, ok := strings.Cut(string(out), "RESULT ")
	if err != nil || !ok {
		t.Fatalf("%v: %s", err, out)
	}
	result, _, _ = strings.Cut(result, "\n")
	single.Store(program, result)
	return result
}

// single are results of one process, by program.
var single sync.Map

// runOf is the run of the programs' binary for one of them.
func runOf(t *testing.T, program string, out io.Writer) *Run {
	t.Helper()
	r, err := newRun(binaryOf(t), t.TempDir(), program, out)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newRun(exe, dir, program string, out io.Writer) (*Run, error) {
	env := []string{"REHEARSE_TEST_PROGRAM=" + program}
	contents, err := bundle.Collect(bundle.Source{Root: dir, Dir: dir, Package: "programs", Test: "TestProgram",
		Tool: "test", Binary: exe, Env: env})
	if err != nil {
		return nil, err
	}
	return &Run{Manifest: contents.Manifest, Pack: contents.Pack, Binary: exe, Args: []string{"-test.run=^TestProgram$"},
		Dir: dir, Env: append(os.Environ(), env...), Out: out, Err: out, Progress: &Progress{W: out, Every: time.Second},
		Streams: streams.Options{AckWait: 2 * time.Second, Alive: 3 * time.Second}}, nil
}

func connected(t *testing.T, s *broker.Server, name string) *nats.Conn {
	t.Helper()
	nc, err := broker.Connect(context.Background(), s.Access().Local(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// agents starts agents of this process, until the test is over.
func agents(t *testing.T, s *broker.Server, n, hands int) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	cache := t.TempDir()
	for i := range n {
		a := &Agent{Name: fmt.Sprintf("agent%d", i), Hands: hands, Cache: cache, Tool: "test",
			Log: func(line string) { t.Log(line) }, Most: time.Second}
		nc := connected(t, s, a.Name)
		running.Go(func() {
			if err := a.Serve(ctx, nc); err != nil {
				t.Error(err)
			}
		})
	}
	stop = sync.OnceFunc(func() { cancel(); running.Wait() })
	t.Cleanup(stop)
	return stop
}

func served(t *testing.T) *broker.Server {
	t.Helper()
	s, err := broker.Start(broker.Options{Folder: t.TempDir(), Log: func(line string) { t.Log("server: " + line) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// output is written to by the test binary, and by the coordinator beside it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// explored has a swarm explore a program.
func explored(t *testing.T, nc *nats.Conn, r *Run, within time.Duration) (code int, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	return r.Coordinate(ctx, nc)
}

// Exactly what one process counts is counted by four, and nothing is left on the server. Samples are those of one
// process, and no budget is exceeded.
func TestSwarm(t *testing.T) {
	t.Parallel()
	s := served(t)
	agents(t, s, 2, 2)
	nc := connected(t, s, "coordinator")
	for _, program := range []string{"pi6", "fib6", "pi4", "pi8", "sample", "bug"} {
		var out output
		code, err := explored(t, nc, runOf(t, program, &out), time.Minute)
		if want := "RESULT " + alone(t, program) + "\n"; err != nil || code != 0 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: code %d, %v\n%s\nwant %s", program, code, err, out.String(), want)
		}
	}
	left, err := streams.List(context.Background(), nc)
	if len(left) == 1 && strings.HasPrefix(left[0].Job, "Explore") { // of the sample: it could go on
		err = streams.Delete(context.Background(), nc, left[0].Job)
	} else if err == nil {
		t.Errorf("jobs are left: %v", left)
	}
	if err != nil {
		t.Error(err)
	}
}

// What a sample learns of its first execution is told to all machines: they make the executions of one process.
func TestSwarmLearns(t *testing.T) {
	s := served(t)
	agents(t, s, 2, 1)
	var out output
	code, err := explored(t, connected(t, s, "coordinator"), runOf(t, "surw", &out), time.Minute)
	if want := "RESULT " + alone(t, "surw") + "\n"; err != nil || code != 0 || !strings.Contains(out.String(), want) ||
		!strings.Contains(out.String(), "budget reached: ") {
		t.Errorf("code %d, %v\n%s\nwant %s", code, err, out.String(), want)
	}
}
