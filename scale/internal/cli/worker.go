package cli

import (
	"context"
	"flag"
	"path/filepath"
	"runtime"
	"slices"
	"time"

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
			declareWorkers(fs, &w.Workers, &w.Longest)
			declareLimit(fs, &w.Limits)
			fs.StringVar(&w.Cache, "cache", "", "keep the files of jobs in this `folder`; default: one in the user's cache")
			fs.StringVar(&w.Job, "job", "", "work on the job of this `name` alone")
			fs.DurationVar(&w.Patience, "patience", 0, "kill a process that has worked at one task for so `long`, as if it "+
				"hung; an execution that has begun is ended, so give far more than -longest; default: never")
			fs.BoolVar(&w.Once, "once", false, "end when a job that it worked on is over; else it waits for the next one")
			return w.run
		}}
}

// declareWorkers has a worker process a core, unless it is told otherwise, and how long a task is.
func declareWorkers(fs *flag.FlagSet, to *int, longest *time.Duration) {
	fs.IntVar(to, "workers", runtime.GOMAXPROCS(0), "`number` of processes on this machine; default: one a core")
	fs.DurationVar(longest, "longest", defaultLongest, "work at a task of an exploration for so `long` at most; so much "+
		"is lost when this machine dies")
}

// How long a task is: below the least, handing out tasks would take longer than working at them.
const (
	defaultLongest = 10 * time.Second
	leastLongest   = 100 * time.Millisecond
)

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
	if err := checkWorkers(w.Workers, 1, w.Longest); err != nil {
		return err
	}
	if w.Patience > 0 && w.Patience <= w.Longest {
		return usage("-patience %v: want more than a task takes, which is %v (-longest)", w.Patience, w.Longest)
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

func checkWorkers(n, least int, longest time.Duration) error {
	if longest < leastLongest {
		return usage("-longest %v: want %v at least", longest, leastLongest)
	}
	if n < least || n > settings.MaxWorkers {
		return usage("-workers %d: want a number of processes from %d to %d", n, least, settings.MaxWorkers)
	}
	return nil
}
