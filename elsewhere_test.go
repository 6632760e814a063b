package rehearse_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// counter is a transport with a queue in this process, whose tasks so many hands perform. It does what a queue of
// machines does.
type counter struct {
	hands   []*parallel.Hand
	tasks   chan parallel.Task
	reports chan *parallel.Report
	errs    chan error
	waiting sync.WaitGroup
	mu      sync.Mutex
	busy    int
	idle    int
}

func newCounter(hands int, make_ func() *parallel.Hand) *counter {
	c := &counter{tasks: make(chan parallel.Task, 1<<16), reports: make(chan *parallel.Report, 64),
		errs: make(chan error, hands), idle: hands}
	for range hands {
		h := make_()
		c.hands = append(c.hands, h)
		c.waiting.Go(func() { c.serve(h) })
	}
	return c
}

func (c *counter) serve(h *parallel.Hand) {
	defer h.Close()
	for t := range c.tasks {
		c.mu.Lock()
		c.idle--
		c.mu.Unlock()
		r, err := h.Perform(&t)
		if err != nil {
			c.errs <- err
			return
		}
		c.reports <- r
		c.mu.Lock()
		c.idle++
		c.mu.Unlock()
	}
}

func (c *counter) Open(s explore.Divisible) (*parallel.Tally, error) {
	t, err := parallel.Begun(s)
	if err == nil {
		c.publish(t.FirstTasks())
	}
	return t, err
}

func (c *counter) publish(tasks []parallel.Task) {
	c.mu.Lock()
	c.busy += len(tasks)
	c.mu.Unlock()
	for _, t := range tasks {
		c.tasks <- t
	}
}

func (c *counter) Offer(*parallel.Tally, int) error {
	c.mu.Lock()
	idle := c.idle - len(c.tasks)
	c.mu.Unlock()
	if idle > 0 {
		for _, h := range c.hands {
			h.Divide(1 + idle)
		}
	}
	return nil
}

func (c *counter) Wait() ([]*parallel.Report, error) {
	select {
	case r := <-c.reports:
		c.mu.Lock()
		c.busy--
		c.mu.Unlock()
		return []*parallel.Report{r}, nil
	case err := <-c.errs:
		return nil, err
	case <-time.After(time.Millisecond):
		return nil, nil
	}
}

func (c *counter) Added(t *parallel.Tally, reports []*parallel.Report) error {
	for _, r := range reports {
		c.publish(t.Tasks(r))
	}
	return nil
}

func (c *counter) Stop() {
	for _, h := range c.hands {
		h.Stop()
	}
	for {
		select {
		case <-c.tasks:
			c.mu.Lock()
			c.busy--
			c.mu.Unlock()
		default:
			return
		}
	}
}

func (c *counter) Load() (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.busy, true
}

func (c *counter) Close() {
	close(c.tasks)
	c.waiting.Wait()
}

// elsewhere runs TestExplorer in a process whose exploration this one coordinates, with hands of this process. often
// kills one of them so often.
func elsewhere(t *testing.T, hands int, killEvery time.Duration, mode string) (string, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestExplorer$")
	cmd.Env = append(os.Environ(), "REHEARSE_TEST_EXPLORER="+mode)
	p, err := child.Start(cmd, parallel.ElsewhereVariable)
	if err != nil {
		t.Fatal(err)
	}
	defer p.End()
	asked := parallel.NewAsked(p.Line)
	var jobs []string // their strategies
	for j := range asked.Jobs() {
		jobs = append(jobs, j.Header.Strategy)
		dir := t.TempDir()
		j.Command.Path = exe
		j.Command.Env = append(append(os.Environ(), "REHEARSE_TEST_EXPLORER="+mode), append(j.Command.Env,
			parallel.FolderOf(dir))...)
		j.Command.Alone = true
		c := newCounter(hands, func() *parallel.Hand {
			return &parallel.Hand{Command: j.Command, Least: 2 * time.Millisecond, Most: 100 * time.Millisecond,
				Autopsy: func(pid int) (trace.Violation, string) { return parallel.Autopsy(dir, pid, j.Trace) }}
		})
		over := make(chan struct{})
		var killer sync.WaitGroup
		if killEvery > 0 {
			killer.Go(func() { killNowAndThen(c, killEvery, over) })
		}
		out, err := parallel.Run(asked.Config(j, strategy(t, j)), c)
		close(over)
		killer.Wait()
		if err := asked.End(out, err); err != nil {
			t.Error(err)
		}
	}
	err = p.Wait()
	return fmt.Sprintf("%s\nJOBS %q\n", p.Output(), jobs), err
}

