package swarm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/internal/targets"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// targetsOf is what agents have to know of a job of targets: they find the same ones in the sources of the bundle.
type targetsOf struct {
	List   string `json:"list"`   // digest of their names
	Number int    `json:"number"` // how many
}

func (t *targetsOf) equal(u *targetsOf) bool {
	return (t == nil) == (u == nil) && (t == nil || *t == *u)
}

// A task has so many targets at most, and there are so many tasks before it has several. Tests of a task are built
// together, which is most of the work where a search is quick; a machine that dies loses them all.
const (
	mostInTask = 8
	fewTasks   = 8
)

// search is a task: the numbers of its targets.
type search struct {
	Targets []int `json:"targets"`
}

// decodeSearch reads a task, which came over the network.
func decodeSearch(data []byte, of int) ([]int, error) {
	var s search
	if err := strictly(data, &s); err != nil {
		return nil, err
	}
	if len(s.Targets) > mostInTask {
		return nil, fmt.Errorf("it has %d targets: want at most %d", len(s.Targets), mostInTask)
	}
	return s.Targets, targets.CheckNumbers(s.Targets, of)
}

// checkAnswers says what is wrong with answers for so many targets.
func checkAnswers(answers []json.RawMessage, of int) error {
	if len(answers) != of {
		return fmt.Errorf("%d answers for %d targets", len(answers), of)
	}
	for _, a := range answers {
		if a = bytes.TrimSpace(a); len(a) == 0 || a[0] != '{' {
			return errors.New("an answer is no object")
		}
	}
	return nil
}

// searches divides so many targets into tasks, the same ones each time.
func searches(number int) map[string][]int {
	size := min(mostInTask, max(1, number/fewTasks))
	all := map[string][]int{}
	for n := 0; n < number; n += size {
		var task []int
		for i := n; i < min(n+size, number); i++ {
			task = append(task, i)
		}
		all["t"+strconv.Itoa(n)] = task
	}
	return all
}

// ShareTargets has the targets of a program searched for by all who pull them. It gives the exit code of the command
// that tells of them: the binary with its arguments, in a stage of the bundle.
func (r *Run) ShareTargets(ctx context.Context, nc *nats.Conn) (code int, err error) {
	cmd := exec.Command(r.Binary, r.Args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.Dir, r.Env, r.Out, r.Err
	p, err := child.Start(cmd, targets.Variable)
	if err != nil {
		return 0, fmt.Errorf("what reads the program cannot be started: %w", err)
	}
	var ready targets.Ready
	listed := context.AfterFunc(ctx, p.Kill)
	if err := p.Receive(&ready); err != nil || !listed() {
		return exitOf(ctx, p)
	}
	told, share := r.share(ctx, nc, ready)
	if share != nil {
		p.End()
		_ = p.Wait()
		return 0, share
	}
	if err := p.Send(targets.Do{Tell: told}); err != nil {
		return 0, errors.Join(err, p.Wait())
	}
	return exitOf(context.WithoutCancel(ctx), p)
}

// exitOf waits for the process that tells of targets.
func exitOf(ctx context.Context, p *child.Process) (int, error) {
	p.HangUp()
	err := p.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, errors.New("interrupted")
	case errors.As(err, &exit) && exit.Exited():
		return exit.ExitCode(), nil // it has told of errors
	case err != nil:
		return 0, fmt.Errorf("the process that reads the program died: %w", err)
	}
	return 0, nil
}

// share makes a job of the targets, or goes on with it, and gives what came of them.
func (r *Run) share(ctx context.Context, nc *nats.Conn, ready targets.Ready) (*targets.Tell, error) {
	rec := &record{Bundle: r.Manifest.Digest().String(), Targets: &targetsOf{ready.Digest(), len(ready.Names)}}
	r.explorations++
	j, _, err := r.open(ctx, nc, rec)
	if err != nil {
		return nil, err
	}
	me, err := j.Coordinate()
	if err != nil {
		return nil, err
	}
	defer me.Leave()
	r.Progress.begin(j, rec.about(r.Manifest))
	s := &shares{watch: newWatch(j), open: searches(len(ready.Names)), progress: r.Progress,
		answers: make([]json.RawMessage, len(ready.Names))}
	s.watch.workers.say = r.Progress.say
	reading, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped, err := r.stopOf(reading, j)
	if err != nil {
		return nil, err
	}
	why, err := s.run(ctx, stopped)
	return &targets.Tell{Answers: s.answers, Why: why}, r.end(ctx, j, me, why == "", err)
}

