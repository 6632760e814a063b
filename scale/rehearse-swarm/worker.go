package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/request"
	"github.com/rehearse-go/rehearse/scale/internal/swarm"
)

// unusedBundles are removed from the cache after so long.
const unusedBundles = 14 * 24 * time.Hour

// work executes tasks of the jobs of a server, until it is interrupted.
func work(ctx context.Context, s command.Streams, r *request.Worker) (int, error) {
	bundle.Sweep(r.Cache, unusedBundles)
	a := &swarm.Agent{Name: machine(), Hands: r.Workers, Cache: r.Cache, Trust: r.Trust, Tool: command.Version(),
		Limits: r.Limits, Once: r.Once, Only: r.Job, Patience: r.Patience, Most: r.Longest,
		Log: func(line string) { fmt.Fprintln(s.Err, "rehearse worker: "+line) }}
	nc, err := awaited(ctx, &r.Server, a.Name, s.Err)
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	fmt.Fprintf(s.Err, "rehearse worker: %s waits for jobs, processes: %d\n", a.Name, a.Hands)
	return command.ExitOK, a.Serve(ctx, nc)
}
