package streams

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// PublishResult stores the result of a task. The first one that is stored wins, and stays; won tells whether it was
// this one. To lose is no error: somebody else has executed the task.
func (j *Job) PublishResult(ctx context.Context, name string, data []byte) (won bool, err error) {
	if err := CheckTask(name); err != nil {
		return false, err
	}
	_, won, err = j.publish(ctx, j.results(), j.subject("result."+name), "publishing the result of "+name, data)
	return won, err
}

// Done reports whether a task has a result. A worker asks it of a task that was delivered before, to save the work.
func (j *Job) Done(ctx context.Context, name string) (bool, error) {
	if err := CheckTask(name); err != nil {
		return false, err
	}
	return j.has(ctx, j.results(), j.subject("result."+name), "looking for the result of "+name)
}

// Results tells how many results there are, and the sequence number of the last one, 0 if there is none.
func (j *Job) Results(ctx context.Context) (n int, last uint64, err error) {
	i, err := ask(ctx, j, func(ctx context.Context) (*jetstream.StreamInfo, error) { return j.resultsIn.Info(ctx) })
	if err != nil {
		return 0, 0, j.told(ctx, "counting results", err)
	}
	if id := i.Config.Metadata[metaID]; id != j.id {
		return 0, 0, fmt.Errorf("job %s: %w: another one has its name", j.job, ErrLost)
	}
	return int(i.State.Msgs), i.State.LastSeq, nil
}
