package swarm

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// TestOverhead measures what a swarm takes beside -workers, with tasks of 100 ms and of 10 s: docs/swarm.md has the
// numbers. REHEARSE_TEST_SPEED is how often.
func TestOverhead(t *testing.T) {
	rounds, _ := strconv.Atoi(os.Getenv("REHEARSE_TEST_SPEED"))
	program := "pi9"
	if p := os.Getenv("REHEARSE_TEST_PROGRAM"); p != "" {
		program = p
	}
	for range rounds {
		want := "RESULT " + alone(t, program) + "\n"
		for _, workers := range []int{1, 2, 4, 8} {
			used := gotest.ProcessorTimeWithChildren()
			cmd := exec.Command(binaryOf(t), "-test.run=^TestProgram$")
			cmd.Env = append(os.Environ(), "REHEARSE_TEST_PROGRAM="+program, "REHEARSE_WORKERS="+strconv.Itoa(workers),
				"REHEARSE_TEST_DIVIDED=1")
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
				t.Fatalf("%v %s", err, out)
			}
			pipes := gotest.ProcessorTimeWithChildren() - used
			t.Logf("%s, %d workers: pipes %.1f s of processors", program, workers, pipes.Seconds())
			for _, most := range []time.Duration{100 * time.Millisecond, 10 * time.Second} {
				took, tasks := swarmTime(t, program, want, workers, most)
				t.Logf("%s, %d workers, tasks of %s: %d tasks, %.1f s of processors, %+.1f%%", program, workers, most, tasks,
					took.Seconds(), 100*(took-pipes).Seconds()/pipes.Seconds())
			}
		}
	}
}

// swarmTime gives the processor time of a swarm of this process, server and coordinator included, and the tasks.
func swarmTime(t *testing.T, program, want string, hands int, most time.Duration) (took time.Duration, tasks int) {
	t.Helper()
	s := served(t)
	a := &Agent{Name: "agent", Hands: hands, Cache: t.TempDir(), Tool: "test", Most: most}
	ctx, cancel := context.WithCancel(context.Background())
	own := connected(t, s, "agent")
	ended := make(chan error, 1)
	go func() { ended <- a.Serve(ctx, own) }()
	out := &output{}
	r := runOf(t, program, out)
	r.Streams = streams.Options{}
	used := gotest.ProcessorTimeWithChildren()
	code, err := r.Coordinate(context.Background(), connected(t, s, "coordinator"))
	if err != nil || code != 0 || !strings.Contains(out.String(), want) {
		t.Errorf("code %d, %v\n%s\nwant %s", code, err, out, want)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return gotest.ProcessorTimeWithChildren() - used, int(a.counts.tasks.Load())
}
