package swarm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// othersRead is how long other runs of the same command may take to read what they have not read of a job that is done.
const othersRead = 10 * time.Second

// end ends the work of this run at a job, and gives its error. A job that is done is removed, and one that is not is
// left to whoever goes on with it. Nothing is left of one that is lost, or is somebody else's.
func (r *Run) end(ctx context.Context, j *streams.Job, me *streams.Coordinator, done bool, err error) error {
	me.Leave()
	removed := printable(me.Removed())
	switch {
	case err == nil && done:
		r.remove(ctx, j)
	case errors.Is(err, errOtherEpoch):
	case errors.Is(err, streams.ErrLost):
		if removed != "" {
			return fmt.Errorf("job %s: %s, before this run had read all results: so it has none. The same command begins anew",
				j.Name(), removed)
		}
		if j.Check(context.WithoutCancel(ctx)) == nil { // it is there, and something of it is not
			return fmt.Errorf("%w. Remove it (rehearse swarm stop -discard %s), and begin anew", err, j.Name())
		}
		return fmt.Errorf("%w. The same command begins anew", err)
	// It was stopped, too.
	case removed != "":
		r.Progress.say(fmt.Sprintf("job %s: %s", j.Name(), removed))
	default:
		r.leave(ctx, j, me)
	}
	return err
}

// remove removes a job that is done. That this fails makes the result no less true.
func (r *Run) remove(ctx context.Context, j *streams.Job) {
	reading, cancel := context.WithTimeout(ctx, cmp.Or(r.othersRead, othersRead))
	defer cancel()
	j.Farewell(reading, "another run of the same command has finished and removed it")
	if err := j.Delete(context.WithoutCancel(ctx)); err != nil {
		r.Progress.say(fmt.Sprintf("job %s is done, and could not be removed: %v", j.Name(), err))
	}
}

// leave leaves a job to another run of the same command that is at it, or to a later one. Then agents are free for
// other jobs. If the server does not hear that, they notice that this one has no tasks.
func (r *Run) leave(ctx context.Context, j *streams.Job, me *streams.Coordinator) {
	last, done := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer done()
	if !me.Alone(last) {
		r.Progress.say(fmt.Sprintf("job %s: another run of the same command goes on with it", j.Name()))
		return
	}
	if j.Connected() { // else nobody hears it
		_ = j.Stop(last, "the coordinator has ended")
	}
	r.Progress.say(fmt.Sprintf("job %s is kept: the same command goes on with it, `rehearse swarm stop -discard %[1]s` "+
		"removes it", j.Name()))
}
