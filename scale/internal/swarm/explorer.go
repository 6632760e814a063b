package swarm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
	"github.com/rehearse-go/rehearse/trace"
)

// mostVanished is how many machines must vanish in the middle of one execution until that is convicted. Innocent kills
// would have to hit this one, of all that its task has, so often.
const mostVanished = 3

// explorer is the hand of an exploration.
type explorer struct {
	*parallel.Hand
	ctx   context.Context // done when all is stopped
	agent *Agent
	job   *streams.Job
	ends  context.Context // done when the agent is to end
}

func (a *Agent) explorerIn(ctx context.Context, stage *bundle.Stage, temp string, w work) explorer {
	c := w.record.Job.Command
	run := stage.Command(context.Background(), c.Args, append(c.Env, parallel.FolderOf(temp)))
	h := &parallel.Hand{Least: leastWork, Most: mostWork,
		Command: parallel.Command{Path: run.Path, Args: run.Args[1:], Env: run.Env, Alone: true, Dir: run.Dir,
			Hello: c.Hello},
		Autopsy: func(pid int) (trace.Violation, string) { return parallel.Autopsy(temp, pid, w.record.Job.Trace) }}
	if a.Most > 0 {
		h.Most = a.Most
	}
	return explorer{h, ctx, a, w.job, w.ends}
}

func (h explorer) perform(t *streams.Task) (*result, error) {
	task, err := decodeTask(t.Data)
	if err != nil {
		return &result{Error: "it is none: " + err.Error()}, nil
	}
	var report *parallel.Report
	if t.Deliveries > 1 {
		report, err = h.again(t.Name, task)
	} else {
		report, err = h.Perform(task)
	}
	if errors.Is(err, parallel.ErrAbandoned) || errors.Is(err, context.Canceled) {
		err = errStopped
	}
	return &result{Report: report}, err
}

// vanished tells how many workers have begun a task and not said that they survived it, and which of these are not
// alive: their machines have vanished or hang. Others may be at it still, if the server was away for long. Then a
// machine may have begun it twice, in two processes. It vanishes once.
func (h explorer) vanished(task string) (begun int, vanished []string, err error) {
	all, err := h.job.Begun(h.ctx, task)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) < mostVanished || err != nil {
		return len(all), nil, err
	}
	alive, err := h.job.Workers(h.ctx)
	vanished = slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return slices.ContainsFunc(alive, func(w streams.Worker) bool { return w.Name == name })
	})
	return len(all), vanished, err
}

// again executes a task that somebody had before, whose machine may have died of it. The first execution is made alone.
// Who begins it notes that on the server, and takes the note back when it has survived that, in whatever way. The notes
// that are there are of machines that did not. A machine that was killed meanwhile for another reason is one of these.
func (h explorer) again(name string, task *parallel.Task) (report *parallel.Report, err error) {
	begun, vanished, err := h.vanished(name)
	switch {
	case err != nil:
		return nil, err
	case len(vanished) >= mostVanished:
		return task.Vanished(vanished), nil
	case begun >= mostVanished:
		return nil, errLater
	}
	var survived func(context.Context) error
	report, err = h.PerformOne(task, func() (err error) {
		survived, err = h.job.Begin(h.ctx, name, h.agent.Name)
		return err
	})
	if survived == nil {
		return report, err
	}
	ctx, cancel := lasting(h.ctx, h.job, h.ends)
	defer cancel()
	if failed := survived(ctx); failed != nil {
		h.agent.log(fmt.Sprintf("the note that task %s is begun stays: %v", name, failed))
	}
	return report, err
}
