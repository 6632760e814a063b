package swarm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
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

// The rate is that of this run, also where an earlier one had counted something.
func TestRate(t *testing.T) {
	var out strings.Builder
	now := time.Now()
	p := &Progress{W: &out, Every: 10 * time.Second, now: func() time.Time { return now }}
	p.begin(jobOf(t), "call")
	for range 11 {
		n := explore.Counters{Executions: 5000 + int(now.Sub(p.began)/time.Second)}
		p.tick(&n)
		now = now.Add(time.Second)
	}
	if want := "executions: 5010 (1/sec)"; !strings.Contains(out.String(), want) {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// A line says how many executions there are, or why that is not known. What an earlier run had counted is no work of
// this one, and how long the rest takes follows from this one's.
func TestProgressEstimates(t *testing.T) {
	now := time.Now()
	lines := func(asJSON bool, estimate parallel.Estimator) string {
		var out strings.Builder
		p := &Progress{W: &out, JSON: asJSON, Every: 10 * time.Second, now: func() time.Time { return now }}
		p.begin(jobOf(t), "call")
		p.estimate = estimate
		for range 21 { // after ten seconds nobody answers
			n := explore.Counters{Executions: 5000 + int(min(now.Sub(p.began), 10*time.Second)/time.Second)}
			p.tick(&n)
			now = now.Add(time.Second)
		}
		return out.String()
	}
	known := func() (explore.Estimate, string) {
		return explore.Estimate{Total: 5100, Low: 5040, High: 6010}, ""
	}
	unknown := func() (explore.Estimate, string) { return explore.Estimate{}, "nobody knows" }
	yet := func() (explore.Estimate, string) { return explore.Estimate{}, "" }
	for _, tt := range []struct {
		asJSON   bool
		estimate parallel.Estimator
		want     string
	}{
		{false, known, ", estimated: 5,100 (5,000 to 6,100), left: 1m30s (30s to 17m)\n"},
		{true, known, `"estimate":{"total":5100,"low":5040,"high":6010}`},
		{false, unknown, ", not estimated: nobody knows\n"},
		{true, unknown, `"unestimated":"nobody knows"`},
		{false, yet, "idle processes: 0\n"},
		{true, yet, `"findings":0}`},
	} {
		if got := lines(tt.asJSON, tt.estimate); strings.Count(got, tt.want) != 2 {
			t.Errorf("%q, want %q twice", got, tt.want)
		}
	}
}

// Another budget makes another record. The one before is there until the state names the new one, and the bundle is not
// stored again.
func TestRecordChanges(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	unsigned := func(string) (*bundle.Signature, error) { return nil, nil }
	packs := 0
	pack := func(w io.Writer) error {
		packs++
		_, err := io.WriteString(w, "bundle")
		return err
	}
	for n := range 3 {
		r := &record{Bundle: "digest", Job: parallel.Job{Executions: n}}
		epochs, err := publishRecord(t.Context(), j, r, pack, unsigned)
		if err != nil || len(epochs) != n+1 {
			t.Fatalf("%v, %v", epochs, err)
		}
		d, err := j.Depth(t.Context())
		if err != nil || d.Pending > 0 {
			t.Errorf("%+v, %v: tasks of an earlier epoch", d, err)
		}
		for range 2 { // the second time by whoever starts it again: that changes nothing
			if err := j.PublishTask(t.Context(), nameOf(seedTask(), n+1), nil); err != nil {
				t.Fatal(err)
			}
			again, err := publishRecord(t.Context(), j, r, pack, unsigned)
			if err != nil || !slices.Equal(again, epochs) {
				t.Errorf("%v, %v, want %v", again, err, epochs)
			}
		}
		_, digest, err := (&record{Bundle: "digest", Job: parallel.Job{Executions: n + 1}}).encode()
		if err == nil { // of a coordinator that dies before it has written the state
			err = j.PutFile(t.Context(), recordFile+digest, strings.NewReader("half"))
		}
		s, failed := readSeal(t.Context(), j)
		if err = errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		if got, err := fetchRecord(t.Context(), j, s); err != nil || got.Job.Executions != n {
			t.Errorf("%v, %v, want %d executions", got, err, n)
		}
	}
	if packs != 1 {
		t.Errorf("the bundle was packed %d times", packs)
	}
}

// A bundle that cannot be stored is not packed for ever.
func TestPackingEnds(t *testing.T) {
	t.Parallel()
	j := jobOf(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	err := putBundle(ctx, j, func(w io.Writer) error {
		var err error
		for err == nil {
			cancel()
			_, err = w.Write(make([]byte, 1<<20))
		}
		ended <- err
		return err
	})
	if err == nil {
		t.Error("it was stored")
	}
	<-ended
}

// seedTask is what fuzzing begins with.
func seedTask() *parallel.Task {
	return &parallel.Task{Parts: parallel.Parts{{ID: 3, Rest: []byte("r")}, {ID: 5, Steps: make([]byte, 32)}}, Budget: 7}
}

// FuzzTask: any bytes give a task that is written as it was read, or an error.
func FuzzTask(f *testing.F) {
	data, _ := encodeTask(seedTask())
	f.Add(data)
	f.Add([]byte(`{"parts":[{"id":1}],"executions":1,"deaths":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		task, err := decodeTask(data)
		if err != nil {
			return
		}
		b, err := encodeTask(task)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := decodeTask(b); err != nil || fmt.Sprint(again) != fmt.Sprint(task) {
			t.Errorf("%v, then %v, %v", task, again, err)
		}
	})
}

// FuzzResult: any bytes give an error, or a report that can be folded: what it leaves are tasks that can be published.
func FuzzResult(f *testing.F) {
	first := &parallel.Report{Done: []int{1}, New: parallel.Parts{{Rest: make([]byte, 16)}, {Rest: []byte{1}}},
		Tasks: []parallel.Batch{{Items: 2}}}
	data, _ := (&result{Worker: "a", Report: first}).encode()
	f.Add(data)
	data, _ = (&result{Report: &parallel.Report{Done: []int{1}, Deadly: 1}}).encode()
	f.Add(data)
	f.Add([]byte(`{"worker":"a","error":"why"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := sample.NewRandom(1)
		s.Limit(100)
		tally, err := parallel.Begun(s)
		if err != nil {
			t.Fatal(err)
		}
		task := tally.FirstTasks()[0]
		r, err := decodeResult(data, &task)
		if err != nil || r.Error != "" || tally.Fold(r.Report) != nil {
			return
		}
		for _, task := range append(tally.Tasks(r.Report), tally.Reopen()...) {
			if err := task.Check(); err != nil {
				t.Errorf("%v: %v", task, err)
			}
		}
	})
}
