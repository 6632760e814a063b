// Package cli is the command line of rehearse-swarm, which does rehearse swarm and rehearse worker.
//
//	cli.go     the two commands, and who does what they ask for
//	swarm.go   rehearse swarm: flags; job.go: what is built and travels; sub.go: status, stop, key; target.go: target
//	worker.go  rehearse worker
//	server.go  flags that say where the server is
//	size.go    sizes as flags
//
// What cannot be right is refused here, before anything is built or connected.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/scale/internal/request"
)

// Actions do what is asked for. Each gives an exit code of rehearse, or an error, which is an exit code of its own.
type Actions struct {
	// Reach says what is wrong with a server, before anything is built for it; nil: nobody asks.
	Reach  func(context.Context, command.Streams, *request.Server) error
	Swarm  func(context.Context, command.Streams, *request.Swarm) (int, error)
	Worker func(context.Context, command.Streams, *request.Worker) (int, error)
	Status func(context.Context, command.Streams, *request.Status) (int, error)
	Stop   func(context.Context, command.Streams, *request.Stop) (int, error)
}

const name = "rehearse-swarm"

// Main runs the command line and gives the exit code.
func Main(args []string, s command.Streams, do Actions) int {
	caller, args, ok := command.Begin(name, args, s.Err)
	if !ok {
		return command.ExitError
	}
	c := command.Companion{Name: name, Does: "shares an exploration among machines",
		Commands: []command.Command{swarmCommand(caller, do), workerCommand(do)}}
	return c.Main(args, s)
}

// usageError is an error of the command line: it is told with where to read about it.
type usageError struct{ error }

func usage(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// act has something done until it is interrupted, and tells its error.
func act(s command.Streams, name string, do func(context.Context) (int, error)) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	code, err := do(ctx)
	var wrong *usageError
	switch {
	case errors.As(err, &wrong):
		return command.Usage(s, name, err)
	case err != nil:
		fmt.Fprintf(s.Err, "rehearse %s: %v\n", name, err)
		return command.ExitError
	}
	return code
}

// given are the names of the flags that were given.
func given(fs *flag.FlagSet) (names []string) {
	fs.Visit(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}
