package swarm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/scale/internal/broker"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// A name is that of a task of one epoch, or of none.
func TestNamesOfEpochs(t *testing.T) {
	for name, want := range map[string]int{"t1": 1, "t0": 1, "t12-2": 2, "t12-30": 30, "": 0, "t": 0, "t-2": 0, "t1-1": 0,
		"t1-0": 0, "t1--2": 0, "t1-02": 0, "t01": 0, "t+1": 0, "x1": 0, "t1.2": 0, "t1-2-3": 0} {
		if got := epochOf(name); got != want {
			t.Errorf("%q is of epoch %d, want %d", name, got, want)
		}
	}
	for n := range 5 {
		if name := nameOf(seedTask(), n+1); epochOf(name) != n+1 || streams.CheckTask(name) != nil {
			t.Errorf("%s is the name of a task of epoch %d", name, n+1)
		}
	}
	for text, ok := range map[string]bool{`[]`: false, `[{"since":0}]`: true, `[{"since":1}]`: false,
		`[{"since":0,"executions":-1}]`: false, `[{"since":0},{"since":0}]`: true,
		`[{"since":0},{"since":2},{"since":1}]`: false} {
		var all []epoch
		if err := errors.Join(strictly([]byte(text), &all), checkEpochs(all, 0)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// opened opens a job for a run with a budget.
func opened(t *testing.T, j *streams.Job, budget int, s explore.Divisible) (*transport, *parallel.Tally) {
	t.Helper()
	tr := newTransport(t.Context(), j, epochsOf(t, j, budget))
	tally, err := tr.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.Close)
	return tr, tally
}

// left is a report of so many executions, which leaves so many items as tasks of their own.
func left(task *parallel.Task, executions, items int) *parallel.Report {
	r := &parallel.Report{}
	for _, p := range task.Parts {
		r.Done = append(r.Done, p.ID)
	}
	r.Sum.Executions = executions
	for range items {
		r.New = append(r.New, parallel.Part{})
		r.Tasks = append(r.Tasks, parallel.Batch{Items: 1})
	}
	return r
}

// budgets are the budgets of the open tasks.
func budgets(tr *transport) (text string) {
	for _, name := range slices.Sorted(maps.Keys(tr.open)) {
		text += fmt.Sprintf("%s:%d ", name, tr.open[name].Budget)
	}
	return text
}

// What a run with a large budget has left in the queue, or is executed for it still, makes no more executions under a
// smaller one. Whoever starts again with that shares in the same way.
func TestLowerBudget(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	tr, _ := opened(t, j, 1000, reverse.New())
	answer(t, j, "t1", left(tr.open["t1"], 10, 4))
	tr.Close()
	tr, _ = opened(t, j, 1000, reverse.New())
	if got := budgets(tr); got != "t2:248 t3:248 t4:247 t5:247 " {
		t.Fatalf("the shares are %s", got)
	}
	late := tr.open["t2"]
	answer(t, j, "t3", left(tr.open["t3"], 20, 0))
	tr.Close()
	for range 2 {
		tr, tally := opened(t, j, 100, reverse.New())
		if got := budgets(tr); got != "t2-2:24 t4-2:23 t5-2:23 " || tally.Sum.Executions != 30 {
			t.Errorf("after %d executions the shares are %s", tally.Sum.Executions, got)
		}
		tr.Close()
	}
	answer(t, j, "t2", left(late, 240, 2)) // by an agent that has heard of nothing
	tr, tally := opened(t, j, 100, reverse.New())
	if got := budgets(tr); got != "t2-2:24 t4-2:23 t5-2:23 " || tally.Sum.Executions != 30 {
		t.Errorf("after %d executions the shares are %s", tally.Sum.Executions, got)
	}
	answer(t, j, "t2-2", left(tr.open["t2-2"], 24, 2))
	tr.Close()
	tr, tally = opened(t, j, 50, reverse.New())
	if got := budgets(tr); got != "t4-3:0 t5-3:0 t6-3:0 t7-3:0 " || tally.Sum.Executions != 54 {
		t.Errorf("after %d executions the shares are %s", tally.Sum.Executions, got)
	}
	tr.Close()
	tr, _ = opened(t, j, 0, reverse.New())
	if got := budgets(tr); got != "t4-4:0 t5-4:0 t6-4:0 t7-4:0 " || tr.budget != nil || len(tr.all()) != 4 {
		t.Errorf("the shares are %s", got)
	}
}

// A coordinator that another one has replaced says so, and is not mistaken for a broken job.
func TestReplacedCoordinator(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	first, _ := opened(t, j, 10, sample.NewRandom(1))
	second, _ := opened(t, j, 20, sample.NewRandom(1))
	answer(t, j, "t1-2", left(second.open["t1-2"], 1, 0))
	for {
		_, err := first.Wait()
		if err != nil {
			if !errors.Is(err, errOtherEpoch) || !strings.Contains(err.Error(), "another coordinator") {
				t.Errorf("%v: want that another one goes on with it", err)
			}
			return
		}
	}
}

// Results that are gone, which another budget had followed, are missed.
func TestResultsBeforeAnEpochAreGone(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	tr := newTransport(t.Context(), j, []epoch{{}, {Since: 1, Executions: 10}})
	if _, err := tr.Open(reverse.New()); !errors.Is(err, streams.ErrLost) {
		t.Errorf("%v: want that the job is lost", err)
	}
}

// vanishing starts a swarm's run whose coordinator vanishes when that returns: it tells nobody.
func vanishing(t *testing.T, s *broker.Server, r *Run, when func()) {
	t.Helper()
	nc, err := broker.Connect(t.Context(), s.Access().Local("vanishing"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := r.Coordinate(ctx, nc); ended <- err }()
	when()
	nc.Close()
	cancel()
	<-ended
}

// only is the only job.
func only(t *testing.T, nc *nats.Conn) *streams.Job {
	t.Helper()
	list, err := streams.List(t.Context(), nc)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	j, err := streams.Open(t.Context(), nc, list[0].Job, list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// executed is how many executions the results of the only job tell of, up to one; 0: that is the last one.
func executed(t *testing.T, nc *nats.Conn, last uint64) (n int) {
	t.Helper()
	j, err := only(t, nc), error(nil)
	if last == 0 {
		_, last, err = j.Results(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = j.FoldResults(t.Context(), 0, func(r streams.Result) error {
		var one result
		if err := strictly(r.Data, &one); err != nil {
			t.Error(err)
		} else {
			n += one.Report.Sum.Executions + one.Report.Sum.Blocked
		}
		if r.Seq >= last {
			return io.EOF
		}
		return nil
	})
	return n
}

// Agents that serve while a coordinator vanishes, and another one comes with another budget, keep to that.
func TestAnotherBudgetWhileAgentsServe(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"pi9", "endless"} {
		s := served(t)
		agentOf(t, connected(t, s, "agent"), func(a *Agent) { a.Hands, a.Most, a.Once = 2, 100*time.Millisecond, true })
		dir := t.TempDir()
		run := func(budget string) (*Run, *output) {
			out := &output{}
			r, err := newRun(binaryOf(t), dir, program, out)
			if err != nil {
				t.Fatal(err)
			}
			r.Env = append(r.Env, "REHEARSE_BUDGET="+budget)
			return r, out
		}
		first, _ := run("100000000x")
		nc := connected(t, s, "coordinator")
		vanishing(t, s, first, func() { whenResults(nc, 4) })
		budget := executed(t, nc, 0) + 40_000
		for range 2 { // the second time there is nothing to do
			again, out := run(fmt.Sprintf("%dx", budget))
			code, err := explored(t, nc, again, time.Minute)
			s, failed := readSeal(t.Context(), only(t, nc))
			if failed != nil || len(s.Epochs) != 2 {
				t.Fatalf("%s: %+v, %v: want two epochs", program, s, failed)
			}
			// What was executed before the change counts, however much that is.
			most := max(budget, executed(t, nc, s.Epochs[1].Since))
			want := fmt.Sprintf("complete false, %d executions, 0 blocked", most)
			if err != nil || code != 0 || !strings.Contains(out.String(), want) {
				t.Errorf("%s: code %d, %v\n%s\nwant %s", program, code, err, out, want)
			}
			// Of a search the result says how much there is, of a sample there is no end.
			if estimated := strings.Contains(out.String(), "% of an estimated "); estimated != (program == "pi9") {
				t.Errorf("%s: estimated %v\n%s", program, estimated, out)
			}
		}
	}
}

// However often coordinators vanish, and whatever budgets the next ones have: at last it is what one process counts. Of
// a sample no budget is larger than the last one, for what was executed beyond that would count.
func TestManyEpochs(t *testing.T) {
	if !whole(t) {
		return
	}
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for program, most := range map[string]int{"pi9": 500_000, "sample": 29_999} {
		s := served(t)
		agents(t, s, 2, 1)
		nc := connected(t, s, "coordinator")
		dir := t.TempDir()
		for range 12 {
			out := &output{}
			r, err := newRun(binaryOf(t), dir, program, out)
			if err != nil {
				t.Fatal(err)
			}
			r.Env = append(r.Env, fmt.Sprintf("REHEARSE_BUDGET=%dx", 1+random.IntN(most)))
			vanishing(t, s, r, func() { time.Sleep(time.Duration(200+random.IntN(1000)) * time.Millisecond) })
		}
		last, err := newRun(binaryOf(t), dir, program, nil)
		if err != nil {
			t.Fatal(err)
		}
		succeeds(t, nc, last, program)
		if program == "sample" { // what is beyond its budget is kept
			if s, err := readSeal(t.Context(), only(t, nc)); err != nil || len(s.Epochs) < 5 {
				t.Errorf("%+v, %v", s, err)
			}
		}
	}
}
