package swarm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// answerWithin is how long an answer is sent for, when the job is over.
const answerWithin = 10 * time.Second

// hand is one process that executes tasks of a job. All but perform may be called from other goroutines.
type hand interface {
	// perform executes a task. An error says that this machine cannot, or is errStopped or errLater.
	perform(*streams.Task) (*result, error)
	// Divide asks for what is left as so many tasks.
	Divide(pieces int)
	// Stop has it end soon what it performs, and whatever is performed later.
	Stop()
	// Abandon ends the process, and every later one: perform gives errStopped.
	Abandon()
	// Kill ends the process.
	Kill()
	// Close ends it when nothing is performed.
	Close()
}

// errLater is that of a hand that gives back its task for some time, since it is not clear whether machines that had it
// are alive.
var errLater = errors.New("later")

// errStopped is that of a hand that gives back its task, since it was stopped.
var errStopped = errors.New("stopped")

// handFor makes a hand with a stage of its own. done removes that.
func (a *Agent) handFor(ctx context.Context, w work) (h hand, done func(), err error) {
	stage, err := w.bundle.Stage()
	if err != nil {
		return nil, nil, err
	}
	temp, err := stage.Temp()
	if err == nil {
		err = stage.HasToolchain(ctx)
	}
	if err != nil {
		stage.Remove()
		return nil, nil, err
	}
	if of := w.record.Targets; of != nil {
		s := &searcher{notes: notes{ctx, a, w.job, w.ends}, stage: stage, temp: temp, of: *of}
		forget := context.AfterFunc(ctx, s.Stop) // a search takes long
		return s, func() { forget(); stage.Remove() }, nil
	}
	return a.explorerIn(ctx, stage, temp, w), stage.Remove, nil
}

// work pulls tasks, executes them and answers, until ctx is done.
func (a *Agent) work(ctx context.Context, w work, c *crew) error {
	h, done, err := a.handFor(ctx, w)
	if err != nil {
		return err
	}
	defer done()
	defer h.Close()
	c.join(h)
	for {
		t, err := w.job.PullTask(ctx)
		bad := (*streams.BadError)(nil)
		switch {
		case ctx.Err() != nil && t != nil:
			return t.Nak(0)
		case ctx.Err() != nil:
			return nil
		case t != nil && epochOf(t.Name) > w.epoch:
			return errors.Join(errOtherEpoch, t.Nak(0))
		case t != nil && 0 < epochOf(t.Name) && epochOf(t.Name) < w.epoch:
			err = t.Ack(ctx) // an earlier coordinator has it published, and its result would not count
		case errors.As(err, &bad) && t != nil:
			err = a.answer(ctx, w, t, &result{Worker: a.Name, Error: err.Error()})
		case err == nil:
			c.works(1)
			err = a.perform(ctx, w, t, h)
			c.works(-1)
		}
		if ctx.Err() != nil && (errors.Is(err, context.Canceled) || streams.Passing(err)) {
			return nil // all was stopped meanwhile
		}
		if err != nil {
			return err
		}
	}
}

// perform executes a task and answers.
func (a *Agent) perform(ctx context.Context, w work, t *streams.Task, h hand) error {
	j := w.job
	if t.Deliveries > 1 {
		// Whoever had it may have answered, and died before it could acknowledge.
		if done, err := j.Done(ctx, t.Name); err != nil {
			return errors.Join(err, t.Nak(time.Second))
		} else if done {
			return t.Ack(ctx)
		}
	}
	stop := a.attend(j, t, h)
	r, err := h.perform(t)
	stop()
	switch {
	case errors.Is(err, errStopped):
		return t.Nak(0)
	case errors.Is(err, errLater):
		return t.Nak(j.Alive() / 3)
	case err != nil:
		// Another machine may be able to: this one does nothing more for the job.
		return errors.Join(fmt.Errorf("job %s: task %s: %w", j.Name(), t.Name, err), t.Nak(time.Second))
	}
	r.Worker = a.Name
	if r.Error == "" {
		a.counts.tasks.Add(1)
	}
	if r.Report != nil {
		a.counts.executions.Add(int64(r.Report.Sum.Executions))
	}
	return a.answer(ctx, w, t, r)
}

// attend keeps the task while it is executed, and divides it when others ask for that.
func (a *Agent) attend(j *streams.Job, t *streams.Task, h hand) (stop func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		extend := time.NewTicker(j.AckWait() / 3)
		defer extend.Stop()
		splits := time.NewTimer(a.listensAfter())
		defer splits.Stop()
		var patience <-chan time.Time
		if a.Patience > 0 {
			again := time.NewTicker(a.Patience) // another process may have the task then
			defer again.Stop()
			patience = again.C
		}
		cancel := func() {}
		defer func() { cancel() }()
		for {
			select {
			case <-over:
				return
			case <-extend.C:
				_ = t.InProgress() // else somebody else gets it too, and one of the two answers
			case <-splits.C:
				if c, err := j.OnSplit(h.Divide); err == nil {
					cancel = c
				}
			case <-patience:
				h.Kill()
			}
		}
	}()
	return func() {
		close(over)
		<-ended
	}
}

// listensAfter is how long a task is executed before others may ask for a part of it. Where tasks last as long as that,
// they would never be asked.
func (a *Agent) listensAfter() time.Duration {
	if a.Most > 0 {
		return min(leastWork, a.Most/2)
	}
	return leastWork
}

// lasting gives a context for what is told when ctx is done: it is done some time later. An agent that is to end, and
// has no connection, does not wait for one: whoever executes its task again tells the same.
func lasting(ctx context.Context, j *streams.Job, agent context.Context) (context.Context, context.CancelFunc) {
	longer, end := context.WithCancel(context.WithoutCancel(ctx))
	later := context.AfterFunc(ctx, func() { time.AfterFunc(answerWithin, end) })
	now := context.AfterFunc(agent, func() {
		if !j.Connected() {
			end()
		}
	})
	return longer, func() { later(); now(); end() }
}

// answer publishes the answer to a task, and acknowledges it then. The first answer counts, whosever it is.
func (a *Agent) answer(ctx context.Context, w work, t *streams.Task, r *result) error {
	data, err := r.encode()
	if err != nil {
		return err
	}
	ctx, cancel := lasting(ctx, w.job, w.ends) // what was executed when all is stopped shall count
	defer cancel()
	if _, err := w.job.PublishResult(ctx, t.Name, data); err != nil {
		return err
	}
	if err := t.Ack(ctx); err != nil && ctx.Err() == nil && !gone(err) {
		a.log(err.Error()) // it comes back, and whoever gets it sees that it is done
	}
	return nil
}
