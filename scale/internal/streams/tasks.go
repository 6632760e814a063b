package streams

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	publishers    = 32               // at the same time, so that a distant server is not waited for one by one
	pullExpiry    = 30 * time.Second // a pull that waited so long is sent again
	pullHeartbeat = 2 * time.Second  // so often the server tells that it is there; after twice that it is not
	lookAfter     = time.Second      // at whether the job is there, if a first pull brings nothing
)

// PublishTask puts a task into the queue. If the queue has one of the name, nothing happens. A task that was
// acknowledged is forgotten by the queue: published again it is executed again, and its second result loses.
func (j *Job) PublishTask(ctx context.Context, name string, data []byte) error {
	if err := CheckTask(name); err != nil {
		return err
	}
	_, _, err := j.publish(ctx, j.tasks(), j.subject("task."+name), "publishing task "+name, data)
	return err
}

// Entry is a task to be published.
type Entry struct {
	Name string
	Data []byte
}

// PublishTasks puts tasks into the queue as PublishTask does, in no order. After an error some are there: trying again
// is safe.
func (j *Job) PublishTasks(ctx context.Context, tasks []Entry) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	next := make(chan Entry)
	for range min(len(tasks), publishers) {
		wg.Go(func() {
			for t := range next {
				if err := j.PublishTask(ctx, t.Name, t.Data); err != nil {
					cancel(err) // the first one stays
				}
			}
		})
	}
	for _, t := range tasks {
		if ctx.Err() != nil {
			break
		}
		next <- t
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

// DropTasks takes all tasks out of the queue. Who executes one goes on, and its acknowledgement does nothing.
func (j *Job) DropTasks(ctx context.Context) error {
	return j.again(ctx, "emptying the queue", func() error {
		s, err := j.stream(ctx, j.tasks())
		if err != nil {
			return err
		}
		if s.CachedInfo().Config.Metadata[metaID] != j.id {
			return fmt.Errorf("job %s: %w: another one has its name", j.job, ErrLost)
		}
		return order(ctx, j, func(ctx context.Context) error { return s.Purge(ctx) })
	})
}

// Task is what a worker is to do. It is the worker's until it calls Ack, Nak or Term, or is silent for AckWait.
type Task struct {
	Name string
	Data []byte
	// Deliveries is how often it was handed out, this time included. More than once means that a worker died, was
	// silent, or gave it back; or that its acknowledgement was lost: see Done.
	Deliveries int

	job *Job
	msg jetstream.Msg
}

// PullTask waits for a task. The wait counts in Depth.Waiting. With an error of type *BadError there is a task all the
// same, without data: it is to be reported as its result, since it would come back for ever. ErrLost says that there
// will never be one. A connection that is lost is waited for.
func (j *Job) PullTask(ctx context.Context) (*Task, error) {
	for n := 1; ; n++ {
		m, err := j.pull(ctx)
		switch {
		case err == nil:
			return j.newTask(ctx, m)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !Passing(err):
			return nil, j.told(ctx, "pulling a task", err)
		}
		if lost := j.told(ctx, "pulling a task", err); errors.Is(lost, ErrLost) {
			return nil, lost
		}
		if wait(ctx, n) != nil {
			return nil, ctx.Err()
		}
	}
}

// pull waits for one message. A pull is sent when somebody waits, and not before: a task that nobody waits for would be
// executed late.
func (j *Job) pull(ctx context.Context) (jetstream.Msg, error) {
	it, known, err := j.iterator()
	if err != nil {
		return nil, err
	}
	for {
		bounded, cancel := ctx, context.CancelFunc(func() {})
		if !known { // SUBTLE: a pull from a consumer that is not there is not answered
			bounded, cancel = context.WithTimeout(ctx, lookAfter)
		}
		look, end := j.untilReconnected(bounded)
		m, err := it.Next(jetstream.NextContext(look))
		asked := look.Err() != nil
		end()
		cancel()
		switch {
		case err == nil:
			j.mu.Lock()
			j.pulls = append(j.pulls, it)
			j.mu.Unlock()
			return m, nil
		case ctx.Err() != nil:
			go giveBack(it)
			return nil, ctx.Err()
		case !asked:
			it.Stop()
			return nil, err
		}
		known = true
		if err := j.Check(ctx); errors.Is(err, ErrLost) {
			it.Stop()
			return nil, err
		}
	}
}

// Close ends what the handle holds on the connection: pulls that nobody waits for. Nobody may pull meanwhile.
func (j *Job) Close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, it := range j.pulls {
		it.Stop()
	}
	j.pulls = nil
}

// iterator gives one that nobody uses, which has pulled before, or a new one.
func (j *Job) iterator() (it jetstream.MessagesContext, used bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if n := len(j.pulls); n > 0 {
		it := j.pulls[n-1]
		j.pulls = j.pulls[:n-1]
		return it, true, nil
	}
	it, err = j.tasksOf.Messages(jetstream.PullMaxMessages(1), jetstream.PullExpiry(pullExpiry),
		jetstream.PullHeartbeat(j.heartbeat), jetstream.WithMessagesErrOnMissingHeartbeat(true))
	return it, false, err
}

// giveBack ends a wait. A task that came at the same time goes to somebody else at once.
func giveBack(it jetstream.MessagesContext) {
	it.Drain()
	for {
		m, err := it.Next()
		if err != nil {
			return
		}
		_ = m.Nak() // else it comes back after AckWait
	}
}

func (j *Job) newTask(ctx context.Context, m jetstream.Msg) (*Task, error) {
	t := &Task{job: j, msg: m, Name: cut(m.Subject())}
	name, ours := strings.CutPrefix(m.Subject(), j.subject("task."))
	if !ours || CheckTask(name) != nil {
		return t, &BadError{What: fmt.Sprintf("task %q", t.Name), Why: errors.New("no task has this name")}
	}
	t.Name = name
	meta, err := m.Metadata()
	if err != nil {
		return t, &BadError{What: "task " + name, Why: err}
	}
	t.Deliveries = int(min(meta.NumDelivered, 1<<31-1))
	t.Data, err = j.open(ctx, "task "+name, m.Data())
	if bad := (*BadError)(nil); err == nil || errors.As(err, &bad) {
		return t, err
	}
	_ = m.Nak()
	return nil, err
}

// InProgress says that the task is being executed. It must be said more often than every AckWait.
func (t *Task) InProgress() error { return t.job.plain("extending task "+t.Name, t.msg.InProgress()) }

// Ack takes the task out of the queue, and waits until the server has done that. Its result must be published before.
// After an error the task may come back.
func (t *Task) Ack(ctx context.Context) error {
	return t.job.plain("acknowledging task "+t.Name, order(ctx, t.job, t.msg.DoubleAck))
}

// Nak gives the task back. It is handed out again after the delay.
func (t *Task) Nak(delay time.Duration) error {
	return t.job.plain("giving back task "+t.Name, t.msg.NakWithDelay(delay))
}
