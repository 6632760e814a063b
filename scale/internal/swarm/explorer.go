package swarm

import (
	"context"
	"errors"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
	"github.com/rehearse-go/rehearse/trace"
)

// explorer is the hand of an exploration.
type explorer struct {
	*parallel.Hand
	notes
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
	return explorer{h, notes{ctx, a, w.job, w.ends}}
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

// again executes a task that somebody had before, whose machine may have died of it. The first execution is made alone,
// and noted.
func (h explorer) again(name string, task *parallel.Task) (*parallel.Report, error) {
	sentence, err := h.convict(name, "this execution")
	if err != nil {
		return nil, err
	}
	if sentence != "" {
		return task.Vanished(sentence), nil
	}
	over := func() {}
	report, err := h.PerformOne(task, func() (err error) {
		over, err = h.begin(name)
		return err
	})
	over()
	return report, err
}