// shares is a job of targets while it runs.
type shares struct {
	watch    watch
	open     map[string][]int // tasks without a result
	answers  []json.RawMessage
	progress *Progress
}

// run folds results until no task is open. why says why it ended before: it was interrupted, or told to stop.
func (s *shares) run(ctx context.Context, stopped func() bool) (why string, err error) {
	j := s.watch.job
	reading, cancel := context.WithCancel(ctx)
	defer cancel()
	_, last, err := j.Results(ctx)
	if err != nil {
		return "", err
	}
	results, failed := make(chan streams.Result), make(chan error, 1)
	go func() {
		failed <- j.FoldResults(reading, 0, func(r streams.Result) error {
			select {
			case results <- r:
				return nil
			case <-reading.Done():
				return reading.Err()
			}
		})
	}()
	// What was answered before is not searched for again.
	for folded, published := uint64(0), false; !published || len(s.open) > 0; {
		switch {
		case published || folded < last:
			var r streams.Result
			if r, why, err = s.next(ctx, results, failed, stopped); r.Seq > 0 {
				folded++
				err = s.fold(&r)
			} else if err == nil && published {
				err = s.look(ctx)
			}
		default:
			published = true
			err = s.publish(ctx)
		}
		if why != "" || err != nil || ctx.Err() != nil {
			return s.interrupted(ctx, why, err)
		}
	}
	return "", nil
}

// next waits for a result for a moment; r.Seq is 0 if there was none. why says why the run is to end.
func (s *shares) next(ctx context.Context, results <-chan streams.Result, failed <-chan error,
	stopped func() bool) (r streams.Result, why string, err error) {
	select {
	case <-ctx.Done():
	case err = <-failed:
	case r = <-results:
	case <-time.After(lookEvery):
		if stopped() {
			why = "the job was stopped"
		}
	}
	return r, why, err
}

// interrupted tells an error from what is one only because of an interrupt.
func (s *shares) interrupted(ctx context.Context, why string, err error) (string, error) {
	if ctx.Err() != nil {
		return "interrupted", nil
	}
	return why, err
}

// look looks after workers and the queue.
func (s *shares) look(ctx context.Context) error {
	s.progress.searched(len(s.answers)-s.left(), len(s.answers), &s.watch)
	_, lost, err := s.watch.look(ctx)
	if err == nil && lost {
		err = s.publish(ctx)
	}
	return err
}

// left is how many targets have no answer.
func (s *shares) left() (n int) {
	for _, task := range s.open {
		n += len(task)
	}
	return n
}

// publish has the open tasks in the queue. What it has already is not published twice.
func (s *shares) publish(ctx context.Context) error {
	var tasks []streams.Entry
	for name, numbers := range s.open {
		data, err := json.Marshal(search{numbers})
		if err != nil {
			return err
		}
		tasks = append(tasks, streams.Entry{Name: name, Data: data})
	}
	slices.SortFunc(tasks, func(a, b streams.Entry) int { return s.open[a.Name][0] - s.open[b.Name][0] })
	return s.watch.job.PublishTasks(ctx, tasks)
}

// fold takes a result.
func (s *shares) fold(r *streams.Result) error {
	s.watch.heard = time.Now()
	numbers := s.open[r.Name]
	wrong := func(err error) error { return spoilt(s.watch.job, fmt.Errorf("result %s: %w", r.Name, err)) }
	if r.Err != nil {
		return wrong(r.Err)
	}
	if numbers == nil {
		return wrong(errors.New("it is of a task that nobody made"))
	}
	var answer result
	if err := strictly(r.Data, &answer); err != nil {
		return wrong(err)
	}
	if answer.Error != "" {
		return spoilt(s.watch.job, answer.refusal(r.Name))
	}
	if err := checkAnswers(answer.Answers, len(numbers)); err != nil {
		return wrong(err)
	}
	for i, n := range numbers {
		s.answers[n] = answer.Answers[i]
	}
	delete(s.open, r.Name)
	return nil
}
