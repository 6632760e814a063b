package cli

import (
	"context"
	"flag"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/scale/internal/bundle"
	"github.com/rehearse-go/rehearse/scale/internal/request"
)

const workerLong = `Worker works on the jobs of a swarm, until it is interrupted. It needs no Go and no source: the test
binary travels, with the files that its test reads. The operating system and the architecture must be
those that the job was built for.

What comes from a server beyond this machine is run only if a key has signed it that -trust names. A server
on this machine needs none, unless -trust is given.

  rehearse worker -nats tls://nats.example.org -creds worker.creds -trust CA3...
`

// workerRun is one rehearse worker.
type workerRun struct {
	request.Worker
	fs *flag.FlagSet
	do Actions
}

func workerCommand(do Actions) command.Command {
	return command.Command{Name: "worker", Args: "[flags]", Short: "work on the jobs of a swarm, on this machine",
		Long: workerLong,
		Setup: func(fs *flag.FlagSet) func(command.Streams, command.Arguments) int {
			w := &workerRun{fs: fs, do: do}
			declareServer(fs, &w.Server, "without -nats: the `folder` of a swarm on this machine")
			// SUBTLE: not checked here. The flag package shows values that are refused, and this may be a seed.
			list(fs, "trust", "run what this public `key` has signed, and nothing that none has; may be repeated", &w.Trust,
				func(string) error { return nil })
			declareWorkers(fs, &w.Workers)
			declareLimit(fs, &w.Limits)
			fs.StringVar(&w.Cache, "cache", "", "keep the files of jobs in this `folder`; default: one in the user's cache")
			fs.StringVar(&w.Job, "job", "", "work on the job of this `name` alone")
			fs.DurationVar(&w.Patience, "patience", 0, "kill a process that has worked at one task for so `long`, as if it "+
				"hung; a task takes some 10 s, but an execution that has begun is ended; default: never")
			fs.BoolVar(&w.Once, "once", false, "end when a job that it worked on is over; else it waits for the next one")
			return w.run
		}}
}

// declareWorkers has a worker process a core, unless it is told otherwise.
func declareWorkers(fs *flag.FlagSet, to *int) {
	fs.IntVar(to, "workers", runtime.GOMAXPROCS(0), "`number` of processes on this machine; default: one a core")
}

func (w *workerRun) run(s command.Streams, a command.Arguments) int {
	return act(s, "worker", func(ctx context.Context) (int, error) {
		if err := w.check(a); err != nil {
			return 0, err
		}
		return w.do.Worker(ctx, s, &w.Worker)
	})
}

func (w *workerRun) check(a command.Arguments) error {
	if more := slices.Concat(a.Operands, a.Rest); len(more) > 0 {
		return usage("%q: it takes flags only", more[0])
	}
	if err := checkServer(w.fs, &w.Server); err != nil {
		return err
	}
	if err := checkWorkers(w.Workers, 1); err != nil {
		return err
	}
	for _, key := range w.Trust {
		if err := bundle.CheckPublic(key); err != nil {
			return usage("-trust: %w", err)
		}
	}
	if w.Beyond && len(w.Trust) == 0 {
		return usage("-nats is beyond this machine, and what comes from there is run here: name the key that signs jobs, " +
			"as `rehearse swarm key` has printed it, with -trust")
	}
	var err error
	if w.Cache == "" {
		w.Cache, err = inCache("bundles")
	}
	if err == nil {
		w.Cache, err = filepath.Abs(w.Cache)
	}
	return err
}

func checkWorkers(n, least int) error {
	if n < least || n > settings.MaxWorkers {
		return usage("-workers %d: want a number of processes from %d to %d", n, least, settings.MaxWorkers)
	}
	return nil
}
