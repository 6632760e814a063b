package swarm

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// jobOf gives a job on a server of its own.
func jobOf(t *testing.T) *streams.Job {
	t.Helper()
	j, err := streams.Create(t.Context(), connected(t, served(t), "coordinator"), "job", streams.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// answer stores the result of a task.
func answer(t *testing.T, j *streams.Job, task string, r *parallel.Report) {
	t.Helper()
	if _, err := j.PublishResult(t.Context(), task, encoded(t, r)); err != nil {
		t.Fatal(err)
	}
}

// epochsOf gives the epochs of a job for a run whose budget is so many executions.
func epochsOf(t *testing.T, j *streams.Job, budget int) []epoch {
	t.Helper()
	unsigned := func(string) (*bundle.Signature, error) { return nil, nil }
	pack := func(w io.Writer) error { _, err := io.WriteString(w, "bundle"); return err }
	epochs, err := publishRecord(t.Context(), j, &record{Bundle: "digest", Job: parallel.Job{Executions: budget}}, pack,
		unsigned)
	if err != nil {
		t.Fatal(err)
	}
	return epochs
}

// sampled opens a job of a sample whose budget is so many executions, and says that the only task of it was executed,
// up to the budget.
func sampled(t *testing.T, j *streams.Job, budget int, want string) *parallel.Tally {
	t.Helper()
	s := sample.NewRandom(1)
	tr := newTransport(t.Context(), j, epochsOf(t, j, budget))
	tally, err := tr.Open(s)
	if err != nil {
		t.Fatalf("budget %d: %v", budget, err)
	}
	defer tr.Close()
	if want == "" {
		return tally
	}
	task := tr.open[want]
	if task == nil || len(tr.open) != 1 {
		t.Fatalf("budget %d: %d tasks are open, want %s", budget, len(tr.open), want)
	}
	s.GoTo(uint64(budget))
	r := &parallel.Report{Done: []int{task.Parts[0].ID}}
	for _, item := range s.Split(1) {
		r.Beyond = append(r.Beyond, parallel.Part{Rest: item.Rest})
	}
	answer(t, j, want, r)
	return tally
}

// A sample goes on with a larger budget, is started again with it, and with a smaller one.
func TestBudgetsOfRuns(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	sampled(t, j, 10, "t1")
	sampled(t, j, 20, "t2-2")
	sampled(t, j, 20, "")
	sampled(t, j, 30, "t3-3")
	sampled(t, j, 5, "")
	sampled(t, j, 30, "")
	sampled(t, j, 40, "t4-6")
	sampled(t, j, 5, "")
	sampled(t, j, 0, "t5-8")
}

// A transport that cannot open leaves nothing behind. What is wrong stays so, and it is said what to do.
func TestOpenFails(t *testing.T) {
	t.Parallel()
	many := &parallel.Report{Done: []int{1}}
	many.Sum.Deliveries = math.MaxInt
	for want, r := range map[string]result{
		"of a task that nobody made":                    {Report: &parallel.Report{Done: []int{7}}},
		`worker "a" cannot execute task t1: it is none`: {Worker: "a", Error: "it is none"},
		"has no report":                                 {},
		"counts more":                                   {Report: many},
	} {
		j := jobOf(t)
		epochs := epochsOf(t, j, 0)
		data, err := r.encode()
		if err == nil {
			name := map[bool]string{true: "t7", false: "t1"}[strings.Contains(want, "nobody made")]
			_, err = j.PublishResult(t.Context(), name, data)
		}
		if err != nil {
			t.Fatal(err)
		}
		tr := newTransport(t.Context(), j, epochs)
		if _, err := tr.Open(sample.NewRandom(1)); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "(rehearse swarm stop -discard job) and begin anew") {
			t.Errorf("%v: does not say %q and what to do", err, want)
		}
		if tr.ctx.Err() == nil {
			t.Error("it goes on")
		}
		tr.running.Wait()
	}
}

// Where those that are there have failed, others have some time to come.
func TestOthersCome(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	var said []string
	w := workers{say: func(line string) { said = append(said, line) }}
	now := time.Now()
	looks := func(after time.Duration, alive int, fails bool) {
		t.Helper()
		err := w.look(t.Context(), j, now.Add(after))
		if w.alive != alive || (err != nil) != fails {
			t.Errorf("after %v: %d are alive, %v", after, w.alive, err)
		}
	}
	looks(0, 0, false)
	if err := j.Beat(t.Context(), "one", []byte(`{"failed":"no space"}`)); err != nil {
		t.Fatal(err)
	}
	looks(time.Minute, 0, false)
	looks(time.Minute+2*othersCome, 0, true)
	if err := j.Beat(t.Context(), "two", []byte(`{"hands":2}`)); err != nil {
		t.Fatal(err)
	}
	looks(2*time.Minute, 1, false)
	if len(said) != 1 || !strings.Contains(said[0], "no space") {
		t.Errorf("%q", said)
	}
}

// That nobody works at a job is told, once until somebody comes.
func TestNobodyIsThere(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	said := 0
	w := workers{say: func(string) { said++ }}
	now := time.Now()
	looks := func(after time.Duration, want int) {
		t.Helper()
		if err := w.look(t.Context(), j, now.Add(after)); err != nil || said != want {
			t.Errorf("after %v: %d times, %v, want %d", after, said, err, want)
		}
	}
	looks(0, 0)
	looks(tellAlone, 0)
	looks(tellAlone+1, 1)
	looks(2*tellAlone, 1)
	if err := j.Beat(t.Context(), "one", []byte(`{"hands":2}`)); err != nil {
		t.Fatal(err)
	}
	looks(3*tellAlone, 1)
	if err := j.Bye(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	looks(4*tellAlone, 1)
	looks(6*tellAlone, 2)
}

// While the server is away nobody waits for it but those who publish: a budget of time is judged, and ends the run.
// That it is away is told.
func TestServerIsAway(t *testing.T) {
	t.Parallel()
	s := served(t)
	j, err := streams.Create(t.Context(), connected(t, s, "coordinator"), "job", streams.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tr := newTransport(t.Context(), j, epochsOf(t, j, 0))
	var said []string
	tr.watch.workers.say = func(line string) { said = append(said, line) }
	looks, began := 0, time.Time{}
	out, err := parallel.Run(parallel.Config{Strategy: reverse.New(), Watch: func(open, _ int, _ parallel.Estimator) {
		switch looks++; {
		case looks == 2:
			s.Close()
			answered := left(tr.open["t1"], 1, 4*publishers)
			tr.results <- streams.Result{Name: "t1", Data: encoded(t, answered)} // the last thing that it said
		case open == 4*publishers && began.IsZero():
			began = time.Now()
			tr.watch.away = began.Add(-2 * tellAway)
		}
	}, Stop: func(*explore.Counters) bool { return !began.IsZero() && time.Since(began) > time.Second/2 }}, tr)
	if err != nil || out.Reason != "stopped" || began.IsZero() {
		t.Errorf("%s, %v, after %d looks", out.Reason, err, looks)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v to end", took)
	}
	if len(said) != 1 || !strings.Contains(said[0], "there is no connection to the server") {
		t.Errorf("%q", said)
	}
}

func encoded(t *testing.T, r *parallel.Report) []byte {
	t.Helper()
	data, err := (&result{Worker: "a", Report: r}).encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Results wait to be folded, but no more than a few large ones: the memory would be full of them.
func TestFewLargeResultsWait(t *testing.T) {
	t.Parallel()
	tr := newTransport(t.Context(), jobOf(t), []epoch{{}})
	defer tr.Close()
	large := streams.Result{Name: "t1", Data: make([]byte, largeFrom)}
	for range mostLarge {
		if err := errors.Join(tr.arrive(large), tr.arrive(streams.Result{Name: "t2"})); err != nil {
			t.Fatal(err)
		}
	}
	go func() {
		r := <-tr.results
		_, _ = tr.report(&r)
	}()
	if err := tr.arrive(large); err != nil { // when the first one was taken
		t.Fatal(err)
	}
	tr.cancel()
	if err := tr.arrive(large); err == nil {
		t.Errorf("%d large results wait, and %d more do", len(tr.large), len(tr.results)-len(tr.large))
	}
}

// Where two are busy and no task waits for the first of them that is done, one is asked to divide what it has; where
// one waits, none is.
func TestReserve(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	tr := newTransport(t.Context(), j, epochsOf(t, j, 0))
	defer tr.Close()
	asked := make(chan int, 100)
	cancel, err := j.OnSplit(func(pieces int) { asked <- pieces })
	if err != nil {
		t.Fatal(err)
	}
	defer cancel()
	publish := func(name string) {
		t.Helper()
		if err := j.PublishTask(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
	}
	offer := func(want streams.Depth) { // until the server counts what was done just before
		t.Helper()
		for tr.watch.depth = (streams.Depth{}); tr.watch.depth != want; {
			tr.watch.looked = time.Time{}
			if err := tr.Offer(nil, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	mark := func() { // what comes behind it was asked for later
		t.Helper()
		const marked = 99
		if err := j.Split(t.Context(), 1, marked); err != nil {
			t.Fatal(err)
		}
		for pieces := range asked {
			if pieces == marked {
				return
			}
			if pieces != 2 {
				t.Errorf("one was asked for %d tasks, want one for itself and one that waits", pieces)
			}
		}
	}
	for _, name := range []string{"one", "two"} {
		publish(name)
		if task, err := j.PullTask(t.Context()); err != nil || task.Name != name {
			t.Fatalf("pulled %v, %v: want %s", task, err, name)
		}
	}
	offer(streams.Depth{InProgress: 2})
	if first := <-asked; first != 2 {
		t.Errorf("one was asked for %d tasks, want one for itself and one that waits", first)
	}
	publish("three")
	offer(streams.Depth{InProgress: 2, Pending: 1})
	mark()
	offer(streams.Depth{InProgress: 2, Pending: 1})
	if err := j.Split(t.Context(), 1, 3); err != nil {
		t.Fatal(err)
	}
	if first := <-asked; first != 3 {
		t.Errorf("one was asked for %d tasks though a task waits", first)
	}
}