// strategy is that of a job.
func strategy(t *testing.T, j *parallel.Job) explore.Divisible {
	t.Helper()
	s, err := strategies.New(j.Header.Strategy, j.Header.Seed, 0)
	if err != nil {
		t.Fatal(err)
	}
	return strategies.Limited(s.(explore.Divisible), j.Executions)
}

func killNowAndThen(c *counter, every time.Duration, over chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-over:
			return
		case <-time.After(every):
			c.hands[i%len(c.hands)].Kill()
		}
	}
}

// An exploration that another process coordinates counts and finds what one process does, also while its workers are
// killed.
func TestElsewhere(t *testing.T) {
	names := []string{"reverse pi"}
	if os.Getenv("REHEARSE_TOY") != "" {
		names = append(names, "naive several")
	}
	for _, name := range names {
		want := explored(t, rehearse.Config{Strategy: strategyOf(name), Budget: "unlimited"}, large[name]())
		out, err := elsewhere(t, 3, 150*time.Millisecond, "large:"+name)
		if err != nil || !strings.Contains(out, "RESULT "+want+"\n") {
			t.Errorf("%s: %v, %s\nwant %s", name, err, out, want)
		}
	}
}

// What kills a worker twice at one execution is found, with its schedule, elsewhere too.
func TestDeadlyElsewhere(t *testing.T) {
	out, err := elsewhere(t, 2, 0, "deadly:21")
	if err != nil {
		t.Error(err)
	}
	for _, want := range []string{"complete false", "fatal two worker processes died",
		"it died in the last of these steps",
		"withdraw from client#3 to ledger", "fatal error: sync: unlock of unlocked mutex"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
}

// Strategies whose parts wait for each other are refused.
func TestRefusedElsewhere(t *testing.T) {
	out, err := elsewhere(t, 1, 0, "refused:optimal")
	if want := "the parts of strategy optimal wait for each other"; err == nil || !strings.Contains(out, want) {
		t.Errorf("want %q:\n%s", want, out)
	}
	out, err = elsewhere(t, 1, 0, "refused:stateful")
	if want := "choose one that can (docs/parallel.md): naive, reverse"; err == nil || !strings.Contains(out, want) {
		t.Errorf("want %q:\n%s", want, out)
	}
}

// A test may take the settings of the run back for some of its explorations. These are made in its process, and the
// others elsewhere all the same.
func TestTakenBackElsewhere(t *testing.T) {
	out, err := elsewhere(t, 1, 0, "back")
	if err != nil || !strings.Contains(out, "RESULT ") || !strings.Contains(out, "\nJOBS [\"naive\"]\n") {
		t.Errorf("%v, want a result and one job:\n%s", err, out)
	}
}

// Where none is named the strategy is one that can be divided, in the worker processes too. What a test names stays.
func TestStrategyElsewhere(t *testing.T) {
	for name, want := range map[string]string{"": "reverse", "auto": "reverse", "naive": "naive"} {
		out, err := elsewhere(t, 1, 0, "named:"+name)
		if err != nil || !strings.Contains(out, "RESULT ") || !strings.Contains(out, "\nJOBS [\""+want+"\"]\n") {
			t.Errorf("%q: %v, want a job of strategy %s:\n%s", name, err, want, out)
		}
	}
}
