package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/request"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
	"github.com/rehearse-go/rehearse/scale/internal/swarm"
)

// status tells how far jobs are.
func status(ctx context.Context, s command.Streams, r *request.Status) (int, error) {
	nc, done, err := atRest(ctx, &r.Server, "status", s.Err)
	if err != nil {
		return 0, err
	}
	defer done()
	all, err := swarm.StatusOf(ctx, nc, r.Job)
	if err != nil {
		return 0, err
	}
	if r.JSON {
		out := json.NewEncoder(s.Out)
		for _, one := range all {
			if err := out.Encode(one); err != nil {
				return 0, err
			}
		}
		return command.ExitOK, nil
	}
	if len(all) == 0 {
		fmt.Fprintln(s.Out, "there are no jobs")
		return command.ExitOK, nil
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "JOB\tSTATE\tBEGUN\tRESULTS\tTASKS WAIT\tAT WORK\tMACHINES\tPROCESSES\tSIZE")
	for _, one := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%.1f MB\n", one.Job, one.State,
			one.Made.Local().Format(time.DateTime), one.Results, one.Waiting, one.AtWork, one.Machines, one.Processes,
			float64(one.Bytes)/1e6)
		for _, f := range one.Failed {
			fmt.Fprintf(w, "  %s\n", f)
		}
	}
	return command.ExitOK, w.Flush()
}

// coordinatorEnds is how long who coordinates a job may take to end when that is stopped.
const coordinatorEnds = 10 * time.Second

// stop ends a job.
func stop(ctx context.Context, s command.Streams, r *request.Stop) (int, error) {
	nc, done, err := atRest(ctx, &r.Server, "stop", s.Err)
	if err != nil {
		return 0, err
	}
	defer done()
	j, err := streams.Open(ctx, nc, r.Job, "")
	if err == nil {
		err = j.Stop(ctx, "rehearse swarm stop")
	} else if errors.Is(err, streams.ErrLost) && !r.Discard {
		err = fmt.Errorf("%w: `rehearse swarm stop -discard %s` removes what is left of it", err, r.Job)
	}
	if err == nil && r.Discard {
		reading, cancel := context.WithTimeout(ctx, coordinatorEnds)
		defer cancel()
		j.Farewell(reading, "`rehearse swarm stop -discard` has removed it")
		err = j.Delete(ctx)
	} else if r.Discard { // what is left of one that is not whole
		if errors.Is(err, streams.ErrNoJob) {
			fmt.Fprintf(s.Err, "rehearse swarm: %v\n", err)
		}
		err = streams.Delete(ctx, nc, r.Job)
	}
	return command.ExitOK, err
}
