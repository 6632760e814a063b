package swarm

import (
	"context"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
	"github.com/rehearse-go/rehearse/trace"
)

// explorer is the hand of an exploration.
type explorer struct{ *parallel.Hand }

func (a *Agent) explorerIn(stage *bundle.Stage, temp string, r *record) explorer {
	c := r.Job.Command
	run := stage.Command(context.Background(), c.Args, append(c.Env, parallel.FolderOf(temp)))
	h := &parallel.Hand{Least: leastWork, Most: mostWork,
		Command: parallel.Command{Path: run.Path, Args: run.Args[1:], Env: run.Env, Alone: true, Dir: run.Dir,
			Hello: c.Hello},
		Autopsy: func(pid int) (trace.Violation, string) { return parallel.Autopsy(temp, pid, r.Job.Trace) }}
	if a.Most > 0 {
		h.Most = a.Most
	}
	return explorer{h}
}

func (h explorer) perform(t *streams.Task) (*result, error) {
	task, err := decodeTask(t.Data)
	if err != nil {
		return &result{Error: "it is none: " + err.Error()}, nil
	}
	if t.Deliveries > 1 && !task.Suspected() {
		task.Suspicion = parallel.Careful // whoever had it may have died of it
	}
	report, err := h.Perform(task)
	return &result{Report: report}, err
}
